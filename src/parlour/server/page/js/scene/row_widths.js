// Widths of rows in cards, by which the style sheets find the largest cards that fit side by side.

/** @import { Area, Row } from "../protocol.d.ts" */

/** Widths in cards. `strip`: the visible part of a covered card. */
const SLOT = 1.18;
const LIFE = { back: 1, strip: 0.22, opened: 0.66, openedStrip: 0.33 };
const MELD = { empty: 1.6, strip: 0.4 };

/** @type {(number: number, card: number, strip: number) => number} */
const overlapped = (number, card, strip) => (number ? card + (number - 1) * strip : 0);

/** @type {Record<string, (row: Row) => number>} */
const WIDTHS = {
  slot: () => SLOT,
  life: ({ hidden, cards }) =>
    overlapped(Math.max(1, hidden), LIFE.back, LIFE.strip) + overlapped(cards.length, LIFE.opened, LIFE.openedStrip),
  meld: ({ hidden, cards }) => Math.max(MELD.empty, overlapped(cards.length + hidden, 1, MELD.strip)),
  pile: () => 1,
};

/**
 * The width of an area's rows side by side, in cards.
 *
 * @param {Area} area
 */
export const cardsAcross = (area) => area.rows.reduce((sum, row) => sum + (WIDTHS[row.style]?.(row) ?? 0), 0);

/**
 * The width of the widest area, in cards, so that all areas have cards of one size; at least one card.
 *
 * @param {Area[]} ring
 */
export const widestAcross = (ring) => Math.max(1, ...ring.map(cardsAcross));
