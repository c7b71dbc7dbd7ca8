import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { requestTable, resumeTableRequest } from "../../../src/parlour/server/page/js/landing/table_request.js";

const answer = (status, body = {}) => ({
  ok: status < 400,
  status,
  headers: new Headers(),
  json: () => Promise.resolve(body),
});
const opened = (request) => ({ table: "t1", seat: 0, key: request.key });

/** Serve these answers in turn, the last one for ever. Return the bodies of the requests. */
function server(...answers) {
  const asked = [];
  globalThis.fetch = (_, request) => {
    asked.push(JSON.parse(request.body));
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next instanceof Error) return Promise.reject(next);
    const found = typeof next === "number" ? answer(next, { error: `${next}` }) : answer(201, opened(asked.at(-1)));
    return Promise.resolve(found);
  };
  return asked;
}

const LOST = new TypeError("no network");
const skipWaits = () =>
  mock.method(globalThis, "setTimeout", (call) => {
    queueMicrotask(call);
    return 0;
  });

describe("a request for a table", () => {
  beforeEach(() => {
    emptyStorage();
    mock.restoreAll();
    skipWaits();
  });

  it("keeps its key however often the answer is lost", async () => {
    const asked = server(LOST, 503, "opened");
    const { key } = await requestTable({ game: "whist" });
    assert.equal(asked.length, 3);
    assert.deepEqual(new Set(asked.map((one) => one.key)), new Set([key]));
  });

  for (const [what, found] of [
    ["answered", "opened"],
    ["refused", 422],
    ["given up", LOST],
  ]) {
    it(`is kept for the case that the page is closed, until it is ${what}`, async () => {
      server(found);
      const asked = requestTable({ game: "hearts" }, "/api/tables/one/again").catch(() => {});
      const { path, body, key } = settings.tableRequest();
      assert.deepEqual([path, body, key.length > 20], ["/api/tables/one/again", { game: "hearts" }, true]);
      await asked;
      assert.deepEqual(settings.tableRequest(), {});
    });
  }

  it("leaves that of another page that came meanwhile", async () => {
    server("opened");
    const asked = requestTable({ game: "hearts" });
    const newer = { path: "/api/tables", body: { game: "whist" }, key: "newer", at: Date.now() };
    settings.keepTableRequest(newer);
    await asked;
    assert.deepEqual(settings.tableRequest(), newer);
  });

  it("keeps its key when the button is pressed again", async () => {
    const lost = server(LOST);
    await assert.rejects(requestTable({ game: "whist", players: 2 }));
    const again = server("opened");
    await requestTable({ game: "whist", players: 2 });
    assert.equal(again[0].key, lost[0].key);
  });

  it("has a new key when it differs from the one before", async () => {
    const lost = server(LOST);
    await assert.rejects(requestTable({ game: "whist", players: 3 }));
    const other = server("opened");
    await requestTable({ game: "whist", players: 4 });
    assert.notEqual(other[0].key, lost[0].key);
  });

  it("is not repeated after a refusal", async () => {
    const asked = server(422);
    await assert.rejects(requestTable({ game: "poker" }), { message: "422" });
    assert.equal(asked.length, 1);
  });

  it("fails after five tries with a sentence about the room if the server never answers", async () => {
    const asked = server(LOST);
    await assert.rejects(requestTable({ game: "whist" }), /does not answer/);
    assert.equal(asked.length, 5);
  });
});

describe("a page that was closed before the answer", () => {
  beforeEach(emptyStorage);
  const before = (ago = 0) =>
    settings.keepTableRequest({ path: "/api/tables", body: {}, key: "k", at: Date.now() - ago });

  it("gets its seat when it is opened again", async () => {
    before();
    server("opened");
    await resumeTableRequest();
    const { seat, key, opened: isOwnTable } = settings.seatAt("t1");
    assert.deepEqual([seat, key, isOwnTable], [0, "k", true]);
    assert.equal(settings.tableRequest().key, undefined);
  });

  it("repeats its request later while the server does not answer", async () => {
    before();
    server(503);
    await resumeTableRequest();
    assert.equal(settings.tableRequest().key, "k");
  });

  it("gives up its request after a refusal, or after ten minutes", async () => {
    before();
    server(409);
    await resumeTableRequest();
    assert.equal(settings.tableRequest().key, undefined);
    before(11 * 60_000);
    const asked = server("opened");
    await resumeTableRequest();
    assert.deepEqual(asked, []);
  });

  it("leaves the request of another page that came meanwhile", async () => {
    before();
    let arrive = () => {};
    globalThis.fetch = () => new Promise((resolve) => (arrive = () => resolve(answer(201, opened({ key: "k" })))));
    const resumed = resumeTableRequest();
    const newer = { path: "/api/tables", body: { game: "whist" }, key: "newer", at: Date.now() };
    settings.keepTableRequest(newer);
    arrive();
    await resumed;
    assert.equal(settings.seatAt("t1").key, "k");
    assert.deepEqual(settings.tableRequest(), newer);
  });
});
