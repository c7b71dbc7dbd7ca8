// The result of a player in a daily deal, the comparison with others, and the buttons that share it.

import * as api from "../common/api.js";
import { button, clear, h } from "../common/dom.js";
import { showIn, whileDisabled } from "../common/failure.js";
import { isolated } from "../common/language.js";
import { mayPass } from "../common/retry.js";
import { copyText } from "../landing/table_links.js";
import { ownKey } from "../player/player_key.js";
import { signs } from "./daily_signs.js";
import { sharePicture } from "./share_picture.js";
import { t } from "../common/texts.js";
import { DAILY_PAGE_TEXTS } from "./daily_texts.js";
import { DEAL_TEXTS } from "./deal_texts.js";

/** @import { DailyResult, DailyStanding } from "../answers.d.ts" */

/** Milliseconds between two requests while a part is being computed. */
const REFRESH_TIME = 2500;

/**
 * An element that loads a result and fills in its parts as they become known.
 *
 * @param {string} table
 * @param {string} title the game's title
 */
export function resultPlace(table, title) {
  const place = h("section", {
    class: "daily-result",
    "aria-label": DEAL_TEXTS.dailyResult,
    "data-daily-result": table,
  });
  clear(place, h("p", { class: "fine-print" }, t("loading")));
  /** The result that is shown, as text; empty before the first one. */
  let shown = "";
  /**
   * The next request, if any.
   *
   * @type {ReturnType<typeof setTimeout> | undefined}
   */
  let timer;
  /** The number of requests, and of the latest one that was answered: answers to earlier ones come too late. */
  let [sent, answered] = [0, 0];
  /** @param {boolean} isWanted whether there is a next request */
  const schedule = (isWanted) => {
    clearTimeout(timer);
    timer = isWanted ? setTimeout(() => place.isConnected && refresh(), REFRESH_TIME) : undefined;
  };
  const refresh = async (isRetry = false) => {
    const number = ++sent;
    let result;
    try {
      result = await api.dailyResult(table, ownKey());
    } catch (error) {
      if (isRetry) throw error; // the button shows it
      if (number < answered) return;
      const words = api.messageOf(error);
      const isNews = !shown && place.textContent !== words; // what is known stays; the same failure is read out once
      if (isNews) clear(place, h("p", { class: "failure", role: "alert" }, words));
      schedule(mayPass(error));
      return;
    }
    if (number < answered) return;
    answered = number;
    const text = JSON.stringify(result);
    if (isRetry || text !== shown) clear(place, resultView(result, title, retry));
    else takeAwayFailure(place);
    shown = text;
    schedule(isInWork(result));
  };
  const retry = () => refresh(true);
  refresh();
  return place;
}

/**
 * Whether a part of the result is still being computed.
 *
 * @param {DailyResult} result
 */
const isInWork = ({ score, par, review, failed = [] }) =>
  Boolean(score) && ((!par && !failed.includes("par")) || (!review && !failed.includes("review")));

/**
 * @param {DailyResult} result
 * @param {string} title
 * @param {() => unknown} retry requests the failed parts again
 */
function resultView(result, title, retry) {
  const { score, par, rank, played, review, failed = [] } = result;
  if (!score) return h("p", { class: "fine-print" }, unscoredText(result));
  /** @type {(number: string, what: string) => HTMLElement} */
  const sum = (number, what) => h("li", {}, h("b", {}, number), h("span", {}, what));
  return [
    h(
      "div",
      { class: "daily-place" },
      h("b", {}, DAILY_PAGE_TEXTS.dailyRank(rank ?? 1, played ?? 1)),
      result.streak > 1 ? h("span", {}, DEAL_TEXTS.dailyStreak(result.streak)) : null,
    ),
    h("p", {}, DAILY_PAGE_TEXTS.dailyYours(score)),
    failed.includes("par") ? null : h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailyMaster(par ?? null)),
    review
      ? [
          h(
            "ul",
            { class: "review-sums", title: DAILY_PAGE_TEXTS.dailySumHint },
            sum(review.luck, DAILY_PAGE_TEXTS.dailyLuck),
            sum(review.others, DAILY_PAGE_TEXTS.dailyTheirs),
            sum(review.own, DAILY_PAGE_TEXTS.dailyOwn),
          ),
          review.signs.length
            ? [
                signs(review.signs),
                h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailySigns),
                h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailyYardsticks),
              ]
            : null,
        ]
      : failed.includes("review")
        ? null
        : h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailyReviewing),
    failed.length ? failureLines(failed, retry) : null,
    shareLine(result, title),
  ];
}

