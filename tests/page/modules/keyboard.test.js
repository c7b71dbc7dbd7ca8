// The focus among the things of a table before and after a redraw.

import "./browser.js";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Keyboard } from "../../../src/parlour/server/page/js/common/keyboard.js";

/** The things in the hand, each with its action or its button. */
let hand;
const root = {
  querySelectorAll: (selector) => (selector.startsWith(".hand ") ? hand : []),
  contains: (element) => hand.includes(element),
};

function thing(dataset) {
  const classList = { contains: () => false };
  const one = { dataset, classList, tabIndex: -1, focus: () => (document.activeElement = one) };
  return one;
}
const cards = (...actions) => actions.map((action) => thing({ do: action }));
const focused = () => document.activeElement?.dataset.do;

/** Focus an action among others, then draw the table with other things in new elements. */
function redraw(before, focus, after) {
  hand = before;
  const keyboard = new Keyboard(
    () => root,
    {},
    () => false,
  );
  before.find((one) => one.dataset.do === focus)?.focus();
  const held = keyboard.hold();
  hand = after;
  document.activeElement = null;
  keyboard.restore(held);
  return keyboard;
}

beforeEach(() => {
  document.addEventListener = () => {};
  document.activeElement = null;
});

describe("the focus after a redraw", () => {
  for (const [where, after] of [
    ["where it was", ["7H", "8H", "9H"]],
    ["where it has become the first", ["8H", "9H"]],
    ["where it has become the last", ["6H", "7H", "8H"]],
  ]) {
    it(`is on the same thing ${where}`, () => {
      const keyboard = redraw(cards("7H", "8H", "9H"), "8H", cards(...after));
      assert.equal(focused(), "8H");
      assert.equal(keyboard.index, after.indexOf("8H"));
    });
  }

  it("is on the thing that has its place, or on the last one, if the thing is gone", () => {
    redraw(cards("7H", "8H", "9H"), "8H", cards("7H", "9H", "KH"));
    assert.equal(focused(), "9H");
    redraw(cards("7H", "8H", "9H"), "9H", cards("7H", "8H"));
    assert.equal(focused(), "8H");
  });

  it("distinguishes a thing from another one with the same action", () => {
    const [card, button] = [thing({ do: "8H", token: "8H" }), thing({ button: "8H" })];
    redraw(cards("7H", "8H"), "8H", [button, card, thing({ do: "8H" })]);
    assert.equal(hand.indexOf(document.activeElement), 2);
  });

  it("stays elsewhere if it was elsewhere, and Tab still reaches one thing", () => {
    redraw(cards("7H", "8H"), "none", cards("7H", "8H"));
    assert.equal(document.activeElement, null);
    assert.deepEqual(
      hand.map(({ tabIndex }) => tabIndex),
      [0, -1],
    );
  });

  it("is nowhere if nothing is left to choose", () => {
    redraw(cards("7H"), "7H", []);
    assert.equal(document.activeElement, null);
  });
});
