// The manners of a table in words, for people who may take a seat.

import { h } from "../common/dom.js";
import { t } from "../common/texts.js";

/** @import { TableInfo } from "../protocol.d.ts" */

/**
 * The clocks of a table, or its days for each action, in words.
 *
 * @param {TableInfo["manners"]} manners
 */
export function paceOf({ clock, days }) {
  if (days) return t("daysOf", days);
  return clock ? t("clockOf", clock.seconds, clock.increment) : t("mannersClocks").none;
}

/**
 * The manners of a table, for people who may take a seat.
 *
 * @param {TableInfo} table
 */
export function mannersList({ manners, seats }) {
  const { clock, days, patience, talk, hints, take_over: takeOver, fill, rated, studied } = manners;
  const timeOver = days ? t("mannersDaysOver") : clock ? t("mannersTimeOver") : "";
  const lines = [
    [t("mannersClock"), `${paceOf(manners)} ${timeOver}`.trim()],
    ...(days
      ? []
      : [[t("mannersPatience"), patience === null ? t("mannersPatiences").endless : t("patienceOf", patience)]]),
    [t("talk"), t("mannersTalks")[talk]],
    [t("hints"), t("mannersHints")[hints ? "yes" : "no"]],
  ];
  if (seats.some((seat) => seat.kind === "bot")) {
    lines.push([t("mannersTakeOver"), t("mannersTakeOvers")[takeOver ? "yes" : "no"]]);
  }
  if (rated) lines.unshift([t("mannersRated"), t("mannersRatings").yes]);
  if (fill) lines.push([t("mannersFill"), t("fillOf", fill.seconds)]);
  if (studied) lines.push([t("mannersStudied"), t("mannersAgreed")]);
  return h(
    "section",
    { class: "agreed" },
    h("h3", {}, t("manners")),
    h(
      "dl",
      {},
      lines.map(([what, how]) => h("div", {}, h("dt", {}, what), h("dd", {}, how))),
    ),
  );
}
