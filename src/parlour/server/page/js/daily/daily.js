// The pages of the daily deals: today and the days before, and one day with its results and its proof.

import * as api from "../common/api.js";
import { announce, button, clear, h } from "../common/dom.js";
import { showFailure } from "../common/failure.js";
import { houseBar } from "../landing/game_info.js";
import { canCheck, commitmentOf, keepCommitments, seenCommitment } from "./daily_key.js";
import { otherRoom, way } from "./daily_card.js";
import { dateCard, playButton, stateOf } from "./daily_parts.js";
import { resultPlace, standingsTable } from "./daily_result.js";
import { ownKey } from "../player/player_key.js";
import { t } from "../common/texts.js";

/** @import { Child } from "../common/dom.js" */
/** @import { DailyDay, DailyDeal, DailyPast, DailyToday } from "../answers.d.ts" */

/**
 * @param {HTMLElement} app
 * @param {string} day empty for today and all days
 */
export async function dailyPage(app, day) {
  document.title = `${t("dailyTitle")} · ${t("house")}`;
  try {
    const content = day ? await oneDay(day) : await allDays();
    clear(app, h("main", { class: "landing daily-page" }, h("header", { class: "house" }, houseBar()), content));
  } catch (error) {
    showFailure(app, api.messageOf(error));
  }
}

// Today and all days

async function allDays() {
  const today = await api.daily(ownKey());
  if (today.room) return h("section", { class: "daily-words" }, h("h1", {}, t("dailyTitle")), otherRoom(today.room));
  const kept = keepCommitments([today, ...today.coming]);
  const { days } = await api.dailyDays(ownKey());
  return [
    h("h1", {}, t("dailyTitle")),
    kept ? null : h("p", { class: "failure", role: "alert" }, t("dailyChanged")),
    h(
      "section",
      { "aria-labelledby": "today-title", class: "daily-part" },
      h("h2", { id: "today-title" }, `${t("dailyToday")}, ${t("dailyDayLong", today.day)}`),
      h("p", { class: "hint" }, t("dailyTodayWords", t("dailyAgainst")[today.bot]), " ", t("dailyNext", today.ends)),
      today.open ? null : h("p", { class: "failure" }, t("dailyOver")),
      h(
        "ul",
        { class: "daily-deals" },
        gameOfDayFirst(today).map((deal) => h("li", {}, dealLine(today, deal))),
      ),
    ),
    pastDays(days),
    howDrawn(today),
    h("a", { class: "daily-archive", href: "/mine#device" }, t("dailyDevice")),
  ];
}

/**
 * The deals, that of the game of the day first.
 *
 * @template {DailyDeal} Deal
 * @param {{ game: string, deals: Deal[] }} of
 */
const gameOfDayFirst = ({ game, deals }) =>
  [...deals].sort((one, other) => Number(other.game === game) - Number(one.game === game));

/**
 * @param {DailyToday} today
 * @param {DailyDeal} deal
 */
const dealLine = (today, deal) => [
  h(
    "div",
    { class: "daily-deal-words" },
    h("b", {}, deal.title),
    h("small", {}, deal.mine?.score ? t("dailyYours", deal.mine.score) : t("dailyPlayed", deal.played)),
  ),
  today.open || stateOf(deal.mine) === "done" ? way(today.day, deal, deal.game === today.game ? "primary" : "") : null,
];

/** @param {DailyPast[]} first */
function pastDays(first) {
  const list = h("ul", { class: "daily-days" });
  /** @param {DailyPast[]} days */
  const add = (days) => list.append(...days.map((past) => h("li", {}, pastDay(past))));
  add(first);
  const more = async () => {
    const { days } = await api.dailyDays(ownKey(), /** @type {DailyPast} */ (last).day);
    add(days);
    last = days.at(-1) ?? last;
    if (days.length < FULL) moreButton.remove();
  };
  let last = first.at(-1);
  const moreButton = button(t("dailyMore"), more, { class: "quiet" });
  return h(
    "section",
    { class: "daily-part", "aria-labelledby": "days-title" },
    h("h2", { id: "days-title" }, t("dailyBefore")),
    first.length ? list : h("p", { class: "hint" }, t("dailyNoDays")),
    first.length < FULL ? null : moreButton,
  );
}

/** Maximum number of days in one answer of the server; a shorter answer is the last one. */
const FULL = 60;

/** @param {DailyPast} past */
function pastDay({ day, mine }) {
  const done = mine.filter(({ counts, score }) => counts && score);
  const won = done.filter(({ score }) => score?.won).length;
  return h(
    "a",
    { href: `/daily/${day}` },
    dateCard(day),
    h("b", {}, t("dailyDayLong", day)),
    h("span", { class: "hint" }, done.length ? t("dailyMine", done.length, won) : ""),
  );
}

