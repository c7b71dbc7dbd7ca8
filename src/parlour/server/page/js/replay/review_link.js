// The link to the review of a game, on pages that do not load the review.

import { h } from "../common/dom.js";
import { t } from "../common/texts.js";

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
