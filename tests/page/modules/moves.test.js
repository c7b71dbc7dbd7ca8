// Moves of cards between two drawings.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { backOf, isBack, planMoves } from "../../../src/parlour/server/page/js/scene/moves.js";

/** Rows as [many, backs, area], cards as [row, area, from, up]. */
const spots = (rows, cards = {}) => ({
  rows: new Map(Object.entries(rows).map(([id, [many, backs = 0, area]]) => [id, { many, backs, area }])),
  cards: new Map(Object.entries(cards).map(([card, [row, area, from, up = true]]) => [card, { row, area, from, up }])),
});
const played = (area, up = true) => [undefined, "middle", area, up];

describe("a played card", () => {
  it("of the viewer comes from its place in the hand", () => {
    const { arrivals, leaves } = planMoves(
      spots({ "hand-0": [2] }, { "2C": ["hand-0"], "3C": ["hand-0"] }),
      spots({ "hand-0": [1] }, { "3C": ["hand-0"], "2C": played("a0") }),
    );
    assert.deepEqual(arrivals.find(({ card }) => card === "2C")?.source, { card: "2C" });
    assert.deepEqual(leaves, []);
  });

  it("of each player comes from that player's hand, also when several were played at once", () => {
    const { arrivals } = planMoves(
      spots({ "hand-1": [5, 5, "a1"], "hand-2": [5, 5, "a2"] }),
      spots({ "hand-1": [4, 4, "a1"], "hand-2": [4, 4, "a2"] }, { KD: played("a2"), "4H": played("a1") }),
    );
    assert.deepEqual(
      arrivals.map(({ card, source }) => [card, source.row]),
      [
        ["KD", "hand-2"],
        ["4H", "hand-1"],
      ],
    );
  });

  it("comes from the area where its hand is not drawn", () => {
    const { arrivals } = planMoves(spots({ deck: [9] }), spots({ deck: [8] }, { KD: played("a2") }));
    assert.deepEqual(arrivals[0].source, { area: "a2" });
  });

  it("that is face down moves too, and is turned up in its place", () => {
    const hands = { "hand-1": [5, 5, "a1"] };
    const dark = spots({ "hand-1": [4, 4, "a1"] }, { [backOf("a1")]: played("a1", false) });
    assert.deepEqual(planMoves(spots(hands), dark).arrivals, [
      { card: backOf("a1"), kind: "move", source: { row: "hand-1" } },
    ]);
    const open = spots({ "hand-1": [4, 4, "a1"] }, { KD: played("a1") });
    const { arrivals, leaves } = planMoves(dark, open);
    assert.deepEqual(arrivals, [{ card: "KD", kind: "flip", source: { card: backOf("a1") } }]);
    assert.deepEqual(leaves, []);
  });
});

describe("a card that was face down in its row", () => {
  it("is turned up there", () => {
    const { arrivals } = planMoves(
      spots({ slot: [1, 1, "a1"] }),
      spots({ slot: [1, 0, "a1"] }, { KD: ["slot", "a1"] }),
    );
    assert.deepEqual(arrivals, [{ card: "KD", kind: "flip", source: { row: "slot" } }]);
  });

  it("is moved, not turned, to a place of another area", () => {
    const before = spots({}, { KD: played("a1", false) });
    const { arrivals } = planMoves(before, spots({}, { KD: [undefined, "a1"] }));
    assert.equal(arrivals[0].kind, "move");
  });
});

describe("taken cards", () => {
  it("go to the rows that took them, each to one with space", () => {
    const { leaves } = planMoves(
      spots({ "pile-1": [0], "pile-2": [3, 3] }, { "2C": played("a1"), "3C": played("a2"), "4C": played("a3") }),
      spots({ "pile-1": [2, 2], "pile-2": [4, 4] }),
    );
    assert.deepEqual(leaves.map(({ goal }) => goal).sort(), ["pile-1", "pile-1", "pile-2"]);
  });

  it("prefer rows of backs, and do not take the place of a card that is drawn there", () => {
    const { leaves } = planMoves(
      spots({ hand: [1] }, { KD: ["hand"], "2C": played("a1") }),
      spots({ hand: [0], slot: [1, 0], pile: [1, 1] }, { KD: ["slot"] }),
    );
    assert.deepEqual(leaves, [{ card: "2C", goal: "pile" }]);
  });

  it("without a row fade where they lay", () => {
    const { leaves } = planMoves(spots({}, { KD: played("a1") }), spots({}));
    assert.deepEqual(leaves, [{ card: "KD", goal: undefined }]);
  });
});

describe("face-down cards", () => {
  it("fly from the row that has lost them to the one that has gained them", () => {
    const { flights } = planMoves(
      spots({ deck: [20, 20], "hand-1": [5, 5, "a1"] }),
      spots({ deck: [18, 18], "hand-1": [7, 7, "a1"] }),
    );
    assert.deepEqual(flights, [
      { from: "deck", to: "hand-1" },
      { from: "deck", to: "hand-1" },
    ]);
  });

  it("do not fly for a card that the viewer has drawn", () => {
    const { arrivals, flights } = planMoves(
      spots({ deck: [20, 20], "hand-0": [1] }, { KD: ["hand-0"] }),
      spots({ deck: [19, 19], "hand-0": [2] }, { KD: ["hand-0"], "4C": ["hand-0"] }),
    );
    assert.deepEqual(arrivals.at(-1), { card: "4C", kind: "move", source: { row: "deck" } });
    assert.deepEqual(flights, []);
  });

  it("do not fly for a card that has gone from row to row in sight", () => {
    const before = spots({ "hand-0": [1], deck: [3, 3], "hand-1": [0, 0, "a1"], slot: [0] }, { KD: ["hand-0"] });
    const moved = { "hand-0": [0], deck: [2, 2], "hand-1": [1, 1, "a1"], slot: [1] };
    const { arrivals, flights } = planMoves(before, spots(moved, { KD: ["slot"] }));
    assert.deepEqual(arrivals, [{ card: "KD", kind: "move", source: { card: "KD" } }]);
    assert.deepEqual(flights, [{ from: "deck", to: "hand-1" }]);
  });

  it("fly also where a known card stays in its row", () => {
    const { flights } = planMoves(
      spots({ "hand-0": [2], "hand-1": [1, 1] }, { KD: ["hand-0"] }),
      spots({ "hand-0": [1], "hand-1": [2, 2] }, { KD: ["hand-0"] }),
    );
    assert.deepEqual(flights, [{ from: "hand-0", to: "hand-1" }]);
  });

  it("are known by their numbers only: an unknown card never has a name of its own", () => {
    const { arrivals, leaves, flights } = planMoves(
      spots({ "hand-1": [5, 5, "a1"], buried: [0, 0, "a1"] }),
      spots({ "hand-1": [4, 4, "a1"], buried: [1, 1, "a1"] }),
    );
    assert.deepEqual([arrivals, leaves, flights], [[], [], [{ from: "hand-1", to: "buried" }]]);
    assert.ok(isBack(backOf("a1")) && !isBack("KD"));
  });
});
