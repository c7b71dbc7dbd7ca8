// The boards of an open round that still play.

import { h } from "../common/dom.js";
import { listed } from "../common/language.js";
import { CLUB_TEXTS } from "./club_texts.js";

/** @import { ClubGame } from "../answers.d.ts" */
/** @typedef {(number: number | null) => string} NameOf the name of a player, by number; null is a bot */

/**
 * The boards that still play, with their players and the deals that are not over; null without any.
 *
 * @param {ClubGame[]} games the games of the round
 * @param {NameOf} nameOf
 */
export function playingPart(games, nameOf) {
  const playing = games.filter(({ over }) => !over);
  const boards = ascending([...new Set(playing.map(({ board }) => board))]);
  if (!boards.length) return null;
  const line = (/** @type {number} */ number) => {
    const left = playing.filter(({ board }) => board === number);
    const names = listed(left[0].seats.map(nameOf));
    const deals = ascending(left.map(({ deal }) => deal + 1));
    return h("li", {}, h("span", {}, names), h("span", { class: "fine-print" }, CLUB_TEXTS.clubDealsLeft(deals)));
  };
  return h("div", { class: "club-boards" }, h("h3", {}, CLUB_TEXTS.clubPlaying), h("ul", {}, boards.map(line)));
}

/** @param {number[]} numbers */
const ascending = (numbers) => [...numbers].sort((one, other) => one - other);
