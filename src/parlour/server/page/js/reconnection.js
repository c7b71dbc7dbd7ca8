// A connection that is lost and found, and what happened meanwhile: told to whoever comes back, until the game is played on.

import { announce, button, clear, h } from "./dom.js";
import { lastRead } from "./settings.js";
import { missedLines } from "./missed_lines.js";
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
    if (connected)
      this.fading = setTimeout(() => {
        this.element.hidden = true;
      }, FOUND);
  }
}

export class Missed {
  constructor(id) {
    this.id = id;
    this.element = h("section", { class: "missed", "aria-label": t("missed"), hidden: true });
  }

  /** The sentences that are new to the viewer, by what this page has `shown` and what was read in this browser before. */
  since(told, shown, meanwhile) {
    return missedLines(told, shown, lastRead(this.id, told.length), meanwhile);
  }

  /** `late` is said first: what had been chosen, and could not be done any more. */
  show(lines, late = "") {
    if (!lines.length && !late) return;
    const last = lines.slice(-SHOWN);
    clear(
      this.element,
      h("h2", {}, t("missed")),
      h(
        "div",
        { class: "missed-lines", tabindex: "0", role: "group", "aria-label": t("missed") },
        late ? h("p", { class: "late" }, late) : null,
        lines.length > SHOWN ? h("p", { class: "hint" }, t("missedMore", lines.length - SHOWN)) : null,
        h(
          "ol",
          { class: "log" },
          last.map((line) => h("li", {}, line)),
        ),
      ),
      button(t("missedRead"), () => this.hide(), { class: "primary" }),
    );
    this.element.hidden = false;
    announce([late, `${t("missed")}:`, ...last].join("\n"));
  }

  hide() {
    this.element.hidden = true;
  }
}
