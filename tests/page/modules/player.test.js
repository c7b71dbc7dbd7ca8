// The player's key as words, and the selections and statistics of the list of games.

import { emptyStorage, storage } from "./browser.js";
import "./elements.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, it } from "node:test";
import { answer as answerOf } from "./server.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { dayOf, ratingInWords, resultInWords } from "../../../src/parlour/server/page/js/texts/texts_own.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import * as list from "../../../src/parlour/server/page/js/player/game_list.js";
import { keyOf, wordList, wordsOf } from "../../../src/parlour/server/page/js/player/key_words.js";
import { courseOf, plottedRatings } from "../../../src/parlour/server/page/js/player/ratings.js";
import { plotsPart } from "../../../src/parlour/server/page/js/player/plots.js";
import * as keys from "../../../src/parlour/server/page/js/player/player_key.js";
import * as links from "../../../src/parlour/server/page/js/player/seat_links.js";

const FILE = new URL("../../../src/parlour/server/page/words/english.txt", import.meta.url);
const WORDS = readFileSync(FILE, "utf8").trim().split("\n");
const KEY = "0123456789abcdef012345";
const SPELT = "abuse boss fly battle rubber wasp afraid hamster";

describe("the player's key", () => {
  beforeEach(emptyStorage);

  it("has 88 bits, and lasts until it is forgotten", () => {
    const found = new Set();
    for (let time = 0; time < 50; time += 1) {
      const key = keys.ownKey();
      assert.match(key, /^[0-9a-f]{22}$/);
      assert.equal(keys.ownKey(), key);
      keys.forgetKey();
      found.add(key);
    }
    assert.equal(found.size, 50);
  });

  it("is taken from another device, unless the browser keeps nothing", () => {
    assert.equal(keys.takeKey(KEY), true);
    assert.equal(keys.ownKey(), KEY);
    storage.refuses = true;
    assert.equal(keys.takeKey(keys.ownKey()), false);
  });
});

describe("the words of a key", () => {
  it("cannot be loaded without a connection, in the reader's language", async () => {
    for (const failure of [
      () => Promise.reject(new TypeError("Failed to fetch")),
      () => Promise.resolve(answerOf(503)),
    ]) {
      globalThis.fetch = failure;
      await assert.rejects(wordList(), { message: t("unreachable") });
    }
  });

  it("are eight, and give the key back", () => {
    assert.equal(WORDS.length, 2048);
    assert.equal(wordsOf(KEY, WORDS).join(" "), SPELT);
    for (const key of [KEY, "0".repeat(22), "f".repeat(22)]) {
      assert.deepEqual(keyOf(wordsOf(key, WORDS).join(" "), WORDS), { key, problem: "" });
    }
  });

  it("may be typed in capitals, with commas, and by their first four letters", () => {
    const short = SPELT.split(" ").map((word) => word.slice(0, 4));
    for (const text of [SPELT.toUpperCase(), SPELT.replaceAll(" ", ",\n"), short.join(" ")]) {
      assert.equal(keyOf(text, WORDS).key, KEY);
    }
  });

  it("name the word that is unknown, and words like it", () => {
    assert.equal(keyOf("abandn able", WORDS).problem, "“abandn” is none of the words. Is it abandon?");
    assert.equal(keyOf("abuse bsos", WORDS).problem, "“bsos” is none of the words. Is it boss?");
    assert.equal(keyOf("xyzzy", WORDS).problem, "“xyzzy” is none of the words.");
    for (const [typed, listed, similar] of [
      ["cot", "coat", true],
      ["coaat", "coat", true],
      ["coad", "coat", true],
      ["caot", "coat", true],
      ["coatxy", "coat", false],
      ["coadd", "coat", false],
      ["taoc", "coat", false],
    ]) {
      assert.equal(keyOf(typed, [listed]).problem.endsWith("Is it coat?"), similar, typed);
    }
    assert.ok(keyOf("a".repeat(10_000), WORDS).problem.length < 60);
  });

  it("are counted", () => {
    assert.equal(keyOf("abuse", WORDS).problem, "8 words are needed; this is 1.");
    assert.equal(keyOf("", WORDS).problem, "8 words are needed; these are 0.");
    assert.equal(keyOf(`${SPELT} able`, WORDS).problem, "8 words are needed; these are 9.");
  });

  it("are missing for a key of another form", () => {
    assert.equal(wordsOf("another-key-of-24-letters", WORDS), null);
  });
});

