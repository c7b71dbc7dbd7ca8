// The page of a review: the progress of its computation, the review, the reruns that follow it.

import * as api from "../common/api.js";
import { homeLink, tool } from "../common/bar.js";
import { announce, clear, find, h, svg } from "../common/dom.js";
import { errorLines, showError } from "../common/failure.js";
import { icon } from "../common/glyphs.js";
import { mayPass, persist } from "../common/retry.js";
import { reviewedMoment } from "./review_link.js";
import { knownEvents, outcome, rerunLines, reviewSoFar, reviewView } from "./review_view.js";
import { seatAt } from "../common/settings.js";
import { settingsSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";
import { linkSeat } from "../player/seat_links.js";
import { REVIEW_TEXTS } from "./review_texts.js";

/** @import { Review, ReviewProgress } from "../answers.d.ts" */

/** The HTTP status of a review that the room could not compute. */
const FAILED = 500;
/** Milliseconds between two requests for an unfinished review. */
const PROGRESS_TIME = 1000;
/** Milliseconds between two requests for the reruns. */
const RERUN_TIME = 4000;

/**
 * @param {string} id
 * @param {string} title
 */
function bar(id, title) {
  /** @type {(name: string, label: string, address: string) => HTMLElement} */
  const link = (name, label, address) =>
    h(
      "a",
      { class: "tool", href: address, "data-way": name, "aria-label": label, title: label },
      svg(icon(name)),
      h("span", {}, label),
    );
  return h(
    "header",
    { class: "bar stage-bar" },
    homeLink(),
    h(
      "div",
      { class: "where" },
      h("h1", { class: "table-title" }, title),
      h("p", { class: "heading" }, t("reviewTitle")),
    ),
    h(
      "nav",
      { class: "tools" },
      link("run", REVIEW_TEXTS.toGame, `/game/${id}`),
      link("last", t("toTable"), `/table/${id}`),
      tool("settings", t("settings"), settingsSheet),
    ),
  );
}

/**
 * @param {HTMLElement} app
 * @param {string} id the table
 */
export async function reviewPage(app, id) {
  const place = h("main", { class: "review-page" });
  try {
    const { title } = await api.table(id);
    document.title = `${title} · ${t("reviewTitle")} · ${t("parlour")}`;
    clear(app, bar(id, title), place);
    await showReview(place, id);
  } catch (error) {
    const text = api.tableErrorText(error);
    const home = h("a", { class: "button primary", href: "/" }, t("home"));
    if (place.isConnected) clear(place, errorLines(error, text), home);
    else showError(app, error, text);
  }
}

/**
 * Show the review when it is computed, and its reruns when they are.
 *
 * @param {HTMLElement} place
 * @param {string} id
 */
async function showReview(place, id) {
  await linkSeat(id); // the room stores what a review finds about linked seats
  const own = seatAt(id).seat;
  /** @param {number} seen */
  const moment = (seen) => reviewedMoment(id, seen);
  let review = await waitForReview(place, id, own, moment);
  clear(place, reviewView(review, { own, moment }));
  announce(outcome(review, own));
  while (!review.reruns) {
    await api.pause(RERUN_TIME);
    review = /** @type {Review} */ (await persist(() => api.review(id), RERUN_TIME));
  }
  const reruns = find(place, "[data-place=reruns]");
  if (reruns) clear(reruns, find(reruns, "h2"), rerunLines(review, own));
}

/**
 * Show the progress of a review and its first results, until it is computed.
 *
 * @param {HTMLElement} place
 * @param {string} id
 * @param {number} own
 * @param {(seen: number) => string} moment
 */
async function waitForReview(place, id, own, moment) {
  const line = h("progress", { max: 1, "aria-label": REVIEW_TEXTS.reviewWorking });
  // a timer, because a live region would be read out every second
  const progress = h("p", { class: "fine-print", role: "timer" }, REVIEW_TEXTS.reviewSoon);
  const known = h("div", { class: "review" });
  clear(place, h("h2", {}, REVIEW_TEXTS.reviewWorking), line, progress, known);
  let shown = "";
  let answer = await api.review(id);
  while (!("courses" in answer)) {
    if (answer.share !== null) line.value = answer.share;
    const text = progressText(answer);
    if (progress.textContent !== text) progress.textContent = text;
    const news = stateOf(answer.review);
    if (news !== shown) clear(known, reviewSoFar(answer.review, own, moment)); // a redraw would take the focus away
    shown = news;
    await api.pause(PROGRESS_TIME);
    answer = await persist(() => api.review(id), PROGRESS_TIME, mayCome);
  }
  return answer;
}

/**
 * Whether a review may still come after this error.
 *
 * @param {unknown} error
 */
const mayCome = (error) => mayPass(error) && api.statusOf(error) !== FAILED;

/**
 * The progress of a review in words.
 *
 * @param {Pick<ReviewProgress, "share" | "seconds" | "waits">} progress
 */
function progressText({ share, seconds, waits }) {
  if (share === null) return waits ? REVIEW_TEXTS.reviewWaits : REVIEW_TEXTS.reviewSoon;
  return seconds === null ? REVIEW_TEXTS.reviewShare(share) : REVIEW_TEXTS.reviewLeft(seconds);
}

/**
 * The state of an unfinished review for which it is drawn: the number of marked decisions, and before the first one, to
 * which the focus may go, the events that are computed. Empty without a review.
 *
 * @param {Review | null} review
 */
function stateOf(review) {
  if (!review) return "";
  const marks = review.courses.flatMap((course) => course.decisions).filter(({ mark }) => mark).length;
  return String([marks, ...(marks ? [] : review.courses.map(knownEvents))]);
}
