// The choice of the next puzzle.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import "./browser.js";

const { nextPuzzle } = await import("../../../src/parlour/server/page/js/puzzles/own_standing.js");

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
