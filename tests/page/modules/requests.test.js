// Parts of the page whose requests fail, are repeated, or are answered late.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { NIGHT } from "./club_page.js";
import { emptyPage, enter, press, settle } from "./elements.js";
import { late, serve } from "./server.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { clubPage } from "../../../src/parlour/server/page/js/club/club.js";
import { CLUB_TEXTS } from "../../../src/parlour/server/page/js/club/club_texts.js";
import { resultPlace } from "../../../src/parlour/server/page/js/daily/daily_result.js";
import { invitationHead } from "../../../src/parlour/server/page/js/landing/invitation.js";
import { setupPage } from "../../../src/parlour/server/page/js/landing/setup.js";
import { linksTo } from "../../../src/parlour/server/page/js/landing/table_links.js";
import { ownKey, takeKey } from "../../../src/parlour/server/page/js/player/player_key.js";
import { exportPart } from "../../../src/parlour/server/page/js/player/records_export.js";
import { reviewPage } from "../../../src/parlour/server/page/js/replay/review.js";
import { RatedSeat } from "../../../src/parlour/server/page/js/table/rated_seat.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { REVIEW_TEXTS } from "../../../src/parlour/server/page/js/replay/review_texts.js";

const KEY = "0123456789abcdef012345";
const GAME = {
  id: "whist",
  title: "Whist",
  players: [2],
  usual: 2,
  options: [],
  summary: "Tricks.",
  lesson: null,
  minutes: null,
};
const CATALOGUE = { games: [GAME], bots: [{ id: "casual", title: "Casual", study: false }], usual_bot: "casual" };

let body;
let visited;

beforeEach(() => {
  emptyStorage();
  const reload = () => visited.push("again");
  const host = "localhost:8080";
  ({ body, visited } = emptyPage({ reload, origin: `http://${host}`, hostname: "localhost", host }));
});

const failureIn = (part) =>
  part
    .querySelectorAll(".failure")
    .map(({ textContent }) => textContent)
    .join("");

describe("the form of a club night", () => {
  for (const [what, failure, sameKey] of [
    ["without an answer is sent again with the same key", null, true],
    ["that the server could not answer is sent again with the same key", 503, true],
    ["that was refused is another request the next time", 422, false],
    ["that came too often is another request the next time", 429, false],
  ]) {
    it(what, async () => {
      const sent = serve({ "/api/games": CATALOGUE, "/api/club": [failure, { club: "c1" }] });
      await clubPage(body, "");
      const [form, go] = [body.querySelector("form"), body.querySelector("[type=submit]")];
      await press(form, "submit");
      assert.match(failureIn(form), failure ? RegExp(`refused: ${failure}`) : /does not answer/);
      assert.deepEqual([go.disabled, visited], [false, []]);
      await press(form, "submit");
      const [first, second] = sent.slice(1).map((request) => request.body.key);
      assert.equal(first === second, sameKey);
      assert.deepEqual([failureIn(form), settings.hostKey("c1"), visited], ["", second, ["/club/c1"]]);
    });
  }

  it("that was changed after a lost answer is another request", async () => {
    const sent = serve({ "/api/games": CATALOGUE, "/api/club": [null, { club: "c1" }] });
    await clubPage(body, "");
    await press(body.querySelector("form"), "submit");
    enter(body.querySelector("[name=rounds]"), "5");
    await press(body.querySelector("form"), "submit");
    const [first, second] = sent.slice(1).map((request) => request.body);
    assert.deepEqual([first.rounds, second.rounds, first.key === second.key], [3, 5, false]);
  });
});

