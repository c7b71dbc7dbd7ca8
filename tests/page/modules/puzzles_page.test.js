// The pages of puzzles: the list of games, the tries, the verdicts, the standing.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage, storage } from "./browser.js";
import { emptyDocument, enter, press, pressKey, settle, texts } from "./elements.js";
import { turn } from "./scenes.js";
import { late, serve } from "./server.js";
import { keepStanding, standingIn } from "../../../src/parlour/server/page/js/puzzles/own_standing.js";
import { PUZZLE_TEXTS } from "../../../src/parlour/server/page/js/puzzles/puzzle_texts.js";
import { puzzlesPage } from "../../../src/parlour/server/page/js/puzzles/puzzles.js";

const line = (id, rating, ...themes) => ({ id, rating, themes });
const OF_GAME = {
  game: "whist",
  title: "Whist",
  themes: { trap: "the trap", lead: "a lead" },
  puzzles: [line("a", 1500, "lead"), line("b", 1510, "trap"), line("c", 1900, "trap")],
};
const puzzle = (id, log = ["Bo has led."]) => ({ id, scene: turn(4, ["7H", "8H"]), log });
const STANDING = { rating: 1512.4, deviation: 300, volatility: 0.06, tried: 2, solved: 1, streak: 2, longest: 2 };
const estimate = { value: 0.5, low: 0.4, high: 0.6 };
const action = (card, tried) => ({
  do: `play ${card}`,
  phrase: `play ${card}`,
  win: estimate,
  percent: "50 %",
  less: "",
  tried,
});
const VERDICT = {
  right: false,
  do: "play 8H",
  best: "play 7H",
  words: ["It is 10 % better."],
  actions: [action("7H", false), action("8H", true)],
  others: 1,
  rating: 1480,
  themes: [],
  standing: STANDING,
};

let body;
let sent;
const words = () => body.querySelector(".coach-words").textContent;
const card = (name) => body.querySelector(`[data-card="${name}"]`);
const go = (way) => press(body.querySelector(`[data-way=${way}]`));
const shown = () => location.hash.slice(1);
const tries = () => sent.filter(({ method }) => method === "POST").map((each) => each.body);

/** Open the trainer; its tries have this answer. */
async function open(answer = VERDICT, hash = "", more = {}) {
  body = emptyDocument();
  globalThis.location = { hash };
  globalThis.history = { replaceState: (_, __, address) => (location.hash = address) };
  const puzzles = Object.fromEntries(["a", "b", "c"].map((id) => [`/api/puzzles/whist/${id}`, puzzle(id)]));
  sent = serve({ "POST /api/puzzles/whist": answer, ...more, ...puzzles, "/api/puzzles/whist": OF_GAME, ...more });
  await puzzlesPage(body, "whist");
}

