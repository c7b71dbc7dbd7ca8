// The results of a round that is over.

import { h } from "../common/dom.js";
import { isolated } from "../common/language.js";
import { t } from "../common/texts.js";
import { pointsInWords } from "../texts/texts_own.js";
import { CLUB_TEXTS } from "./club_texts.js";

/** @import { ClubGame } from "../answers.d.ts" */
/** @typedef {import("./club_boards.js").NameOf} NameOf */

/**
 * The games of a round by deal and board, with their scores and ends.
 *
 * @param {ClubGame[]} games
 * @param {NameOf} nameOf
 */
export function resultsTable(games, nameOf) {
  const { deal, first, second, result } = CLUB_TEXTS.clubHeads;
  const heads = [deal, first, second, result].map((head) => h("th", {}, head));
  const ordered = [...games].sort((one, other) => one.deal - other.deal || one.board - other.board);
  const rows = ordered.map((game) => row(game, nameOf));
  return h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
}

/**
 * @param {ClubGame} game
 * @param {NameOf} nameOf
 */
function row(game, nameOf) {
  const { deal, table, seats, won, scores } = game;
  /** @param {0 | 1} seat */
  const cell = (seat) => {
    const score = scores[seat];
    const name = h(won?.[seat] === 1 ? "b" : "span", {}, isolated(nameOf(seats[seat])));
    return h(
      "td",
      {},
      name,
      " ",
      score === null ? null : h("span", { class: "fine-print" }, CLUB_TEXTS.clubScore(score)),
    );
  };
  const replay = table ? h("a", { href: `/game/${table}` }, t("lookAgain")) : null;
  const end = h("td", {}, endInWords(game), " ", replay);
  return h("tr", {}, h("td", {}, String(deal + 1)), cell(0), cell(1), end);
}

/**
 * The end of a game: the points of the seats, a draw, a resignation, or none.
 *
 * @param {ClubGame} game
 */
function endInWords({ won, points }) {
  if (!won?.length) return CLUB_TEXTS.clubUnfinished;
  if (won.some((result) => result < 0)) return CLUB_TEXTS.clubResigned;
  const score = points ? pointsInWords({ points: points[0], against: points[1] }) : "";
  return [won[0] === won[1] ? CLUB_TEXTS.clubDraw : "", score].filter(Boolean).join(" ");
}
