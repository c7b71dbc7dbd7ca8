// The sheet of a hint: the best actions with their chances to win, and reasons. The cards and buttons of the selected
// action are lit on the table; one press plays it.

import { cardsNamed } from "../scene/cards.js";
import { announce, button, clear, find, findAll, h } from "../common/dom.js";
import { ignoreHastyKeys, openSheet } from "../common/sheets.js";
import { sentence, unbrokenPercents } from "../common/phrases.js";
import { t } from "../common/texts.js";

/** @import { CandidateInfo, EstimateInfo, HintMessage, Scene } from "../protocol.d.ts" */

/**
 * A probability with its interval as a bar.
 *
 * @param {EstimateInfo} estimate
 */
export const probabilityBar = ({ value, low, high }) =>
  h(
    "span",
    {
      class: "hint-bar",
      "aria-hidden": "true",
      vars: { "--value": value ?? 0, "--low": low ?? 0, "--high": high ?? 1 },
    },
    h("i", { class: "hint-value" }),
    h("i", { class: "hint-span" }),
  );

export class HintSheet {
  /**
   * @param {object} table
   * @param {() => Scene | null} table.scene the scene that is shown
   * @param {HTMLElement} table.room
   * @param {(action: string) => boolean} table.act does an action and returns whether it was sent
   */
  constructor({ scene, room, act }) {
    this.scene = scene;
    this.room = room;
    this.act = act;
    /** @type {number | undefined} */
    this.seen = undefined;
    this.progress = h("p", { class: "fine-print" }, t("hintThinking"));
    this.body = h("div", { class: "hint-sheet", "aria-busy": "true" }, this.progress);
    openSheet("hint", t("hintTitle"), this.body, { kind: "side" }).then(() => this.light(null));
  }

  /**
   * Show why the hint takes long.
   *
   * @param {boolean} readying whether the server is compiling the game
   */
  wait(readying) {
    this.progress.textContent = t(readying ? "readying" : "hintThinking");
  }

  /** Whether the sheet is open without a hint. */
  get waits() {
    return this.body.isConnected && this.body.hasAttribute("aria-busy");
  }

  /**
   * Show a hint, or close the sheet if the hint is for an earlier position. Of two hints the second is the answer to a
   * request of an earlier sheet, or to a repeated one.
   *
   * @param {HintMessage} hint
   * @param {number} seen the number of events at the table
   */
  show(hint, seen) {
    if (!this.waits) return;
    if (hint.seen !== seen) {
      this.close();
      return;
    }
    this.seen = seen;
    this.body.removeAttribute("aria-busy");
    clear(
      this.body,
      h(
        "ol",
        { class: "hint-list" },
        hint.candidates.map((candidate, index) => this.candidate(candidate, index === 0)),
      ),
      hint.others ? h("p", { class: "fine-print" }, t("hintOthers", hint.others)) : null,
      hint.words.map((words) => h("p", {}, unbrokenPercents(words))),
      h("p", { class: "fine-print" }, t("hintNote")),
    );
    find(this.body, "[data-hint]")?.focus();
    ignoreHastyKeys(this.body); // Enter was meant for the button that had the focus
    this.light(hint.candidates[0].do);
    announce(hint.words.join("\n"));
  }

  /**
   * @param {CandidateInfo} candidate
   * @param {boolean} best
   */
  candidate({ do: action, phrase, win, texts }, best) {
    const light = () => this.light(action);
    const cards = h("span", { class: "hint-cards" }, cardsNamed(action));
    const attributes = { "data-hint": action, "aria-label": t("hintDoThis", phrase) };
    return h(
      "li",
      { class: best ? "best" : "", on: { focusin: light, pointerenter: light } },
      h("div", { class: "hint-what" }, cards, h("b", {}, sentence(phrase))),
      h(
        "div",
        { class: "hint-numbers" },
        probabilityBar(win),
        h("b", {}, texts.chance.replace(" ", "\u00a0")),
        h("small", {}, `(${texts.interval})`),
        h("span", { class: "hint-verdict" }, texts.verdict),
      ),
      button(t("hintDo"), () => this.perform(action), { class: best ? "primary" : "", ...attributes }),
    );
  }

  /**
   * Light the things or the button of an action on the table; null lights nothing.
   *
   * @param {string | null} action
   */
  light(action) {
    for (const lit of findAll(this.room, ".lit")) lit.classList.remove("lit");
    if (action === null) return;
    const tokens = this.scene()?.choices.find((choice) => choice.do === action)?.tokens ?? [];
    for (const thing of findAll(this.room, "[data-token], [data-button]")) {
      const { token, button: name } = thing.dataset;
      if (name === action || (token !== undefined && tokens.includes(token))) thing.classList.add("lit");
    }
  }

  /**
   * Do an action, unless the table has moved on.
   *
   * @param {string} action
   */
  perform(action) {
    if (this.scene()?.seen === this.seen) this.act(action);
    this.close();
  }

  close() {
    this.body.closest("dialog")?.close();
  }
}
