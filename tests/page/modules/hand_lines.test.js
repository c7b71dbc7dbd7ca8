// The lines of a hand.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ALWAYS_FIT, LEAST_STRIP, linesOf, roomInLine } from "../../../src/parlour/server/page/js/scene/hand_lines.js";

const hand = (...names) => names.map((card) => ({ card }));
const namesOf = (lines) => lines.map((line) => line.map(({ card }) => card));

describe("the space of a line", () => {
  it("has a strip of each card, and the whole last card", () => {
    assert.equal(roomInLine(58 + 11 * LEAST_STRIP, 58), 12);
    assert.equal(roomInLine(58 + 11 * LEAST_STRIP - 1, 58), 11);
  });

  it("is enough for a usual hand on the narrowest phone", () => {
    assert.ok(roomInLine(320 - 16, 58) >= ALWAYS_FIT);
    assert.ok(roomInLine(252 - 16, 58) >= ALWAYS_FIT, "beside the table in landscape");
  });

  it("has at least one card", () => assert.equal(roomInLine(20, 58), 1));

  it("is unlimited while the hand is not displayed", () => assert.equal(roomInLine(0, 0), Infinity));
});

describe("the lines of a hand", () => {
  it("are one where it has space", () => {
    assert.deepEqual(namesOf(linesOf(hand("2C", "3C", "4D"), 3)), [["2C", "3C", "4D"]]);
    assert.deepEqual(linesOf([], 3), []);
  });

  it("end between suits", () => {
    const lines = linesOf(hand("2C", "3C", "4D", "5D", "6D", "7H"), 4);
    assert.deepEqual(namesOf(lines), [
      ["2C", "3C"],
      ["4D", "5D", "6D", "7H"],
    ]);
  });

  it("never exceed the space", () => {
    for (let number = 1; number <= 26; number += 1) {
      const lines = linesOf(hand(...Array(number).fill("2C")), 8);
      assert.equal(lines.flat().length, number);
      assert.equal(lines.length, Math.ceil(number / 8));
      assert.ok(lines.every((line) => line.length <= 8));
    }
  });
});
