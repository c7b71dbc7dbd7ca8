// Options of a game as rows of a form: title, clause, value, consequence.

import { fieldOf, find, h } from "../common/dom.js";
import { valueInWords } from "./lobby_words.js";
import { defaultOf, fits, limitsOf } from "./option_limits.js";
import { asSentence, quoted } from "../common/phrases.js";
import { clauseButton } from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { Game, Option, OptionValue, OptionValues } from "../answers.d.ts" */
/** @import { OpenRules } from "../common/sheets.js" */

/** @typedef {(name: string, value: OptionValue) => void} SetOption */

/** A clause at the end of a reason. The row shows it beside the title. */
const CLAUSE = / \(([0-9A-Z]+-\d+)\)$/;
/** The name of an option at the beginning of a reason, in all languages: "hand_cards is 12, but ...". */
const NAME = /^[a-z_]+(?= )/;
/** The notation of an option with its value in a reason: "teams=ABAB". */
const NOTATION = /\b([a-z_]+)=([^\s:,;]+)/g;

/**
 * The server's reason against the options: each option that it names has its title and its value in words, and a clause
 * at the end is a button.
 *
 * @param {string} reason
 * @param {Pick<Game, "options">} game
 * @param {OpenRules} rules
 */
export function reasonAgainst(reason, { options }, rules) {
  const [, clause] = reason.match(CLAUSE) ?? [];
  /** @param {string} name */
  const called = (name) => options.find((one) => one.name === name);
  const titled = reason.replace(CLAUSE, "").replace(NAME, (name) => {
    const option = called(name);
    return option ? quoted(option.title) : name;
  });
  const words = titled.replace(NOTATION, (notation, name, value) => {
    const option = called(name);
    if (!option) return notation;
    return quoted(
      t("optionIs", option.title, valueInWords(option, option.kind === "boolean" ? value === "true" : value)),
    );
  });
  return [asSentence(words), ...(clause ? [" ", clauseButton(clause, rules)] : [])];
}

/**
 * The rows of all options.
 *
 * @param {Pick<Game, "options">} game
 * @param {number} players
 * @param {OptionValues} chosen
 * @param {SetOption} set
 * @param {OpenRules} rules
 */
export const optionRows = (game, players, chosen, set, rules) =>
  game.options.map((option) => optionRow(option, players, chosen, set, rules));

/**
 * @param {Option} option
 * @param {number} players
 * @param {OptionValues} chosen
 * @param {SetOption} set
 * @param {OpenRules} rules
 */
function optionRow(option, players, chosen, set, rules) {
  const usual = defaultOf(option, players, chosen);
  const value = chosen[option.name] ?? usual;
  const refused = option.refused?.[players] ?? {};
  const id = `option-${option.name}`;
  const reasons = [...new Set(Object.values(refused))];
  const limits = option.limits[players] ? t("limitsOf", ...option.limits[players]) : "";
  const meaning = [isOwnText(option, value) ? "" : consequence(option, value), limits].join(" ").trim();
  const fixed = reasons.length > 0 && otherValues(option, value).every((other) => String(other) in refused);
  const sentences = [...(fixed ? [] : [meaning]), ...reasons.map((reason) => asSentence(reason.replace(CLAUSE, "")))];
  return h(
    "div",
    { class: `option ${value === usual ? "" : "changed"} ${fixed ? "limited" : ""}` },
    h("div", { class: "option-name" }, h("label", { for: id }, option.title), clauseButton(option.clause, rules)),
    control({ ...option, ...limitsOf(option, players) }, id, value, refused, set),
    h("p", { class: "consequence", id: `${id}-means` }, sentences.join(" ")),
  );
}

/** @type {(option: Option, value: OptionValue) => OptionValue[]} */
const otherValues = (option, value) =>
  option.kind === "boolean" ? [!value] : (option.values ?? []).filter((one) => one !== value);

/** Whether a value is a text of the players' own, none of the usual ones. @type {typeof fits} */
const isOwnText = (option, value) => option.kind === "text" && !(option.values ?? []).includes(value);

/** @type {(option: Option, value: OptionValue) => string} */
const consequence = (option, value) => option.consequences?.[String(value)] ?? asSentence(option.help);

/** @typedef {Record<string, string>} Attributes the attributes that all controls share */
/** @typedef {Record<string, string>} Refused reasons against values */

/**
 * The form control of an option.
 *
 * @param {Option} option
 * @param {string} id
 * @param {OptionValue} value
 * @param {Refused} refused
 * @param {SetOption} set
 */
