// Another game after one against bots: the same deal again, or one level down or up.

import * as api from "../common/api.js";
import { leaveBy, showIn } from "../common/failure.js";
import { button, h } from "../common/dom.js";
import { capitalized } from "../common/phrases.js";
import { sealOf } from "../common/sealed.js";
import { markRepeated, seatAt } from "../common/settings.js";
import { t } from "../common/texts.js";
import { goToSeat } from "../landing/table_links.js";
import { requestTable } from "../landing/table_request.js";
import { isAlone } from "./table_state.js";

/** @typedef {"deal" | "level" | "lower"} What */

/**
 * The ways to another game for a player who was alone with bots; null for others. The ways to other levels come when
 * the room has answered which there are.
 *
 * @param {import("./seat_panel.js").Table} table
 */
export function playAgainWays({ table, seats, seat, manners, ...deal }) {
  if (!isAlone({ seats, seat })) return null;
  const failure = h("p", { class: "failure", role: "alert" });
  const place = h("div", { class: "row", "data-place": "again" }, failure);
  /** @param {What} what */
  const play = async (what) => {
    const { key, repeated } = seatAt(table);
    if (what === "deal" && repeated && (await isGoingOn(repeated))) return location.assign(`/table/${repeated}`);
    const opened = await requestTable({ seat_key: key, what }, `/api/tables/${table}/again`);
    if (what === "deal") markRepeated(table, opened.table);
    goToSeat(opened.table, opened.seat, opened.key);
  };
  /** @type {(label: string, what: What) => HTMLElement} */
  const way = (label, what) => {
    const go = button(label, () => leaveBy(go, showIn(failure), () => play(what)), { "data-again": what });
    return go;
  };
  const addLevels = async () => {
    const [{ level, lower }, { AGAINST, ratedLabel }] = await Promise.all([
      api.levelsBeside(table, seatAt(table).key),
      import("../texts/texts_levels.js"),
    ]);
    /** @param {string} id */
    const against = (id) => (manners.rated ? ratedLabel(capitalized(AGAINST[id])) : capitalized(AGAINST[id]));
    if (lower) place.append(way(against(lower), "lower"));
    if (level) place.append(way(against(level), "level"));
    place.append(failure);
  };
  if (!sealOf(deal)) place.prepend(way(t("sameDeal"), "deal"));
  addLevels().catch(() => {}); // without an answer there is the usual way to a new game
  return place;
}

/**
 * Whether this browser has a seat at a table whose game is not over.
 *
 * @param {string} table
 */
async function isGoingOn(table) {
  const { seat, key } = seatAt(table);
  if (seat < 0) return false;
  try {
    return !(await api.table(table, key)).over;
  } catch (error) {
    if (api.isNotFound(error)) return false;
    throw error;
  }
}
