// Choices on the table of a lesson or a puzzle: picked things and pressed buttons become an action.

import { button, clear } from "../common/dom.js";
import { t } from "../common/texts.js";

/** @import { Choice, Scene } from "../protocol.d.ts" */
/** @import { Selection } from "./selection.js" */
/** @import { Stage } from "./stage.js" */

/**
 * @typedef {object} StagePage
 * @property {Stage} stage
 * @property {Selection} selection
 * @property {() => void} draw
 * @property {(action: string) => unknown} act
 */

export class StageInput {
  /** @param {StagePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Choose a card or a row: an action, or a part of one. The note on the previous choice is taken away.
   *
   * @param {string} [action]
   * @param {string} [token]
   */
  choose(action, token) {
    const { page } = this;
    const { selection } = page;
    page.stage.say("");
    if (!token || !selection.knows(token)) this.chooseUnknown(action);
    else if (!selection.pick(token)) page.stage.say(t("notTogether"));
    else if (selection.only) page.act(selection.only.do);
    else page.draw();
  }

  /**
   * Choose a thing that belongs to no choice: its action is done, to be refused with the reason; a part of actions only
   * is refused here.
   *
   * @param {string} [action]
   */
  chooseUnknown(action) {
    const { selection, stage } = this.page;
    if (action) this.page.act(action);
    else stage.say(t(selection.picked.size ? "notTogether" : "nothingNow"));
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
      this.page.stage.say("");
      this.page.act(choice.do);
    };
    return button(choice.label, act, attributes);
  }

  /** Unpick everything, and take the note away. */
  putBack() {
    if (this.page.selection.clear()) this.page.draw();
    this.page.stage.say("");
  }
}
