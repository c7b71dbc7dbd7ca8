import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage, page, storage } from "./browser.js";

const { lookUp } = await import(page("table_lookup"));
const settings = await import(page("settings"));
const api = await import(page("api"));

const answer = (status, body = {}) => ({ ok: status < 400, status, headers: new Headers(), json: async () => body });
const answering = (answers) => {
  globalThis.fetch = async (path) => answers[path.split("/").at(-1)]();
};
const keys = () => settings.ownSeats();

describe("the keys of one's own tables", () => {
  beforeEach(() => {
    emptyStorage();
    for (const table of ["one", "two"]) settings.keepSeat(table, 0, `key of ${table}`);
  });

  const landing = () => lookUp(keys(), api.table, settings.forgetSeat);

  it("stay while the network fails", async () => {
    answering({
      one: () => {
        throw new TypeError("no network");
      },
      two: () => answer(200, { table: "two" }),
    });
    assert.deepEqual(await landing(), [{ table: "two" }]);
    assert.deepEqual(keys().sort(), ["one", "two"]);
  });

  for (const status of [409, 421, 429, 500, 503]) {
    it(`stay when the server answers ${status}`, async () => {
      answering({ one: () => answer(status), two: () => answer(status) });
      assert.deepEqual(await landing(), []);
      assert.deepEqual(keys().sort(), ["one", "two"]);
      assert.equal(settings.seatAt("one").key, "key of one");
    });
  }

  it("stay when the answer is no JSON", async () => {
    const broken = {
      ...answer(502),
      json: async () => {
        throw new SyntaxError("<html>");
      },
    };
    answering({ one: () => broken, two: () => broken });
    await landing();
    assert.equal(keys().length, 2);
  });

  it("go with a table that is not found, and only with that one", async () => {
    answering({ one: () => answer(404), two: () => answer(200, { table: "two" }) });
    await landing();
    assert.deepEqual(keys(), ["two"]);
    assert.equal(settings.seatAt("one").key, null);
  });

  it("are remembered as long as the page is open where storage is full", () => {
    storage.refuses = true;
    assert.equal(settings.keepSeat("three", 1, "key"), false);
    assert.deepEqual([settings.seatAt("three").seat, settings.seatAt("three").key], [1, "key"]);
  });
});

describe("settings", () => {
  beforeEach(emptyStorage);

  it("have their defaults where nothing is stored, or what is stored is broken", () => {
    assert.equal(settings.settings().pace, "normal");
    storage.parlour = "{";
    assert.equal(settings.settings().pace, "normal");
  });

  it("keep the others when one is changed", () => {
    settings.remember({ pace: "fast" });
    settings.remember({ name: "Ann" });
    assert.deepEqual([settings.settings().pace, settings.settings().name], ["fast", "Ann"]);
  });

  it("know a game after five turns, not before", () => {
    for (let turn = 0; turn < 4; turn += 1) settings.actedIn("bridge");
    assert.equal(settings.hasMet("bridge"), false);
    settings.actedIn("bridge");
    assert.equal(settings.hasMet("bridge"), true);
    assert.equal(settings.hasMet("whist"), false);
  });

  it("are those of somebody new until the first turn", () => {
    assert.equal(settings.isNew(), true);
    settings.actedIn("bridge");
    assert.equal(settings.isNew(), false);
  });
});
