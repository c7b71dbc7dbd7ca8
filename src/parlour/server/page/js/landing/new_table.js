// The opening of new tables.

import { botNames } from "./bot_names.js";
import { settings } from "../common/settings.js";
import { t } from "../common/texts.js";
import { goToSeat } from "./table_links.js";
import { requestTable } from "./table_request.js";

/** @import { Catalogue, Game } from "../answers.d.ts" */

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
export const ownSeatRequest = () => ({ kind: "you", name: settings().name.trim() || t("defaultName") });

/**
 * Open a game against bots: the usual number of players, and the latest bot.
 *
 * @param {Game} game
 * @param {Catalogue} catalogue
 */
export function quickGame(game, catalogue) {
  const bot = knownBot(catalogue, settings().seats[0]);
  const own = ownSeatRequest();
  const others = botNames(game.usual - 1, [own.name]).map((name) => ({ kind: "bot", bot, name }));
  return openTable({ game: game.id, players: game.usual, options: {}, seats: [own, ...others] });
}
