// The table as text, as the terminal prints it, with a line to type actions in: for screen readers, and for who likes it.

import { clear, h } from "./dom.js";
import { t } from "./texts.js";

export class TextView {
  /** `act(typed)` does what was typed, and tells whether it could; `hurry()` does not wait any longer. */
  constructor({ act, hurry }) {
    this.legal = [];
    this.table = h("pre", { class: "as-text", tabindex: "0", "aria-label": t("textTitle") });
    this.may = h("div", { class: "hint", id: "text-may" });
    this.field = h("input", {
      class: "field",
      id: "text-do",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-describedby": "text-hint",
    });
    const send = (event) => {
      event.preventDefault();
      if (!this.legal.length) hurry();
      else if (this.field.value.trim() && act(this.actionOf(this.field.value.trim()))) this.field.value = "";
    };
    this.form = h(
      "form",
      { class: "text-line", on: { submit: send } },
      h("label", { class: "labelled", for: "text-do" }, t("textType"), h("small", { id: "text-hint" }, t("textHint"))),
      this.field,
      h("button", { type: "submit", class: "button primary" }, t("textDo")),
    );
    this.element = h(
      "section",
      { class: "text-view", "aria-label": t("textTitle"), hidden: true },
      this.table,
      this.may,
      this.form,
    );
  }

  show(text) {
    this.table.textContent = text;
  }

  /**
   * What may be typed now, with the same in `words`; nothing when it is not the viewer's turn. A player keeps the line
   * all the while, so that the focus stays in it; Enter is heard when the turn has come.
   */
  offer(legal, words, plays) {
    this.legal = legal;
    this.form.hidden = !plays;
    clear(this.may, legal.length ? [h("p", {}, t("textMay")), this.list(words)] : null);
  }

  /** The actions in words, numbered where a number is not an action itself; the notation is for the eye. */
  list(words) {
    const lines = words.map((line, at) =>
      h("li", {}, `${line} `, line === this.legal[at] ? null : h("code", { "aria-hidden": "true" }, this.legal[at])),
    );
    return h(this.numbered ? "ol" : "ul", { class: "text-actions", tabindex: "0", "aria-label": t("textMay") }, lines);
  }

  get numbered() {
    return !this.legal.some((action) => /^\d+$/.test(action));
  }

  /** The action that was typed, by its notation or by its number in the list. */
  actionOf(typed) {
    return this.numbered && /^\d+$/.test(typed) ? (this.legal[Number(typed) - 1] ?? typed) : typed;
  }
}
