// The result of a player in a daily deal, the comparison with others, and the buttons that share it.

import * as api from "../common/api.js";
import { button, clear, h } from "../common/dom.js";
import { ownKey } from "../player/player_key.js";
import { signs } from "./daily_parts.js";
import { sharePicture } from "./share_picture.js";
import { t } from "../common/texts.js";

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
  const place = h("section", { class: "daily-result", "aria-label": t("dailyResult"), "data-daily-result": table });
  clear(place, h("p", { class: "hint" }, t("loading")));
  const refresh = async () => {
    let result;
    try {
      result = await api.dailyResult(table, ownKey());
    } catch (error) {
      clear(place, h("p", { class: "failure", role: "alert" }, api.messageOf(error)));
      return;
    }
    const text = JSON.stringify(result);
    if (text !== place.dataset.shown) clear(place, resultView(result, title));
    place.dataset.shown = text;
    const waits = result.score && (!result.par || !result.review);
    if (waits) setTimeout(() => place.isConnected && refresh(), REFRESH_TIME);
  };
  refresh();
  return place;
}

/**
 * @param {DailyResult} result
 * @param {string} title
 */
function resultView(result, title) {
  const { score, par, rank, played, review } = result;
  if (!score) return h("p", { class: "hint" }, t(result.closed ? "dailyNotInTime" : "dailyNotOver"));
  /** @type {(number: string, what: string) => HTMLElement} */
  const sum = (number, what) => h("li", {}, h("b", {}, number), h("span", {}, what));
  return [
    h(
      "div",
      { class: "daily-place" },
      h("b", {}, t("dailyRank", rank ?? 1, played ?? 1)),
      result.streak > 1 ? h("span", {}, t("dailyStreak", result.streak)) : null,
    ),
    h("p", {}, t("dailyYours", score)),
    h("p", { class: "hint" }, t("dailyMaster", par ?? null)),
    review
      ? [
          h(
            "ul",
            { class: "review-sums", title: t("dailySumHint") },
            sum(review.luck, t("dailyLuck")),
            sum(review.others, t("dailyTheirs")),
            sum(review.own, t("dailyOwn")),
          ),
          review.signs.length ? [signs(review.signs), h("p", { class: "fine-print" }, t("dailySigns"))] : null,
        ]
      : h("p", { class: "hint" }, t("dailyReviewing")),
    shareLine(result, title),
  ];
}

/**
 * @param {DailyResult} result
 * @param {string} title
 */
function shareLine(result, title) {
  const note = h("p", { class: "hint", role: "status" }, t("dailyShareHint"));
  const address = `${location.origin}/daily/${result.day}`;
  const text = `${t("dailyLines", result, title)}\n${address}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      note.textContent = t("dailyCopied");
      note.scrollIntoView({ block: "nearest" }); // on a phone it is below the visible part of the sheet
    } catch {
      clear(note, h("textarea", { class: "field", readonly: true, rows: "5", "aria-label": t("dailyCopy") }, text));
    }
  };
  const send = () => navigator.share({ text }).catch(() => {});
  return h(
    "div",
    { class: "daily-share" },
    h(
      "div",
      { class: "row" },
      "share" in navigator ? button(t("dailyShare"), send) : null,
      button(t("dailyCopy"), copy, { "data-share": "text" }),
      button(t("dailyPicture"), () => sharePicture(result, title), { "data-share": "picture" }),
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
            h("span", { class: "who" }, own ? t("you") : name || t("dailyNameless")),
            h("span", { class: "number" }, score ? t("dailyScore", score.won, score) : ""),
          ),
        ),
      )
    : h("p", { class: "hint" }, t("dailyUnplayed"));
