// The bar above the table: where we are, how it stands, and the tools.

import { h, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { helpSheet, settingsSheet } from "./sheets.js";
import { t } from "./texts.js";

/** A button of the bar. */
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

/** The bar, and the parts of it that change. */
export function makeBar({ talk, invite, last, hint, score, rules }) {
  const title = h("h1", { class: "table-title", tabindex: "-1" });
  const heading = h("p", { class: "heading" });
  const strip = h("div", { class: "strip" });
  const home = h(
    "a",
    { class: "tool tool-home", href: "/", "aria-label": t("home"), title: t("home") },
    svg(icon("back")),
  );
  const tools = h(
    "nav",
    { class: "tools" },
    tool("talk", t("talk"), talk),
    tool("invite", t("copyLink"), invite),
    tool("last", t("lastTrick"), last),
    tool("hint", t("hint"), hint),
    tool("score", t("score"), score),
    tool("rules", t("rules"), rules),
    tool("settings", t("settings"), settingsSheet),
    tool("help", t("help"), helpSheet),
  );
  const lastTool = tools.querySelector("[data-tool=last]");
  const nameLast = (label) => {
    lastTool.hidden = !label;
    lastTool.title = label;
    lastTool.setAttribute("aria-label", label);
    lastTool.querySelector("span").textContent = label;
  };
  const hintTool = tools.querySelector("[data-tool=hint]");
  const scoreTool = tools.querySelector("[data-tool=score]");
  hintTool.hidden = true;
  lastTool.hidden = true;
  scoreTool.hidden = true;
  const talkTool = tools.querySelector("[data-tool=talk]");
  talkTool.hidden = true;
  return {
    talkTool,
    hintTool,
    scoreTool,
    nameLast,
    element: h("header", { class: "bar" }, home, h("div", { class: "where" }, title, heading), strip, tools),
    title,
    heading,
    strip,
  };
}
