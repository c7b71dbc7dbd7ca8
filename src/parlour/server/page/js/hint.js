// A hint: the best action and the next ones, in the log's words, each with its chance to win, and why. What an action
// is done with is lit on the table, and one press does it.

import { cardsNamed } from "./cards.js";
import { announce, button, clear, h } from "./dom.js";
import { openSheet } from "./sheets.js";
import { sentence, t } from "./texts.js";

/** A chance from 0 to 1 as a bar, its interval upon it. */
const bar = ({ value, low, high }) =>
  h(
    "span",
    { class: "hint-bar", "aria-hidden": "true", vars: { "--value": value, "--low": low, "--high": high } },
    h("i", { class: "hint-value" }),
    h("i", { class: "hint-span" }),
  );

export class HintSheet {
  /** `scene()` is what is on the table now, `room` holds it; `act(action)` does an action there, and is true if it was sent. */
  constructor({ scene, room, act }) {
    Object.assign(this, { scene, room, act });
    this.waiting = h("p", { class: "hint" }, t("hintThinking"));
    this.body = h("div", { class: "hint-sheet", "aria-busy": "true" }, this.waiting);
    openSheet("hint", t("hintTitle"), this.body, { kind: "side" }).then(() => this.light(null));
  }

  /** Why it takes long. */
  wait(readying) {
    this.waiting.textContent = t(readying ? "readying" : "hintThinking");
  }

  /** Whether it is still being worked out. */
  get waits() {
    return this.body.isConnected && this.body.hasAttribute("aria-busy");
  }

  /** A hint for what has passed since is not shown. */
  show(hint, seen) {
    if (!this.body.isConnected) return;
    if (hint.seen !== seen) {
      this.refused();
      return;
    }
    this.seen = seen;
    this.body.removeAttribute("aria-busy");
    clear(
      this.body,
      h(
        "ol",
        { class: "hint-list" },
        hint.candidates.map((candidate, index) => this.candidate(candidate, index)),
      ),
      hint.others ? h("p", { class: "hint" }, t("hintOthers", hint.others)) : null,
      hint.words.map((words) => h("p", {}, words.replaceAll(" %", "\u00a0%"))),
      h("p", { class: "hint" }, t("hintNote")),
    );
    this.body.querySelector("[data-hint]").focus();
    this.light(hint.candidates[0].do);
    announce(hint.words.join("\n"));
  }

  candidate({ do: action, phrase, win, told: [chance, span, verdict] }, index) {
    const light = { focusin: () => this.light(action), pointerenter: () => this.light(action) };
    return h(
      "li",
      { class: index ? "" : "best", on: light },
      h(
        "div",
        { class: "hint-what" },
        h("span", { class: "hint-cards" }, cardsNamed(action)),
        h("b", {}, sentence(phrase)),
      ),
      h(
        "div",
        { class: "hint-numbers" },
        bar(win),
        h("b", {}, chance.replace(" ", "\u00a0")),
        h("small", {}, `(${span})`),
        h("span", { class: "hint-verdict" }, verdict),
      ),
      button(t("hintDo"), () => this.perform(action), {
        class: index ? "" : "primary",
        "data-hint": action,
        "aria-label": t("hintDoThis", phrase),
      }),
    );
  }

  /** Lights up what an action is done with: its things on the table, or its button. */
  light(action) {
    for (const lit of this.room.querySelectorAll(".lit")) lit.classList.remove("lit");
    const tokens = this.scene()?.choices.find((choice) => choice.do === action)?.tokens ?? [];
    const things = [...this.room.querySelectorAll("[data-token], [data-button]")];
    for (const thing of things) {
      if (tokens.includes(thing.dataset.token) || (action && thing.dataset.button === action))
        thing.classList.add("lit");
    }
  }

  /** One press does it, if the table has not moved on. */
  perform(action) {
    if (this.scene().seen === this.seen) this.act(action);
    this.refused();
  }

  refused() {
    this.body.closest("dialog")?.close();
  }
}
