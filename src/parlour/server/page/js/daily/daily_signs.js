// The marks of decisions in a daily deal as signs of suits.

import { h, svg } from "../common/dom.js";
import { SUITS } from "../common/glyphs.js";
import { DAILY_PAGE_TEXTS } from "./daily_texts.js";

/** @type {Record<string, string>} */
const SUITS_OF_MARKS = { find: "H", "": "S", slip: "D", mistake: "C", blunder: "C" };

/** The suit whose sign stands for a mark of a decision. @param {string} mark */
export const suitOf = (mark) => SUITS_OF_MARKS[mark] ?? "S";

/**
 * The marks of decisions as signs of suits.
 *
 * @param {string[]} marks
 */
export const signs = (marks) =>
  h(
    "span",
    { class: "daily-signs", role: "img", "aria-label": DAILY_PAGE_TEXTS.dailySigns },
    marks.map((mark) => {
      const suit = suitOf(mark);
      return svg(`<svg class="suit-${suit}" viewBox="0 0 24 24" aria-hidden="true"><path d="${SUITS[suit]}"/></svg>`);
    }),
  );
