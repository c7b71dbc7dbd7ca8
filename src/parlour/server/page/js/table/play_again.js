// Another game after one against bots: the same deal again, or one level up.

import { leaveBy, showIn } from "../common/failure.js";
import { button, h } from "../common/dom.js";
import { sealOf } from "../common/sealed.js";
import { seatAt } from "../common/settings.js";
import { t } from "../common/texts.js";
import { goToSeat } from "../landing/table_links.js";
import { requestTable } from "../landing/table_request.js";
import { isAlone } from "./table_state.js";

/**
 * The ways to another game for a player who was alone with bots; null for others.
 *
 * @param {import("./seat_panel.js").Table} table
 */
export function playAgainWays({ table, seats, seat, ...deal }) {
  if (!isAlone({ seats, seat })) return null;
  const failure = h("p", { class: "failure", role: "alert" });
  /** @param {"deal" | "level"} what */
  const play = async (what) => {
    const body = { seat_key: seatAt(table).key, what };
    const opened = await requestTable(body, `/api/tables/${table}/again`);
    goToSeat(opened.table, opened.seat, opened.key);
  };
  /** @type {(label: string, what: "deal" | "level") => HTMLElement} */
  const way = (label, what) => {
    const go = button(label, () => leaveBy(go, showIn(failure), () => play(what)), { "data-again": what });
    return go;
  };
  return h(
    "div",
    { class: "row", "data-place": "again" },
    sealOf(deal) ? null : way(t("sameDeal"), "deal"),
    way(t("levelUp"), "level"),
    failure,
  );
}
