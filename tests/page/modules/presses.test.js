// Presses that a redraw interrupts: the replacement of the pressed thing is clicked, and nothing else.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyDocument } from "./elements.js";
import { clear, h } from "../../../src/parlour/server/page/js/common/dom.js";
import { keepInterruptedPresses } from "../../../src/parlour/server/page/js/common/presses.js";

let hand;
let clicked;
beforeEach(() => {
  hand = h("div");
  emptyDocument().append(hand);
  keepInterruptedPresses();
  clicked = [];
});

const card = (name, text = name) =>
  h("button", { class: "may", "data-card": name, on: { click: () => clicked.push(name) } }, text);

function point(type, target, more = {}) {
  const usual = { pointerType: "mouse", button: 0, clientX: 40, clientY: 50 };
  target.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), usual, more));
}

/** Press a card, draw the hand again, and release the pointer on a card of the new hand. */
function pressThrough(released, down = {}, up = {}) {
  const pressed = card("7H");
  clear(hand, pressed);
  point("pointerdown", pressed, down);
  clear(hand, released);
  point("pointerup", released, up);
  return clicked;
}

describe("a press that a redraw interrupts", () => {
  it("clicks the replacement", () => assert.deepEqual(pressThrough(card("7H")), ["7H"]));

  for (const [what, released, down, up] of [
    ["another card", card("8H")],
    ["the same card with another label", card("7H", "ace")],
    ["no thing", h("div", { class: "board" })],
    ["the replacement, nine pixels further", card("7H"), {}, { clientX: 46, clientY: 58 }],
    ["the replacement, with another button", card("7H"), { button: 2 }, { button: 2 }],
    ["the replacement, with the other button", card("7H"), {}, { button: 2 }],
    ["the replacement, by a finger, which clicks by itself", card("7H"), { pointerType: "touch" }],
  ]) {
    it(`clicks nothing if it ends on ${what}`, () => assert.deepEqual(pressThrough(released, down, up), []));
  }
});

it("is left to the browser if nothing was drawn", () => {
  const pressed = card("7H");
  clear(hand, pressed);
  point("pointerdown", pressed);
  point("pointerup", pressed);
  assert.deepEqual(clicked, []);
});

it("is forgotten when the system cancels it", () => {
  const [pressed, released] = [card("7H"), card("7H")];
  clear(hand, pressed);
  point("pointerdown", pressed);
  clear(hand, released);
  point("pointercancel", released);
  point("pointerup", released);
  assert.deepEqual(clicked, []);
});
