// Facts about a game, and the link to its lesson.

import { h } from "../common/dom.js";
import { t } from "../common/texts.js";

/** @import { Game } from "../answers.d.ts" */

/**
 * The numbers of players, the minutes that a game usually takes, and the occasion that it suits.
 *
 * @param {Game} game
 * @param {number[]} [players] the numbers of players to show
 * @param {boolean} [usual] whether it is played by the usual options, for which the minutes hold
 */
export function factsOf(game, players = game.players, usual = true) {
  const facts = [t("playersRange", players[0], players[players.length - 1])];
  if (game.minutes && usual) facts.push(t("minutesRange", ...game.minutes));
  return h(
    "div",
    { class: "game-facts" },
    h("p", { class: "game-numbers" }, facts.join(" · ")),
    game.fits ? h("p", { class: "game-fits" }, game.fits) : null,
  );
}

/**
 * The link to a game's lesson, whose name begins with its visible text, or null without one.
 *
 * @param {Game} game
 * @param {string} [table] a table to which the lesson leads back
 */
export const lessonLink = (game, table = "") =>
  game.lesson === null
    ? null
    : h(
        "a",
        { class: "button learn", href: `/learn/${game.id}${table && `#${table}`}` },
        t("learn"),
        h("small", {}, t("minutes", game.lesson)),
        h("span", { class: "unseen" }, game.title),
      );
