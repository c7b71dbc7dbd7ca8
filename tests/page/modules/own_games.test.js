// The page of the player's games: the list with its search, other devices, the file of records.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage, storage } from "./browser.js";
import { emptyDocument, enter, press, settle, texts } from "./elements.js";
import { serve } from "./server.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { carriedKey, devicePart, hasCarriedKey } from "../../../src/parlour/server/page/js/player/devices.js";
import { addressOf, finishedLine } from "../../../src/parlour/server/page/js/player/game_line.js";
import { ownGamesPage } from "../../../src/parlour/server/page/js/player/own_games.js";
import { ownKey, takeKey } from "../../../src/parlour/server/page/js/player/player_key.js";
import { PLAYER_TEXTS } from "../../../src/parlour/server/page/js/player/player_texts.js";
import { ratingsPart } from "../../../src/parlour/server/page/js/player/ratings.js";
import { exportPart } from "../../../src/parlour/server/page/js/player/records_export.js";

const WORDS = readFileSync(new URL("../../../src/parlour/server/page/words/english.txt", import.meta.url), "utf8");
const KEY = "0123456789abcdef012345";
const SPELT = "abuse boss fly battle rubber wasp afraid hamster";
const OTHER = "f".repeat(22);

/** A moment on 23 November 2020, wherever the tests run. */
const NOON = new Date(2020, 10, 23, 12).toISOString();
const WON = { won: true, points: 3, against: 2 };
const LOST = { won: false, points: 2, against: 3 };
const game = (table, more = {}) => ({
  table,
  game: "whist",
  title: "Whist",
  seat: 0,
  at: NOON,
  others: [{ name: "Ada", bot: "casual" }],
  score: WON,
  review: null,
  kept: true,
  daily: null,
  ...more,
});
const many = (from, number, more = {}) => Array.from({ length: number }, (_, at) => game(`g${from + at}`, more));

let body;
let visited;
const lines = () => body.querySelectorAll(".own-finished .table-line").map(({ dataset }) => dataset.table);

beforeEach(() => {
  emptyStorage();
  takeKey(KEY);
  body = emptyDocument();
  visited = [];
  const [assign, reload] = [(to) => visited.push(to), () => visited.push("again")];
  globalThis.location = { assign, reload, origin: "http://h", hostname: "h", host: "h", hash: "", pathname: "/mine" };
  globalThis.history = { replaceState: (_, __, address) => Object.assign(location, { hash: "", shown: address }) };
});

