// The table as text, as the terminal prints it, and the field for actions, which has a place of its own. Meant for
// screen readers.

import { clear, h } from "../common/dom.js";
import { t } from "../common/texts.js";

export class TextView {
  /**
   * @param {object} actions
   * @param {(action: string) => boolean} actions.act does a typed action and returns whether it was accepted
   * @param {() => unknown} actions.hurry ends a pause
   */
  constructor({ act, hurry }) {
    /** @type {string[]} */
    this.legal = [];
    this.table = h("pre", { class: "as-text", tabindex: "0", "aria-label": t("textTitle") });
    this.may = h("div", { class: "fine-print", id: "text-may" });
    this.field = h("input", {
      class: "field",
      id: "text-do",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-describedby": "text-hint",
    });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      const typed = this.field.value.trim();
      if (!this.legal.length) hurry();
      else if (typed && act(this.actionOf(typed))) this.field.value = "";
    };
    const hint = h("small", { id: "text-hint" }, t("textHint"));
    this.form = h(
      "form",
      { class: "text-line", hidden: true, on: { submit } },
      h("label", { class: "labelled", for: "text-do" }, t("textType"), hint),
      this.field,
      h("button", { type: "submit", class: "button primary" }, t("textDo")),
    );
    const attributes = { class: "text-view", "aria-label": t("textTitle"), hidden: true };
    this.element = h("section", attributes, this.table, this.may);
  }

  /**
   * Show the table and its actions, or hide them with the field.
   *
   * @param {boolean} shown
   */
  toggle(shown) {
    this.element.hidden = !shown;
    if (!shown) this.form.hidden = true;
  }

  /** @param {string} text */
  show(text) {
    this.table.textContent = text;
  }

  /**
   * List the legal actions; none outside the viewer's turn. Players keep the field all the time, so that it keeps the
   * focus.
   *
   * @param {string[]} legal
   * @param {string[]} words the same actions in words
   * @param {boolean} plays
   */
  offer(legal, words, plays) {
    this.legal = legal;
    this.form.hidden = !plays;
    clear(this.may, legal.length ? [h("p", {}, t("textActions")), this.list(words)] : null);
  }

  /**
   * The actions in words, numbered unless a number is an action; the notation is hidden from screen readers.
   *
   * @param {string[]} words
   */
  list(words) {
    const lines = words.map((line, index) => {
      const notation = this.legal[index];
      return h("li", {}, `${line} `, line === notation ? null : h("code", { "aria-hidden": "true" }, notation));
    });
    return h(
      this.numbered ? "ol" : "ul",
      { class: "text-actions", tabindex: "0", "aria-label": t("textActions") },
      lines,
    );
  }

  get numbered() {
    return !this.legal.some((action) => /^\d+$/.test(action));
  }

  /**
   * The action of a typed text: a notation, or the number of a listed action.
   *
   * @param {string} typed
   */
  actionOf(typed) {
    return this.numbered && /^\d+$/.test(typed) ? (this.legal[Number(typed) - 1] ?? typed) : typed;
  }
}
