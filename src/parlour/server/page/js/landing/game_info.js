// Facts about a game, the link to its lesson, and the header of the pages before a table.

import { h, svg } from "../common/dom.js";
import { icon } from "../common/glyphs.js";
import { settingsSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { Game } from "../answers.d.ts" */

/**
 * The header: the name of the house or a link to the landing, and the settings.
 *
 * @param {boolean} [home] whether to link to the landing
 */
export function houseBar(home = true) {
  const open = h(
    "button",
    { type: "button", class: "tool", "aria-label": t("settings"), title: t("settings"), on: { click: settingsSheet } },
    svg(icon("settings")),
  );
  const back = h("a", { class: "tool tool-home", href: "/", "aria-label": t("home") }, svg(icon("back")), t("house"));
  return h("div", { class: "house-line" }, home ? back : h("h1", {}, t("house")), open);
}

/**
 * The numbers of players, the minutes that a game usually takes, and the occasion that it suits.
 *
 * @param {Game} game
 * @param {number[]} [players] the numbers of players to show
 */
export function factsOf(game, players = game.players) {
  const facts = [t("playersRange", players[0], players[players.length - 1])];
  if (game.minutes) facts.push(t("minutesRange", ...game.minutes));
  return h(
    "div",
    { class: "game-facts" },
    h("p", { class: "game-numbers" }, facts.join(" · ")),
    game.fits ? h("p", { class: "game-fits" }, game.fits) : null,
  );
}

/**
 * The link to a game's lesson, or null without one.
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
      );
