// The pages and parts of daily deals: today, the days before, one day, and the pictures that are shared.

import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { emptyStorage, storage } from "./browser.js";
import { emptyDocument, emptyPage, press, settle, texts } from "./elements.js";
import { late, serve } from "./server.js";
import { seatAt, remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { dailyPage } from "../../../src/parlour/server/page/js/daily/daily.js";
import { dailySection } from "../../../src/parlour/server/page/js/daily/daily_card.js";
import { keepCommitments, seenCommitment } from "../../../src/parlour/server/page/js/daily/daily_key.js";
import { signs } from "../../../src/parlour/server/page/js/daily/daily_signs.js";
import { DAILY_PAGE_TEXTS } from "../../../src/parlour/server/page/js/daily/daily_texts.js";
import { DEAL_TEXTS } from "../../../src/parlour/server/page/js/daily/deal_texts.js";
import { AGAINST } from "../../../src/parlour/server/page/js/texts/texts_levels.js";
import { drawPicture, sharePicture } from "../../../src/parlour/server/page/js/daily/share_picture.js";
import { ownKey, takeKey } from "../../../src/parlour/server/page/js/player/player_key.js";

const WON = { won: true, points: 3, against: 2 };
const LOST = { won: false, points: 2, against: 3 };
const mine = (score, more = {}) => ({ table: "mine", score, over: score !== null, counts: true, ...more });
const deal = (game, more = {}) => ({
  game,
  title: game.toUpperCase(),
  players: 2,
  played: 4,
  mine: null,
  standings: null,
  ...more,
});
const TODAY = {
  day: "2026-11-23",
  game: "whist",
  bot: "casual",
  ends: 7200,
  open: true,
  commitment: "c0",
  coming: [{ day: "2026-11-24", commitment: "c1" }],
  deals: [deal("hearts"), deal("whist")],
  closing: null,
  streak: 0,
  room: "",
};
const KEY = "d35393ed01f84c48aeeeaa1f3ab21f3efe907ab39d76ff2856be9b49c35e8e0a";
const COMMITMENT = "44f99233ea464d81dda991e83305c8de7f6ac438d81fc5fe95eb56ba79d85e08";
const DAY = {
  day: "2026-11-22",
  closed: true,
  left: null,
  game: "whist",
  bot: "casual",
  commitment: COMMITMENT,
  key: KEY,
  deals: TODAY.deals,
};

let body;
let visited;
const warnings = () => texts("[role=alert]").filter(Boolean);
const spokenAt = (selector) => body.querySelectorAll(selector).map((one) => one.getAttribute("aria-label"));
const links = (selector) => body.querySelectorAll(selector).map(({ href }) => href);

beforeEach(() => {
  emptyStorage();
  ({ body, visited } = emptyPage());
  delete navigator.share;
});

describe("the deal of the day on the landing", () => {
  const show = async (more = {}) => {
    body = emptyDocument();
    serve({ "/api/daily": { ...TODAY, ...more } });
    body.append((await dailySection()) ?? "nothing");
  };
  const facts = () => texts(".fine-print")[0];

  it("is that of the game of the day, and the others stand below", async () => {
    await show();
    assert.deepEqual([texts(".daily-game"), texts(".daily-others li")], [[`WHIST ${AGAINST.casual}`], ["HEARTS"]]);
    assert.deepEqual([texts(".date-card span"), texts(".date-card b")], [["Nov"], ["23"]]);
    assert.equal(body.querySelector(".date-card").getAttribute("aria-hidden"), "true");
    assert.equal(facts(), "4 players have finished · next in 2 hours");
    assert.deepEqual(["2026-11-23", "2026-11-24"].map(seenCommitment), ["c0", "c1"]);
  });

  it("warns if the room has changed a commitment that the browser saw", async () => {
    await show();
    await show();
    assert.deepEqual(warnings(), []);
    await show({ commitment: "other" });
    assert.deepEqual(warnings(), [DAILY_PAGE_TEXTS.dailyChanged]);
  });

  it("looks like the tables of its game", async () => {
    await show();
    assert.deepEqual(texts(".cloth.face-whist .daily-game b"), ["WHIST"]);
  });

  it("has a streak from two days on", async () => {
    await show({ streak: 1 });
    assert.equal(facts(), "4 players have finished · next in 2 hours");
    await show({ streak: 2 });
    assert.match(facts(), /^2 days in a row · /);
  });

  it("can be begun, gone on with, or leads to its result", async () => {
    const labels = () => texts(".daily > .daily-go .label, .daily > a");
    for (const [own, label] of [
      [null, DEAL_TEXTS.dailyPlay],
      [mine(null), DEAL_TEXTS.dailyGoOn],
      [mine(LOST), DEAL_TEXTS.dailyResult],
    ]) {
      await show({ deals: [deal("whist", { mine: own }), deal("hearts", { mine: own })] });
      assert.deepEqual(labels(), [label]);
      assert.deepEqual(spokenAt(".daily > .daily-go button"), own?.score ? [] : [`WHIST: ${label}`]);
      const other = own ? `HEARTS${own.score ? "" : ": "}${label}` : "HEARTS";
      assert.deepEqual(texts(".daily-others .label, .daily-others li a"), [other]);
      const spoken = own?.score ? [] : [own ? other : DEAL_TEXTS.dailyPlayLabel("HEARTS")];
      assert.deepEqual(spokenAt(".daily-others button"), spoken);
      assert.deepEqual(links(".daily-others li a"), own?.score ? ["/daily/2026-11-23"] : []);
    }
  });

  it("cannot be begun in a room whose clock was ahead, and has no link to a result that is missing", async () => {
    await show({ open: false });
    assert.deepEqual(
      [
        texts("[data-daily]"),
        facts() !== "",
        body.textContent.includes(DEAL_TEXTS.dailyOver),
        links(".daily-others li a"),
      ],
      [[], true, true, []],
    );
  });

  it("leads to the day before while a game begun there still counts", async () => {
    const closing = (...own) => ({ closing: { day: "2026-11-22", left: 5400, mine: own } });
    const ways = () => body.querySelectorAll("a.daily-archive").map(({ href, textContent }) => [href, textContent]);
    await show(closing(mine(WON)));
    assert.deepEqual(ways(), [["/daily", DEAL_TEXTS.dailyArchive]]);
    await show(closing(mine(WON), mine(null)));
    const words = "22 November: unfinished games count for 90 more minutes";
    assert.deepEqual(ways().at(-1), ["/daily/2026-11-22", words]);
  });

  it("is played in another room where that is so, and is nothing without an answer", async () => {
    await show({ room: "https://far.example" });
    assert.ok(body.textContent.includes("far.example"));
    assert.deepEqual(links("a.primary"), ["https://far.example/daily"]);
    serve({ "/api/daily": 503 });
    assert.equal(await dailySection(), null);
  });

  it("is opened once by its button, by the player's name and key, or says why not", async () => {
    await show();
    remember({ name: " Ann " });
    const sent = serve({
      "/api/daily/2026-11-23/whist": [404, { table: "t", seat: 1, key: "k", counts: true }],
      "/api/daily": TODAY,
    });
    const [go] = body.querySelectorAll("[data-daily=whist]");
    press(go);
    assert.equal(go.disabled, true);
    await settle();
    assert.deepEqual([texts(".daily > .daily-go .failure"), go.disabled], [["refused: 404"], false]);
    await press(go);
    assert.deepEqual([texts(".daily > .daily-go .failure"), visited, seatAt("t").seat], [[""], ["/table/t"], 1]);
    assert.deepEqual(sent.at(-1).body, { name: "Ann", key: ownKey(), counts: true });
  });
});

describe("the page of the daily deals", () => {
  const past = (day, own = []) => ({ day, game: "whist", bot: "casual", commitment: "c", key: "k", mine: own });
  const show = async (today = {}, ...days) => {
    body = emptyDocument();
    const sent = serve({
      "/api/daily/days": days.map((part) => ({ days: part })),
      "/api/daily": { ...TODAY, ...today },
    });
    await dailyPage(body, "");
    return sent;
  };
  const more = () => body.querySelectorAll("button").find((one) => one.textContent === DAILY_PAGE_TEXTS.dailyMore);
  const month = (from, number) => Array.from({ length: number }, (_, at) => past(`2026-01-${from + at}`));

  it("has the game of the day first, with the number of players or the own result", async () => {
    await show({ deals: [deal("hearts", { mine: mine(LOST) }), deal("whist", { played: 0 })] }, []);
    assert.deepEqual(texts(".daily-deal-words"), [
      "WHISTyou can be the first",
      "HEARTSYou did not win: 2\u00a0:\u00a03",
    ]);
    assert.ok(body.textContent.includes(DAILY_PAGE_TEXTS.dailyNoDays));
    assert.ok(body.textContent.includes("The next come in 2 hours."));
  });

  it("shows each deal in the look of its game", async () => {
    await show({}, []);
    assert.deepEqual(texts("li.cloth.face-hearts .daily-deal-words b"), ["HEARTS"]);
  });

  it("has nothing to begin in a room whose clock was ahead, but results", async () => {
    await show({ open: false, deals: [deal("hearts", { mine: mine(LOST) }), deal("whist")] }, []);
    assert.deepEqual([texts("[data-daily]"), links(".daily-deals a")], [[], ["/daily/2026-11-23"]]);
    assert.ok(body.textContent.includes(DEAL_TEXTS.dailyOver));
  });

  it("has the days before, with what one has played in time", async () => {
    const own = [mine(WON), mine(LOST), mine(null), mine(WON, { counts: false })];
    await show({}, [past("2026-11-22", own), past("2026-11-21")]);
    assert.deepEqual(texts(".daily-days .fine-print"), ["you played 2, won 1", ""]);
    assert.deepEqual(links(".daily-days a"), ["/daily/2026-11-22", "/daily/2026-11-21"]);
    assert.equal(more(), undefined);
  });

  it("has the day that is over but not closed first among them", async () => {
    const closing = { day: "2026-11-22", left: 3600, mine: [mine(WON), mine(null)] };
    await show({ closing }, [past("2026-11-21")]);
    const words = "you played 1, won 1 · unfinished games count for 60 more minutes";
    assert.deepEqual(texts(".daily-days .fine-print"), [words, ""]);
    assert.deepEqual(links(".daily-days a"), ["/daily/2026-11-22", "/daily/2026-11-21"]);
    await show({ closing }, []);
    assert.equal(texts(".daily-days li").length, 1);
  });

  it("has a note, and no way to another device, where the browser keeps nothing", async () => {
    storage.refuses = true;
    await show({}, [past("2026-11-22")]);
    assert.match(texts(".failure")[0], /keeps nothing/);
    assert.ok(!texts(".daily-archive").includes(DAILY_PAGE_TEXTS.dailyDevice));
    storage.refuses = false;
    takeKey(KEY);
    await show({}, [past("2026-11-22")]);
    assert.ok(texts(".daily-archive").includes(DAILY_PAGE_TEXTS.dailyDevice));
    storage.refuses = true; // the new commitments of the next day, although the key is kept
    await show({ commitment: "c2", day: "2026-11-30" }, []);
    assert.ok(!body.textContent.includes("keeps nothing"));
  });

  it("has earlier days on request, as long as there are any", async () => {
    const sent = await show({}, month(100, 60), month(200, 60), month(300, 59));
    await press(more());
    const last = press(more());
    document.activeElement = null; // as browsers do with a disabled button
    await last;
    assert.deepEqual([texts(".daily-days li").length, more()], [179, undefined]);
    assert.equal(document.activeElement, body.querySelectorAll(".daily-days a")[120]);
    const asked = sent.filter(({ path }) => path.includes("days")).map(({ path }) => path.match(/before=(.*)/)[1]);
    assert.deepEqual(asked, ["", "2026-01-159", "2026-01-259"]);
  });

  it("has earlier days once, however often they are asked for, and says why they do not come", async () => {
    const parts = late();
    body = emptyDocument();
    const days = [{ days: month(100, 60) }, parts.body, 503, { days: month(200, 1) }];
    const sent = serve({ "/api/daily/days": days, "/api/daily": TODAY });
    await dailyPage(body, "");
    const failure = () => texts(".daily-part .failure").at(-1);
    press(more());
    assert.equal(more().disabled, true);
    parts.give({ days: month(160, 60) });
    await settle();
    await press(more());
    assert.deepEqual([failure(), more().disabled, texts(".daily-days li").length], ["refused: 503", false, 120]);
    await press(more());
    assert.deepEqual([failure(), texts(".daily-days li").length, sent.length], ["", 121, 5]);
  });

  it("shows the commitments, and warns if one has changed", async () => {
    await show({}, []);
    assert.deepEqual([texts("code"), warnings()], [["c0", "c1"], []]);
    assert.equal(document.title, "Deals of the day · Parlour");
    await show({ coming: [{ day: "2026-11-24", commitment: "other" }] }, []);
    assert.deepEqual(warnings(), [DAILY_PAGE_TEXTS.dailyChanged]);
  });

  it("leads to another room where they are played, or says why there are none", async () => {
    await show({ room: "https://far.example" }, []);
    assert.deepEqual(links("a.primary"), ["https://far.example/daily"]);
    serve({ "/api/daily": 503 });
    await dailyPage(body, "");
    assert.deepEqual([warnings(), links("a.primary")], [["Refused: 503."], ["/"]]);
  });
});

describe("the page of a day", () => {
  it("that has no deals says so in a sentence, and leads to all days", async () => {
    serve({ "/api/daily/2026-11-22": 404 });
    await dailyPage(body, "2026-11-22");
    assert.deepEqual([warnings(), links("a.primary")], [["Refused: 404."], ["/daily"]]);
  });

  const show = async (more = {}) => {
    body = emptyDocument();
    serve({ "/api/tables/": { ...DAY, score: null, closed: true }, "/api/daily/2026-11-22": { ...DAY, ...more } });
    await dailyPage(body, "2026-11-22");
  };
  const shows = (text) => body.textContent.includes(text);

  it("that is over has the standings, and the deals again for practice", async () => {
    const standings = [{ rank: 1, name: "Ann", score: WON, own: false }];
    await show({ deals: [deal("hearts"), deal("whist", { standings, mine: mine(LOST) })] });
    assert.deepEqual(texts(".daily-deal h2"), ["WHIST", "HEARTS"]);
    assert.equal(document.title, "22 November · Deals of the day · Parlour");
    assert.deepEqual(texts(".daily-standings li"), ["1Annwon, 3\u00a0:\u00a02"]);
    assert.deepEqual(texts("[data-daily] .label"), [DAILY_PAGE_TEXTS.dailyAgain, DEAL_TEXTS.dailyPlay]);
    assert.deepEqual(spokenAt("[data-daily]"), [
      `WHIST: ${DAILY_PAGE_TEXTS.dailyAgain}`,
      `HEARTS: ${DEAL_TEXTS.dailyPlay}`,
    ]);
    assert.deepEqual(links(".daily-deal .row > a"), ["/game/mine", "/game/mine/review", "/api/tables/mine/record"]);
    assert.equal(body.querySelectorAll("[data-daily-result]").length, 1);
  });

  it("that is over can be gone on with, and has no result of a game that does not count", async () => {
    await show({
      deals: [deal("whist", { mine: mine(null) }), deal("hearts", { mine: mine(WON, { counts: false }) })],
    });
    assert.deepEqual(texts("[data-daily] .label"), [DEAL_TEXTS.dailyGoOn, DEAL_TEXTS.dailyPlay]);
    assert.equal(body.querySelectorAll("[data-daily-result]").length, 1);
  });

  it("that is over has the ways of a finished game for one that was finished too late", async () => {
    await show({ deals: [deal("whist", { mine: mine(null, { over: true }) })] });
    assert.deepEqual(texts("[data-daily] .label"), [DAILY_PAGE_TEXTS.dailyAgain]);
    assert.deepEqual(links(".daily-deal .row > a"), ["/game/mine", "/game/mine/review", "/api/tables/mine/record"]);
  });

  it("that is over but not closed has ways only to begun games, and how long they count", async () => {
    const deals = [deal("whist", { mine: mine(WON) }), deal("hearts", { mine: mine(null) }), deal("skat")];
    await show({ closed: false, left: 5400, key: null, deals });
    assert.deepEqual(texts("[data-daily] .label"), [DEAL_TEXTS.dailyGoOn]);
    assert.ok(shows(DAILY_PAGE_TEXTS.dailyClosing(5400)));
    await show({ closed: false, key: null });
    assert.ok(!shows("This day is over"));
  });

  it("that goes on has ways to play, and seals what is played", async () => {
    await show({ closed: false, key: null, deals: [deal("whist", { mine: mine(WON) }), deal("hearts")] });
    assert.deepEqual(texts("[data-daily] .label"), [DEAL_TEXTS.dailyPlay]);
    assert.deepEqual(
      [shows(t("dailySealed")), shows(DAILY_PAGE_TEXTS.dailyCheck), shows(DAILY_PAGE_TEXTS.dailyAgainHint)],
      [true, false, false],
    );
  });

  it("keeps its commitment while it goes on, and warns if another one was seen", async () => {
    await show({ closed: false, commitment: "seen" });
    assert.deepEqual(warnings(), []);
    await show({ commitment: COMMITMENT });
    assert.deepEqual(warnings(), [DAILY_PAGE_TEXTS.dailyChanged]);
  });

  for (const [what, seen, key, verdict] of [
    ["fits", null, KEY, DAILY_PAGE_TEXTS.dailyFits],
    ["fits the commitment that was seen", COMMITMENT, KEY, DAILY_PAGE_TEXTS.dailyFitsSeen("2026-11-22")],
    ["does not fit", null, "other", DAILY_PAGE_TEXTS.dailyFitsNot],
    ["does not fit the commitment that was seen", "seen", KEY, DAILY_PAGE_TEXTS.dailyFitsNot],
  ]) {
    it(`has a key that ${what}`, async () => {
      if (seen) keepCommitments([{ day: "2026-11-22", commitment: seen }]);
      await show({ key });
      await press(body.querySelector("[data-check]"));
      while (!texts(".daily-proof [role=status]")[0]) await new Promise((go) => setTimeout(go, 1));
      assert.deepEqual(texts(".daily-proof [role=status]"), [verdict]);
    });
  }
});

describe("the picture of a result", () => {
  const review = { luck: "+1", others: "0", own: "−2", signs: ["find", "blunder", ""] };
  const RESULT = { day: "2026-11-03", game: "whist", score: WON, par: null, review, rank: 2, played: 11, streak: 1 };
  let pen;
  let saved;
  let charWidth;

  beforeEach(() => {
    [saved, charWidth] = [[], 5];
    pen = { written: [], fonts: {}, colours: [], moves: [] };
    for (const name of ["fillRect", "save", "restore", "rotate", "beginPath", "roundRect"]) pen[name] = () => {};
    pen.translate = (...place) => pen.moves.push(place);
    pen.scale = (...scale) => pen.moves.push(scale);
    pen.fill = (path) => path && pen.colours.push(pen.fillStyle);
    pen.fillText = (text) => {
      pen.written.push(text);
      pen.fonts[text] = Number(pen.font.match(/(\d+)px/)[1]);
    };
    pen.measureText = (text) => ({ width: charWidth * text.length });
    globalThis.Path2D = class {};
    const make = document.createElement;
    document.createElement = (tag) => {
      const made = make(tag);
      if (tag === "canvas") Object.assign(made, { getContext: () => pen, toBlob: (call) => call(saved.blob ?? null) });
      if (tag === "a") made.click = () => saved.push(made);
      return made;
    };
    URL.createObjectURL = () => "blob:1";
    URL.revokeObjectURL = () => {};
  });

  it("has the date, the title, the score, luck and rank, and no card", () => {
    const canvas = drawPicture(RESULT, "Whist");
    assert.deepEqual(pen.written, [
      "NOV",
      "3",
      "Parlour",
      "Whist",
      "Won 3\u00a0:\u00a02",
      "luck +1, play −2 · 2nd of 11",
      "h",
    ]);
    const size = [58 / 24, 58 / 24];
    assert.deepEqual(pen.moves.slice(2), [[470, 345], size, [536, 345], size, [602, 345], size]);
    assert.equal(pen.colours.length, 3);
    assert.equal(pen.colours[1], pen.colours[2]);
    assert.notEqual(pen.colours[0], pen.colours[1]);
    assert.equal(canvas.getAttribute("aria-label"), "Parlour, Whist, 3 November");
  });

  it("has signs only of a review, and writes long lines smaller", () => {
    drawPicture({ ...RESULT, review: null }, "Whist");
    assert.deepEqual([pen.written[5], pen.colours], ["2nd of 11", []]);
    const { Whist: usual } = pen.fonts;
    charWidth = 1000;
    drawPicture(RESULT, "Whist");
    assert.ok(pen.fonts.Whist < usual);
  });

  it("is saved as a file named by day and game, where the browser can draw it", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    sharePicture(RESULT, "Whist");
    assert.deepEqual(saved.length, 0);
    saved.blob = {};
    sharePicture(RESULT, "Whist");
    assert.deepEqual(
      saved.map(({ href, download }) => [href, download]),
      [["blob:1", "parlour-2026-11-03-whist.png"]],
    );
    mock.timers.reset();
  });
});

describe("the signs of decisions", () => {
  it("are suits by their marks, and words for screen readers", () => {
    const made = signs(["find", "", "slip", "mistake", "blunder", "new"]);
    assert.deepEqual(
      made.querySelectorAll("svg").map(({ className }) => className),
      ["H", "S", "D", "C", "C", "S"].map((suit) => `suit-${suit}`),
    );
    assert.equal(made.getAttribute("aria-label"), "a find, sound, a slip, a mistake, a mistake and sound");
  });
});
