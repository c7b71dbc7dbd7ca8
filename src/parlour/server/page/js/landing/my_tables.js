// The tables at which this browser has a seat, and the opening of new ones.

import * as api from "../common/api.js";
import { button, h, svg } from "../common/dom.js";
import { icon } from "../common/glyphs.js";
import { forgetSeat, ownSeats, seatAt, settings } from "../common/settings.js";
import { goToSeat } from "./table_links.js";
import { lookUp } from "./table_lookup.js";
import { requestTable, resumeTableRequest } from "./table_request.js";
import { t } from "../common/texts.js";

/** @import { Catalogue, Game } from "../answers.d.ts" */
/** @import { TableInfo } from "../protocol.d.ts" */

/** Number of tables shown at first. */
const FIRST_TABLES = 6;

/**
 * Open a table, keep the seat and go there.
 *
 * @param {object} request
 */
export async function openTable(request) {
  const { table, seat, key } = await requestTable(request);
  goToSeat(table, seat, key);
}

/**
 * The id of a bot, or of the usual one if there is none with this id.
 *
 * @param {Catalogue} catalogue
 * @param {string | undefined} id
 */
export function knownBot(catalogue, id) {
  const bot = catalogue.bots.find((one) => one.id === id);
  return bot ? bot.id : catalogue.usual_bot;
}

/** The player's own seat in a request for a table. */
export const ownSeatRequest = (name = settings().name) => ({ kind: "you", name: name.trim() || t("defaultName") });

/**
 * Open a game against bots: the usual number of players, and the latest bot.
 *
 * @param {Game} game
 * @param {Catalogue} catalogue
 */
export function quickGame(game, catalogue) {
  const bot = knownBot(catalogue, settings().seats[0]);
  const others = [...Array(game.usual - 1).keys()].map((index) => ({ kind: "bot", bot, name: t("names")[index] }));
  return openTable({ game: game.id, players: game.usual, options: {}, seats: [ownSeatRequest(), ...others] });
}

/**
 * The state of a table in words, for the player of a seat (−1 is no seat).
 *
 * @param {TableInfo} table
 * @param {number} seat
 */
function stateInWords(table, seat) {
  if (!table.begun) return t("seatsOpen", table.seats.filter((one) => !one.taken).length);
  if (table.over) return t("isOver");
  if (table.actor === seat) return t("yourTurn");
  return typeof table.actor === "number" ? t("turnOf", table.seats[table.actor].name) : t("goesOn");
}

/**
 * @param {TableInfo} table
 * @param {string[]} others
 */
function withWords({ daily }, others) {
  const deal = daily?.counts ? t("dailyOf", daily.day) : "";
  return [deal, others.length ? t("with", others) : ""].filter(Boolean).join(", ");
}

/** @param {TableInfo} table */
function addressOf({ table, over, daily }) {
  if (over && daily?.sealed) return `/daily/${daily.day}`;
  return over ? `/game/${table}` : `/table/${table}`;
}

/**
 * One table of a list.
 *
 * @param {TableInfo} table
 * @param {number} seat
 * @param {HTMLElement | null} [extra]
 */
export function tableLine(table, seat, extra = null) {
  const others = table.seats.filter((one, number) => one.taken && number !== seat).map((one) => one.name);
  const isOwnTurn = !table.over && table.begun && table.actor === seat;
  return h(
    "li",
    { class: `table-line ${isOwnTurn ? "mine" : ""}`, "data-table": table.table },
    h(
      "a",
      { href: addressOf(table) },
      h("b", {}, table.title),
      h("span", { class: "with" }, withWords(table, others)),
      h("span", { class: "how" }, stateInWords(table, seat)),
    ),
    extra,
  );
}

/** The list of own tables, the latest first; null if there are none. */
export async function myTables() {
  await resumeTableRequest();
  const seats = ownSeats();
  if (!seats.length) return null;
  const list = h("ul", { class: "table-list" });
  const title = h("h2", { id: "own-title" }, t("ownTables"));
  const section = h("section", { class: "own-tables", "aria-labelledby": "own-title" }, title, list);
  /** @param {TableInfo} table */
  const line = (table) => {
    const forget = () => {
      forgetSeat(table.table);
      entry.remove();
      if (!list.children.length) section.remove();
    };
    const attributes = { "aria-label": t("forget", table.title), title: t("forgetShort"), on: { click: forget } };
    const close = h("button", { type: "button", class: "icon-button", ...attributes }, svg(icon("close")));
    const entry = tableLine(table, seatAt(table.table).seat, close);
    return entry;
  };
  /** @param {string[]} ids */
  const add = async (ids) => {
    const tables = await lookUp(ids, (id) => api.table(id, seatAt(id).key), forgetSeat);
    list.append(...tables.map(line));
  };
  await add(seats.slice(0, FIRST_TABLES));
  if (seats.length > FIRST_TABLES) {
    const showMore = () => {
      more.remove();
      return add(seats.slice(FIRST_TABLES));
    };
    const more = button(t("moreTables", seats.length - FIRST_TABLES), showMore, { class: "quiet" });
    section.append(more);
  }
  return list.children.length ? section : null;
}