describe("the page of the player's games", () => {
  const bots = [{ id: "casual", title: "Casual" }];

  /** Open the page with these parts of the list. */
  async function open(parts, more = {}) {
    const answers = parts.map(([games, next]) => ({ name: "Ann", games, next: next ?? null }));
    const ratings = { "/api/player/ratings": { ratings: [] } };
    const sent = serve({ ...ratings, ...more, "/api/games": { games: [], bots }, "/api/player": answers, ...more });
    await ownGamesPage(body);
    await settle();
    return sent;
  }
  const count = () => texts(".own-finished [role=status]")[0];
  const more = () =>
    body.querySelectorAll(".own-finished button").find((one) => one.textContent === PLAYER_TEXTS.mineMore);

  it("has a note in place of the list where the browser keeps nothing", async () => {
    storage.refuses = true;
    takeKey(OTHER);
    await open([[[]]]);
    assert.match(body.querySelector(".own-top .failure").textContent, /keeps nothing/);
    assert.deepEqual([body.querySelector(".own-finished"), body.querySelector("[id=device]")], [null, null]);
    storage.refuses = false;
    takeKey(KEY);
    await open([[[]]]);
    assert.ok(!body.textContent.includes("keeps nothing"));
    assert.ok(body.querySelector("[id=device]"));
  });

  it("has the finished games with their count, and none that is in two parts", async () => {
    const sent = await open(
      [
        [[game("a"), game("b", { score: null })], "n1"],
        [[game("b", { score: LOST }), game("a"), game("c", { score: LOST })], null],
      ],
      { "/api/tables/b": 503 },
    );
    assert.deepEqual([lines(), count()], [["a", "c"], "2 games, 1 won"]);
    assert.match(sent.filter(({ path }) => path.startsWith("/api/player?")).at(-1).path, /before=n1$/);
  });

  it("says that there are none, and why others did not come", async () => {
    await open([[[], null]]);
    assert.ok(body.textContent.includes(PLAYER_TEXTS.mineNone));
    assert.equal(body.querySelector(".own-shown").hidden, true);
    await open([[[game("a")], "n1"]], { "/api/player?number=100&before=n1": 503 });
    assert.deepEqual([lines(), texts(".own-finished .failure").filter(Boolean)], [["a"], ["refused: 503"]]);
    await open([], { "/api/player": 503 });
    assert.deepEqual(texts(".failure"), ["refused: 503"]);
    await open([], { "/api/games": 503 });
    assert.deepEqual(texts(".failure"), ["refused: 503"]);
    assert.ok(body.querySelector("[data-go=retry]"));
  });

  it("is searched and filtered, from the first lines again", async () => {
    await open([
      [
        [
          ...many(0, 30),
          game("x", { others: [{ name: "Bo", bot: null }], score: LOST }),
          game("h", { game: "hearts", title: "Hearts" }),
        ],
        null,
      ],
    ]);
    await press(more());
    assert.deepEqual([lines().length, more().hidden], [32, true]);
    const search = body.querySelector("[name=text]");
    enter(search, "bo", "input");
    assert.deepEqual([lines(), count()], [["x"], "1 game, 0 won"]);
    enter(search, "zzz", "input");
    assert.equal(count(), PLAYER_TEXTS.mineNoneFit);
    enter(search, "", "input");
    assert.deepEqual([lines().length, more().hidden], [20, false]);
    enter(body.querySelector('[name=result][value="other"]'), true);
    assert.deepEqual(lines(), ["x"]);
    enter(body.querySelector('[name=result][value=""]'), true);
    assert.deepEqual(texts("[name=game] option"), [PLAYER_TEXTS.mineAllGames, "Hearts", "Whist"]);
    enter(body.querySelector("[name=game]"), "hearts");
    assert.deepEqual(lines(), ["h"]);
  });

  it("adds twenty lines, with the focus on the first of them", async () => {
    await open([[many(0, 45), null]]);
    assert.equal(lines().length, 20);
    await press(more());
    assert.equal(lines().length, 40);
    assert.equal(document.activeElement.closest(".table-line").dataset.table, "g20");
    await press(more());
    assert.deepEqual([lines().length, more().hidden], [45, true]);
    for (const [number, hidden] of [
      [20, true],
      [21, false],
    ]) {
      await open([[many(0, number), null]]);
      assert.equal(more().hidden, hidden);
    }
    assert.equal(document.title, "Your games · Parlour");
  });

  it("loses a removed game, and with the last of a kind its filter", async () => {
    await open([[[game("a"), game("h", { game: "hearts", title: "Hearts" })], null]], { "/api/player/games": {} });
    enter(body.querySelector("[name=game]"), "hearts");
    await press(body.querySelector(".own-finished [data-table=h] .icon-button"));
    assert.deepEqual([lines(), count()], [["a"], "1 game, 1 won"]);
    await press(body.querySelector(".own-finished [data-table=a] .icon-button"));
    assert.ok(body.textContent.includes(PLAYER_TEXTS.mineNone));
  });

  it("gives the focus to a neighbour of a removed game, and after the last one to its title", async () => {
    await open([[["a", "b", "c"].map((id) => game(id, { kept: false })), null]], { "/api/player/games": {} });
    const remove = async (table) => {
      const go = body.querySelector(`.own-finished [data-table=${table}] .icon-button`);
      go.focus();
      press(go);
      document.activeElement = null; // as browsers do with a disabled button
      await settle();
      await settle();
      return document.activeElement?.closest("li")?.dataset.table ?? document.activeElement?.tagName;
    };
    assert.deepEqual([await remove("b"), await remove("c"), await remove("a")], ["c", "a", "H1"]);
  });

  it("removes a game also from the list of the room, whose table is gone", async () => {
    const sent = await open([[[game("a", { kept: false })], null]], { "/api/player/games/a": {} });
    await press(body.querySelector(".own-finished .icon-button"));
    assert.deepEqual(
      sent.filter(({ method }) => method === "DELETE").map(({ path }) => path),
      ["/api/player/games/a"],
    );
  });

  it("has a review for the games that can have one", async () => {
    await open([[[game("a"), game("b", { kept: false }), game("c", { review: {} })], null]]);
    assert.deepEqual(
      body.querySelectorAll(".line-review").map(({ href }) => href),
      ["/game/a/review"],
    );
    const how = (table) => body.querySelector(`[data-table=${table}] .how`).textContent;
    assert.match(how("a"), /^won \d/);
    assert.match(how("c"), /^won by resignation \d/);
  });

  it("has the ratings where there are some", async () => {
    const rating = {
      game: "whist",
      title: "Whist",
      value: 1512,
      provisional: true,
      games: 1,
      history: [{ at: NOON, value: 1512 }],
    };
    await open([[[game("a")], null]], { "/api/player/ratings": { ratings: [rating] } });
    assert.deepEqual(texts(".own-ratings li"), ["Whist1512?1 rated game"]);
    await open([[[game("a")], null]], { "/api/player/ratings": 503 });
    assert.equal(body.querySelector(".own-ratings"), null);
  });

  it("has the games that go on, until the last is removed", async () => {
    const going = {
      table: "r",
      game: "whist",
      title: "Whist",
      seats: [],
      manners: {},
      begun: true,
      over: false,
      actor: null,
      deadline: null,
    };
    await open([[[game("r", { score: null })], null]], { "/api/tables/r": going, "/api/player/games/r": {} });
    assert.equal(texts(".own-tables h2")[0], PLAYER_TEXTS.mineGoesOn);
    assert.deepEqual([settings.seatAt("r").key, settings.seatAt("r").linked], [KEY, "yes"]);
    await press(body.querySelector(".own-tables .icon-button"));
    assert.equal(body.querySelector(".own-tables"), null);
  });

  it("is loaded anew for a link to another player's games that is opened in it", async () => {
    await open([[[], null]]);
    for (const [hash, reloads] of [
      ["#device", []],
      [`#key=${OTHER}`, ["again"]],
    ]) {
      location.hash = hash;
      dispatchEvent(new Event("hashchange"));
      assert.deepEqual(visited, reloads);
    }
  });
});

