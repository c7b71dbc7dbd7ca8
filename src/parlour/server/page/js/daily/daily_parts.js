// Parts of the pages with daily deals: the date as a card, a button that plays a deal, and a warning.

import { leaveBy, showIn } from "../common/failure.js";
import { button, h } from "../common/dom.js";
import { playDaily } from "./daily_key.js";
import { t } from "../common/texts.js";

/** @import { DailyMine } from "../answers.d.ts" */

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
 * Whether a player has not begun a deal, has begun or has finished it.
 *
 * @param {DailyMine | null} mine
 */
export const stateOf = (mine) => (mine === null ? "new" : mine.score === null ? "begun" : "done");

/** The warning about a changed commitment. Its module of texts is loaded for it, since the landing hardly needs it. */
export async function changedWarning() {
  const { DAILY_PAGE_TEXTS } = await import("./daily_texts.js");
  return h("p", { class: "failure", role: "alert" }, DAILY_PAGE_TEXTS.dailyChanged);
}

/**
 * A button that goes to the table of a deal, with the error beside it.
 *
 * @param {string} day
 * @param {string} game
 * @param {string} text
 * @param {string} label
 * @param {string} kind classes of the button
 * @param {boolean} mustCount whether the deal is new, and offered as one that counts
 */
export function playButton(day, game, text, label, kind, mustCount) {
  const failure = h("p", { class: "failure", role: "alert" });
  const start = () => leaveBy(go, showIn(failure), () => playDaily(day, game, mustCount));
  const go = button(text, start, { class: kind, "aria-label": label, "data-daily": game });
  return h("div", { class: "daily-go" }, go, failure);
}
