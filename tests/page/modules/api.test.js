// Requests to the server: what is repeated, how often, and what the caller learns of a failure.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import "./browser.js";
import * as api from "../../../src/parlour/server/page/js/common/api.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

/** The requests that were sent, each with its path, method and body. */
let sent = [];

const answer = (status, body = {}, headers = {}) => ({
  ok: status < 400,
  status,
  headers: new Headers(headers),
  json: () => Promise.resolve(body),
});

/** Give these answers in turn; the last one to all further requests. */
function respond(...answers) {
  sent = [];
  globalThis.fetch = (path, { method = "GET", body } = {}) => {
    sent.push({ path, method, body });
    const next = answers.length > 1 ? answers.shift() : answers[0];
    return next === null ? Promise.reject(new TypeError("no network")) : Promise.resolve(next);
  };
}
const moving = () => answer(421, { error: "elsewhere" }, { "Retry-After": "1" });

/** Return the error of a request, while its pauses of a second pass at once. */
async function errorOf(request) {
  let error = null;
  const finished = request.catch((one) => (error = one));
  for (let second = 0; second < 20; second += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(1000);
  }
  await Promise.race([finished, new Promise((resolve) => setImmediate(resolve))]);
  return error;
}

describe("a request for a table that moves to another server", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("is repeated unchanged after a second, until the table has arrived", async () => {
    respond(moving(), moving(), answer(200, { seat: 1 }));
    const taken = api.takeSeat("one", 1, "Ann", "key");
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(sent.length, 1);
    assert.equal(await errorOf(taken), null);
    assert.deepEqual(await taken, { seat: 1 });
    assert.deepEqual(sent, [sent[0], sent[0], sent[0]]);
    assert.deepEqual([sent[0].path, sent[0].method], ["/api/tables/one/seats", "POST"]);
    assert.deepEqual(JSON.parse(sent[0].body), { seat: 1, name: "Ann", key: "key" });
  });

  it("fails with the sentence of the server if the table has not arrived at the sixth request", async () => {
    respond(moving());
    const error = await errorOf(api.table("one"));
    assert.equal(sent.length, 6);
    assert.deepEqual([api.messageOf(error), api.statusOf(error)], ["elsewhere", 421]);
  });
});

describe("a request that fails", () => {
  it("is not repeated, neither by a server that names no time nor by one that is busy", async () => {
    for (const failure of [
      answer(421, { error: "elsewhere" }),
      answer(503, { error: "busy" }, { "Retry-After": "1" }),
    ]) {
      respond(failure);
      await assert.rejects(api.games(), { status: failure.status });
      assert.equal(sent.length, 1);
    }
  });

  it("has a sentence also if the answer has none, and status 0 without an answer", async () => {
    respond(answer(500));
    await assert.rejects(api.games(), ({ message, status }) => message.length > 10 && status === 500);
    respond(null);
    await assert.rejects(api.games(), ({ message, status }) => message.length > 10 && status === 0);
    assert.equal(sent.length, 1);
  });

  it("is one without an answer if the answer is cut off or not the room's", async () => {
    const broken = (status) => ({ ...answer(status), json: () => Promise.reject(new SyntaxError("no JSON")) });
    respond(broken(200));
    await assert.rejects(api.games(), { status: 0, message: t("unreachable") });
    respond(broken(502));
    await assert.rejects(api.games(), { status: 502, message: t("failed") });
  });

  it("is one without an answer if the room is silent for a minute", async () => {
    const patience = new AbortController();
    const limit = mock.method(AbortSignal, "timeout", () => patience.signal);
    globalThis.fetch = (_, { signal }) =>
      new Promise((_answer, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
    const asked = api.takeSeat("one", 1, "Ann", "key");
    patience.abort();
    await assert.rejects(asked, { status: 0 });
    assert.deepEqual(limit.mock.calls[0].arguments, [60_000]);
    mock.restoreAll();
  });

  it("is said to be for an unknown table where the server knows no such table", async () => {
    respond(answer(404, { error: "no table" }));
    const error = await api.table("one").catch((one) => one);
    assert.equal(api.isNotFound(error), true);
    assert.notEqual(api.tableErrorText(error), "no table");
    respond(answer(409, { error: "taken" }));
    assert.equal(api.tableErrorText(await api.table("one").catch((one) => one)), "taken");
  });
});
