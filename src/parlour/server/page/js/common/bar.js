// The bar above a table: title, stage of the game, scores, tools.

import { find, h, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { settings } from "./settings.js";
import { helpSheet, settingsSheet } from "./sheets.js";
import { toggleSound } from "./sound.js";
import { t } from "./texts.js";

/**
 * A button of the bar with the icon `name`.
 *
 * @param {string} name
 * @param {string} label
 * @param {() => unknown} onClick
 */
export const tool = (name, label, onClick) =>
  h(
    "button",
    {
      type: "button",
      class: `tool tool-${name}`,
      "aria-label": label,
      title: label,
      "data-tool": name,
      on: { click: onClick },
    },
    svg(icon(name)),
    h("span", {}, label),
  );

/**
 * The link from a bar to the landing or to another page.
 *
 * @param {string} [address]
 */
export const homeLink = (address = "/") =>
  h("a", { class: "tool tool-home", href: address, "aria-label": t("home"), title: t("home") }, svg(icon("back")));

/** The button that switches all sound on and off. It shows the state in every window of the browser. */
function soundTool() {
  const toggle = tool("sound", t("sound"), toggleSound);
  const show = () => {
    const { sound } = settings();
    toggle.setAttribute("aria-pressed", String(sound));
    toggle.title = `${t("soundIs", sound)} (V)`;
  };
  show();
  addEventListener("parlour-settings", show);
  addEventListener("storage", show);
  return toggle;
}

/**
 * The bar of a table, and its parts that change.
 *
 * @param {Record<"talk" | "people" | "last" | "hint" | "score" | "rules", () => unknown>} actions
 */
export function makeBar({ talk, people, last, hint, score, rules }) {
  const title = h("h1", { class: "table-title", tabindex: "-1" });
  const heading = h("p", { class: "heading" });
  const strip = h("div", { class: "strip" });
  const peopleTool = tool("people", t("thisTable"), people);
  const talkTool = tool("talk", t("talk"), talk);
  const lastTool = tool("last", t("lastTrick"), last);
  const hintTool = tool("hint", t("hint"), hint);
  const scoreTool = tool("score", t("score"), score);
  for (const each of [talkTool, lastTool, hintTool, scoreTool]) each.hidden = true;
  const tools = h(
    "nav",
    { class: "tools" },
    talkTool,
    peopleTool,
    lastTool,
    hintTool,
    scoreTool,
    tool("rules", t("rules"), rules),
    soundTool(),
    tool("settings", t("settings"), settingsSheet),
    tool("help", t("help"), () => helpSheet("table")),
  );
  const element = h("header", { class: "bar" }, homeLink(), h("div", { class: "where" }, title, heading), strip, tools);

  /** @param {string} label the label of the last trick's tool; empty hides it */
  const nameLastTool = (label) => {
    lastTool.hidden = !label;
    nameTool(lastTool, label);
  };
  return { element, title, heading, strip, talkTool, peopleTool, hintTool, scoreTool, nameLastTool };
}

/**
 * Change the label of a tool.
 *
 * @param {HTMLElement} button
 * @param {string} label
 */
export function nameTool(button, label) {
  button.title = label;
  button.setAttribute("aria-label", label);
  const text = find(button, "span");
  if (text) text.textContent = label;
}
