// The rules and the bots of a table of the lobby in words.

import { isolated } from "../common/language.js";
import { t } from "../common/texts.js";
import { ratingInWords } from "../texts/texts_own.js";
import { defaultOf } from "./option_limits.js";

/** @import { SeatInfo } from "../protocol.d.ts" */
/** @import { Catalogue, Game, LobbyTable, Option, OptionValue } from "../answers.d.ts" */

/** The name at a seat, with the rating at a rated table. @param {SeatInfo} seat */
export const nameInWords = ({ name, rating }) => (rating ? `${isolated(name)} (${ratingInWords(rating)})` : name);

/** A value of an option in words. @type {(option: Pick<Option, "kind" | "titles">, value: OptionValue) => string} */
export function valueInWords({ kind, titles }, value) {
  if (kind === "boolean") return t(value ? "optionOn" : "optionOff");
  if (kind === "number") return String(value);
  return titles[String(value)] ?? t("valueName", String(value));
}

/**
 * The options of a table that differ from their defaults, in words; an option without a value has its default.
 *
 * @param {Pick<Game, "options"> | null | undefined} game
 * @param {Pick<LobbyTable, "players" | "options">} table
 */
export function changedOptions(game, { players, options }) {
  const changed = (game?.options ?? []).filter(
    (option) => option.name in options && options[option.name] !== defaultOf(option, players, options),
  );
  return changed.map((option) => t("optionIs", option.title, valueInWords(option, options[option.name])));
}

/** @type {typeof changedOptions} */
export function optionsInWords(game, table) {
  const words = changedOptions(game, table);
  return words.length ? words : [t("usualRules")];
}

/**
 * The bots of a table in words: those that sit there, and those that come if a seat stays free.
 *
 * @param {Catalogue} catalogue
 * @param {Pick<LobbyTable, "bots" | "manners" | "fills_in">} table
 */
export function botsInWords({ bots: known }, { bots, manners, fills_in: seconds }) {
  /** @param {string} id */
  const title = (id) => known.find((bot) => bot.id === id)?.title ?? id;
  const names = [...new Set(bots.map(title))];
  const there = bots.length ? t("botsThere", bots.length, names) : t("noBots");
  return manners.fill && seconds !== null ? [there, t("botsCome", title(manners.fill.bot), seconds)] : [there];
}
