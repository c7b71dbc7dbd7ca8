// The marks of decisions in a daily deal as signs of suits.

import { h, svg } from "../common/dom.js";
import { listed } from "../common/language.js";
import { SUITS } from "../common/glyphs.js";
import { DAILY_PAGE_TEXTS } from "./daily_texts.js";

/** @type {Record<string, string>} */
const SUITS_OF_MARKS = { find: "H", "": "S", slip: "D", mistake: "C", blunder: "C" };

/** A mark of a decision in words. @param {string} mark */
const inWords = (mark) => DAILY_PAGE_TEXTS.dailyMarks[mark] ?? DAILY_PAGE_TEXTS.dailyMarks[""];

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
    { class: "daily-signs", role: "img", "aria-label": listed(marks.map(inWords)) },
    marks.map((mark) => {
      const suit = suitOf(mark);
      return svg(`<svg class="suit-${suit}" viewBox="0 0 24 24" aria-hidden="true"><path d="${SUITS[suit]}"/></svg>`);
    }),
  );
