// Widths of rows in cards.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { cardsAcross, widestAcross } from "../../../src/parlour/server/page/js/scene/row_widths.js";

const row = (style, cards = 0, hidden = 0) => ({ style, cards: Array(cards).fill({}), hidden });
const area = (...rows) => ({ rows });
const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`);

describe("the width of an area", () => {
  it("is the sum of its rows", () => {
    near(cardsAcross(area(row("life", 0, 6), row("slot", 1), row("slot"), row("slot", 2))), 2.1 + 3 * 1.18);
  });

  it("grows with opened life cards and with the cards of a meld", () => {
    const closed = cardsAcross(area(row("life", 0, 4)));
    assert.ok(cardsAcross(area(row("life", 2, 4))) > closed + 0.9);
    near(cardsAcross(area(row("meld"))), 1.6);
    near(cardsAcross(area(row("meld", 3))), 1.8);
    near(cardsAcross(area(row("meld", 1, 2))), 1.8);
  });

  it("has the place of a card where a life pile or a meld has none", () => {
    near(cardsAcross(area(row("life"))), 1);
    near(cardsAcross(area(row("life", 1, 1))), 1.66);
    near(cardsAcross(area(row("life", 3, 1))), 1 + 0.66 + 2 * 0.33);
    near(cardsAcross(area(row("meld", 2))), 1.6);
    near(cardsAcross(area(row("pile", 0), row("slot", 0))), 2.18);
  });

  it("does not contain hands", () => assert.equal(cardsAcross(area(row("hand", 7))), 0));
});

describe("the widest area", () => {
  it("sets the width of all, which is at least a card", () => {
    near(widestAcross([area(row("pile")), area(row("slot"), row("slot"))]), 2.36);
    assert.equal(widestAcross([area(row("hand", 7))]), 1);
    assert.equal(widestAcross([]), 1);
  });
});
