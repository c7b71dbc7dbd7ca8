// Reasons why something is not legal, as lines of a note.

import { h } from "../common/dom.js";
import { t } from "../common/texts.js";

/** @import { Reason } from "../protocol.d.ts" */

/**
 * The lines of reasons. A clause opens the rules.
 *
 * @param {Reason[]} reasons
 * @param {import("../common/sheets.js").OpenRules} rules
 */
export const reasonLines = (reasons, rules) =>
  reasons.map(({ reason, clause }) => {
    const attributes = { type: "button", class: "clause", on: { click: () => rules(clause) } };
    return h("p", {}, h("span", {}, reason), clause ? h("button", attributes, t("clause", clause)) : null);
  });