describe("a line about a finished game", () => {
  it("is not that of a turn to play", () => {
    assert.equal(finishedLine(game("a")).classList.contains("mine"), false);
  });

  it("has the others, the result and the day", () => {
    const line = (more) => {
      const made = finishedLine(game("a", more));
      return [made.querySelector(".with").textContent, made.querySelector(".how").textContent];
    };
    assert.deepEqual(line({}), ["against Ada", "won 3\u00a0:\u00a02, 23 November 2020"]);
    const [bo, cy] = [{ name: "Bo" }, { name: "Cy" }];
    assert.equal(line({ others: [bo, cy] })[0], "with Bo and Cy"); // one of them may have been the partner
    assert.deepEqual(line({ others: [{ name: "" }], kept: false }), [
      `against ${t("somebody")}, ${t("mineRemoved")}`,
      line({})[1],
    ]);
    const deal = (counts) => line({ others: [], daily: { day: "2026-11-23", counts, sealed: false } })[0];
    assert.deepEqual([true, false].map(deal), ["deal of 23 November", "deal of 23 November (does not count)"]);
    const club = { id: "c1", round: 3, deal: 0, counts: true, sealed: false };
    assert.equal(line({ others: [], club })[0], "club night, round 3, deal 1");
    const cutOff = { ...club, counts: false };
    assert.equal(line({ others: [], club: cutOff })[0], "club night, round 3, deal 1, no longer counts");
  });

  it("leads to its replay, to the page that waits for its end while it is sealed, or nowhere", () => {
    const sealed = { day: "2026-11-23", sealed: true };
    assert.equal(addressOf(game("a")), "/game/a");
    assert.equal(addressOf(game("a", { daily: sealed })), "/daily/2026-11-23");
    assert.equal(addressOf(game("a", { daily: { ...sealed, sealed: false } })), "/game/a");
    assert.equal(addressOf(game("a", { club: { id: "c1", sealed: true } })), "/club/c1");
    assert.equal(addressOf(game("a", { club: { id: "c1", sealed: false } })), "/game/a");
    assert.equal(addressOf(game("a", { kept: false })), null);
    assert.equal(finishedLine(game("a", { kept: false })).querySelector("a"), null);
  });
});

