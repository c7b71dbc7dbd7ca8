// Parts of the pages with daily deals: the date as a card, a button that plays a deal, signs of decisions.

import * as api from "../common/api.js";
import { button, h, svg } from "../common/dom.js";
import { SUITS } from "../common/glyphs.js";
import { playDaily } from "./daily_key.js";
import { t } from "../common/texts.js";

/** @import { DailyMine } from "../answers.d.ts" */

/** @type {Record<string, string>} */
const SUITS_OF_MARKS = { find: "H", "": "S", slip: "D", mistake: "C", blunder: "C" };

/** The suit whose sign stands for a mark of a decision. @param {string} mark */
export const suitOf = (mark) => SUITS_OF_MARKS[mark] ?? "S";

/**
 * A date drawn as a card.
 *
 * @param {string} day
 */
export const dateCard = (day) =>
  h(
    "div",
    { class: "date-card", "aria-hidden": "true" },
    h("span", {}, t("dailyMonth", day)),
    h("b", {}, String(Number(day.slice(-2)))),
  );

/**
 * The marks of decisions as signs of suits.
 *
 * @param {string[]} marks
 */
export const signs = (marks) =>
  h(
    "span",
    { class: "daily-signs", role: "img", "aria-label": t("dailySigns") },
    marks.map((mark) => {
      const suit = suitOf(mark);
      return svg(`<svg class="suit-${suit}" viewBox="0 0 24 24" aria-hidden="true"><path d="${SUITS[suit]}"/></svg>`);
    }),
  );

/**
 * Whether a player has not begun a deal, has begun or has finished it.
 *
 * @param {DailyMine | null} mine
 */
export const stateOf = (mine) => (mine === null ? "new" : mine.score === null ? "begun" : "done");

/**
 * A button that goes to the table of a deal, with the error beside it.
 *
 * @param {string} day
 * @param {string} game
 * @param {string} text
 * @param {string} label
 * @param {string} kind classes of the button
 */
export function playButton(day, game, text, label, kind) {
  const failure = h("p", { class: "failure", role: "alert" });
  const start = async () => {
    go.disabled = true;
    failure.textContent = "";
    try {
      await playDaily(day, game);
    } catch (error) {
      failure.textContent = api.messageOf(error);
      go.disabled = false;
    }
  };
  const go = button(text, start, { class: kind, "aria-label": label, "data-daily": game });
  return h("div", { class: "daily-go" }, go, failure);
}
