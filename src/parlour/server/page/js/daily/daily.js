// The pages of the daily deals: today and the days before, and one day with its results and its proof.

import * as api from "../common/api.js";
import { announce, button, clear, find, h, isFocusLost } from "../common/dom.js";
import { showError, showIn, whileDisabled } from "../common/failure.js";
import { pageHeader } from "../common/page_header.js";
import { canCheck, commitmentOf, isAsSeen, keepCommitments, seenCommitment } from "./daily_key.js";
import { otherRoom, way } from "./daily_card.js";
import { changedWarning, dateCard, playButton, stateOf } from "./daily_parts.js";
import { resultPlace, standingsTable } from "./daily_result.js";
import { ownKey } from "../player/player_key.js";
import { unstoredNote } from "../player/unstored_note.js";
import { labelled } from "../common/phrases.js";
import { clothOf } from "../scene/face.js";
import { t } from "../common/texts.js";
import { DAILY_PAGE_TEXTS } from "./daily_texts.js";
import { AGAINST } from "../texts/texts_levels.js";
import { DEAL_TEXTS } from "./deal_texts.js";

/** @import { Child } from "../common/dom.js" */
/** @import { DailyClosing, DailyDay, DailyDeal, DailyGame, DailyMine, DailyPast } from "../answers.d.ts" */
/** @import { DailyToday } from "../answers.d.ts" */

/**
 * @param {HTMLElement} app
 * @param {string} day empty for today and all days
 */
export async function dailyPage(app, day) {
  document.title = `${DAILY_PAGE_TEXTS.dailyTitle} · ${t("parlour")}`;
  try {
    const content = day ? await oneDay(day) : await allDays();
    clear(
      app,
      h("main", { class: "landing daily-page" }, h("header", { class: "page-header" }, pageHeader()), content),
    );
  } catch (error) {
    showError(app, error, undefined, day ? [DAILY_PAGE_TEXTS.dailyTitle, "/daily"] : undefined);
  }
}

// Today and all days

async function allDays() {
  const today = await api.daily(ownKey());
  if (today.room)
    return h("section", { class: "daily-words" }, h("h1", {}, DAILY_PAGE_TEXTS.dailyTitle), otherRoom(today.room));
  const kept = keepCommitments([today, ...today.coming]);
  const { days } = await api.dailyDays(ownKey());
  const unstored = unstoredNote();
  return [
    h("h1", {}, DAILY_PAGE_TEXTS.dailyTitle),
    unstored,
    kept ? null : await changedWarning(),
    h(
      "section",
      { "aria-labelledby": "today-title", class: "daily-part" },
      h("h2", { id: "today-title" }, `${DAILY_PAGE_TEXTS.dailyToday}, ${DAILY_PAGE_TEXTS.dailyDayLong(today.day)}`),
      h(
        "p",
        { class: "fine-print" },
        DAILY_PAGE_TEXTS.dailyTodayWords(AGAINST[today.bot]),
        " ",
        DAILY_PAGE_TEXTS.dailyNext(today.ends),
      ),
      today.open ? null : h("p", { class: "failure" }, DEAL_TEXTS.dailyOver),
      h(
        "ul",
        { class: "daily-deals" },
        gameOfDayFirst(today).map((deal) => h("li", { class: clothOf(deal.game) }, dealLine(today, deal))),
      ),
    ),
    pastDays(days, today.closing),
    howDrawn(today),
    unstored ? null : h("a", { class: "daily-archive", href: "/mine#device" }, DAILY_PAGE_TEXTS.dailyDevice),
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
    h(
      "small",
      {},
      deal.mine?.score ? DAILY_PAGE_TEXTS.dailyYours(deal.mine.score) : DEAL_TEXTS.dailyPlayed(deal.played),
    ),
  ),
  today.open || stateOf(deal.mine) === "done" ? way(today.day, deal, deal.game === today.game ? "primary" : "") : null,
];

/**
 * @param {DailyPast[]} first
 * @param {DailyClosing | null} closing
 */
function pastDays(first, closing) {
  const list = h("ul", { class: "daily-days" }, closing ? h("li", {}, pastDay(closing)) : null);
  /** @param {DailyPast[]} days */
  const add = (days) => list.append(...days.map((past) => h("li", {}, pastDay(past))));
  add(first);
  const failure = h("p", { class: "failure", role: "alert" });
  const more = async () => {
    const { length } = list.children;
    const { days } = await api.dailyDays(ownKey(), /** @type {DailyPast} */ (last).day);
    add(days);
    last = days.at(-1) ?? last;
    if (days.length === FULL) return;
    moreButton.remove();
    if (isFocusLost()) find(list.children[length] ?? list, "a")?.focus();
  };
  let last = first.at(-1);
  const start = () => whileDisabled(moreButton, showIn(failure), more);
  const moreButton = button(DAILY_PAGE_TEXTS.dailyMore, start, { class: "quiet" });
  return h(
    "section",
    { class: "daily-part", "aria-labelledby": "days-title" },
    h("h2", { id: "days-title" }, DAILY_PAGE_TEXTS.dailyBefore),
    first.length || closing ? list : h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailyNoDays),
    first.length < FULL ? null : [failure, moreButton],
  );
}

