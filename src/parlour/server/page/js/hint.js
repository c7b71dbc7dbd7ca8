// A hint: the best action and the next ones, each with its chance to win, and why.

import { cardSpan, isCard } from "./cards.js";
import { announce, clear, h } from "./dom.js";
import { openSheet } from "./sheets.js";
import { t } from "./texts.js";

/** An action with its cards as cards. */
const action = (text) => h("span", { class: "hint-do" },
  text.split(" ").map((word) => (isCard(word) ? cardSpan({ card: word, face_up: true }, { small: true }) : h("span", {}, word))));

/** A chance from 0 to 1 as a bar, its interval upon it. */
const bar = ({ value, low, high }) => h("span", { class: "hint-bar", "aria-hidden": "true", vars: { "--value": value, "--low": low, "--high": high } },
  h("i", { class: "hint-value" }), h("i", { class: "hint-span" }));

const candidate = ({ do: text, win, behind }, index) => h("li", { class: index ? "" : "best" },
  action(text), bar(win),
  h("span", { class: "hint-number" }, h("span", {}, h("b", {}, t("percent", win.value)), h("small", {}, t("span", win.low, win.high))),
    index ? h("span", {}, t("hintPoints", -100 * behind.value)) : null));

export class HintSheet {
  constructor() {
    this.waiting = h("p", { class: "hint" }, t("hintThinking"));
    this.body = h("div", { class: "hint-sheet", "aria-busy": "true" }, this.waiting);
    openSheet("hint", t("hintTitle"), this.body, { kind: "side" });
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
    this.body.removeAttribute("aria-busy");
    clear(this.body,
      h("ol", { class: "hint-list" }, hint.candidates.map(candidate)),
      hint.others ? h("p", { class: "hint" }, t("hintOthers", hint.others)) : null,
      hint.words.map((words) => h("p", {}, words.replaceAll(" %", "\u00a0%"))),
      h("p", { class: "hint" }, t("hintNote")));
    announce(hint.words.join("\n"));
  }

  refused() {
    this.body.closest("dialog")?.close();
  }
}
