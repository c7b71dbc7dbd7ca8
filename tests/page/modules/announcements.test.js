// What screen readers are told on the pages around a table: what has changed, and nothing twice.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { NIGHT } from "./club_page.js";
import { emptyDocument, press, pressKey, settle } from "./elements.js";
import { PLAYED, scene, turn } from "./scenes.js";
import { serve } from "./server.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { keepHostKey, remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { clubPage } from "../../../src/parlour/server/page/js/club/club.js";
import { CLUB_TEXTS } from "../../../src/parlour/server/page/js/club/club_texts.js";
import { lessonPage } from "../../../src/parlour/server/page/js/lesson/lesson.js";
import { puzzlesPage } from "../../../src/parlour/server/page/js/puzzles/puzzles.js";
import { PUZZLE_TEXTS } from "../../../src/parlour/server/page/js/puzzles/puzzle_texts.js";
import { replayPage } from "../../../src/parlour/server/page/js/replay/replay.js";
import { reviewPage } from "../../../src/parlour/server/page/js/replay/review.js";

let app;

/** What has been told since the last call. */
function told() {
  mock.timers.tick(60);
  const region = document.getElementById("live");
  const lines = region.children.map(({ textContent }) => textContent);
  region.replaceChildren();
  return lines;
}

beforeEach(() => {
  emptyStorage();
  remember({ pace: "instant", sound: false });
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  app = h("div", {});
  emptyDocument().append(h("div", { id: "live" }), app);
  globalThis.location = { hash: "", origin: "http://h", host: "h", hostname: "h", pathname: "/" };
  globalThis.history = { replaceState() {} };
});
afterEach(() => {
  told();
  mock.timers.reset();
});

describe("a club night", () => {
  it("tells when a round begins, once", async () => {
    const at = (begun) => ({ ...NIGHT, you: null, players: [], begun });
    serve({ "/api/club/c1": [at(0), at(0), at(1), at(1), at(2)] });
    await clubPage(app, "c1");
    await settle();
    for (const lines of [[], ["Round 1 of 3"], [], ["Round 2 of 3"]]) {
      mock.timers.tick(5000);
      await settle();
      assert.deepEqual(told(), lines);
    }
  });

  for (const [who, key, lines, removed] of [
    [
      "host",
      "host key",
      [["1 player"], ["2 players", CLUB_TEXTS.clubBegin], [CLUB_TEXTS.clubHostJoined("Cy"), "3 players"]],
      [CLUB_TEXTS.clubRemoved, "2 players"],
    ],
    ["player", "", [[], [], [CLUB_TEXTS.clubJoined("Cy")]], [CLUB_TEXTS.clubRemoved]],
  ]) {
    it(`tells a ${who} who joins it and is removed, before the first round`, async () => {
      keepHostKey("c1", key);
      const names = ["Ada", "Bo", "Cy"].map((name, number) => ({ number, name }));
      const joined = (number) => ({ ...NIGHT, you: number === 3 ? 2 : null, players: names.slice(0, number) });
      serve({
        "/api/club/c1": [joined(0), joined(1), joined(2), joined(3), joined(3), joined(2)],
        "/api/addresses": { addresses: [] },
      });
      await clubPage(app, "c1");
      await settle();
      for (const each of [...lines, [], removed]) {
        mock.timers.tick(5000);
        await settle();
        assert.deepEqual(told(), each);
      }
    });
  }
});

describe("a lesson", () => {
  const hands = [{ title: "Tricks", steps: 1 }];
  const pair = { do: "lay", label: "Lay", tokens: ["7H", "8H"] };
  const step = {
    scenes: [turn(3, ["7H", "8H", "9C"], [], { choices: [pair], legal: ["lay"] })],
    say: "<p>Do.</p>",
    do: "lay",
  };
  const show = () => press(app.querySelector("[data-way=show]"));
  const suggested = () => app.querySelectorAll(".suggested").map(({ dataset }) => dataset.card ?? dataset.button);
  const choose = (card) => press(app.querySelector(`[data-card="${card}"]`));

  beforeEach(async () => {
    serve({ "/api/games/whist/lesson/0/0": step, "/api/games/whist/lesson": { game: "whist", title: "Whist", hands } });
    await lessonPage(app, "whist");
    await settle();
    told();
  });

  it("names what it shows: all things of the suggested action, then those that are left", async () => {
    await show();
    assert.deepEqual([suggested(), told()], [["7H", "8H"], ["Lay: seven of hearts, legal; eight of hearts, legal"]]);
    await choose("7H");
    assert.deepEqual([suggested(), told()], [["8H"], ["Lay: eight of hearts, legal"]]);
  });

  it("shows it from the beginning where another thing was chosen", async () => {
    const other = { do: "put 9C", label: "Put", tokens: ["9C", "7H"] };
    const scenes = [turn(3, ["7H", "8H", "9C"], [], { choices: [pair, other], legal: ["lay", "put 9C"] })];
    serve({
      "/api/games/whist/lesson/0/0": { ...step, scenes },
      "/api/games/whist/lesson": { game: "whist", title: "Whist", hands },
    });
    await lessonPage(app, "whist");
    await settle();
    await choose("9C");
    await show();
    assert.deepEqual([suggested(), app.querySelector(".picked")], [["7H", "8H"], null]);
    await choose("7H");
    await show();
    assert.deepEqual(suggested(), ["8H"]);
  });
});

