// The head of an invitation to a table: the game, its facts, its changed rules, its lesson and rules.

import * as api from "../common/api.js";
import { button, h } from "../common/dom.js";
import { changedRules, gameOf } from "./changed_rules.js";
import { factsOf, lessonLink } from "./game_info.js";
import { changedOptions } from "./lobby_words.js";
import { rulesSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { OptionValues } from "../answers.d.ts" */
/** @import { TableInfo } from "../protocol.d.ts" */

/**
 * The head of an invitation. Changed rules and facts about the game appear when they have loaded.
 *
 * @param {TableInfo} table
 */
export function invitationHead(table) {
  const words = h("div", { class: "invited-words" });
  const rules = button(t("readRules"), () => rulesSheet(table.title, () => api.rules(table.game)));
  const ways = h("div", { class: "row invited-ways" }, rules);
  gameOf(table.game).then((game) => {
    if (!game) return; // its name suffices to sit down
    const options = /** @type {OptionValues} */ (table.options);
    const usual = !changedOptions(game, { players: table.players, options }).length;
    words.append(h("p", { class: "lead" }, game.summary), factsOf(game, [table.players], usual));
    const lesson = lessonLink(game, table.table);
    if (lesson) ways.prepend(lesson);
  });
  const title = [h("p", { class: "invited-to" }, t("invitedTo")), h("h2", {}, table.title)];
  return h("header", { class: "invited" }, title, words, changedRules(table), ways);
}
