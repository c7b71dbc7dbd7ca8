// Scrolling of a table that is higher than its window: the viewer's area stays above the hand and the buttons.

import { find, findAll } from "../common/dom.js";

/** Pixels between the area and the dock. */
const GAP = 4;

/**
 * Scroll until the picked thing is above the dock, or else the viewer's area, whenever the space between bar and dock
 * gets lower, as when a choice adds buttons. Nothing else scrolls, so that a viewer may look at another part meanwhile.
 *
 * @param {HTMLElement} room the scrolled element
 * @param {HTMLElement} dock lies over the lower end of the room
 */
export function keepOwnAbove(room, dock) {
  let height = Infinity;
  const observer = new ResizeObserver(() => {
    const goal = findAll(room, ".board .picked").at(-1) ?? find(room, ".board .own");
    if (!goal) return; // before the first scene the dock is at the top
    const [inside, over] = [room.getBoundingClientRect(), dock.getBoundingClientRect()];
    const isLower = over.top - inside.top < height;
    height = over.top - inside.top;
    if (!isLower) return;
    const { top, bottom } = goal.getBoundingClientRect();
    const hidden = bottom + GAP - over.top;
    if (hidden > 0) room.scrollTop += Math.max(0, Math.min(hidden, top - inside.top));
  });
  for (const element of [room, dock]) observer.observe(element);
}