describe("a club night", () => {
  const before = { ...NIGHT, you: null, players: [{ number: 1, name: "Bo" }] };
  const joined = { ...NIGHT, you: 0, players: [{ number: 0, name: "Ann" }, ...before.players] };

  beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
  afterEach(() => mock.timers.reset());

  for (const [what, answerTime] of [
    ["is answered", (old) => old.give(before)],
    ["fails", (old) => old.give(Promise.reject(new TypeError("no network")))],
  ]) {
    it(`stays as the latest request has shown it when an earlier one ${what} late`, async () => {
      const old = late();
      serve({ "/api/club/c1/players": {}, "/api/club/c1": [before, old.body, joined] });
      await clubPage(body, "c1");
      await settle();
      mock.timers.tick(5000);
      await press(body.querySelector("form"), "submit");
      const shown = body.textContent;
      assert.ok(shown.includes(CLUB_TEXTS.clubJoined("Ann")));
      answerTime(old);
      await settle();
      assert.equal(body.textContent, shown);
    });
  }

  it("shows the failure of the viewer's own request until the next one, through refreshes", async () => {
    serve({ "/api/club/c1/players": [409, {}], "/api/club/c1": [before, 503, before, joined] });
    await clubPage(body, "c1");
    await settle();
    const join = () => press(body.querySelector("form"), "submit");
    await join();
    for (const failure of ["refused: 409", "refused: 503refused: 409", "refused: 409"]) {
      assert.equal(failureIn(body), failure);
      mock.timers.tick(5000);
      await settle();
    }
    await join();
    assert.equal(failureIn(body), "");
  });

  it("says once that refreshes fail, however many do", async () => {
    serve({ "/api/club/c1": [before, null] });
    await clubPage(body, "c1");
    await settle();
    const words = [];
    for (let at = 0; at < 2; at += 1) {
      mock.timers.tick(5000);
      await settle();
      words.push(body.querySelector(".failure").firstChild);
    }
    assert.ok(words[0]);
    assert.equal(words[0], words[1]);
  });

  it("cannot be joined again before the answer", async () => {
    serve({ "/api/club/c1/players": late().body, "/api/club/c1": before });
    await clubPage(body, "c1");
    await settle();
    const go = body.querySelector("[data-go=join]");
    press(body.querySelector("form"), "submit");
    assert.equal(go.disabled, true);
  });

  it("shows the failure of a refresh until the next answer", async () => {
    serve({ "/api/club/c1": [before, 503, null, before] });
    await clubPage(body, "c1");
    for (const failure of [/^$/, /refused: 503/, /does not answer/, /^$/]) {
      await settle();
      assert.match(failureIn(body), failure);
      mock.timers.tick(5000);
    }
  });
});

describe("the advice on a new table", () => {
  const seats = () => body.querySelector("[name=seat-1]");
  const advice = () => body.querySelector(".advice").textContent;
  const go = () => body.querySelector("[type=submit]");

  it("is that on the latest choices, in whichever order the checks are answered", async () => {
    const [first, second] = [late(), late()];
    serve({ "/api/games": CATALOGUE, "/api/check": [first.body, second.body] });
    await setupPage(body, "whist");
    enter(seats(), "open");
    second.give({ advice: ["On the second."] });
    await settle();
    first.give({ advice: ["On the first."] });
    await settle();
    assert.equal(advice(), "On the second.");
  });

  it("does not fail by a late failure, and excluded options cannot be played", async () => {
    const first = late();
    serve({ "/api/games": CATALOGUE, "/api/check": [first.body, 422, { advice: [] }] });
    await setupPage(body, "whist");
    for (const [choice, failure, disabled] of [
      ["open", "Refused: 422.", true],
      ["casual", "", false],
    ]) {
      enter(seats(), choice);
      await settle();
      assert.deepEqual([failureIn(body), go().disabled === true], [failure, disabled]);
    }
    first.give(Promise.reject(new TypeError("no network")));
    await settle();
    assert.deepEqual([failureIn(body), go().disabled], ["", false]);
  });
});

describe("an invitation", () => {
  const table = { table: "one", game: "whist", title: "Whist", players: 2 };
  const head = async () => {
    const made = invitationHead(table);
    await settle();
    return made.textContent;
  };

  it("does without facts about the game after a failure, asks again, and not after an answer", async () => {
    const sent = serve({ "/api/games": [503, null, CATALOGUE] });
    for (const facts of [false, false, true, true]) assert.equal((await head()).includes("Tricks."), facts);
    assert.equal(sent.length, 3);
  });
});

