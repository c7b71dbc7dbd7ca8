// Presses that a redraw interrupts. If the pressed thing is replaced or moved before the button of the mouse, the
// finger or the space bar is released, browsers send no click, and the press would be lost. Forms redraw after the
// press: their fields have menus, carets and a focus that is just arriving.

import { focusedElement, identity, targetOf } from "./dom.js";

const THING = "button, a, label, summary, [data-do], [data-peek], [data-show]";
/** Pixels of movement after which a press is no click. */
const CLICK_DISTANCE = 9;
/** Milliseconds after which a finger that lies still opens a menu of the browser. */
const LONG_PRESS = 500;
/** Milliseconds after a touch in which the browser sends the events of a mouse for it. */
const TAP_TIME = 300;

/**
 * A press: the thing with its identity, the place and the time of its beginning, and whether the browser has cancelled
 * it, as when a finger scrolls.
 *
 * @typedef {{ thing: HTMLElement, name: string, x: number, y: number, at: number, cancelled: boolean }} Press
 */
/** @typedef {{ clientX: number, clientY: number }} Point */

/** Whether a pointer or a key is down. */
let isHeld = false;
/** @type {number | undefined} the timer that ends a press */
let ending;
/** @type {HTMLElement | null} the thing whose press has ended, until it is clicked */
let unclicked = null;
/** @type {Set<() => unknown>} */
const waiting = new Set();

/**
 * Do something when no press is under way, each function once.
 *
 * @param {() => unknown} action
 */
export function afterPress(action) {
  if (isHeld) waiting.add(action);
  else action();
}

/** Note that a press begins. The timer of an earlier one must not end it. */
function hold() {
  clearTimeout(ending);
  isHeld = true;
}

/** @param {number} time milliseconds until the browser has sent all events of the press */
function releaseAfter(time) {
  clearTimeout(ending);
  ending = setTimeout(release, time);
}

function release() {
  isHeld = false;
  const actions = [...waiting];
  waiting.clear();
  for (const action of actions) action();
}

/** @type {(thing: HTMLElement, start: Point & { timeStamp: number }) => Press} */
const pressOf = (thing, { clientX: x, clientY: y, timeStamp: at }) => ({
  thing,
  name: identity(thing),
  x,
  y,
  at,
  cancelled: false,
});

/** @param {Event} event */
const thingOf = (event) => (event.target instanceof Element ? targetOf(event, THING) : null);

/** @type {(start: { x: number, y: number }, end: Point) => boolean} */
const isNear = ({ x, y }, end) => Math.hypot(end.clientX - x, end.clientY - y) <= CLICK_DISTANCE;

/**
 * Click the counterpart of a touched thing when the finger is lifted over it.
 *
 * @param {Press} press
 * @param {TouchEvent} event
 */
function lift({ thing: touched, name, at, cancelled, ...place }, event) {
  const [touch] = event.changedTouches;
  if (cancelled || touched.isConnected || event.timeStamp - at > LONG_PRESS || !isNear(place, touch)) return;
  const below = document.elementFromPoint(touch.clientX, touch.clientY);
  const thing = /** @type {HTMLElement | null} */ (below?.closest(THING) ?? null);
  if (!thing || identity(thing) !== name) return;
  event.preventDefault(); // some browsers would click what lies below, others nothing
  thing.click();
}

/**
 * Click a thing unless the browser does. Its own click comes before any timer.
 *
 * @param {HTMLElement} thing
 */
function ensureClick(thing) {
  unclicked = thing;
  setTimeout(() => {
    if (unclicked === thing && thing.isConnected) thing.click();
  });
}

/**
 * Ignore the second click of a double click on another thing than the first one: the first has closed a sheet or played
 * a card, and what lies there now has not been pressed.
 */
function ignoreStrayClicks() {
  let before = "";
  /** @param {MouseEvent} event */
  const check = (event) => {
    if (unclicked?.contains(/** @type {Node} */ (event.target))) unclicked = null;
    const thing = thingOf(event);
    const pressed = thing ?? event.target;
    const now = pressed instanceof HTMLElement ? identity(pressed) : "";
    const isUsed = pressed instanceof HTMLElement && (thing || pressed.matches("dialog"));
    if (event.detail > 1 && isUsed && now !== before) {
      event.stopImmediatePropagation();
      event.preventDefault();
    } else if (event.detail > 0) before = now; // the click of a label on its field has no number
  };
  addEventListener("click", check, true);
}

/** Click the counterpart of a pressed thing when the pointer or the space bar is released on it. */
export function keepInterruptedPresses() {
  /** @type {Press | null} */
  let press = null;
  /** @type {Press | null} the press of the space bar */
  let space = null;

  /** @param {PointerEvent} event */
  const start = (event) => {
    hold();
    const thing = event.isPrimary !== false && event.button === 0 ? thingOf(event) : null;
    press = thing && pressOf(thing, event);
    if (!press || event.pointerType !== "touch") return;
    const begun = press;
    // the events of a finger go to the touched element, also after its removal, and are heard nowhere else then
    const end = (/** @type {Event} */ ended) => lift(begun, /** @type {TouchEvent} */ (ended));
    event.target?.addEventListener("touchend", end, { once: true });
  };

  /** @param {PointerEvent} event */
  const end = (event) => {
    const begun = press;
    press = null;
    const thing = event.pointerType === "mouse" && event.button === 0 ? thingOf(event) : null;
    if (begun && thing && isNear(begun, event) && identity(thing) === begun.name) ensureClick(thing);
    releaseAfter(event.pointerType === "mouse" ? 0 : TAP_TIME);
  };

  ignoreStrayClicks();
  addEventListener("pointerdown", start, true);
  addEventListener("pointerup", end, true);
  addEventListener("pointercancel", () => {
    if (press) press.cancelled = true;
    press = null;
    release();
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) isHeld = false;
    else hold();
    if (event.key === "Enter" && event.repeat && thingOf(event)) event.preventDefault(); // as for Space
    if (event.key !== " " || event.repeat) return;
    const thing = event.defaultPrevented ? null : thingOf(event);
    space = thing && pressOf(thing, { clientX: 0, clientY: 0, timeStamp: event.timeStamp });
  });
  addEventListener("keyup", (event) => {
    const thing = event.key === " " && space ? focusedElement() : null;
    if (thing && space && thing !== space.thing && identity(thing) === space.name) ensureClick(thing);
    space = null;
    releaseAfter(0);
  });
  addEventListener("blur", release);
}
