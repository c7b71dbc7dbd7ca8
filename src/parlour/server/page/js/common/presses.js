// Presses of a mouse that a redraw interrupts. If the pressed thing is replaced before the button is released, browsers
// send no click to its replacement, and the press would be lost. The click of a finger goes to what lies below it when
// it is lifted.

import { targetOf } from "./dom.js";

const THING = "button, a, [data-do], [data-peek], [data-show]";
/** Pixels of movement after which a press is no click. */
const CLICK_DISTANCE = 9;

/** @typedef {{ thing: HTMLElement, x: number, y: number }} Press */

/**
 * The text and data of a thing, which its replacement shares. Its state may differ.
 *
 * @param {HTMLElement} thing
 */
const identity = (thing) => JSON.stringify([thing.tagName, thing.textContent, { ...thing.dataset }]);

/** Click the replacement of a pressed thing when the pointer is released on it. */
export function keepInterruptedPresses() {
  /** @type {Press | null} */
  let press = null;

  /** @param {PointerEvent} event */
  const start = (event) => {
    const thing = event.pointerType === "mouse" && event.button === 0 ? targetOf(event, THING) : null;
    press = thing && { thing, x: event.clientX, y: event.clientY };
  };

  /** @param {PointerEvent} event */
  const end = (event) => {
    const begun = press;
    press = null;
    if (!begun || begun.thing.isConnected || event.button !== 0) return;
    if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > CLICK_DISTANCE) return;
    const thing = targetOf(event, THING);
    if (thing && identity(thing) === identity(begun.thing)) thing.click();
  };

  addEventListener("pointerdown", start);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", () => {
    press = null;
  });
}
