// The keys of a replay beside those of the browser: which of them an element with the focus needs itself.

import { fieldOf } from "../common/dom.js";

/**
 * Whether the browser uses a key at an element with the focus, so that the replay leaves it alone.
 *
 * @param {Element} target
 * @param {string} key
 */
export function isBrowsersKey(target, key) {
  if (target.matches("[type=radio]")) return key.startsWith("Arrow");
  if (target.matches("[type=range]")) return key.startsWith("Arrow") || key === "Home" || key === "End";
  return target.matches("input, select, textarea") || (key === " " && target.matches("button, a"));
}

/**
 * Take the focus from a radio button that was not chosen by keyboard: arrows then move the replay, not the choice.
 *
 * @param {Event} event
 */
export function leaveFocus(event) {
  const radio = fieldOf(event);
  if (!radio.matches(":focus-visible")) radio.blur();
}
