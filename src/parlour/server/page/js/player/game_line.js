// Lines of lists of games.

import { h } from "../common/dom.js";
import { isCutOff, sealOf } from "../common/sealed.js";
import { t } from "../common/texts.js";
import { isConceded } from "./game_list.js";

/** @import { Child } from "../common/dom.js" */
/** @import { FinishedGame } from "./game_list.js" */

/**
 * A line of a list.
 *
 * @param {{ table: string, title: string, with: string, how: string, address: string | null, own?: boolean }} game
 *   `address` is null if the game cannot be shown; `own` is true if it is the viewer's turn
 * @param {...Child} further
 */
export function gameLine({ table, title, with: others, how, address, own = false }, ...further) {
  const words = [h("b", {}, title), h("span", { class: "with" }, others), h("span", { class: "how" }, how)];
  const line = address ? h("a", { href: address }, words) : h("div", { class: "table-gone" }, words);
  return h("li", { class: `table-line ${own ? "mine" : ""}`, "data-table": table }, line, further);
}

/**
 * The address of a finished game: its replay, or the page that waits for its end while it is sealed; null if it is
 * removed.
 *
 * @param {Pick<FinishedGame, "table" | "kept" | "daily" | "club">} game
 */
export const addressOf = ({ table, kept, ...deal }) => sealOf(deal)?.address ?? (kept ? `/game/${table}` : null);

/**
 * A finished game in a line: its other players, the result, the date.
 *
 * @param {FinishedGame} game
 * @param {...Child} further
 */
export function finishedLine(game, ...further) {
  const { table, title, others, score, at, daily, club, kept } = game;
  const names = others.map(({ name }) => name || t("somebody"));
  const deal = daily ? t(daily.counts ? "dailyOf" : "dailyUncounted", daily.day) : club ? t("clubDealOf", club) : "";
  const how = t("resultOn", score, new Date(at), isConceded(game));
  const cutOff = isCutOff(game) ? t("clubCutOffShort") : "";
  const withWords = t(names.length > 1 ? "with" : "againstNames", names); // among several there may be partners
  const about = [deal, cutOff, withWords, kept ? "" : t("mineRemoved")].filter(Boolean).join(", ");
  const words = { table, title, with: about, how, address: addressOf(game) };
  return gameLine(words, further);
}
