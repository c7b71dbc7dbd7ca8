// The first line of the header of all pages but tables, lessons and replays, which have a bar.

import { h, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { settingsSheet } from "./sheets.js";
import { t } from "./texts.js";

/**
 * The title of Parlour or a link to the landing, and the settings.
 *
 * @param {boolean} [home] whether to link to the landing
 */
export function pageHeader(home = true) {
  const open = h(
    "button",
    { type: "button", class: "tool", "aria-label": t("settings"), title: t("settings"), on: { click: settingsSheet } },
    svg(icon("settings")),
  );
  const back = h("a", { class: "tool tool-home", href: "/", "aria-label": t("home") }, svg(icon("back")), t("parlour"));
  return h("div", { class: "page-header-line" }, home ? back : h("h1", {}, t("parlour")), open);
}
