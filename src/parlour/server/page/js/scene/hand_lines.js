// The lines of a hand: one, whose cards overlap, unless it has no space for their corners.

/** @import { CardSeen } from "../protocol.d.ts" */

/** Pixels of a covered card that stay visible: the sign in its corner, and the target of a finger. */
export const LEAST_STRIP = 28;

/** A number of cards that one line of every window has space for. */
export const ALWAYS_FIT = 7;

/** The cost of a suit that two lines share. Another cost is the square of a line's difference from the mean length. */
const SPLIT_SUIT_COST = 8;

/**
 * The number of overlapping cards that a line has space for.
 *
 * @param {number} width pixels of the line; 0 if it is not displayed
 * @param {number} card pixels of a card
 */
export const roomInLine = (width, card) =>
  width ? Math.max(1, Math.floor((width - card) / LEAST_STRIP) + 1) : Infinity;

/** @param {CardSeen | undefined} seen */
const suitOf = (seen) => seen?.card?.at(-1);

/**
 * A hand in lines of about equal length, which preferably end between suits.
 *
 * @param {CardSeen[]} cards
 * @param {number} most the largest length of a line
 */
export function linesOf(cards, most) {
  const lines = [];
  let from = 0;
  for (let left = Math.ceil(cards.length / most); left > 0; left -= 1) {
    const rest = cards.slice(from);
    const even = rest.length / left;
    /** @param {number} size */
    const cost = (size) => (size - even) ** 2 + (suitOf(rest[size]) === suitOf(rest[size - 1]) ? SPLIT_SUIT_COST : 0);
    const sizes = [...Array(rest.length + 1).keys()].filter((size) => {
      const after = rest.length - size;
      return size > 0 && size <= most && after >= left - 1 && after <= (left - 1) * most;
    });
    const size = sizes.reduce((best, one) => (cost(one) < cost(best) ? one : best));
    lines.push(rest.slice(0, size));
    from += size;
  }
  return lines;
}
