// The rules of a table that differ from the usual ones, for people who may sit down there.

import * as api from "../common/api.js";
import { h } from "../common/dom.js";
import { withSemicolons } from "../common/phrases.js";
import { t } from "../common/texts.js";
import { changedOptions } from "./lobby_words.js";

/** @import { Catalogue, Game, OptionValues } from "../answers.d.ts" */
/** @import { TableInfo } from "../protocol.d.ts" */

/** @type {Promise<Catalogue> | null} */
let catalogue = null;

/**
 * A game of the catalogue, which is loaded once; null if it has no such game or could not be loaded.
 *
 * @param {string} id
 * @returns {Promise<Game | null>}
 */
export async function gameOf(id) {
  catalogue ??= api.games();
  try {
    const { games } = await catalogue;
    return games.find((game) => game.id === id) ?? null;
  } catch {
    catalogue = null; // the next question asks again
    return null;
  }
}

/**
 * The options of a table that differ from their defaults, hidden while there are none or the game is being loaded.
 *
 * @param {Pick<TableInfo, "game" | "players" | "options">} table
 */
export function changedRules({ game: id, players, options }) {
  const rules = h("dd", {});
  const line = h("dl", { class: "changed-rules", hidden: true }, h("div", {}, h("dt", {}, t("rules")), rules));
  const values = /** @type {OptionValues} */ (options);
  gameOf(id).then((game) => {
    const words = changedOptions(game, { players, options: values });
    rules.textContent = withSemicolons(words);
    line.hidden = !words.length;
  });
  return line;
}
