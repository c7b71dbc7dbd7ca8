// A connection that is lost and found, and what happened meanwhile: told to whoever comes back, until the game is played on.

import { announce, button, clear, h } from "./dom.js";
import { lastRead } from "./settings.js";
import { t } from "./texts.js";

const SHOWN = 10;
const FOUND = 2000;

/** Says that the connection is lost, and for a moment that it is there again. */
export class Banner {
  constructor() {
    this.element = h("p", { class: "banner", role: "status", hidden: true });
  }

  show(connected) {
    clearTimeout(this.fading);
    this.element.hidden = false;
    this.element.textContent = t(connected ? "back_again" : "lost");
    if (connected) this.fading = setTimeout(() => { this.element.hidden = true; }, FOUND);
  }
}

export class Missed {
  constructor(id) {
    this.id = id;
    this.element = h("section", { class: "missed", "aria-label": t("missed"), hidden: true });
  }

  /**
   * Of everything told at a table, what is new to somebody who was shown so many sentences, or read them here before;
   * where nothing is known of that, what a bot did for them `meanwhile`.
   */
  since(told, shown, meanwhile) {
    const fresh = told.slice(shown || lastRead(this.id, told.length)).filter(Boolean);
    return fresh.length ? fresh : shown ? [] : meanwhile;
  }

  /** `late` is said first: what had been chosen, and could not be done any more. */
  show(lines, late = "") {
    if (!lines.length && !late) return;
    const last = lines.slice(-SHOWN);
    clear(this.element, h("h2", {}, t("missed")), late ? h("p", { class: "late" }, late) : null,
      lines.length > SHOWN ? h("p", { class: "hint" }, t("missedMore", lines.length - SHOWN)) : null,
      h("ol", { class: "log", tabindex: "0" }, last.map((line) => h("li", {}, line))),
      button(t("missedRead"), () => this.hide(), { class: "primary" }));
    this.element.hidden = false;
    announce([late, `${t("missed")}:`, ...last].join("\n"));
  }

  hide() {
    this.element.hidden = true;
  }
}
