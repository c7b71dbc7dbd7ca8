// The opening of new tables.

import { BOT_NAMES } from "../bot_names.js";
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

/**
 * Names of bots at one table: names of people first, then "Bot 8" and so on.
 *
 * @param {number} number the number of bots
 * @param {string[]} taken names that others at the table have
 */
export function botNames(number, taken = []) {
  const free = BOT_NAMES.filter((name) => !taken.includes(name));
  return Array.from({ length: number }, (_, index) => free[index] ?? `Bot ${index + 1}`);
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
