// The landing: its games, and the player's tables.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyPage, press, settle, texts } from "./elements.js";
import { CATALOGUE, game, MANNERS, OPEN, PERSON, table } from "./lobby_tables.js";
import { serve } from "./server.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { pageHeader } from "../../../src/parlour/server/page/js/common/page_header.js";
import { factsOf, lessonLink } from "../../../src/parlour/server/page/js/landing/game_info.js";
import { landingPage } from "../../../src/parlour/server/page/js/landing/landing.js";
import * as tables from "../../../src/parlour/server/page/js/landing/my_tables.js";
import { quickGame } from "../../../src/parlour/server/page/js/landing/new_table.js";
import { ownKey } from "../../../src/parlour/server/page/js/player/player_key.js";

let body;
let visited;

beforeEach(() => {
  emptyStorage();
  ({ body, visited } = emptyPage());
});

describe("a line about a table", () => {
  const words = (more, seat = -1) => {
    const line = tables.tableLine(table("one", more), seat);
    return [line.querySelector(".with").textContent, line.querySelector(".how").textContent];
  };
  const playing = { begun: true, seats: [PERSON, { ...PERSON, name: "Cy" }] };

  it("tells whose turn it is, until when, or how many seats are open", () => {
    assert.deepEqual(words({}), ["with Bo", "a seat is open"]);
    assert.deepEqual(words({ seats: [PERSON, OPEN, OPEN] }, 0), ["", "2 seats are open"]);
    assert.deepEqual(words({ ...playing, actor: 0 }, 0), ["with Cy", "your turn"]);
    assert.deepEqual(words({ ...playing, actor: 0 }, 1), ["with Bo", "Bo is to play"]);
    assert.deepEqual(words({ ...playing, actor: null }, 0), ["with Cy", "goes on"]);
    assert.deepEqual(words({ ...playing, actor: 0, over: true }), ["with Bo and Cy", "over"]);
    const deadline = { at: new Date(2026, 10, 30, 14, 5).getTime() / 1000 };
    assert.match(words({ ...playing, actor: 0, deadline }, 0)[1], /^your turn, until Mon,? 30 Nov,? 14:05$/);
    assert.match(words({ ...playing, actor: 1, deadline }, 0)[1], /^Cy is to play, until Mon/);
  });

  it("tells that it is rated or a daily deal that counts", () => {
    const daily = { day: "2026-11-23", counts: true, sealed: false };
    assert.equal(words({ manners: { ...MANNERS, rated: true }, daily })[0], "deal of 23 November, rated, with Bo");
    assert.equal(words({ daily: { ...daily, counts: false } })[0], "with Bo");
  });

  it("has the round and the deal of a club night, also if the game no longer counts", () => {
    const club = { id: "c1", round: 2, deal: 1, counts: true, sealed: true };
    const rated = { ...playing, actor: 0, manners: { ...MANNERS, rated: true } };
    assert.deepEqual(words({ ...rated, club }, 0), ["club night, round 2, deal 2, rated, with Cy", "your turn"]);
    const cutOff = { ...rated, club: { ...club, counts: false, sealed: false } };
    assert.deepEqual(words(cutOff, 0), ["club night, round 2, deal 2, with Cy", "no longer counts"]);
    assert.equal(tables.tableLine(table("one", cutOff), 0).classList.contains("mine"), false);
    assert.equal(words({ ...cutOff, over: true }, 0)[1], "over");
  });

  it("leads to the table, to the replay, or while others play its cards to the page that waits", () => {
    const address = (more) => tables.tableLine(table("one", more), 0).querySelector("a").href;
    assert.equal(address({}), "/table/one");
    assert.equal(address({ over: true }), "/game/one");
    assert.equal(address({ over: true, club: { id: "c1", sealed: true } }), "/club/c1");
  });

  it("is marked in the player's turn", () => {
    const mine = (more) => tables.tableLine(table("one", more), 0).classList.contains("mine");
    assert.equal(mine({ ...playing, actor: 0 }), true);
    for (const more of [{ actor: 0 }, { ...playing, actor: 1 }, { ...playing, actor: 0, over: true }])
      assert.equal(mine(more), false);
  });
});

