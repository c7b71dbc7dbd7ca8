// The options of a game as rows: what it is, its value, what that means, and the rule it comes from.

import { h } from "./dom.js";
import { limitsOf } from "./option_limits.js";
import { t } from "./texts.js";

/** Rows for every option; `set(name, value)` is told what is chosen, and `rules(clause)` opens the rules. */
export function optionRows(game, players, chosen, set, rules) {
  return game.options.map((option) => {
    const usual = option.defaults[players];
    const value = chosen[option.name] ?? usual;
    const refused = option.refused?.[players] ?? {};
    const id = `option-${option.name}`;
    const reasons = [...new Set(Object.values(refused))];
    const means = [meaning(option, value), option.limits[players] ? t("limitsOf", ...option.limits[players]) : ""]
      .join(" ")
      .trim();
    const fixed = reasons.length && othersOf(option, value).every((other) => String(other) in refused);
    return h(
      "div",
      { class: `option ${value === usual ? "" : "changed"} ${fixed ? "limited" : ""}` },
      h("div", { class: "option-name" }, h("label", { for: id }, option.title), ruleSign(option.clause, rules)),
      control({ ...option, ...limitsOf(option, players) }, id, value, refused, set),
      h(
        "p",
        { class: "consequence", id: `${id}-means` },
        [...(fixed ? [] : [means]), ...reasons.map((reason) => sentence(reason.replace(CODE, "")))].join(" "),
      ),
    );
  });
}

/** A clause by its code, which the sign beside the name says in words already. */
const CODE = / \([A-Z]+-\d+\)$/;

/** What else might be chosen. */
const othersOf = (option, value) =>
  option.kind === "boolean" ? [!value] : (option.values ?? []).filter((one) => one !== value);

/** Where the rules speak of an option. */
const ruleSign = (clause, rules) =>
  h(
    "button",
    {
      type: "button",
      class: "cited",
      "aria-label": t("clause", clause),
      title: t("clause", clause),
      on: { click: () => rules(clause) },
    },
    t("clauseSign", clause),
  );

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

const meaning = (option, value) => option.consequences?.[String(value)] ?? sentence(option.help);

function control(option, id, value, refused, set) {
  const described = { "aria-describedby": `${id}-means`, id, name: option.name };
  if (option.kind === "boolean") {
    const flip = (event) => set(option.name, event.target.checked);
    return h("input", {
      ...described,
      type: "checkbox",
      role: "switch",
      class: "switch",
      checked: value === true,
      disabled: String(!value) in refused,
      on: { change: flip },
    });
  }
  if (option.kind === "number") {
    const { min, max } = option;
    const change = (event) => {
      const number = Math.round(Number(event.target.value));
      set(option.name, Number.isFinite(number) ? Math.max(min, Math.min(max ?? number, number)) : value);
    };
    return h("input", {
      ...described,
      type: "number",
      class: "field number",
      min,
      max,
      value,
      inputmode: "numeric",
      on: { change },
    });
  }
  if (option.kind === "text") {
    const write = (event) => set(option.name, event.target.value.trim() || value);
    return h(
      "span",
      {},
      h("input", { ...described, type: "text", class: "field", list: `${id}-values`, value, on: { change: write } }),
      h(
        "datalist",
        { id: `${id}-values` },
        option.values.map((one) => h("option", { value: String(one) })),
      ),
    );
  }
  const pick = (event) => set(option.name, option.values[event.target.selectedIndex]);
  return h(
    "select",
    { ...described, class: "field", on: { change: pick } },
    option.values.map((one) =>
      h(
        "option",
        { selected: one === value, disabled: String(one) in refused, title: refused[String(one)] },
        option.titles[String(one)] ?? t("valueName", String(one)),
      ),
    ),
  );
}