/** @param {DailyToday} today */
const howDrawn = (today) =>
  h(
    "details",
    { class: "daily-part" },
    h("summary", {}, t("dailyDrawn")),
    t("dailyDrawnWords").map((words) => h("p", {}, words)),
    h(
      "dl",
      { class: "daily-commitments" },
      [today, ...today.coming].map(({ day, commitment }) =>
        h("div", {}, h("dt", {}, t("dailyDayLong", day)), h("dd", {}, h("code", {}, commitment))),
      ),
    ),
  );

// One day

/** @param {string} day */
async function oneDay(day) {
  const found = await api.dailyDay(day, ownKey());
  if (!found.closed) keepCommitments([found]);
  document.title = `${t("dailyDay", day)} · ${t("dailyTitle")} · ${t("house")}`;
  return [
    h("a", { class: "daily-archive", href: "/daily" }, t("dailyTitle")),
    h("div", { class: "daily-heading" }, dateCard(day), h("h1", {}, t("dailyDayLong", day))),
    found.closed ? h("p", { class: "hint" }, t("dailyAgainHint")) : null,
    h(
      "div",
      { class: "daily-results" },
      gameOfDayFirst(found).map((deal) => dealPart(found, deal)),
    ),
    found.closed ? proof(found) : null,
  ];
}

/**
 * @param {DailyDay} found
 * @param {DailyDay["deals"][number]} deal
 */
function dealPart({ day, bot, closed }, deal) {
  const { game, title, mine, standings } = deal;
  const counted = mine?.counts ? mine : null;
  /** @type {Child[]} */
  const parts = [
    h("h2", {}, title),
    h("p", { class: "hint" }, `${t("dailyAgainst")[bot]} · ${t("dailyCount", deal.played)}`),
  ];
  if (counted) parts.push(resultPlace(counted.table, title));
  if (closed) {
    if (standings) parts.push(h("h3", {}, t("dailyStandings")), standingsTable(standings));
    parts.push(h("div", { class: "row" }, pastWays(day, title, game, counted)));
  } else if (stateOf(mine) !== "done") parts.push(way(day, deal, ""));
  else parts.push(h("p", { class: "fine-print" }, t("dailySealed")));
  return h("section", { class: "daily-deal", "data-game": game }, parts);
}

/**
 * The links to a deal of a past day.
 *
 * @param {string} day
 * @param {string} title
 * @param {string} game
 * @param {{ table: string, score: unknown } | null} mine
 */
function pastWays(day, title, game, mine) {
  const state = !mine ? "dailyPlay" : mine.score ? "dailyAgain" : "dailyGoOn";
  const again = playButton(day, game, t(state), t("dailyPlayLabel", title), "");
  if (!mine?.score) return [again];
  return [
    again,
    h("a", { class: "button quiet", href: `/game/${mine.table}` }, t("lookAgain")),
    h("a", { class: "button quiet", href: `/game/${mine.table}/review` }, t("reviewTitle")),
    h("a", { class: "button quiet", href: api.recordAddress(mine.table), download: "" }, t("dailyRecord")),
  ];
}

/** @param {DailyDay} found */
function proof({ day, key, commitment }) {
  const verdict = h("p", { role: "status" });
  const check = async () => {
    const text = await verdictOf(day, /** @type {string} */ (key), commitment);
    verdict.textContent = text;
    announce(text);
  };
  return h(
    "section",
    { class: "daily-part daily-proof", "aria-labelledby": "proof-title" },
    h("h2", { id: "proof-title" }, t("dailyDrawn")),
    h(
      "dl",
      { class: "daily-commitments" },
      h("div", {}, h("dt", {}, t("dailyKey")), h("dd", {}, h("code", {}, key))),
      h("div", {}, h("dt", {}, t("dailyCommitment")), h("dd", {}, h("code", {}, commitment))),
    ),
    h("div", { class: "row" }, button(t("dailyCheck"), check, { "data-check": "" }), verdict),
    h("p", { class: "hint" }, t("dailyCommand")),
    h("code", { class: "daily-command" }, `parlour verify RECORD --daily ${commitment}`),
  );
}

/**
 * The result of the check of a key.
 *
 * @param {string} day
 * @param {string} key
 * @param {string} commitment
 */
async function verdictOf(day, key, commitment) {
  if (!canCheck()) return t("dailyCannotCheck");
  const seen = seenCommitment(day);
  if ((await commitmentOf(key)) !== (seen ?? commitment)) return t("dailyFitsNot");
  return seen ? t("dailyFitsSeen", day) : t("dailyFits");
}
