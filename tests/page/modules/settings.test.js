import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
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
    storage.parlour = "{";
    assert.equal(settings.settings().pace, "normal");
  });

  it("are at first those of a usual player, who is disturbed by nothing", () => {
    assert.deepEqual(settings.settings(), {
      name: "",
      pace: "normal",
      rest: "pace",
      confirm: false,
      forced: true,
      letters: true,
      sound: true,
      hear: true,
      notify: false,
      large: false,
      text: false,
      deck: "two",
      faces: "usual",
      back: "bricks",
      scheme: "auto",
      manners: {},
      turns: {},
      glossed: {},
      lessons: {},
      still: false,
      game: null,
      players: null,
      options: {},
      seats: [],
      met: [],
    });
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

describe("the tables of this browser", () => {
  beforeEach(emptyStorage);
  afterEach(() => mock.timers.reset());

  it("are those with a seat, the latest first", () => {
    mock.timers.enable({ apis: ["Date"] });
    for (const [table, seat] of [
      ["one", 0],
      ["watched", -1],
      ["two", 1],
    ]) {
      settings.keepSeat(table, seat, "key");
      mock.timers.tick(1000);
    }
    settings.keepRead("three", 5);
    settings.keepHostKey("c1", "host");
    assert.deepEqual(settings.ownSeats(), ["two", "one"]);
  });

  it("keep what else is known of a seat when it is linked, until it is forgotten with what was read", () => {
    settings.keepSeat("one", 1, "key", true);
    settings.keepRead("one", 7);
    settings.markLinked("one", "yes");
    const { seat, key, opened, linked } = settings.seatAt("one");
    assert.deepEqual([seat, key, opened, linked, settings.lastRead("one", 0)], [1, "key", true, "yes", 7]);
    settings.markLinked("one", undefined);
    assert.equal(settings.seatAt("one").linked, undefined);
    settings.forgetSeat("one");
    assert.deepEqual([settings.seatAt("one").seat, settings.lastRead("one", 3)], [-1, 3]);
  });

  it("are forgotten also where the storage is full or blocked", () => {
    storage.refuses = true;
    settings.keepSeat("one", 1, "key");
    settings.keepRead("one", 7);
    globalThis.localStorage = new Proxy({}, { get: () => assert.fail("blocked") });
    settings.forgetSeat("one");
    globalThis.localStorage = storage;
    assert.deepEqual([settings.seatAt("one").seat, settings.lastRead("one", 3)], [-1, 3]);
  });

  it("were opened here only if that was said", () => {
    settings.keepSeat("one", 0, "key");
    settings.keepSeat("two", 0, "key", true);
    assert.deepEqual(
      ["one", "two"].map((table) => settings.seatAt(table).opened),
      [false, true],
    );
  });

  it("have the name of an onlooker and the key of a host each for itself", () => {
    settings.keepOnlookerName("one", "Dov");
    settings.keepHostKey("c1", "host");
    assert.deepEqual(["one", "two"].map(settings.onlookerName), ["Dov", ""]);
    assert.deepEqual(["c1", "c2"].map(settings.hostKey), ["host", ""]);
  });

  it("know where this browser has proposed a rematch, beside the seat there", () => {
    settings.keepSeat("two", 1, "key", true);
    settings.markProposed("two");
    const { seat, key, opened, proposed } = settings.seatAt("two");
    assert.deepEqual([seat, key, opened, proposed, settings.seatAt("one").proposed], [1, "key", true, true, undefined]);
  });

  it("may wait for a request without an answer, until that is over", () => {
    const request = { path: "/api/tables", body: { game: "whist" }, key: "k", at: 1 };
    settings.keepTableRequest(request);
    assert.deepEqual(settings.tableRequest(), request);
    settings.keepTableRequest({});
    assert.deepEqual(settings.tableRequest(), {});
  });
});

describe("a game that the player knows", () => {
  beforeEach(emptyStorage);

  it("is kept once, beside others, and its turns are no longer counted", () => {
    settings.markKnown("whist");
    settings.markKnown("whist");
    settings.markKnown("hearts");
    settings.countAction("whist");
    assert.deepEqual([settings.settings().met, settings.settings().turns], [["whist", "hearts"], {}]);
    assert.equal(settings.isNew(), false);
  });

  it("is counted beside others", () => {
    for (const game of ["whist", "hearts", "whist"]) settings.countAction(game);
    assert.deepEqual(settings.settings().turns, { whist: 2, hearts: 1 });
  });
});

describe("the language", () => {
  it("is kept for a year, or no longer", () => {
    document.cookie = "";
    assert.equal(settings.chosenLanguage(), "");
    settings.chooseLanguage("fi");
    assert.equal(document.cookie, "language=fi; path=/; max-age=31536000; SameSite=Lax");
    assert.equal(settings.chosenLanguage(), "fi");
    settings.chooseLanguage("");
    assert.match(document.cookie, /max-age=0/);
  });

  it("is found among other cookies, and not in the name of another", () => {
    document.cookie = "a=b; language=de; c=d";
    assert.equal(settings.chosenLanguage(), "de");
    document.cookie = "a=b; mylanguage=de";
    assert.equal(settings.chosenLanguage(), "");
  });
});

describe("a change of the settings", () => {
  it("redraws the page, unless it is quiet", () => {
    emptyStorage();
    const told = mock.method(globalThis, "dispatchEvent", () => true);
    settings.remember({ large: true });
    settings.rememberQuietly({ name: "Ann" });
    assert.deepEqual(
      told.mock.calls.map(({ arguments: [event] }) => event.type),
      ["parlour-settings"],
    );
    mock.restoreAll();
  });

  it("of the looks is set on the document", () => {
    const on = new Set();
    document.documentElement.classList.toggle = (name, is) => on[is ? "add" : "delete"](name);
    for (const [change, names] of [
      [{ scheme: "dark", deck: "four", large: true }, ["dark", "four-colours", "large"]],
      [{ scheme: "light" }, ["four-colours", "large", "light"]],
      [{ scheme: "auto", deck: "two", large: false }, []],
    ]) {
      settings.remember(change);
      assert.deepEqual([...on].sort(), names);
    }
  });
});
