// Choices on the table of a lesson or a puzzle: picked things and pressed buttons become an action.

import { button, clear } from "../common/dom.js";
import { t } from "../common/texts.js";

/** @import { Choice, Reason, Scene } from "../protocol.d.ts" */
/** @import { Selection } from "./selection.js" */
/** @import { Stage } from "./stage.js" */

/**
 * @typedef {object} StagePage
 * @property {Stage} stage
 * @property {Selection} selection
 * @property {() => void} draw
 * @property {(action: string) => unknown} act
 * @property {Scene | null | undefined} scene
 * @property {(tokens: string[]) => Promise<Reason[]>} why asks the server why a selection is not legal
 * @property {import("../common/sheets.js").OpenRules} rules
 */

export class StageInput {
  /** The number of choices and questions. An answer that comes after a later one of them is ignored. */
  asked = 0;

  /** @param {StagePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Choose a card or a row: an action, a part of one, or a question why it is not legal. The note on the previous
   * choice is taken away.
   *
   * @param {string} [action]
   * @param {string} [token]
   */
  choose(action, token) {
    const { page } = this;
    const { selection } = page;
    this.clearNote();
    if (!token || !selection.knows(token)) {
      if (action && page.scene?.legal.includes(action)) page.act(action);
      else this.askWhy(token);
    } else if (!selection.pick(token)) this.askWhy(token);
    else if (selection.only) page.act(selection.only.do);
    else page.draw();
  }

  /**
   * Show why a token is not legal together with the picked ones; without the server's answer only that it is not.
   *
   * @param {string} [token]
   */
  async askWhy(token) {
    const { page } = this;
    const { scene } = page;
    const picked = [...page.selection.picked];
    this.asked += 1;
    const number = this.asked;
    const plain = [{ reason: t(picked.length ? "notTogether" : "nothingNow"), clause: "" }];
    const reasons = token ? await page.why([...picked, token]).catch(() => plain) : plain;
    if (number === this.asked && scene === page.scene) page.stage.explain(reasons, (clause) => page.rules(clause));
  }

  /** Take the note away. */
  clearNote() {
    this.asked += 1;
    this.page.stage.say("");
  }

  /**
   * Draw the buttons of the actions that need no further thing; none without a scene to act in.
   *
   * @param {Scene | null} scene
   */
  drawButtons(scene) {
    const choices = scene ? this.page.selection.offered(scene) : [];
    clear(
      this.page.stage.actions,
      choices.map((choice) => this.actionButton(choice)),
    );
  }

  /** @param {Choice} choice */
  actionButton(choice) {
    const attributes = { class: choice.tokens.length ? "primary" : "", "data-button": choice.do };
    const act = () => {
      this.clearNote();
      this.page.act(choice.do);
    };
    return button(choice.label, act, attributes);
  }

  /** Unpick everything, and take the note away. */
  putBack() {
    if (this.page.selection.clear()) this.page.draw();
    this.clearNote();
  }
}