describe("the ratings of a player", () => {
  it("are none without rated games", () => assert.equal(ratingsPart([]), null));

  it("are described from the beginning on", () => {
    const history = [{ at: NOON, value: 1512 }];
    const part = ratingsPart([{ game: "whist", title: "Whist", value: 1512, provisional: false, games: 1, history }]);
    const label = part.querySelector("svg").getAttribute("aria-label");
    assert.equal(label, "1500, 23 November 2020; 1512, 23 November 2020");
  });
});

describe("the link of another device", () => {
  let place;
  const open = async (key, answer = {}) => {
    location.hash = `#${new URLSearchParams({ key })}`;
    const sent = serve({ "/api/player": answer });
    place = carriedKey();
    body.replaceChildren(place);
    await settle();
    return sent;
  };
  const found = { name: "Bo", games: many(0, 3), next: null };
  const take = () => press(place.querySelector("[data-go=take]"));

  it("is none in an address without a key", () => {
    assert.deepEqual([carriedKey(), hasCarriedKey()], [null, false]);
  });

  it("leaves the address at once, and asks before the key is used", async () => {
    const sent = await open(OTHER, found);
    assert.deepEqual([location.hash, location.shown, sent.length, ownKey()], ["", "/mine", 1, KEY]);
    assert.ok(place.textContent.includes("the games of Bo: 3 games."));
  });

  it("is taken by a press: seats are linked anew, and a missing name is taken over", async () => {
    settings.keepSeat("one", 0, "k");
    settings.markLinked("one", "yes");
    await open(OTHER, found);
    await take();
    assert.deepEqual(
      [ownKey(), settings.seatAt("one").linked, settings.settings().name, visited],
      [OTHER, undefined, "Bo", ["again"]],
    );
    settings.remember({ name: "Ann" });
    takeKey(KEY);
    await open(OTHER, found);
    await take();
    assert.equal(settings.settings().name, "Ann");
  });

  it("is not taken where the browser stores nothing, and the key before stays", async () => {
    await open(OTHER, found);
    storage.refuses = true;
    await take();
    assert.deepEqual([texts(".failure"), ownKey(), visited], [[PLAYER_TEXTS.deviceUnstored], KEY, []]);
    storage.refuses = false;
    await take();
    assert.deepEqual([ownKey(), visited], [OTHER, ["again"]]);
  });

  it("is in the address again if the room did not answer, so that a reload asks again", async () => {
    for (const [answer, address] of [
      [null, `/mine#key=${OTHER}`],
      [503, `/mine#key=${OTHER}`],
      [429, `/mine#key=${OTHER}`],
      [422, "/mine"],
    ]) {
      await open(OTHER, answer);
      assert.deepEqual([location.shown, ownKey()], [address, KEY]);
    }
  });

  it("can be left alone", async () => {
    await open(OTHER, found);
    const [, keep] = place.querySelectorAll("button");
    await press(keep);
    assert.deepEqual([place.isConnected, ownKey()], [false, KEY]);
  });

  for (const [what, key, answer, text] of [
    ["is incomplete", "short", {}, PLAYER_TEXTS.deviceBroken],
    ["is that of this browser", KEY, {}, PLAYER_TEXTS.deviceSame],
    ["is of an unknown player", OTHER, { name: null, games: [], next: null }, PLAYER_TEXTS.deviceUnknown],
    ["cannot be looked up", OTHER, 503, "refused: 503"],
  ]) {
    it(`says that it ${what}`, async () => {
      await open(key, answer);
      assert.deepEqual([place.textContent, ownKey()], [text, KEY]);
    });
  }
});

