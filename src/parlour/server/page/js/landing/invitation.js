// The head of an invitation to a table: the game, its facts, its lesson and rules.

import * as api from "../common/api.js";
import { button, h } from "../common/dom.js";
import { factsOf, lessonLink } from "./game_info.js";
import { rulesSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { Catalogue } from "../answers.d.ts" */
/** @import { TableInfo } from "../protocol.d.ts" */

/** @type {Promise<Catalogue> | null} */
let catalogue = null;

/**
 * The head of an invitation. Facts about the game appear when they have loaded.
 *
 * @param {TableInfo} table
 */
export function invitationHead(table) {
  const words = h("div", { class: "invited-words" });
  const rules = button(t("readRules"), () => rulesSheet(t("rules"), () => api.rules(table.game)));
  const ways = h("div", { class: "row invited-ways" }, rules);
  catalogue ??= api.games();
  catalogue.then(
    ({ games }) => {
      const game = games.find((one) => one.id === table.game);
      if (!game) return;
      words.append(h("p", { class: "lead" }, game.summary), factsOf(game, [table.players]));
      const lesson = lessonLink(game, table.table);
      if (lesson) ways.prepend(lesson);
    },
    () => {
      catalogue = null; // the name of the game suffices to sit down
    },
  );
  const title = [h("p", { class: "invited-to" }, t("invitedTo")), h("h2", {}, table.title)];
  return h("header", { class: "invited" }, title, words, ways);
}
