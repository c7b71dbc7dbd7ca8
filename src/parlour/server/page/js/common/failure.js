// The page shown instead of one that cannot be opened.

import { clear, h } from "./dom.js";
import { t } from "./texts.js";

/**
 * Show the name of Parlour, a sentence, and a link to the landing.
 *
 * @param {HTMLElement} app
 * @param {string} text
 */
export function showFailure(app, text) {
  document.title = t("parlour");
  clear(
    app,
    h(
      "main",
      { class: "failed" },
      h("h1", {}, t("parlour")),
      h("p", { role: "alert" }, text),
      h("a", { class: "button primary", href: "/" }, t("home")),
    ),
  );
}
