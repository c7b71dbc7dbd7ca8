// The choice of the next puzzle, and the player's standing.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { emptyStorage, storage } from "./browser.js";

const { isProvisional, keepStanding, nextPuzzle, ratingOf, standingIn } =
  await import("../../../src/parlour/server/page/js/puzzles/own_standing.js");

const puzzles = [
  { id: "a", rating: 900, themes: ["lead"] },
  { id: "b", rating: 1480, themes: ["lead", "trap"] },
  { id: "c", rating: 1700, themes: ["swap"] },
];
const none = { standing: null, tried: [] };

describe("The next puzzle", () => {
  test("is the untried one whose rating is nearest", () => {
    assert.equal(nextPuzzle(puzzles, none, "", [])?.id, "b");
    assert.equal(nextPuzzle(puzzles, { standing: null, tried: ["b"] }, "", [])?.id, "c");
  });
  test("has the theme that was chosen, and is not one that was passed over", () => {
    assert.equal(nextPuzzle(puzzles, none, "lead", ["b"])?.id, "a");
    assert.equal(nextPuzzle(puzzles, none, "castle", []), undefined);
  });
  test("is the one after the last when all have been tried", () => {
    const tried = { standing: null, tried: ["a", "b", "c"] };
    assert.equal(nextPuzzle(puzzles, tried, "", ["c"])?.id, "a");
    assert.equal(nextPuzzle(puzzles, tried, "", ["a"])?.id, "b");
  });
  test("goes through all of them again and again when all have been tried", () => {
    const tried = { standing: null, tried: ["a", "b", "c"] };
    const passed = ["b"];
    for (let turn = 0; turn < 5; turn += 1) passed.push(nextPuzzle(puzzles, tried, "", passed)?.id);
    assert.deepEqual(passed, ["b", "c", "a", "b", "c", "a"]);
    assert.equal(nextPuzzle(puzzles, tried, "lead", ["a", "b"])?.id, "a");
  });
});

describe("The standing in puzzles", () => {
  const standing = { rating: 1520, deviation: 300, volatility: 0.06, tried: 1, solved: 1, streak: 1, longest: 1 };

  beforeEach(emptyStorage);

  test("is provisional without results and while its deviation is large", () => {
    const at = (deviation) => isProvisional({ ...standing, deviation });
    assert.deepEqual([isProvisional(null), at(110), at(109.9)], [true, true, false]);
    assert.deepEqual([ratingOf(null), ratingOf({ ...standing, rating: 1519.5 })], [1500, 1520]);
  });
  test("is stored with the puzzles tried, by game", () => {
    assert.ok(keepStanding("castle-walls", standing, "a"));
    assert.ok(keepStanding("castle-walls", { ...standing, tried: 2 }, "b"));
    assert.deepEqual(standingIn("castle-walls"), { standing: { ...standing, tried: 2 }, tried: ["a", "b"] });
    assert.deepEqual(standingIn("trick-walls"), none);
  });
  test("lasts as long as the page where the browser stores nothing", () => {
    storage.refuses = true;
    assert.ok(!keepStanding("three-tricks", standing, "a"));
    assert.deepEqual(standingIn("three-tricks"), { standing, tried: ["a"] });
  });
});
