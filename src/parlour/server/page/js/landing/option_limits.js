// The values of options that are possible with a number of players.

/** @import { Game, Option, OptionValue, OptionValues } from "../answers.d.ts" */

/** @typedef {Pick<Option, "defaults"> & Partial<Pick<Option, "depends">>} OptionWithDefault */
/** @typedef {Partial<Pick<Option, "kind" | "pattern" | "values">>} TextOption */
/** @typedef {Pick<Option, "name" | "limits" | "refused"> & TextOption & OptionWithDefault} LimitedOption */

/**
 * The bounds of a number, which may depend on the number of players.
 *
 * @param {Pick<Option, "limits" | "min" | "max">} option
 * @param {number} players
 */
export function limitsOf(option, players) {
  const [min, max] = option.limits[players] ?? [option.min, option.max];
  return { min, max };
}

/**
 * Whether an option has a value for some number of players, if it is a text. A pattern that this browser cannot read
 * leaves the answer to the server.
 *
 * @param {TextOption} option
 * @param {OptionValue} value
 */
export function fits({ kind, pattern = "", values }, value) {
  if (kind !== "text" || (values ?? []).includes(value)) return true;
  try {
    return new RegExp(`^(?:${pattern})$`, "u").test(String(value));
  } catch {
    return true;
  }
}

/**
 * Whether an option excludes a value, or this number of players does.
 *
 * @param {LimitedOption} option
 * @param {number} players
 * @param {OptionValue} value
 */
export function refuses(option, players, value) {
  const [least, most] = option.limits[players] ?? [-Infinity, Infinity];
  const outside = typeof value === "number" && (value < least || value > most);
  return outside || !fits(option, value) || Boolean(option.refused?.[players]?.[String(value)]);
}

/**
 * The default of an option, which may depend on chosen values of other options.
 *
 * @param {OptionWithDefault} option
 * @param {number} players
 * @param {OptionValues} chosen
 * @returns {OptionValue}
 */
export function defaultOf(option, players, chosen) {
  const dependent = Object.entries(option.depends?.[players] ?? {}).map(
    ([name, byValue]) => byValue[String(chosen[name])],
  );
  return dependent.find((value) => value !== undefined) ?? option.defaults[players];
}

/**
 * The chosen values that this number of players allows. The other options return to their defaults.
 *
 * @param {{ options: LimitedOption[] }} game
 * @param {number} players
 * @param {OptionValues} chosen
 * @returns {OptionValues}
 */
export function possibleOptions(game, players, chosen) {
  const kept = game.options
    .filter(({ name }) => name in chosen)
    .filter((option) => !refuses(option, players, chosen[option.name]));
  return Object.fromEntries(kept.map(({ name }) => [name, chosen[name]]));
}

/**
 * The chosen values after one more choice, without values that are defaults.
 *
 * @param {Pick<Game, "options"> | { options: LimitedOption[] }} game
 * @param {number} players
 * @param {OptionValues} chosen
 * @param {string} name
 * @param {OptionValue} value
 * @returns {OptionValues}
 */
export function withOption(game, players, chosen, name, value) {
  const others = Object.fromEntries(Object.entries(chosen).filter(([other]) => other !== name));
  const option = game.options.find((one) => one.name === name);
  return option && value === defaultOf(option, players, others) ? others : { ...others, [name]: value };
}