function control(option, id, value, refused, set) {
  const shared = { "aria-describedby": `${id}-means`, id, name: option.name };
  if (option.kind === "boolean") return switchControl(option, shared, value, refused, set);
  if (option.kind === "number") return numberControl(option, shared, value, set);
  if (option.kind === "text") return textControl(option, shared, value, refused, set);
  return choiceControl(option, shared, value, refused, set);
}

/** @type {(option: Option, shared: Attributes, value: OptionValue, refused: Refused, set: SetOption) => HTMLElement} */
function switchControl(option, shared, value, refused, set) {
  /** @param {Event} event */
  const change = (event) => set(option.name, fieldOf(event).checked);
  const disabled = String(!value) in refused;
  const type = { type: "checkbox", role: "switch", class: "switch" };
  return h("input", { ...shared, ...type, checked: value === true, disabled, on: { change } });
}

/** @type {(option: Option, shared: Attributes, value: OptionValue, set: SetOption) => HTMLElement} */
function numberControl(option, shared, value, set) {
  const { min, max } = option;
  /** @param {Event} event */
  const change = (event) => {
    const number = Math.round(Number(fieldOf(event).value.trim() || NaN));
    const within = Math.max(min ?? -Infinity, Math.min(max ?? Infinity, number));
    set(option.name, Number.isFinite(number) ? within : value);
  };
  const type = { type: "number", class: "field number", inputmode: "numeric" };
  return h("input", { ...shared, ...type, min, max, value, on: { change } });
}

/**
 * The usual values as a choice, whose last entry opens a field for a text of the players' own.
 *
 * @type {(option: Option, shared: Attributes, value: OptionValue, refused: Refused, set: SetOption) => HTMLElement}
 */
function textControl(option, shared, value, refused, set) {
  const values = option.values ?? [];
  const isOwn = isOwnText(option, value);
  const own = ownTextField(option, shared.id, isOwn ? value : "", set);
  own.hidden = !isOwn;
  const field = /** @type {HTMLInputElement} */ (find(own, "input"));
  const disabled = values.length > 1 && values.every((one) => one === value || String(one) in refused);
  const other = h("option", { selected: isOwn, disabled }, t("otherValue"));
  /** @param {Event} event */
  const change = (event) => {
    const chosen = values[/** @type {HTMLSelectElement} */ (event.target).selectedIndex];
    own.hidden = chosen !== undefined;
    if (chosen !== undefined) return set(option.name, chosen);
    field.setCustomValidity(howOf(option)); // the form is not complete yet
    field.focus();
  };
  return h("span", { class: "choice-or-text" }, choice(option, shared, value, refused, change, other), own);
}

/**
 * The field for a text of the players' own, in capital or small letters, and what it may be.
 *
 * @type {(option: Option, id: string, value: OptionValue, set: SetOption) => HTMLElement}
 */
function ownTextField(option, id, value, set) {
  /** @param {Event} event */
  const change = (event) => {
    const field = fieldOf(event);
    const text = field.value.trim();
    const possible = [text, text.toUpperCase(), text.toLowerCase()].find((one) => one && fits(option, one));
    field.setCustomValidity(possible ? "" : howOf(option));
    field.setAttribute("aria-invalid", String(!possible));
    if (possible) set(option.name, possible);
  };
  const attributes = { "aria-describedby": `${id}-how`, "aria-label": option.title, id: `${id}-own`, value };
  return h(
    "span",
    { class: "own-text" },
    h("input", { ...attributes, type: "text", class: "field", autocapitalize: "characters", on: { change } }),
    h("small", { id: `${id}-how` }, howOf(option)),
  );
}

/** What a text of the players' own may be. @param {Option} option */
const howOf = (option) => asSentence(option.pattern_words);

/** @type {(option: Option, shared: Attributes, value: OptionValue, refused: Refused, set: SetOption) => HTMLElement} */
function choiceControl(option, shared, value, refused, set) {
  /** @param {Event} event */
  const change = (event) =>
    set(option.name, (option.values ?? [])[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]);
  return choice(option, shared, value, refused, change);
}

/**
 * The values of an option as a choice, and further entries.
 *
 * @param {Option} option
 * @param {Attributes} shared
 * @param {OptionValue} value
 * @param {Refused} refused
 * @param {(event: Event) => void} change
 * @param {HTMLElement[]} others
 */
function choice(option, shared, value, refused, change, ...others) {
  return h(
    "select",
    { ...shared, class: "field", on: { change } },
    (option.values ?? []).map((one) =>
      h(
        "option",
        { selected: one === value, disabled: String(one) in refused, title: refused[String(one)] },
        valueInWords(option, one),
      ),
    ),
    others,
  );
}
