// The ways between a replay and the review of its game, for pages that load only one of them.

import { h } from "../common/dom.js";
import { t } from "../common/texts.js";

/** The maximum number of events of a game that the server reviews. */
export const MOST_REVIEWED = 1000;

/**
 * The address of an event in a replay that says what the review says of its decisions.
 *
 * @param {string} id the table
 * @param {number} seen the number of events before it
 */
export const reviewedMoment = (id, seen) => `/game/${id}?review#${seen}`;

/**
 * The link to the review of a game.
 *
 * @param {string} id the table
 */
export function reviewLink(id) {
  const link = h("a", { class: "button", href: `/game/${id}/review`, "data-go": "review" }, t("review"));
  const hint = h("span", { class: "fine-print" }, t("reviewHint"));
  return h("section", { class: "review-way", "data-place": "review" }, link, hint);
}
