// The player's tables on the landing.

import * as api from "../common/api.js";
import { find, findAll, focusedElement, h, isFocusLost, svg } from "../common/dom.js";
import { leaveBy, showIn } from "../common/failure.js";
import { icon } from "../common/glyphs.js";
import { mayNotify } from "../common/notices.js";
import { isCutOff, sealOf } from "../common/sealed.js";
import { forgetSeat, ownSeats, seatAt } from "../common/settings.js";
import { finishedLine, gameLine } from "../player/game_line.js";
import { finishedOf, runningOf } from "../player/game_list.js";
import { ownKey } from "../player/player_key.js";
import { firstGames, keepListedSeats } from "../player/seat_links.js";
import { nameInWords } from "./lobby_words.js";
import { lookUp } from "./table_lookup.js";
import { resumeTableRequest } from "./table_request.js";
import { t } from "../common/texts.js";

/** @import { Child } from "../common/dom.js" */
/** @import { TableInfo } from "../protocol.d.ts" */

/** Maximum number of tables that are shown. */
const FIRST_TABLES = 6;

/**
 * The state of a table in words, for the player of a seat (−1 is no seat).
 *
 * @param {TableInfo} table
 * @param {number} seat
 */
function stateInWords(table, seat) {
  if (!table.begun) return t("seatsOpen", table.seats.filter((one) => !one.taken).length);
  if (table.over) return t("isOver");
  if (isCutOff(table)) return t("clubCutOffShort");
  const until = table.deadline?.at;
  if (table.actor === seat) return until ? t("yourTurnUntil", until) : t("yourTurn");
  if (typeof table.actor !== "number") return t("goesOn");
  const { name } = table.seats[table.actor];
  return until ? t("turnOfUntil", name, until) : t("turnOf", name);
}

/**
 * @param {TableInfo} table
 * @param {string[]} others
 */
function withWords({ daily, club, manners }, others) {
  const deal = daily?.counts ? t("dailyOf", daily.day) : club ? t("clubDealOf", club) : "";
  const rated = manners.rated && !isCutOff({ club }) ? t("ratedShort") : "";
  return [deal, rated, others.length ? t("with", others) : ""].filter(Boolean).join(", ");
}

/** @param {TableInfo} table */
const isOwnTurn = (table, seat = seatAt(table.table).seat) =>
  !table.over && table.begun && table.actor === seat && !isCutOff(table);

/** @param {TableInfo} table */
function addressOf(table) {
  if (!table.over) return `/table/${table.table}`;
  return sealOf(table)?.address ?? `/game/${table.table}`;
}

/**
 * A table in a line of a list.
 *
 * @param {TableInfo} table
 * @param {number} seat
 * @param {Child} [extra]
 */
export function tableLine(table, seat, extra = null) {
  const others = table.seats.filter((one, number) => one.taken && number !== seat).map(nameInWords);
  const words = { with: withWords(table, others), how: stateInWords(table, seat) };
  return gameLine({ ...table, ...words, address: addressOf(table), own: isOwnTurn(table, seat) }, extra);
}

/**
 * A button that removes a game from the list and from this browser, and the place of its failure.
 *
 * @param {string} table
 * @param {string} label
 * @param {string} title
 * @param {() => void} removed removes the line
 * @param {boolean} [listed] whether the room lists the game for the player, also without a seat of this browser
 */
export function forgetButton(table, label, title, removed, listed = false) {
  const failure = h("p", { class: "failure", role: "alert" });
  const forget = async () => {
    try {
      if (listed || seatAt(table).linked === "yes") await api.forgetGame(ownKey(), table);
    } catch (error) {
      if (!api.isNotFound(error)) throw error;
    }
    forgetSeat(table);
    if (mayNotify()) import("../common/push.js").then(({ unsubscribeSeat }) => unsubscribeSeat(table));
  };
  const start = async () => {
    const hadFocus = focusedElement() === close;
    await leaveBy(close, showIn(failure), async () => {
      await forget();
      const focusNear = neighbourOf(table);
      removed();
      if (hadFocus && isFocusLost()) focusNear();
    });
  };
  const attributes = { "aria-label": label, title, on: { click: start } };
  const close = h("button", { type: "button", class: "icon-button", ...attributes }, svg(icon("close")));
  return [close, failure];
}

/**
 * A function that gives the focus to the line after that of a table, or before it, or to the page's title without any.
 * The line may be drawn anew meanwhile.
 *
 * @param {string} table
 */
function neighbourOf(table) {
  const lines = findAll(document, ".table-line").map(({ dataset }) => dataset.table);
  const at = lines.indexOf(table);
  const near = lines[at + 1] ?? lines[at - 1];
  return () => {
    const title = find(document, "h1");
    title?.setAttribute("tabindex", "-1");
    (find(document, `.table-line[data-table="${near}"] :is(a, button)`) ?? title)?.focus();
  };
}

/**
 * The lines of tables with an unfinished game, and of seats of this browser that the server does not list for the
 * player. Tables at which it is the player's turn come first.
 *
 * @param {string[]} ids
 * @param {(line: HTMLElement) => void} removed
 */
export async function tableLines(ids, removed) {
  const tables = await lookUp(ids, (id) => api.table(id, seatAt(id).key), forgetSeat);
  const [own, others] = [true, false].map((turn) => tables.filter((table) => isOwnTurn(table) === turn));
  return [...own, ...others].map((table) => {
    const close = forgetButton(table.table, t("forget", table.title), t("forgetShort"), () => removed(line));
    /** @type {HTMLElement} */
    const line = tableLine(table, seatAt(table.table).seat, close);
    return line;
  });
}

/**
 * A finished game in a line that can be removed.
 *
 * @param {import("../player/game_list.js").FinishedGame} game
 * @param {(line: HTMLElement) => void} removed
 * @param {...Child} further
 */
export function removableLine(game, removed, ...further) {
  const label = t("mineForget", game.title);
  const close = forgetButton(game.table, label, t("mineForgetShort"), () => removed(line), true);
  /** @type {HTMLElement} */
  const line = finishedLine(game, further, close);
  return line;
}

/** The first of the player's games, the unfinished ones first; null without any, or if this browser has no seat. */
export async function myTables() {
  await resumeTableRequest();
  if (!ownSeats().length) return null;
  const { games, others } = await firstGames(FIRST_TABLES);
  keepListedSeats(games);
  const list = h("ul", { class: "table-list" });
  const title = h("h2", { id: "own-title" }, t("ownTables"));
  const head = h("div", { class: "own-head" }, title, h("a", { class: "all-mine", href: "/mine" }, t("allMine")));
  const section = h("section", { class: "own-tables", "aria-labelledby": "own-title" }, head, list);
  /** @param {HTMLElement} line */
  const removed = (line) => {
    line.remove();
    if (!list.children.length) section.remove();
  };
  const running = await tableLines([...runningOf(games), ...others].slice(0, FIRST_TABLES), removed);
  const finished = finishedOf(games).map((game) => removableLine(game, removed));
  list.append(...[...running, ...finished].slice(0, FIRST_TABLES));
  return list.children.length ? section : null;
}