describe("the link to a table", () => {
  const field = (place) => place.querySelectorAll("input").map(({ value }) => value);
  const links = () => linksTo("/table/one", "Send it.", "Copy it");

  it("is that of the page where others can open it", () => {
    location.hostname = "cards.example";
    assert.deepEqual(field(links()), ["http://localhost:8080/table/one"]);
  });

  for (const hostname of ["localhost", "127.0.0.1", "[::1]"]) {
    it(`leads to the machine's addresses in its network from ${hostname}`, async () => {
      location.hostname = hostname;
      serve({ "/api/addresses": { addresses: ["http://a", "http://b"] } });
      const place = links();
      await settle();
      assert.deepEqual(field(place), ["http://a/table/one", "http://b/table/one"]);
    });
  }

  for (const [what, found] of [
    ["without such addresses", { addresses: [] }],
    ["without an answer", null],
    ["after a refusal", 429],
  ]) {
    it(`is for this machine only ${what}`, async () => {
      serve({ "/api/addresses": found });
      const place = links();
      await settle();
      assert.deepEqual(field(place), ["http://localhost:8080/table/one"]);
      assert.ok(place.textContent.includes(t("hereOnly")));
    });
  }
});

describe("the result in a daily deal", () => {
  const score = { won: true, points: 3, against: 2 };
  const review = { luck: "+1", others: "0", own: "0", signs: [] };
  const result = { day: "2026-11-23", score, par: null, review: null, rank: 1, played: 2, streak: 0, closed: false };

  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  /** Serve these answers in turn. Return the number of requests until the page asks no more. */
  async function requestsFor(...answers) {
    const sent = serve({ "/api/tables/one/daily": answers });
    body.append(resultPlace("one", "Whist"));
    for (let time = 0; time < 10; time += 1) {
      await settle();
      mock.timers.tick(2500);
    }
    return sent.length;
  }

  it("is requested until both of its parts are known, whichever is the first", async () => {
    const whole = { ...result, par: score, review };
    assert.equal(await requestsFor(result, { ...result, par: score }, whole), 3);
    assert.equal(await requestsFor(result, { ...result, review }, { ...result, review }, whole), 4);
    assert.equal(await requestsFor(whole), 1);
  });

  it("is requested once while the game goes on, and after a refusal", async () => {
    assert.equal(await requestsFor({ ...result, score: null }), 1);
    assert.equal(await requestsFor(404), 1);
    assert.match(failureIn(body), /refused: 404/);
  });

  it("is requested again after a failure that may pass, and says so once", async () => {
    const failures = [];
    assert.equal(await requestsFor(503, 503, null, { ...result, par: score, review }), 4);
    assert.equal(failureIn(body), "");
    body.replaceChildren();
    serve({ "/api/tables/one/daily": 503 });
    body.append(resultPlace("one", "Whist"));
    for (let time = 0; time < 2; time += 1) {
      await settle();
      failures.push(body.querySelector(".failure").firstChild);
      mock.timers.tick(2500);
    }
    assert.equal(failures[0].textContent, "refused: 503");
    assert.equal(failures[0], failures[1]);
  });
});

