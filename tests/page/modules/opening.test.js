import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { emptyStorage, page } from "./browser.js";

const settings = await import(page("settings"));
const { finishOpening, insist, open } = await import(page("table_request"));

const answer = (status, body = {}) => ({ ok: status < 400, status, headers: new Headers(), json: async () => body });
const opened = (request) => ({ table: "t1", seat: 0, key: request.key });

/** Answers in turn; returns the bodies that were asked with. */
function server(...answers) {
  const asked = [];
  globalThis.fetch = async (_, request) => {
    asked.push(JSON.parse(request.body));
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next instanceof Error) throw next;
    return typeof next === "number" ? answer(next, { error: `${next}` }) : answer(201, opened(asked.at(-1)));
  };
  return asked;
}

const LOST = new TypeError("no network");
const hurry = () =>
  mock.method(globalThis, "setTimeout", (call) => {
    queueMicrotask(call);
    return 0;
  });

describe("a table that is opened", () => {
  beforeEach(() => {
    emptyStorage();
    mock.restoreAll();
    hurry();
  });

  it("is asked for with one key however often the answer is lost", async () => {
    const asked = server(LOST, 503, "opened");
    const { key } = await open({ game: "whist" });
    assert.equal(asked.length, 3);
    assert.deepEqual(new Set(asked.map((one) => one.key)), new Set([key]));
  });

  it("is asked for with the same key when the button is pressed again", async () => {
    const lost = server(LOST);
    await assert.rejects(open({ game: "whist", players: 2 }));
    const again = server("opened");
    await open({ game: "whist", players: 2 });
    assert.equal(again[0].key, lost[0].key);
  });

  it("has a new key when something else is asked for", async () => {
    const lost = server(LOST);
    await assert.rejects(open({ game: "whist", players: 3 }));
    const other = server("opened");
    await open({ game: "whist", players: 4 });
    assert.notEqual(other[0].key, lost[0].key);
  });

  it("is not asked for again where the server has refused", async () => {
    const asked = server(422);
    await assert.rejects(open({ game: "poker" }), { message: "422" });
    assert.equal(asked.length, 1);
  });

  it("says that the room does not answer where nothing has", async () => {
    server(LOST);
    await assert.rejects(
      insist(() => fetch("/", { body: "{}" })),
      /does not answer/,
    );
  });
});

describe("a page that was closed before the answer", () => {
  beforeEach(emptyStorage);
  const before = (ago = 0) => settings.keepOpening({ path: "/api/tables", body: {}, key: "k", at: Date.now() - ago });

  it("has its seat when it is opened again", async () => {
    before();
    server("opened");
    await finishOpening();
    assert.deepEqual([settings.seatAt("t1").seat, settings.seatAt("t1").key], [0, "k"]);
    assert.equal(settings.opening().key, undefined);
  });

  it("asks again later while the server does not answer", async () => {
    before();
    server(503);
    await finishOpening();
    assert.equal(settings.opening().key, "k");
  });

  it("does not ask any more after a refusal, or after ten minutes", async () => {
    before();
    server(409);
    await finishOpening();
    assert.equal(settings.opening().key, undefined);
    before(11 * 60_000);
    const asked = server("opened");
    await finishOpening();
    assert.deepEqual(asked, []);
  });
});
