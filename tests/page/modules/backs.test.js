// Backs of cards.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { backDrawing } from "../../../src/parlour/server/page/js/scene/backs.js";

describe("a back", () => {
  it("differs from the others, and is small", () => {
    const backs = ["bricks", "lattice", "waves"].map(backDrawing);
    assert.equal(new Set(backs).size, 3);
    for (const back of backs) assert.ok(back.length < 5000, `${back.length} characters`);
  });

  it("of an unknown name is the usual one, and no back depends on a card", () => {
    assert.equal(backDrawing("gone"), backDrawing("bricks"));
    assert.equal(backDrawing(undefined), backDrawing("bricks"));
  });
});
