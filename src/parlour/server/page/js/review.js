// The page of a review: it waits until the review is worked out, shows it, and leads back to the game.

import * as api from "./api.js";
import { tool } from "./bar.js";
import { announce, clear, h, svg } from "./dom.js";
import { showFailure } from "./failure.js";
import { icon } from "./glyphs.js";
import { outcome, rerunLines, reviewSoFar, reviewView } from "./review_view.js";
import { seatAt } from "./settings.js";
import { settingsSheet } from "./sheets.js";
import { t } from "./texts.js";

const AGAIN = 1000;
const LATER = 4000;

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** The part of a page that leads to the review of a game. */
export const reviewPart = (id) =>
  h(
    "section",
    { class: "review-way", "data-place": "review" },
    h("a", { class: "button", href: `/game/${id}/review`, "data-go": "review" }, t("review")),
    h("span", { class: "hint" }, t("reviewHint")),
  );

function bar(id, title) {
  const way = (name, label, address) =>
    h(
      "a",
      { class: "tool", href: address, "data-way": name, "aria-label": label, title: label },
      svg(icon(name)),
      h("span", {}, label),
    );
  return h(
    "header",
    { class: "bar stage-bar" },
    h("a", { class: "tool tool-home", href: "/", "aria-label": t("home"), title: t("home") }, svg(icon("back"))),
    h(
      "div",
      { class: "where" },
      h("h1", { class: "table-title" }, title),
      h("p", { class: "heading" }, t("reviewTitle")),
    ),
    h(
      "nav",
      { class: "tools" },
      way("run", t("toGame"), `/game/${id}`),
      way("last", t("toTable"), `/table/${id}`),
      tool("settings", t("settings"), settingsSheet),
    ),
  );
}

export async function reviewPage(app, id) {
  const place = h("main", { class: "review-page" });
  try {
    const { title } = await api.table(id);
    document.title = `${title} · ${t("reviewTitle")} · ${t("house")}`;
    clear(app, bar(id, title), place);
    await follow(place, id);
  } catch (error) {
    const text = error.status === 404 ? t("unknownTable") : error.message;
    if (!place.isConnected) showFailure(app, text);
    else
      clear(
        place,
        h("p", { class: "failure", role: "alert" }, text),
        h("a", { class: "button primary", href: "/" }, t("home")),
      );
  }
}

/** Shows how far the review is and what is known of it, then the review, then what comes to it later. */
async function follow(place, id) {
  const own = seatAt(id).seat;
  const show = { own, moment: (seen) => `/game/${id}#${seen}` };
  const line = h("progress", { max: 1, "aria-label": t("reviewWorking") });
  const far = h("p", { class: "hint", role: "timer" }, t("reviewSoon")); // changes each second: not to be read out
  const known = h("div", { class: "review" });
  clear(place, h("h2", {}, t("reviewWorking")), line, far, known);
  let review;
  let shown = -1;
  while (!(review = await api.review(id)).courses) {
    if (review.share !== null) line.value = review.share;
    const told = howFar(review);
    if (far.textContent !== told) far.textContent = told;
    const marks = marksIn(review.review);
    if (marks !== shown) clear(known, reviewSoFar(review.review, show)); // what has the focus is not drawn anew for nothing
    shown = marks;
    await wait(AGAIN);
  }
  clear(place, reviewView(review, show));
  announce(outcome(review, own));
  while (!review.reruns) {
    await wait(LATER);
    review = await api.review(id);
  }
  const again = place.querySelector("[data-place=reruns]");
  clear(again, again.querySelector("h2"), rerunLines(review, own));
}

/** How long it will still take, in words. */
export function howFar({ share, seconds, waits }) {
  if (share === null) return t(waits ? "reviewWaits" : "reviewSoon");
  return seconds === null ? t("reviewShare", share) : t("reviewLeft", seconds);
}

/** The number of decisions that a review so far shows; −1 while there is none. */
const marksIn = (review) =>
  review ? review.courses.reduce((sum, course) => sum + course.decisions.filter(({ mark }) => mark).length, 0) : -1;