describe("a review in progress", () => {
  const course = { seat: 0, name: "Ann", decisions: [], chances: [500], low: [400], high: [600] };
  const sentences = { outcome: "You won.", headline: "", sums: [], own: "" };
  const text = { to_you: sentences, to_others: sentences, decisions: [{ cost: "1 point" }], chances: ["50 %"] };
  const texts = { outcome: "Ann won.", courses: [text], reruns: [], marks: {}, title: "Whist" };
  const known = { winners: [0], courses: [course], texts, reruns: [] };
  const decision = { seen: 0, heading: "", do: "pass", best: "pass", phrase: "pass", best_phrase: "pass" };
  const marked = { ...known, courses: [{ ...course, decisions: [{ ...decision, mark: "slip" }] }] };

  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  /** The leads and marks that are shown after each answer, of which each has a part of the review. */
  async function shownAfter(...reviews) {
    const progress = reviews.map((review) => ({ share: null, seconds: null, waits: false, review }));
    serve({ "/api/tables/one/review": [...progress, known], "/api/tables/one": { title: "Whist" } });
    reviewPage(body, "one");
    const shown = [];
    while (shown.length < reviews.length) {
      await settle();
      shown.push([".lead", ".decision-mark"].map((part) => body.querySelectorAll(part).length));
      mock.timers.tick(1000);
    }
    await settle();
    return shown;
  }

  it("shows what is known, with and without marked decisions, and only after the first part", async () => {
    const shown = await shownAfter(null, known, known, marked);
    assert.deepEqual(shown, [
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
    assert.ok(body.textContent.includes(REVIEW_TEXTS.reviewSums));
  });
});

describe("the records and the data of a player", () => {
  let part;
  const state = () => part.querySelector("[role=status]").textContent;
  const forgetAll = async () => {
    await press(part.querySelector("[data-go=forget]"));
    const go = body.querySelector("[data-go=forget-all]");
    const pressed = press(go);
    assert.equal(go.disabled, true);
    await pressed;
    return go;
  };

  beforeEach(() => {
    takeKey(KEY);
    part = exportPart();
    for (const [table, key] of Object.entries({ one: "key of one", two: "key of two", listed: KEY })) {
      settings.keepSeat(table, 0, key);
    }
  });

  it("are saved again after a failure", async () => {
    serve({ "/api/player/records": [503, { records: [], next: null }] });
    const save = part.querySelector("[data-go=export]");
    await press(save);
    assert.deepEqual([state(), save.disabled], ["refused: 503", false]);
    await press(save);
    assert.equal(state(), "There is no record yet.");
  });

  it("are forgotten, but not the own seats in games that go on", async () => {
    const [one, two] = [
      { table: "one", over: true },
      { table: "two", over: false },
    ];
    serve({ "/api/player": {}, "/api/tables/one": one, "/api/tables/two": two, "/api/tables/listed": two });
    await forgetAll();
    assert.deepEqual([settings.ownSeats(), visited], [["two"], ["again"]]);
    assert.notEqual(ownKey(), KEY);
  });

  it("stay if the room does not forget them", async () => {
    serve({ "/api/player": 503 });
    const go = await forgetAll();
    assert.match(failureIn(body), /refused: 503/);
    assert.deepEqual([go.disabled, settings.ownSeats().length, ownKey(), visited], [false, 3, KEY, []]);
  });
});

describe("the seat at a rated table", () => {
  const table = { manners: { rated: true }, seat: 0, seats: [{ rating: null }], over: false };
  const unlinked = [t("ratedUnlinked")];

  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  /** What the player is told in half a minute after two hellos, and the number of requests. */
  async function told(found, more = {}) {
    const [said, sent] = [[], serve({ "/api/tables/one/player": found })];
    settings.keepSeat("one", 0, "key of one");
    const seat = new RatedSeat("one", (text) => said.push(text));
    seat.link({ ...table, ...more });
    seat.link({ ...table, ...more });
    for (let half = 0; half < 60; half += 1) {
      await settle();
      mock.timers.tick(500);
    }
    return [said, sent.length];
  }

  it("is linked with the player once, and the player is told if the room refuses that", async () => {
    assert.deepEqual(await told({}), [[], 1]);
    assert.deepEqual(await told(409), [unlinked, 1]);
  });

  it("is linked once the room answers, and the player is told once if that takes long", async () => {
    assert.deepEqual(await told([null, 503, 503, {}]), [[], 4]);
    assert.deepEqual(await told([503, 503, 503, 503, 503, null, {}]), [[t("ratedWaits"), ""], 7]);
    assert.deepEqual(await told([429, {}]), [[t("ratedWaits"), ""], 2]);
    assert.equal(settings.seatAt("one").linked, "yes");
  });

  it("is not asked for again after a refusal", async () => {
    assert.deepEqual(await told(403), [unlinked, 1]);
  });

  it("is not linked if it came by a link, and the player is told", async () => {
    const said = [];
    serve({ "/api/tables/one": table });
    settings.keepSeat("one", 0, "key of one");
    settings.markFromLink("one");
    await new RatedSeat("one", (text) => said.push(text)).link(table);
    assert.deepEqual(said, [t("ratedFromLink")]);
  });

  it("needs no link at a casual table, after the game, for onlookers, or once it has a rating", async () => {
    for (const more of [{ manners: { rated: false } }, { over: true }, { seat: -1 }, { seats: [{ rating: 1500 }] }]) {
      assert.deepEqual(await told(503, more), [[], 0]);
    }
  });
});