describe("the words of another device", () => {
  let form;
  const typeWords = async (text, answer) => {
    body.replaceChildren(devicePart());
    form = body.querySelector("form");
    answerWith(answer);
    form.querySelector("[name=words]").value = text;
    await press(form, "submit");
    await settle();
    return texts(".failure", form)[0];
  };
  const answerWith = (answer, list = WORDS) => {
    serve({ "/api/player": answer });
    const served = globalThis.fetch;
    globalThis.fetch = (path, options) => {
      if (!String(path).endsWith("english.txt")) return served(path, options);
      return Promise.resolve({ ok: list !== null, text: () => Promise.resolve(list) });
    };
  };

  it("are taken if the room knows their player", async () => {
    takeKey(OTHER);
    assert.equal(await typeWords(SPELT, { name: "Bo", games: [], next: null }), "");
    assert.deepEqual([ownKey(), visited], [KEY, ["again"]]);
  });

  it("say what is wrong with them, and the form can be sent again", async () => {
    takeKey(OTHER);
    assert.equal(await typeWords("abuse", {}), PLAYER_TEXTS.wordsNumber(8, 1));
    assert.equal(await typeWords(SPELT, { name: null }), PLAYER_TEXTS.wordsUnknown);
    assert.equal(await typeWords(SPELT, 503), "refused: 503");
    storage.refuses = true;
    assert.equal(await typeWords(SPELT, { name: "Bo" }), PLAYER_TEXTS.deviceUnstored);
    assert.deepEqual([form.querySelector("[type=submit]").disabled, ownKey(), visited], [false, OTHER, []]);
  });

  it("are shown on request, again after a failure, and not for a key without words", async () => {
    body.replaceChildren(devicePart());
    answerWith({}, null);
    const show = () => press(body.querySelector("[data-go=words]"));
    await show();
    await settle();
    assert.deepEqual(texts(".own-words .failure"), [t("unreachable")]);
    answerWith({});
    await show();
    await settle();
    assert.deepEqual(texts(".own-words li"), SPELT.split(" "));
    takeKey("an-older-key-of-24-signs");
    body.replaceChildren(devicePart());
    await show();
    await settle();
    assert.equal(texts(".own-words")[0], PLAYER_TEXTS.deviceNoWords);
  });

  it("are joined by a link with the key", () => {
    body.replaceChildren(devicePart());
    assert.equal(body.querySelector("input").value, `http://h/mine#key=${KEY}`);
  });
});

describe("the file of all records", () => {
  let saved;
  let part;
  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    saved = [];
    URL.createObjectURL = (blob) => saved.push(blob) && "blob:1";
    URL.revokeObjectURL = () => {};
    part = exportPart();
  });
  afterEach(() => mock.timers.reset());
  const state = () => part.querySelector("[role=status]").textContent;

  it("has the records of all parts, one in each line", async () => {
    const [first, second] = [
      { records: [{ a: 1 }, { b: 2 }], next: "n1" },
      { records: [{ c: 3 }], next: null },
    ];
    const sent = serve({ "/api/player/records": [first, second] });
    const save = part.querySelector("[data-go=export]");
    press(save);
    assert.equal(save.disabled, true);
    await settle();
    assert.deepEqual([state(), save.disabled], ["2 records so far …", true]);
    mock.timers.tick(500);
    await settle();
    assert.deepEqual([state(), save.disabled], ["3 records saved.", false]);
    assert.equal(await saved[0].text(), '{"a":1}\n{"b":2}\n{"c":3}\n');
    assert.deepEqual(
      sent.map(({ path }) => path.match(/before=(.*)/)[1]),
      ["", "n1"],
    );
  });

  it("is not made without records", async () => {
    serve({ "/api/player/records": { records: [], next: null } });
    await press(part.querySelector("[data-go=export]"));
    assert.deepEqual([state(), saved], ["There is no record yet.", []]);
  });
});
