// Another game after one against bots: the same deal again, or one level up.

import { messageOf } from "../common/api.js";
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
  /** @type {(what: "deal" | "level") => () => Promise<void>} */
  const play = (what) => async () => {
    failure.textContent = "";
    try {
      const body = { seat_key: seatAt(table).key, what };
      const opened = await requestTable(body, `/api/tables/${table}/again`);
      goToSeat(opened.table, opened.seat, opened.key);
    } catch (error) {
      failure.textContent = messageOf(error);
    }
  };
  return h(
    "div",
    { class: "row", "data-place": "again" },
    sealOf(deal) ? null : button(t("sameDeal"), play("deal"), { "data-again": "deal" }),
    button(t("levelUp"), play("level"), { "data-again": "level" }),
    failure,
  );
}