describe("the removal of a game from a list", () => {
  let removed;
  let place;

  beforeEach(() => {
    removed = 0;
    settings.keepSeat("one", 0, "key");
  });

  /** Press the button once. */
  async function forget(found) {
    const sent = serve({ "/api/player/games/one": found });
    place = [tables.forgetButton("one", "Remove it", "", () => (removed += 1))].flat();
    await press(place[0]);
    return [removed, settings.ownSeats().length, place[1].textContent, place[0].disabled === true, sent.length];
  }

  it("needs no request unless the room has linked the seat", async () => {
    assert.deepEqual(await forget(503), [1, 0, "", true, 0]);
  });

  it("is done if the room has removed it, or does not know it", async () => {
    for (const [found, times] of [
      [{}, 1],
      [404, 2],
    ]) {
      settings.keepSeat("one", 0, "key");
      settings.markLinked("one", "yes");
      assert.deepEqual(await forget(found), [times, 0, "", true, 1]);
    }
  });

  it("ends the notices about it where the player has such", async () => {
    const subscription = { endpoint: "https://push.example/ann" };
    const registration = { pushManager: { getSubscription: () => Promise.resolve(subscription) } };
    const serviceWorker = { getRegistration: () => Promise.resolve(registration) };
    Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker, configurable: true });
    globalThis.PushManager = class {};
    globalThis.Notification = { permission: "granted" };
    settings.remember({ notify: true });
    const sent = serve({ "/api/push": { removed: 1 } });
    await press(tables.forgetButton("one", "Remove it", "", () => {})[0]);
    while (!sent.length) await settle(); // the module of notices is loaded first
    assert.deepEqual(sent[0].body, { ...subscription, table: "one" });
    delete globalThis.PushManager;
    delete globalThis.Notification;
    delete navigator.serviceWorker;
  });

  it("is not done after another failure, and can be tried again", async () => {
    settings.markLinked("one", "yes");
    assert.deepEqual(await forget(503), [0, 1, "refused: 503", false, 1]);
    assert.equal((await forget(null))[1], 1);
  });
});

describe("a game against bots", () => {
  const asked = async () => {
    const sent = serve({ "/api/tables": { table: "t", seat: 0, key: "k" } });
    await quickGame(game("whist"), CATALOGUE);
    return sent[0].body;
  };

  it("has the usual number of players, the latest bot, and the kept name", async () => {
    const you = { kind: "you", name: "Guest" };
    const bot = (name, id) => ({ kind: "bot", bot: id, name });
    assert.deepEqual((await asked()).seats, [you, bot("Ada", "casual"), bot("Bruno", "casual")]);
    settings.remember({ name: " Ann ", seats: ["master"] });
    const { key, ...rest } = await asked();
    const seats = [{ kind: "you", name: "Ann" }, bot("Ada", "master"), bot("Bruno", "master")];
    assert.deepEqual([rest, key.length > 20], [{ game: "whist", players: 3, options: {}, seats }, true]);
    assert.deepEqual(visited, ["/table/t", "/table/t"]);
    assert.equal(settings.seatAt("t").opened, true);
  });

  it("has the usual bot instead of a person or of a bot that is gone", async () => {
    for (const kept of ["open", "gone"]) {
      settings.remember({ seats: [kept] });
      assert.equal((await asked()).seats[1].bot, "casual");
    }
  });
});

describe("the player's tables", () => {
  const finished = (id) => ({
    table: id,
    game: "whist",
    title: "Whist",
    seat: 0,
    others: [],
    score: { won: true, points: 1, against: 0 },
    at: "2020-11-23T12:00:00Z",
    review: null,
    kept: true,
    daily: null,
  });
  const running = (id) => ({ ...finished(id), score: null });
  const lines = (section) => section.querySelectorAll(".table-line").map(({ dataset }) => dataset.table);

  it("are asked for only where this browser has a seat", async () => {
    const sent = serve({});
    assert.deepEqual([await tables.myTables(), sent.length], [null, 0]);
  });

  it("have those with the player's turn first, then other unfinished ones, then finished ones, up to six", async () => {
    settings.keepSeat("mine", 0, "key");
    const games = [running("a"), running("b"), ...["f1", "f2", "f3", "f4"].map(finished)];
    const going = { begun: true, seats: [PERSON, PERSON] };
    serve({
      "/api/tables/mine/player": 503,
      "/api/player": { name: "Ann", games, next: null },
      "/api/tables/a": table("a", { ...going, actor: 1 }),
      "/api/tables/b": table("b", { ...going, actor: 0 }),
      "/api/tables/mine": table("mine", { ...going, actor: 1 }),
    });
    assert.deepEqual(lines(await tables.myTables()), ["b", "a", "mine", "f1", "f2", "f3"]);
    assert.equal(settings.seatAt("a").key, ownKey());
  });

  it("have one that was opened by a page without an answer", async () => {
    const request = { path: "/api/tables", body: { game: "whist" }, key: "k", at: Date.now() };
    settings.keepTableRequest(request);
    serve({
      "POST /api/tables/mine/player": 503,
      "POST /api/tables": { table: "mine", seat: 0, key: "k" },
      "/api/player": 503,
      "/api/tables/mine": table("mine"),
    });
    assert.deepEqual(lines(await tables.myTables()), ["mine"]);
    assert.equal(settings.seatAt("mine").key, "k");
  });

  it("vanish with their last line", async () => {
    settings.keepSeat("mine", 0, "key");
    serve({ "/api/tables/mine/player": 503, "/api/player": 503, "/api/tables/mine": table("mine") });
    const section = await tables.myTables();
    body.append(section);
    assert.deepEqual(lines(section), ["mine"]);
    await press(section.querySelector(".icon-button"));
    assert.deepEqual([section.isConnected, settings.ownSeats()], [false, []]);
  });
});