const BOTS = ["beginner", "casual", "master"].map((id) => ({ id, title: id }));
const game = (more) => ({
  table: "t",
  game: "oh-hell",
  title: "Oh Hell",
  at: "2026-11-26T12:00:00Z",
  others: [{ name: "Ada", bot: "casual" }],
  score: { won: false, points: 2, against: 3 },
  review: null,
  kept: true,
  daily: null,
  ...more,
});
const WON = { score: { won: true, points: 3, against: 2 } };
const review = (lost, more = {}) => ({ luck: 50, others: 0, own: -20, lost, decisions: 10, worst: [], ...more });

describe("the list of games", () => {
  const games = [game({ table: "a" }), game({ table: "b", ...WON, others: [{ name: "Bo", bot: null }] })];
  games.push(game({ table: "c", game: "whist", title: "Whist" }), game({ table: "d", score: null }));
  const tables = (filter) =>
    list.selectGames(games, { text: "", game: "", result: "", ...filter }).map((one) => one.table);

  it("is searched by words in titles and names, and filtered by game and result", () => {
    assert.deepEqual(tables({}), ["a", "b", "c"]);
    assert.deepEqual(tables({ text: "HELL ad" }), ["a"]);
    assert.deepEqual(tables({ text: "nobody" }), []);
    assert.deepEqual(tables({ game: "whist" }), ["c"]);
    assert.deepEqual(tables({ result: "won" }), ["b"]);
    assert.deepEqual(tables({ result: "other" }), ["a", "c"]);
  });

  it("has results and days in words", () => {
    assert.equal(resultInWords({ won: true, points: 3, against: -2 }), "won 3\u00a0:\u00a0−2");
    assert.equal(resultInWords({ won: false, points: 2, against: 3 }), "lost 2\u00a0:\u00a03");
    assert.equal(resultInWords({ won: false, points: 3, against: 3 }), "not won 3\u00a0:\u00a03");
    assert.equal(resultInWords({ won: true, points: 2, against: 3 }, true), "won by resignation 2\u00a0:\u00a03");
    assert.equal(resultInWords({ won: false, points: 3, against: 2 }, true), "resigned 3\u00a0:\u00a02");
    const now = new Date(2026, 10, 26, 0, 30);
    const before = (days) => dayOf(new Date(2026, 10, 26 - days, 23), now);
    assert.deepEqual([0, 1, 2, 7].map(before), ["today", "yesterday", "Tuesday", "19 November"]);
    assert.equal(dayOf(new Date(2025, 10, 26), now), "26 November 2025");
  });
});

describe("the statistics", () => {
  it("count wins by the strongest bot at the table, without games among people", () => {
    const mixed = [
      { name: "Ada", bot: "beginner" },
      { name: "Bo", bot: "casual" },
    ];
    const games = [game({}), game(WON), game({ others: mixed }), game({ others: [{ name: "Bo", bot: null }] })];
    games.push(game({ others: [mixed[1], { name: "Cy", bot: null }] }), game({ others: [{ name: "D", bot: "gone" }] }));
    games.push(game({ others: [] }));
    assert.deepEqual(list.byLevel(games, BOTS), [{ title: "casual", played: 3, won: 1 }]);
  });

  it("give the points lost for each decision by week", () => {
    const on = (day) => new Date(2026, 10, day, 12).toISOString();
    const games = [
      game({ at: on(26), review: review(400) }),
      game({ at: on(23), review: review(200) }),
      game({ at: on(22), review: review(100) }),
      game({}),
    ];
    assert.deepEqual(list.byWeek(games), [
      { start: new Date(2026, 10, 16), lost: 1, games: 1 },
      { start: new Date(2026, 10, 23), lost: 3, games: 2 },
    ]);
  });

  it("find the costliest decisions of games that can be shown", () => {
    const worst = [
      { seen: 7, lost: 90, mark: "mistake" },
      { seen: 9, lost: 120, mark: "blunder" },
    ];
    const games = [game({ review: review(1, { worst }) }), game({ kept: false, review: review(1, { worst }) })];
    games.push(game({ daily: { day: "2026-11-26", sealed: true }, review: review(1, { worst }) }));
    games.push(game({ club: { id: "c1", sealed: true }, review: review(1, { worst }) }));
    assert.deepEqual(
      list.costliestDecisions(games).map(({ seen }) => seen),
      [9, 7],
    );
  });

  it("lead to the latest game without a review that can be reviewed", () => {
    const games = [game({ table: "a", review: review(1) }), game({ table: "b", kept: false }), game({ table: "c" })];
    games.splice(2, 0, game({ table: "d", club: { id: "c1", sealed: true } }));
    assert.equal(list.nextToReview(games).table, "c");
    assert.equal(list.nextToReview(games.slice(0, 3)), null);
  });

  it("have no review after a resignation, which leaves empty findings", () => {
    const [conceded, reviewed, fresh] = [game({ review: {} }), game({ review: review(1) }), game({})];
    assert.deepEqual([conceded, reviewed, fresh].map(list.isReviewable), [false, true, true]);
    assert.equal(list.nextToReview([conceded, reviewed]), null);
  });
});