beforeEach(() => {
  emptyStorage();
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

describe("the trainer of puzzles", () => {
  it("begins with the puzzle of the address, or with the one nearest to the player's rating", async () => {
    await open();
    assert.deepEqual(
      [shown(), texts(".task"), texts(".coach-where")],
      ["a", [PUZZLE_TEXTS.puzzleTask], ["Rating 1500?"]],
    );
    assert.equal(document.title, "Puzzles: Whist · Parlour");
    await open(VERDICT, "#c");
    assert.equal(shown(), "c");
    await open(VERDICT, "#gone");
    assert.equal(shown(), "a");
  });

  it("shows another puzzle when the address changes to it", async () => {
    await open();
    for (const [hash, seen] of [
      ["#c", "c"],
      ["#gone", "c"],
    ]) {
      location.hash = hash;
      dispatchEvent(new Event("hashchange"));
      await settle();
      assert.equal(sent.at(-1).path, `/api/puzzles/whist/${seen}`);
      assert.deepEqual(texts(".task"), [PUZZLE_TEXTS.puzzleTask]);
    }
  });

  it("shows what happened before, where something did", async () => {
    await open();
    assert.deepEqual(texts(".puzzle-log li"), ["Bo has led."]);
    await open(VERDICT, "", { "/api/puzzles/whist/a": puzzle("a", []) });
    assert.deepEqual(texts(".puzzle-log"), []);
  });

  it("passes a puzzle over, by its button or by N, and comes back to it last", async () => {
    await open();
    await go("skip");
    assert.equal(shown(), "b");
    pressKey("n");
    await settle();
    assert.equal(shown(), "c");
    await go("skip");
    assert.equal(shown(), "a");
  });

  it("has the themes by their titles, and then only puzzles of the chosen one", async () => {
    await open();
    assert.deepEqual(texts(".puzzle-theme option"), [PUZZLE_TEXTS.puzzleAllThemes, "A lead", "The trap"]);
    enter(body.querySelector(".puzzle-theme"), "trap");
    await settle();
    assert.equal(shown(), "b");
    await go("skip");
    assert.equal(shown(), "c");
    enter(body.querySelector(".puzzle-theme"), "lead");
    await settle();
    assert.equal(shown(), "a");
    enter(body.querySelector(".puzzle-theme"), "");
    await settle();
    assert.equal(shown(), "a");
  });

  it("shows the puzzle that was asked for last, in whichever order they come", async () => {
    const [old, other] = [late(), late()];
    await open(VERDICT, "", { "/api/puzzles/whist/b": old.body, "/api/puzzles/whist/c": other.body });
    await go("skip");
    enter(body.querySelector(".puzzle-theme"), "trap");
    await settle();
    enter(body.querySelector(".puzzle-theme"), "lead");
    await settle();
    assert.equal(shown(), "a");
    old.give(puzzle("b"));
    await settle();
    assert.equal(shown(), "a");
  });

  it("does not show a failure of a puzzle that is no longer wanted", async () => {
    const old = late();
    await open(VERDICT, "", { "/api/puzzles/whist/b": old.body });
    await go("skip");
    enter(body.querySelector(".puzzle-theme"), "lead");
    await settle();
    old.give(Promise.reject(new TypeError("no network")));
    await settle();
    assert.deepEqual([shown(), texts(".note")], ["a", [""]]);
  });

  it("stays at its puzzle if the next one does not come, with the reason", async () => {
    await open(VERDICT, "", { "/api/puzzles/whist/b": [503, puzzle("b")] });
    await go("skip");
    assert.deepEqual([shown(), texts(".note")], ["a", ["refused: 503"]]);
    await go("skip");
    assert.deepEqual([shown(), texts(".note")], ["b", [""]]);
  });

  it("has keys for the score, the rules and what is chosen", async () => {
    await open(VERDICT, "", { "/api/games/whist/rules": { html: "<p>Rules.</p>" } });
    for (const [key, sheet] of [
      ["s", "score"],
      ["r", "rules"],
    ]) {
      pressKey(key);
      await settle();
      assert.equal(body.querySelector("dialog").dataset.sheet, sheet);
      body.querySelector("dialog").close();
    }
    const pair = { do: "lay", label: "Lay", tokens: ["7H", "8H"] };
    await open(VERDICT, "", {
      "/api/puzzles/whist/a": { ...puzzle("a"), scene: turn(4, ["7H", "8H"], [], { choices: [pair], legal: ["lay"] }) },
    });
    assert.equal(texts(".prompt")[0], "Play a card.");
    await press(card("7H"));
    assert.notEqual(texts(".prompt")[0], "Play a card.");
    pressKey("Escape");
    assert.equal(texts(".prompt")[0], "Play a card.");
  });

  it("that cannot be opened says why", async () => {
    await open(VERDICT, "", { "/api/puzzles/whist/a": 503 });
    assert.deepEqual(texts("[role=alert]"), ["Refused: 503."]);
  });
});

describe("a try at a puzzle", () => {
  it("counts the first time, with the standing before, which is then kept", async () => {
    await open();
    await press(card("8H"));
    assert.deepEqual(tries(), [{ do: "play 8H", standing: null, counts: true }]);
    assert.deepEqual(standingIn("whist"), { standing: STANDING, tried: ["a"] });
    assert.deepEqual(texts(".coach-where"), ["Rating 1512? · 1 of 2 solved · 2 in a row"]);
    assert.ok(words().includes("The puzzle has 1480. You have 1512 (+12)."));
  });

  it("does not count again, and says so before and after", async () => {
    keepStanding("whist", { ...STANDING, streak: 1, deviation: 100 }, "a");
    await open({ ...VERDICT, standing: null }, "#a");
    assert.deepEqual(texts(".coach-where"), ["Rating 1512 · 1 of 2 solved"]);
    assert.ok(words().includes(PUZZLE_TEXTS.puzzleAgain));
    await press(card("8H"));
    assert.equal(tries()[0].counts, false);
    assert.ok(words().includes(PUZZLE_TEXTS.puzzleAgain));
    assert.deepEqual(standingIn("whist").tried, ["a"]);
  });

  it("has a verdict on the actions, of which the best is shown on the table", async () => {
    await open();
    await press(card("8H"));
    assert.deepEqual(texts(".puzzle-wrong"), [PUZZLE_TEXTS.puzzleWrong]);
    assert.deepEqual(texts(".puzzle-mark"), [PUZZLE_TEXTS.puzzleBest, PUZZLE_TEXTS.puzzleYours]);
    assert.deepEqual(
      body.querySelectorAll("li.best").map(({ dataset }) => dataset.action),
      ["play 7H"],
    );
    assert.ok(words().includes("1 other action is worse, too.") && words().includes("It is 10\u00a0% better."));
    const picked = body.querySelectorAll(".hand .picked").map(({ dataset }) => dataset.card);
    assert.deepEqual([picked, document.activeElement.dataset.way], [["7H"], "next"]);
    await open({ ...VERDICT, right: true, others: 0 });
    await press(card("7H"));
    assert.deepEqual([texts(".puzzle-right"), words().includes("worse, too")], [[PUZZLE_TEXTS.puzzleRight], false]);
  });

  it("is no press beside the cards", async () => {
    await open();
    for (const place of [".board", ".prompt", ".coach-words"]) await press(body.querySelector(place));
    assert.deepEqual([tries(), texts(".note")], [[], [""]]);
    assert.equal(body.querySelectorAll(".hand .may").length, 2);
  });

  it("is the only one: cards are not tried after the verdict", async () => {
    await open();
    await press(card("8H"));
    await press(card("7H"));
    assert.equal(tries().length, 1);
    await go("next");
    assert.deepEqual([shown(), document.activeElement.className], ["b", "coach-words"]);
    await press(card("7H"));
    assert.equal(tries()[1].standing.rating, STANDING.rating);
  });

  for (const [what, answer, tried, standing] of [
    ["counts for its own puzzle", () => VERDICT, ["a"], "Rating 1512? · 1 of 2 solved · 2 in a row"],
    ["that fails counts for none", () => Promise.reject(new TypeError("no network")), [], "Rating 1500?"],
  ]) {
    it(`answered late ${what}, and leaves the one that is shown by then alone`, async () => {
      const verdict = late();
      await open(verdict.body);
      await press(card("8H"));
      await go("skip");
      assert.equal(shown(), "b");
      verdict.give(answer());
      await settle();
      assert.deepEqual([standingIn("whist").tried, texts(".task")], [tried, [PUZZLE_TEXTS.puzzleTask]]);
      assert.deepEqual([texts(".coach-where"), texts(".note")], [[standing], [""]]);
      assert.equal(body.querySelectorAll(".hand .may").length, 2);
    });
  }

  it("keeps its verdict when another puzzle comes that was asked for before it", async () => {
    const other = late();
    await open(VERDICT, "", { "/api/puzzles/whist/b": other.body });
    await go("skip");
    await press(card("8H"));
    other.give(puzzle("b"));
    await settle();
    assert.deepEqual([shown(), texts(".puzzle-wrong"), texts(".task")], ["a", [PUZZLE_TEXTS.puzzleWrong], []]);
  });

  for (const [what, answer, standing] of [
    ["changes the standing of the one before, however late that is answered", () => VERDICT, STANDING],
    ["is sent also if the one before fails", () => Promise.reject(new TypeError("no network")), null],
  ]) {
    it(what, async () => {
      const [first, second] = [late(), { ...STANDING, tried: 3 }];
      await open([first.body, { ...VERDICT, standing: second }]);
      await press(card("8H"));
      await go("skip");
      await press(card("7H"));
      first.give(answer());
      await settle();
      assert.deepEqual(
        tries().map((each) => each.standing),
        [null, standing],
      );
      assert.deepEqual(standingIn("whist"), { standing: second, tried: standing ? ["a", "b"] : ["b"] });
    });
  }

  it("can be repeated after a failure", async () => {
    await open([503, VERDICT]);
    await press(card("8H"));
    assert.deepEqual([texts(".note"), standingIn("whist").tried], [["Refused:\u00a0503"], []]);
    await press(card("8H"));
    assert.deepEqual(standingIn("whist").tried, ["a"]);
  });

  it("says if the browser keeps nothing", async () => {
    await open();
    await press(card("8H"));
    assert.ok(!words().includes(PUZZLE_TEXTS.puzzleUnstored));
    storage.refuses = true;
    await open(VERDICT, "#b");
    await press(card("8H"));
    assert.ok(words().includes(PUZZLE_TEXTS.puzzleUnstored));
  });
});

describe("the games with puzzles", () => {
  const games = [
    { game: "whist", title: "Whist", puzzles: 12 },
    { game: "hearts", title: "Hearts", puzzles: 1 },
  ];

  it("have their numbers, and the player's standing where there is one", async () => {
    keepStanding("whist", STANDING, "a");
    body = emptyDocument();
    serve({ "/api/puzzles": { games } });
    await puzzlesPage(body, "");
    assert.equal(document.title, "Puzzles · Parlour");
    assert.deepEqual(texts("li .fine-print"), ["12 puzzles · Rating 1512? · 1 of 2 solved", "1 puzzle"]);
    assert.deepEqual(
      body.querySelectorAll("li a").map(({ href }) => href),
      ["/puzzles/whist", "/puzzles/hearts"],
    );
  });

  it("look like the tables of their game", async () => {
    body = emptyDocument();
    serve({ "/api/puzzles": { games } });
    await puzzlesPage(body, "");
    assert.deepEqual(texts("li.cloth.face-hearts h2"), ["Hearts"]);
  });

  it("may be none, or not be known", async () => {
    body = emptyDocument();
    serve({ "/api/puzzles": { games: [] } });
    await puzzlesPage(body, "");
    assert.ok(body.textContent.includes(PUZZLE_TEXTS.puzzlesNone));
    serve({ "/api/puzzles": 503 });
    await puzzlesPage(body, "");
    assert.deepEqual(texts(".failure"), ["refused: 503"]);
    assert.ok(body.querySelector("[data-go=retry]"));
  });
});
