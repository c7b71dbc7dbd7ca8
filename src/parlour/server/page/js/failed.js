// What is shown in place of a page that cannot be shown.

import { clear, h } from "./dom.js";
import { t } from "./texts.js";

/** `more` stands before the sentence. */
export const showFailure = (app, text, ...more) =>
  clear(app, h("main", { class: "failed" }, more, h("p", {}, text), h("a", { class: "button primary", href: "/" }, t("home"))));
