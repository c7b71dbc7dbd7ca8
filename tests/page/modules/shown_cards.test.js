// Cards that a viewer looks at outside a table: face-down ones, and those of a pile.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, press, settle, texts } from "./elements.js";
import { area, PLAYED, row, scene, seen } from "./scenes.js";
import { serve } from "./server.js";
import { remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { lessonPage } from "../../../src/parlour/server/page/js/lesson/lesson.js";
import { puzzlesPage } from "../../../src/parlour/server/page/js/puzzles/puzzles.js";
import { replayPage } from "../../../src/parlour/server/page/js/replay/replay.js";

const ROWS = [row("wall", "wall", [seen("7H")]), row("down", "buried", [seen("8H", null, { face_up: false })])];
const PILE = row("pile", "pile", [seen("9C"), seen("2C")]);
const SHOWN = scene(0, {
  areas: [area("you", 0, ROWS, { side: "red" }), area("Bo", 1), area("middle", null, [PILE])],
});

const GAME = { game: "whist", title: "Whist" };
const LESSON = { ...GAME, minutes: 3, hands: [{ title: "Tricks", steps: 1 }] };
const PUZZLES = { ...GAME, themes: {}, puzzles: [{ id: "a", rating: 1500, themes: [] }] };
/** The pages outside a table, each with its answers of the server. */
const PAGES = {
  "a lesson": [
    () => lessonPage(document.body, "whist"),
    { "/api/games/whist/lesson/0/0": { scenes: [SHOWN], say: "", do: "" }, "/api/games/whist/lesson": LESSON },
  ],
  "a puzzle": [
    () => puzzlesPage(document.body, "whist"),
    { "/api/puzzles/whist/a": { id: "a", scene: SHOWN, log: [] }, "/api/puzzles/whist": PUZZLES },
  ],
  "a replay": [
    () => replayPage(document.body, "one"),
    { "/api/tables/one/replay": { seen: 0, scenes: [SHOWN] }, "/api/tables/one": PLAYED },
  ],
};

beforeEach(() => {
  emptyStorage();
  remember({ pace: "instant" });
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});
afterEach(() => mock.timers.reset());

for (const [name, [open, answers]] of Object.entries(PAGES)) {
  describe(name, () => {
    beforeEach(async () => {
      const body = emptyDocument();
      globalThis.location = { hash: "", search: "", origin: "http://h", host: "h", hostname: "h" };
      globalThis.history = { replaceState() {} };
      serve(answers);
      await open();
      await settle();
      assert.ok(body.querySelector("[data-peek]"));
    });

    it("shows face-down cards by a press, also after it is drawn again, and hides them by the next", async () => {
      const cards = () => document.querySelector("[data-peek]");
      const state = () => [cards().getAttribute("aria-pressed"), cards().classList.contains("peeked")];
      await press(cards());
      assert.deepEqual(state(), ["true", true]);
      remember({ back: "waves" });
      assert.deepEqual(state(), ["true", true]);
      await press(cards());
      assert.deepEqual(state(), ["false", false]);
    });

    it("shows the cards of a pile in a sheet", async () => {
      await press(document.querySelector("[data-show=pile]"));
      assert.deepEqual(
        [texts("dialog h2"), document.querySelectorAll("dialog [data-card]").map(({ dataset }) => dataset.card)],
        [["pile"], ["9C", "2C"]],
      );
    });
  });
}

describe("another puzzle", () => {
  it("has its face-down cards down", async () => {
    emptyDocument();
    globalThis.location = { hash: "#a", search: "", origin: "http://h", host: "h", hostname: "h" };
    globalThis.history = { replaceState() {} };
    const puzzle = (id) => ({ id, scene: SHOWN, log: [] });
    const puzzles = ["a", "b"].map((id) => ({ id, rating: 1500, themes: [] }));
    serve({
      "/api/puzzles/whist/a": puzzle("a"),
      "/api/puzzles/whist/b": puzzle("b"),
      "/api/puzzles/whist": { ...PUZZLES, puzzles },
    });
    await puzzlesPage(document.body, "whist");
    await settle();
    const cards = () => document.querySelector("[data-peek]");
    await press(cards());
    assert.equal(cards().getAttribute("aria-pressed"), "true");
    await press(document.querySelector("[data-way=skip]"));
    await settle();
    assert.equal(cards().getAttribute("aria-pressed"), "false");
  });
});