describe("the plots", () => {
  const drawn = (...games) => {
    const part = plotsPart(games, BOTS)[1];
    const labels = part.querySelectorAll("[aria-label]").map((one) => one.getAttribute("aria-label"));
    return { labels, sources: part.querySelectorAll(".plots svg, svg").map(({ source }) => source) };
  };

  for (const [what, lost] of [
    ["no points", [0, 0]],
    ["points in one week", [400, 0]],
    ["less than a point in each decision", [1, 2]],
    ["many points", [4000, 90_000]],
  ]) {
    it(`are within their frames for a player who has lost ${what}`, () => {
      const { sources } = drawn(
        ...lost.map((each, at) => game({ at: `2026-11-${10 + 7 * at}`, review: review(each) })),
      );
      assert.equal(sources.length, 2);
      for (const source of sources) {
        const [, width, height] = source.match(/viewBox="0 0 (\d+) (\d+)"/).map(Number);
        const at = (name) =>
          [...source.matchAll(RegExp(` ${name}="([^"]*)"`, "g"))].map(([, number]) => Number(number));
        for (const x of ["x1", "x2", "x", "cx"].flatMap(at)) assert.ok(x >= 0 && x <= width, source);
        for (const y of ["y1", "y2", "y", "cy"].flatMap(at)) assert.ok(y >= 0 && y <= height, source);
        assert.ok(at("cy").length >= 2);
      }
    });
  }

  it("have their numbers in words, for one game and for several", () => {
    const one = game({ at: new Date(2026, 10, 10, 12).toISOString(), review: review(400) });
    assert.match(drawn(one).labels[0], /^Points lost with each decision\. Week of 9 November: 4\.0 points, 1 game$/);
    assert.match(drawn(one, one).labels[0], /4\.0 points, 2 games$/);
    assert.match(drawn(one).labels[1], /^Luck and skill\. Oh Hell, 10 November.*: luck \+5, your play −2$/);
  });
});

describe("ratings", () => {
  it("have a question mark while they are provisional", () => {
    assert.equal(ratingInWords({ value: 1520, provisional: true }), "1520?");
    assert.equal(ratingInWords({ value: 1520, provisional: false }), "1520");
  });

  it("rise in a plot that makes small changes look small", () => {
    const [[left, low], [right, high]] = courseOf([1500, 1510]);
    assert.ok(left < right && low > high && low - high < 5);
    const heights = courseOf([1200, 1800, 1500]).map(([, y]) => y);
    assert.deepEqual(heights, [39, 5, 22]);
  });
});

describe("the plot of ratings", () => {
  const rated = (games, ...values) => ({ games, history: values.map((value, at) => ({ at: `day ${at}`, value })) });
  const values = (rating) => plottedRatings(rating).map(({ value }) => value);

  it("begins with the rating of a player without games, on the day of the first", () => {
    assert.deepEqual(values(rated(1, 1510)), [1500, 1510]);
    assert.deepEqual(values(rated(3, 1490, 1480, 1505)), [1500, 1490, 1480, 1505]);
    assert.equal(plottedRatings(rated(1, 1510))[0].at, "day 0");
  });

  it("begins later if there are more games than the latest ones", () => {
    assert.deepEqual(values(rated(4, 1490, 1480, 1505)), [1490, 1480, 1505]);
  });
});