/**
 * The sentence about a game without a result.
 *
 * @param {DailyResult} result
 */
function unscoredText({ over, closed }) {
  if (!closed) return DAILY_PAGE_TEXTS.dailyNotOver;
  return over ? DAILY_PAGE_TEXTS.dailyTooLate : DAILY_PAGE_TEXTS.dailyNotInTime;
}

/**
 * The parts that could not be computed, and a button that requests them again.
 *
 * @param {NonNullable<DailyResult["failed"]>} failed
 * @param {() => unknown} retry
 */
function failureLines(failed, retry) {
  const refused = h("p", { class: "failure", role: "alert", "data-retry-failed": "" });
  const start = () => whileDisabled(go, showIn(refused), retry);
  const go = button(DAILY_PAGE_TEXTS.dailyRetry, start, { class: "quiet", "data-retry": "" });
  const words = failed.map((part) => h("p", {}, DAILY_PAGE_TEXTS.dailyFailed[part]));
  return h("div", {}, h("div", { class: "failure", role: "alert" }, words), go, refused);
}

/**
 * Take the failure of a retry away once the room has answered again.
 *
 * @param {HTMLElement} place
 */
function takeAwayFailure(place) {
  const refused = place.querySelector("[data-retry-failed]");
  if (refused) refused.textContent = "";
}

/**
 * @param {DailyResult} result
 * @param {string} title
 */
function shareLine(result, title) {
  const note = h("p", { class: "fine-print", role: "status" }, DAILY_PAGE_TEXTS.dailyShareHint);
  const address = `${location.origin}/daily/${result.day}`;
  const text = `${DAILY_PAGE_TEXTS.dailyLines(result, title)}\n${address}`;
  const copy = async () => {
    if (await copyText(text)) {
      note.textContent = DAILY_PAGE_TEXTS.dailyCopied;
      note.scrollIntoView({ block: "nearest" }); // on a phone it is below the visible part of the sheet
    } else {
      clear(
        note,
        h("textarea", { class: "field", readonly: true, rows: "5", "aria-label": DAILY_PAGE_TEXTS.dailyCopy }, text),
      );
    }
  };
  const send = () => navigator.share({ text }).catch(() => {});
  return h(
    "div",
    { class: "daily-share" },
    h(
      "div",
      { class: "row" },
      "share" in navigator ? button(DAILY_PAGE_TEXTS.dailyShare, send) : null,
      button(DAILY_PAGE_TEXTS.dailyCopy, copy, { "data-share": "text" }),
      button(DAILY_PAGE_TEXTS.dailyPicture, () => sharePicture(result, title), { "data-share": "picture" }),
    ),
    note,
  );
}

/**
 * The standings of a deal.
 *
 * @param {DailyStanding[]} standings
 */
export const standingsTable = (standings) =>
  standings.length
    ? h(
        "ol",
        { class: "daily-standings" },
        standings.map(({ rank, name, score, own }) =>
          h(
            "li",
            { class: own ? "own" : "" },
            h("span", { class: "rank" }, String(rank)),
            h("span", { class: "who" }, own ? t("you") : isolated(name) || DAILY_PAGE_TEXTS.dailyNameless),
            h("span", { class: "number" }, score ? DAILY_PAGE_TEXTS.dailyScore(score.won, score) : ""),
          ),
        ),
      )
    : h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailyUnplayed);
