// The texts about games against bots of one level.

import { gettext } from "../common/language.js";

/**
 * The opponents by the id of their bot.
 *
 * @type {Record<string, string>}
 */
export const AGAINST = {
  beginner: gettext("against beginners"),
  casual: gettext("against casual players"),
  regular: gettext("against regulars"),
  expert: gettext("against experts"),
  master: gettext("against masters"),
  thumb: gettext("against players by the rule of thumb"),
};

/** A game that is rated. @param {string} label such as "Against experts" */
export const ratedLabel = (label) => gettext("{label} (rated)", { label });
