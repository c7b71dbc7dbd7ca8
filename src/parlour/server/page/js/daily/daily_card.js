// The daily deal on the landing: the game of the day, and the other games' deals.

import * as api from "../common/api.js";
import { h, svg } from "../common/dom.js";
import { icon } from "../common/glyphs.js";
import { labelled } from "../common/phrases.js";
import { keepCommitments } from "./daily_key.js";
import { ownKey } from "../player/player_key.js";
import { clothOf } from "../scene/face.js";
import { changedWarning, dateCard, playButton, stateOf } from "./daily_parts.js";
import { t } from "../common/texts.js";
import { dayInWords } from "../texts/texts_daily.js";
import { AGAINST } from "../texts/texts_levels.js";
import { DEAL_TEXTS } from "./deal_texts.js";

/** @import { DailyClosing, DailyDeal, DailyToday } from "../answers.d.ts" */

/** The section of the landing; null if the server does not answer. */
export async function dailySection() {
  const today = await api.daily(ownKey()).catch(() => null);
  if (!today) return null;
  const title = h("h2", { id: "daily-title" }, t("daily"));
  /** @param {string} cloth */
  const attributes = (cloth) => ({ class: `daily ${cloth}`, "aria-labelledby": "daily-title" });
  if (today.room)
    return h("section", attributes("cloth"), h("div", { class: "daily-words" }, title, otherRoom(today.room)));
  const kept = keepCommitments([today, ...today.coming]);
  const deal = today.deals.find(({ game }) => game === today.game) ?? today.deals[0];
  const more = h("a", { class: "daily-archive", href: "/daily" }, DEAL_TEXTS.dailyArchive);
  return h(
    "section",
    attributes(clothOf(deal.game)),
    dateCard(today.day),
    h(
      "div",
      { class: "daily-words" },
      title,
      h("p", { class: "daily-game" }, h("b", {}, deal.title), " ", AGAINST[today.bot]),
      h("p", {}, DEAL_TEXTS.dailyWords),
      h("p", { class: "fine-print" }, factsOf(today, deal)),
      kept ? null : await changedWarning(),
    ),
    today.open ? way(today.day, deal, "primary") : h("p", { class: "fine-print" }, DEAL_TEXTS.dailyOver),
    h(
      "div",
      { class: "daily-others" },
      h("h3", {}, DEAL_TEXTS.dailyOthers),
      h(
        "ul",
        {},
        today.deals.filter((one) => one !== deal).map((one) => h("li", {}, otherGame(today, one))),
      ),
      more,
      closingLink(today.closing),
    ),
  );
}

/**
 * The link to a day that is over, if the player has unfinished games there that still count.
 *
 * @param {DailyClosing | null} closing
 */
function closingLink(closing) {
  if (!closing?.mine.some(({ score }) => score === null)) return null;
  const text = labelled(dayInWords(closing.day), DEAL_TEXTS.dailyCounts(closing.left));
  return h("a", { class: "daily-archive", href: `/daily/${closing.day}` }, text);
}

/**
 * The sentence with the address of the room where the deals are played.
 *
 * @param {string} room
 */
export const otherRoom = (room) => [
  h("p", {}, DEAL_TEXTS.dailyElsewhere(new URL(room).host)),
  h("a", { class: "button primary", href: `${room}/daily` }, DEAL_TEXTS.dailyThere),
];

/**
 * @param {DailyToday} today
 * @param {DailyDeal} deal
 */
function factsOf(today, deal) {
  const streak = today.streak > 1 ? DEAL_TEXTS.dailyStreak(today.streak) : "";
  return [streak, DEAL_TEXTS.dailyPlayed(deal.played), DEAL_TEXTS.dailyLeft(today.ends)].filter(Boolean).join(" · ");
}

/**
 * The button or link of a deal: to begin it, to continue it, or to see its result.
 *
 * @param {string} day
 * @param {DailyDeal} deal
 * @param {string} kind
 */
export function way(day, deal, kind) {
  const state = stateOf(deal.mine);
  if (state === "done") return h("a", { class: `button ${kind}`, href: `/daily/${day}` }, DEAL_TEXTS.dailyResult);
  const text = state === "new" ? DEAL_TEXTS.dailyPlay : DEAL_TEXTS.dailyGoOn;
  return playButton(day, deal.game, text, labelled(deal.title, text), kind, state === "new");
}

/**
 * A deal of another game in one line.
 *
 * @param {DailyToday} today
 * @param {DailyDeal} deal
 */
function otherGame(today, deal) {
  const state = stateOf(deal.mine);
  const title = h("b", {}, deal.title);
  if (state === "done") {
    const attributes = { class: "daily-other done", href: `/daily/${today.day}` };
    return h("a", attributes, svg(icon("check")), title, h("span", {}, DEAL_TEXTS.dailyResult));
  }
  if (!today.open) return h("span", { class: "daily-other" }, title);
  const text = state === "begun" ? labelled(deal.title, DEAL_TEXTS.dailyGoOn) : deal.title;
  const label = state === "begun" ? text : DEAL_TEXTS.dailyPlayLabel(deal.title);
  return playButton(today.day, deal.game, text, label, "daily-other", state === "new");
}
