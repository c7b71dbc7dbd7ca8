// What is shown in place of a page that cannot be shown.

import { clear, h } from "./dom.js";
import { t } from "./texts.js";

/** The house's name as the heading, a sentence, and the way home. */
export function showFailure(app, text) {
  document.title = t("house");
  clear(
    app,
    h(
      "main",
      { class: "failed" },
      h("h1", {}, t("house")),
      h("p", { role: "alert" }, text),
      h("a", { class: "button primary", href: "/" }, t("home")),
    ),
  );
}
