import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage, storage } from "./browser.js";
import { lookUp } from "../../../src/parlour/server/page/js/landing/table_lookup.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import * as api from "../../../src/parlour/server/page/js/common/api.js";

const answer = (status, body = {}) => ({
  ok: status < 400,
  status,
  headers: new Headers(),
  json: () => Promise.resolve(body),
});
const respond = (answers) => {
  globalThis.fetch = (path) => Promise.resolve(path).then((address) => answers[address.split("/").at(-1)]());
};
const tables = () => settings.ownSeats();

describe("the keys of the player's tables", () => {
  beforeEach(() => {
    emptyStorage();
    for (const table of ["one", "two"]) settings.keepSeat(table, 0, `key of ${table}`);
  });

  const lookUpTables = () => lookUp(tables(), api.table, settings.forgetSeat);

  it("stay while the network fails", async () => {
    respond({
      one: () => {
        throw new TypeError("no network");
      },
      two: () => answer(200, { table: "two" }),
    });
    assert.deepEqual(await lookUpTables(), [{ table: "two" }]);
    assert.deepEqual(tables().sort(), ["one", "two"]);
  });

  for (const status of [409, 421, 429, 500, 503]) {
    it(`stay when the server answers ${status}`, async () => {
      respond({ one: () => answer(status), two: () => answer(status) });
      assert.deepEqual(await lookUpTables(), []);
      assert.deepEqual(tables().sort(), ["one", "two"]);
      assert.equal(settings.seatAt("one").key, "key of one");
    });
  }

  it("stay when the answer is no JSON", async () => {
    const broken = {
      ...answer(502),
      json: () => Promise.reject(new SyntaxError("<html>")),
    };
    respond({ one: () => broken, two: () => broken });
    await lookUpTables();
    assert.equal(tables().length, 2);
  });

  it("are removed with a table that does not exist", async () => {
    respond({ one: () => answer(404), two: () => answer(200, { table: "two" }) });
    await lookUpTables();
    assert.deepEqual(tables(), ["two"]);
    assert.equal(settings.seatAt("one").key, null);
  });

  it("last as long as the page where storage is full", () => {
    storage.refuses = true;
    assert.equal(settings.keepSeat("three", 1, "key"), false);
    assert.deepEqual([settings.seatAt("three").seat, settings.seatAt("three").key], [1, "key"]);
  });
});

describe("settings", () => {
  beforeEach(emptyStorage);

  it("have their defaults without a valid entry in storage", () => {
    assert.equal(settings.settings().pace, "normal");
    storage.parlour = "{";
    assert.equal(settings.settings().pace, "normal");
  });

  it("keep the other values when one changes", () => {
    settings.remember({ pace: "fast" });
    settings.remember({ name: "Ann" });
    assert.deepEqual([settings.settings().pace, settings.settings().name], ["fast", "Ann"]);
  });

  it("know a game after five turns", () => {
    for (let turn = 0; turn < 4; turn += 1) settings.countAction("bridge");
    assert.equal(settings.knowsGame("bridge"), false);
    settings.countAction("bridge");
    assert.equal(settings.knowsGame("bridge"), true);
    assert.equal(settings.knowsGame("whist"), false);
  });

  it("are those of a newcomer until the first turn", () => {
    assert.equal(settings.isNew(), true);
    settings.countAction("bridge");
    assert.equal(settings.isNew(), false);
  });
});

describe("settings that a full storage refuses", () => {
  beforeEach(() => {
    emptyStorage();
    settings.remember({ pace: "fast", name: "Ann" });
    storage.refuses = true;
    settings.remember({ pace: "slow" });
  });

  it("hold on this page, and the stored ones stay for the next", () => {
    assert.deepEqual([settings.settings().pace, settings.settings().name], ["slow", "Ann"]);
    assert.equal(JSON.parse(storage.parlour).pace, "fast");
  });

  it("are stored with the next change for which there is room", () => {
    storage.refuses = false;
    settings.remember({ large: true });
    assert.deepEqual([settings.settings().pace, settings.settings().large], ["slow", true]);
    assert.equal(JSON.parse(storage.parlour).pace, "slow");
  });
});

describe("the looks of the cards", () => {
  it("are set on the document, where the drawings find them, and kept", () => {
    emptyStorage();
    settings.remember({ faces: "large", back: "waves" });
    assert.deepEqual(document.documentElement.dataset, { faces: "large", back: "waves" });
    assert.equal(settings.settings().faces, "large");
    settings.remember({ faces: "usual", back: "bricks" });
    assert.deepEqual(document.documentElement.dataset, { faces: "usual", back: "bricks" });
  });
});
