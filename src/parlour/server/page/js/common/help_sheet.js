// The sheet of the help: the tools of the bar, how to play, the keys.

import { find, h, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { isMuted } from "./settings.js";
import { closeTopSheet, openSheet } from "./sheets.js";
import { t } from "./texts.js";
import { HELP_TEXTS } from "../texts/texts_help.js";

/** Name of the keys that choose a card or an action by its number. */
const DIGITS = "1 – 9";

/** @param {string[][]} all pairs of a key and its meaning; those that are switched off are left out */
function keyList(all) {
  const keys = all.filter(([key]) => !isMuted(key === DIGITS ? "1" : key));
  return h(
    "dl",
    { class: "keys" },
    keys.map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what))),
  );
}

/** The keys of a replay. */
export const replayKeysSheet = () => openSheet("help", HELP_TEXTS.helpKeys, keyList(HELP_TEXTS.keys.replay));

/** A tool of the bar, if the page has it. @param {string} name */
const toolNamed = (name) => find(document, `.tools [data-tool=${name}]:not([hidden])`);

/**
 * A line about a tool of the bar: a button that presses it where the page has it, since a narrow bar hides some.
 *
 * @param {string[]} tool its name and its meaning
 */
function toolLine([name, what]) {
  const content = [svg(icon(name)), h("span", {}, what)];
  const tool = toolNamed(name);
  const press = () => {
    closeTopSheet();
    tool?.click();
  };
  return h(
    "li",
    {},
    tool ? h("button", { type: "button", class: "tool-line", on: { click: press } }, content) : content,
  );
}

/**
 * Open the help. At a table it names also the tools that this table lacks.
 *
 * @param {"table" | "lesson" | "puzzle"} page the page whose tools and keys are listed
 */
export const helpSheet = (page) =>
  openSheet("help", t("help"), [
    h("h3", {}, HELP_TEXTS.helpTools),
    h(
      "ul",
      { class: "tool-list" },
      HELP_TEXTS.helpOf.filter(([name]) => page === "table" || toolNamed(name)).map(toolLine),
    ),
    h("h3", {}, HELP_TEXTS.helpTable),
    h(
      "ul",
      { class: "helped" },
      HELP_TEXTS.helpHow.map((line) => h("li", {}, line)),
    ),
    h("h3", {}, HELP_TEXTS.helpKeys),
    keyList(HELP_TEXTS.keys[page]),
  ]);