describe("the landing", () => {
  const today = {
    day: "2026-11-23",
    game: "whist",
    bot: "casual",
    deals: [{ game: "whist", title: "Whist", mine: null, played: 0 }],
    coming: [],
    open: true,
    ends: 60,
    streak: 0,
    room: null,
    commitment: "c",
  };
  const ORDERED = [
    game("late", { minutes: [9, 10] }),
    game("long", { lesson: 5 }),
    game("quick", { lesson: 3, minutes: [9, 9] }),
    game("short", { minutes: [3, 5] }),
    game("brief", { lesson: 3, minutes: [2, 9] }),
  ];
  const open = async (more = {}) => {
    const sent = serve({
      "/api/games/": 404,
      "/api/games": { ...CATALOGUE, games: ORDERED },
      "/api/daily": today,
      "/api/tables": { tables: [] },
      ...more,
    });
    await landingPage(body);
    return sent;
  };

  beforeEach(() => mock.timers.enable({ apis: ["setInterval", "setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("has the games with the shortest lesson first, then short ones", async () => {
    await open();
    assert.ok((await open()).some(({ path }) => path === "/api/tables"));
    assert.deepEqual(texts(".game h3"), ["brief", "quick", "long", "short", "late"]);
    assert.equal(document.title, "Parlour");
  });

  it("shows newcomers where to start, and the games before the daily deal", async () => {
    const parts = () =>
      body
        .querySelectorAll("section")
        .flatMap(({ classList }) => ["daily", "games-part"].filter((name) => classList.contains(name)));
    await open();
    assert.deepEqual([texts(".start-here").length, parts()], [1, ["games-part", "daily"]]);
    settings.remember({ met: ["whist"] });
    await open();
    assert.deepEqual([texts(".start-here").length, parts()], [0, ["daily", "games-part"]]);
  });

  it("names above the games what else there is", async () => {
    await open();
    const ways = body.querySelectorAll(".other-ways a").map((way) => [way.getAttribute("href"), way.textContent]);
    assert.deepEqual(ways, [
      ["/daily", "The deal of the day"],
      ["/puzzles", "Puzzles"],
      ["/club", "Club night"],
    ]);
  });

  it("does without a daily deal, but not without games", async () => {
    await open({ "/api/daily": 503 });
    assert.equal(body.querySelector(".daily"), null);
    await open({ "/api/games": 503 });
    assert.deepEqual(texts("[role=alert]"), ["Refused: 503."]);
  });

  it("opens a game against bots, and says why it could not", async () => {
    await open({ "/api/tables": 422 });
    const [play] = body.querySelectorAll(".play");
    press(play);
    assert.equal(play.disabled, true);
    await settle();
    assert.deepEqual([play.disabled, texts(".game .failure")[0]], [false, "refused: 422"]);
  });
});

describe("the facts about a game", () => {
  it("are its players, its minutes and its occasion", () => {
    assert.equal(factsOf(game("whist")).textContent, "2 to 3 players");
    assert.equal(
      factsOf(game("whist", { minutes: [5, 10], fits: "A duel." })).textContent,
      "2 to 3 players · 5–10 minutesA duel.",
    );
    assert.equal(factsOf(game("whist"), [2]).textContent, "2 players");
  });

  it("have a lesson where there is one, which leads back to a table", () => {
    assert.equal(lessonLink(game("whist")), null);
    const taught = game("whist", { lesson: 4 });
    assert.deepEqual(
      [lessonLink(taught).href, lessonLink(taught).textContent],
      ["/learn/whist", `${t("learn")}4 minuteswhist`],
    );
    assert.equal(lessonLink(taught, "one").href, "/learn/whist#one");
  });

  it("stand below the title of Parlour, which leads home from other pages", () => {
    assert.equal(pageHeader(false).querySelector("a"), null);
    assert.equal(pageHeader().querySelector("a").href, "/");
  });
});
