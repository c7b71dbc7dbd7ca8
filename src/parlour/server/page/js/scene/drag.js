// Dragging cards with a finger or the mouse: the dragged card is chosen, then the thing that it is dropped on.

import { findAll, targetOf } from "../common/dom.js";
import { layOver } from "./motion.js";

/** Pixels of movement after which a press is a drag. */
const DRAG_DISTANCE = 9;
/** Milliseconds after a drag in which a click belongs to the same gesture, by the times of the events. */
const CLICK_TIME = 60;
const THING = "[data-do]:is(.may, .other, .pale, .ask, .picked)";

/** @typedef {{ thing: HTMLElement, pointer: number, x: number, y: number, ghost: HTMLElement | null }} Drag */

/**
 * Let the cards of a room be dragged.
 *
 * @param {HTMLElement} room
 * @param {object} actions
 * @param {() => boolean} actions.may whether cards may be dragged now
 * @param {(thing: HTMLElement) => Set<string | undefined>} actions.goals the tokens on which a card may be dropped
 * @param {(thing: HTMLElement, target: HTMLElement | null) => void} actions.dropped is called with the card and the
 *     thing below it; null is the table
 */
export function makeDraggable(room, { may, goals, dropped }) {
  /** @type {Drag | null} */
  let held = null;
  let ended = -Infinity;

  /** @param {PointerEvent} event */
  const start = (event) => {
    ended = -Infinity;
    const thing = event.isPrimary && event.button === 0 ? targetOf(event, THING) : null;
    if (!thing?.dataset.card || !may()) return;
    held = { thing, pointer: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    if (held && !held.ghost && !held.thing.isConnected) held = null; // a redraw has replaced the pressed card
    if (!held || event.pointerId !== held.pointer) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost && Math.hypot(x, y) > DRAG_DISTANCE) {
      held.ghost = lift(held.thing);
      markGoals(room, held.thing, goals(held.thing));
      held.thing.setPointerCapture?.(held.pointer);
    }
    if (!held.ghost) return;
    event.preventDefault();
    held.ghost.style.transform = `translate(${x}px, ${y}px) scale(1.06)`;
    markTarget(room, thingBelow(room, held.thing, event));
  };

  const letGo = () => {
    const was = held;
    held = null;
    markTarget(room, null);
    for (const goal of findAll(room, ".goal")) goal.classList.remove("goal");
    was?.ghost?.remove();
    was?.thing.classList.remove("lifted");
    return was;
  };

  /** @param {PointerEvent} event */
  const end = (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const target = held.ghost ? thingBelow(room, held.thing, event) : null;
    const inHand = document.elementFromPoint(event.clientX, event.clientY)?.closest(".hand");
    const was = letGo();
    if (!was?.ghost) return;
    ended = event.timeStamp;
    if (target && target.closest(".hand") === null) dropped(was.thing, target);
    else if (!inHand) dropped(was.thing, null);
  };

  /** @param {MouseEvent} event */
  const swallowClick = (event) => {
    if (event.timeStamp - ended < CLICK_TIME) event.stopPropagation();
  };

  room.addEventListener("pointerdown", start);
  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", end);
  addEventListener("pointercancel", letGo);
  room.addEventListener("click", swallowClick, { capture: true });
  room.addEventListener("dragstart", (event) => event.preventDefault());
}

/**
 * Lift a card: hide it, and return the copy that follows the pointer.
 *
 * @param {HTMLElement} thing
 */
function lift(thing) {
  const box = thing.getBoundingClientRect();
  const ghost = /** @type {HTMLElement} */ (thing.cloneNode(true));
  ghost.classList.add("dragged");
  ghost.removeAttribute("data-card");
  ghost.setAttribute("aria-hidden", "true");
  ghost.tabIndex = -1;
  layOver(ghost, box);
  thing.classList.add("lifted");
  return ghost;
}

/**
 * @param {HTMLElement} room
 * @param {HTMLElement} thing
 * @param {Set<string | undefined>} tokens
 */
function markGoals(room, thing, tokens) {
  for (const goal of findAll(room, ".board [data-token]")) {
    goal.classList.toggle("goal", goal !== thing && tokens.has(goal.dataset.token));
  }
}

/**
 * @param {HTMLElement} room
 * @param {HTMLElement | null} target
 */
function markTarget(room, target) {
  for (const marked of findAll(room, ".under")) marked.classList.remove("under");
  target?.classList.add("under");
}

/**
 * The thing of a room below the pointer, other than the dragged one.
 *
 * @param {HTMLElement} room
 * @param {HTMLElement} thing
 * @param {PointerEvent} event
 * @returns {HTMLElement | null}
 */
function thingBelow(room, thing, event) {
  const below = document
    .elementsFromPoint(event.clientX, event.clientY)
    .find((one) => room.contains(one) && one !== thing && !thing.contains(one));
  const found = /** @type {HTMLElement | null} */ (below?.closest(THING) ?? null);
  return found === thing ? null : found;
}