describe("the seats of a browser", () => {
  const answers = new Map();
  const sent = [];
  beforeEach(() => {
    emptyStorage();
    answers.clear();
    sent.length = 0;
    keys.takeKey(KEY);
    for (const table of ["one", "two"]) settings.keepSeat(table, 1, `key of ${table}`);
    globalThis.fetch = (path, { body } = {}) => {
      const [status, answer] = answers.get(path.split("?")[0]) ?? [200, {}];
      sent.push([path, body && JSON.parse(body)]);
      return Promise.resolve({ ok: status < 400, status, headers: new Headers(), json: () => Promise.resolve(answer) });
    };
  });

  it("are linked once with the player, by the key of the seat", async () => {
    await links.linkSeats();
    await links.linkSeats();
    assert.deepEqual(
      sent.map(([path]) => path).sort(),
      ["one", "two"].map((table) => `/api/tables/${table}/player`),
    );
    assert.deepEqual(sent.find(([path]) => path.includes("one"))[1], { key: "key of one", player: KEY });
  });

  it("are not asked for again once the room has answered, nor where this browser only looks on", async () => {
    settings.keepSeat("watched", -1, null);
    settings.markLinked("one", "yes");
    settings.markLinked("two", "refused");
    for (const table of ["one", "two", "watched"]) await links.linkSeat(table);
    assert.deepEqual(sent, []);
  });

  it("stay on the list of this browser if the room refuses or does not answer", async () => {
    answers.set("/api/tables/one/player", [409, {}]);
    answers.set("/api/tables/two/player", [503, { error: "the disk is full" }]);
    answers.set("/api/player", [200, { name: "Ann", games: [], next: null }]);
    await links.linkSeat("one");
    await assert.rejects(links.linkSeat("two"), /the disk is full/);
    assert.deepEqual((await links.firstGames(6)).others.sort(), ["one", "two"]);
    assert.equal(settings.seatAt("one").linked, "refused");
    assert.equal(settings.seatAt("two").linked, undefined);
  });

  for (const [status, requests] of [
    [409, 2],
    [404, 2],
    [429, 1],
    [503, 1],
  ]) {
    it(`are ${requests > 1 ? "all asked for" : "asked for later"} after a refusal with ${status}`, async () => {
      for (const table of ["one", "two"]) answers.set(`/api/tables/${table}/player`, [status, {}]);
      await links.linkSeats();
      assert.equal(sent.length, requests);
      sent.length = 0;
      await links.linkSeats();
      assert.equal(sent.length, requests > 1 ? 0 : 1);
    });
  }

  for (const [rated, rating, requests] of [
    [true, null, 0],
    [true, { value: 1500, provisional: true }, 1],
    [false, null, 1],
  ]) {
    const kind = `of a ${rated ? "rated" : "casual"} table ${rating ? "with" : "without"} a rating`;
    it(`${requests ? "are" : "are not"} linked if they came by a link and are ${kind}`, async () => {
      settings.markFromLink("one");
      const seats = [{ rating: null }, { rating }];
      answers.set("/api/tables/one", [200, { manners: { rated }, seats }]);
      await links.linkSeat("one");
      assert.equal(sent.filter(([path]) => path.endsWith("/player")).length, requests);
    });
  }

  it("are kept on a second device under the player's key", async () => {
    answers.set("/api/player", [200, { name: "Ann", games: [game({ table: "far", seat: 2 })], next: null }]);
    links.keepListedSeats((await links.firstGames(6)).games);
    const { seat, key, linked } = settings.seatAt("far");
    assert.deepEqual([seat, key, linked], [2, KEY, "yes"]);
    assert.equal(settings.seatAt("one").key, "key of one");
  });

  it("are forgotten with a player whom another device has removed, unless the game goes on", async () => {
    await links.linkSeats();
    answers.set("/api/player", [200, { name: null, games: [], next: null }]);
    answers.set("/api/tables/one", [200, { table: "one", over: true }]);
    answers.set("/api/tables/two", [200, { table: "two", over: false }]);
    settings.keepSeat("three", 0, KEY);
    sent.length = 0;
    await links.firstGames(6);
    assert.deepEqual(settings.ownSeats(), ["two"]);
    assert.equal(sent.filter(([path]) => path === "/api/tables/two/player").length, 1);
  });

  it("of a player who was left are not linked again before the room says that their games go on", async () => {
    await links.linkSeats();
    for (const table of ["one", "two"]) answers.set(`/api/tables/${table}`, [429, {}]);
    await links.leavePlayer(KEY);
    sent.length = 0;
    links.unlinkSeats(); // another device's key is taken
    await links.linkSeats();
    assert.deepEqual(
      sent.filter(([path]) => path.endsWith("/player")),
      [],
    );
    assert.deepEqual(settings.ownSeats().sort(), ["one", "two"]);
    for (const table of ["one", "two"]) answers.set(`/api/tables/${table}`, [200, { table, over: table === "one" }]);
    await links.linkSeats();
    assert.deepEqual([settings.ownSeats(), settings.seatAt("two").linked], [["two"], "yes"]);
  });
});