/** Maximum number of days in one answer of the server; a shorter answer is the last one. */
const FULL = 60;

/** @param {{ day: string, mine: DailyMine[], left?: number }} past */
function pastDay({ day, mine, left }) {
  const done = mine.filter(({ counts, score }) => counts && score);
  const won = done.filter(({ score }) => score?.won).length;
  const facts = [
    done.length ? DAILY_PAGE_TEXTS.dailyMine(done.length, won) : "",
    left === undefined ? "" : DEAL_TEXTS.dailyCounts(left),
  ];
  return h(
    "a",
    { href: `/daily/${day}` },
    dateCard(day),
    h("b", {}, DAILY_PAGE_TEXTS.dailyDayLong(day)),
    h("span", { class: "fine-print" }, facts.filter(Boolean).join(" · ")),
  );
}

/** @param {DailyToday} today */
const howDrawn = (today) =>
  h(
    "details",
    { class: "daily-part" },
    h("summary", {}, DAILY_PAGE_TEXTS.dailyDrawn),
    DAILY_PAGE_TEXTS.dailyDrawnWords.map((words) => h("p", {}, words)),
    h(
      "dl",
      { class: "daily-commitments" },
      [today, ...today.coming].map(({ day, commitment }) =>
        h("div", {}, h("dt", {}, DAILY_PAGE_TEXTS.dailyDayLong(day)), h("dd", {}, h("code", {}, commitment))),
      ),
    ),
  );

// One day

/** @param {string} day */
async function oneDay(day) {
  const found = await api.dailyDay(day, ownKey());
  const isKept = found.closed ? isAsSeen(found) : keepCommitments([found]);
  document.title = `${DAILY_PAGE_TEXTS.dailyDay(day)} · ${DAILY_PAGE_TEXTS.dailyTitle} · ${t("parlour")}`;
  return [
    h("a", { class: "daily-archive", href: "/daily" }, DAILY_PAGE_TEXTS.dailyTitle),
    h("div", { class: "daily-heading" }, dateCard(day), h("h1", {}, DAILY_PAGE_TEXTS.dailyDayLong(day))),
    unstoredNote(),
    isKept ? null : await changedWarning(),
    found.closed ? h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailyAgainHint) : null,
    found.left === null ? null : h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailyClosing(found.left)),
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
function dealPart({ day, bot, closed, left }, deal) {
  const { game, title, mine, standings } = deal;
  const counted = mine?.counts ? mine : null;
  /** @type {Child[]} */
  const parts = [
    h("h2", {}, title),
    h("p", { class: "fine-print" }, `${AGAINST[bot]} · ${DAILY_PAGE_TEXTS.dailyCount(deal.played)}`),
  ];
  if (counted) parts.push(resultPlace(counted.table, title));
  if (closed) {
    if (standings) parts.push(h("h3", {}, DAILY_PAGE_TEXTS.dailyStandings), standingsTable(standings));
    parts.push(h("div", { class: "row" }, pastWays(day, title, game, counted)));
  } else if (stateOf(mine) !== "done") parts.push(mine || left === null ? way(day, deal, "") : null);
  else if (left === null) parts.push(h("p", { class: "fine-print" }, t("dailySealed")));
  return h("section", { class: "daily-deal", "data-game": game }, parts);
}

/**
 * The links to a deal of a past day.
 *
 * @param {string} day
 * @param {string} title
 * @param {string} game
 * @param {DailyGame | null} mine
 */
function pastWays(day, title, game, mine) {
  const text = !mine ? DEAL_TEXTS.dailyPlay : mine.over ? DAILY_PAGE_TEXTS.dailyAgain : DEAL_TEXTS.dailyGoOn;
  const again = playButton(day, game, text, labelled(title, text), "", false);
  if (!mine?.over) return [again];
  return [
    again,
    h("a", { class: "button quiet", href: `/game/${mine.table}` }, t("lookAgain")),
    h("a", { class: "button quiet", href: `/game/${mine.table}/review` }, t("reviewTitle")),
    h("a", { class: "button quiet", href: api.recordAddress(mine.table), download: "" }, DAILY_PAGE_TEXTS.dailyRecord),
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
    h("h2", { id: "proof-title" }, DAILY_PAGE_TEXTS.dailyDrawn),
    h(
      "dl",
      { class: "daily-commitments" },
      h("div", {}, h("dt", {}, DAILY_PAGE_TEXTS.dailyKey), h("dd", {}, h("code", {}, key))),
      h("div", {}, h("dt", {}, DAILY_PAGE_TEXTS.dailyCommitment), h("dd", {}, h("code", {}, commitment))),
    ),
    h("div", { class: "row" }, button(DAILY_PAGE_TEXTS.dailyCheck, check, { "data-check": "" }), verdict),
    h("p", { class: "fine-print" }, DAILY_PAGE_TEXTS.dailyCommand),
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
  if (!canCheck()) return DAILY_PAGE_TEXTS.dailyCannotCheck;
  const seen = seenCommitment(day);
  if ((await commitmentOf(key)) !== (seen ?? commitment)) return DAILY_PAGE_TEXTS.dailyFitsNot;
  return seen ? DAILY_PAGE_TEXTS.dailyFitsSeen(day) : DAILY_PAGE_TEXTS.dailyFits;
}