describe("a puzzle", () => {
  it("tells its heading and the task, and its verdict where it stands", async () => {
    const puzzle = { id: "a", scene: turn(4, ["7H", "8H"]), log: ["Bo has led."] };
    const puzzles = { game: "whist", title: "Whist", themes: {}, puzzles: [{ id: "a", rating: 1500, themes: [] }] };
    const verdict = { right: true, do: "play 7H", best: "play 7H", words: [], actions: [], others: 0, standing: null };
    const answers = { "POST /api/puzzles/whist": verdict, "/api/puzzles/whist/a": puzzle };
    serve({ ...answers, "/api/puzzles/whist": puzzles });
    await puzzlesPage(app, "whist");
    const words = app.querySelector(".coach-words");
    assert.deepEqual(told(), [`Trick 4. ${PUZZLE_TEXTS.puzzleTask}`]);
    assert.equal(words.getAttribute("aria-live"), "off"); // it has the log, too
    await press(app.querySelector('[data-card="7H"]'));
    assert.deepEqual([words.getAttribute("aria-live"), told()], ["polite", []]);
  });
});

describe("a replay", () => {
  it("tells the lines of each event, its outcome, or else its heading", async () => {
    const scenes = [
      scene(0),
      scene(1, { log: ["7♥ is led.", ""] }),
      scene(2, { log: ["The end.", "Ann wins."], outcome: "Ann wins." }),
    ];
    const sent = serve({ "/api/tables/one/replay": { seen: 2, scenes }, "/api/tables/one": PLAYED });
    await replayPage(app, "one");
    for (const [key, lines] of [
      ["Home", ["Trick 0"]],
      ["ArrowRight", ["seven of hearts is led."]],
      ["End", ["The end. Ann wins."]],
    ]) {
      told();
      pressKey(key);
      await settle();
      assert.deepEqual(told(), lines);
      assert.deepEqual(app.querySelectorAll("output, [role=status], [aria-live]"), []); // they would tell it again
    }
    assert.equal(sent.filter(({ path }) => path.includes("replay")).length, 1);
  });

  it("of a long game has the next part of its scenes before they are needed", async () => {
    const scenes = Array.from({ length: 50 }, (_, number) => scene(number));
    const sent = serve({ "/api/tables/one/replay": { seen: 120, scenes }, "/api/tables/one": PLAYED });
    await replayPage(app, "one");
    const parts = () => sent.flatMap(({ path }) => path.match(/first=(\d+)/)?.[1] ?? []);
    assert.deepEqual(parts(), ["0", "50"]);
  });
});

describe("a review", () => {
  it("tells the outcome when it is ready, and nothing while it is computed", async () => {
    const course = { seat: 0, name: "Ann", decisions: [], chances: [500], low: [400], high: [600] };
    const sentences = { outcome: "You won.", headline: "", sums: [], own: "" };
    const text = { to_you: sentences, to_others: sentences, decisions: [], chances: ["50 %"] };
    const texts = { outcome: "Ann won.", courses: [text], reruns: [], marks: {}, title: "Whist" };
    const review = { winners: [0], courses: [course], texts, reruns: [] };
    const wait = { share: 0.5, seconds: 2, waits: false, review };
    serve({ "/api/tables/one/review": [wait, wait, review], "/api/tables/one": { title: "Whist" } });
    reviewPage(app, "one");
    for (const lines of [[], [], ["Ann won."]]) {
      await settle();
      assert.deepEqual(told(), lines);
      mock.timers.tick(1000);
    }
  });
});
