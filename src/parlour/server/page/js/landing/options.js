// Options of a game as rows of a form: title, clause, value, consequence.

import { fieldOf, h } from "../common/dom.js";
import { defaultOf, limitsOf } from "./option_limits.js";
import { asSentence } from "../common/phrases.js";
import { clauseButton } from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { Game, Option, OptionValue, OptionValues } from "../answers.d.ts" */
/** @import { OpenRules } from "../common/sheets.js" */

/** @typedef {(name: string, value: OptionValue) => void} SetOption */

/** A clause at the end of a reason. The row shows it beside the title. */
const CLAUSE = / \([A-Z]+-\d+\)$/;

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
  const meaning = [consequence(option, value), limits].join(" ").trim();
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
  if (option.kind === "text") return textControl(option, shared, value, set);
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

/** @type {(option: Option, shared: Attributes, value: OptionValue, set: SetOption) => HTMLElement} */
function textControl(option, shared, value, set) {
  const list = `${shared.id}-values`;
  /** @param {Event} event */
  const change = (event) => set(option.name, fieldOf(event).value.trim() || value);
  return h(
    "span",
    {},
    h("input", { ...shared, type: "text", class: "field", list, value, on: { change } }),
    h(
      "datalist",
      { id: list },
      (option.values ?? []).map((one) => h("option", { value: String(one) })),
    ),
  );
}

/** @type {(option: Option, shared: Attributes, value: OptionValue, refused: Refused, set: SetOption) => HTMLElement} */
function choiceControl(option, shared, value, refused, set) {
  const values = option.values ?? [];
  /** @param {Event} event */
  const change = (event) => set(option.name, values[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]);
  return h(
    "select",
    { ...shared, class: "field", on: { change } },
    values.map((one) =>
      h(
        "option",
        { selected: one === value, disabled: String(one) in refused, title: refused[String(one)] },
        option.titles[String(one)] ?? t("valueName", String(one)),
      ),
    ),
  );
}
