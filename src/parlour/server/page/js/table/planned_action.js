// An action chosen in advance. When the viewer's turn comes, the page does it as if the viewer pressed its things then,
// or drops it with a sentence. The server learns nothing about it before.

import { AnswerTimes } from "./answer_times.js";
import { announce } from "../common/dom.js";
import { forcedPause } from "./forced_action.js";
import { settings } from "../common/settings.js";
import { thingsInWords } from "../common/speech.js";
import { t } from "../common/texts.js";
import { Plan } from "./plan.js";
import { isAlone, mayPlan } from "./table_state.js";

/** @import { Scene } from "../protocol.d.ts" */
/** @typedef {"planNotLegal" | "planChanged" | "planCutOff"} Loss the sentence about a dropped plan */

/** Milliseconds after an action in which a press belongs to it, as the second one of a double click does. */
const SAME_GESTURE = 600;

export class PlannedAction {
  plan = new Plan();
  times = new AnswerTimes();
  /** The sentence about a dropped plan, until the viewer's next press or the end of the viewer's turn. */
  note = "";
  /** @type {number | null} the time at which the viewer's turn came, in milliseconds */
  asked = null;
  /** The time of the viewer's latest action, in milliseconds. */
  acted = -Infinity;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** Whether things can be chosen in advance. */
  get open() {
    const { scene, state, connected, people } = this.page;
    return connected && mayPlan(scene, state) && !people.playedOut;
  }

  /** The tokens that are chosen in advance. */
  get tokens() {
    return new Set(this.plan.tokens);
  }

  /**
   * Choose a thing in advance, or put it back.
   *
   * @param {string} [token]
   * @param {string} [action] the action that the thing makes alone
   * @param {number} [at] the time of the press, in milliseconds; a slow page handles it later
   */
  press(token, action, at = performance.now()) {
    const { page, plan } = this;
    if (!page.scene || !token || at - this.acted < SAME_GESTURE) return;
    this.note = "";
    plan.press(token, Boolean(action), page.scene);
    page.say("");
    page.draw();
    announce(plan.empty ? t("planNone") : t("planIs", this.words));
  }

  /** The things in words. */
  get words() {
    return this.page.scene ? thingsInWords(this.page.scene, this.plan.tokens) : "";
  }

  /** Forget the plan and the sentence about it. Return whether there was a plan. */
  stop() {
    const some = !this.plan.empty;
    this.plan.clear();
    this.note = "";
    return some;
  }

  /**
   * Drop the plan, if there is one, with a sentence.
   *
   * @param {Loss} loss
   */
  drop(loss) {
    if (this.plan.empty) return;
    this.note = t(loss, this.words);
    this.plan.clear();
    this.page.say(this.note);
  }

  /**
   * Compare the plan with a scene that is about to be shown; the page still has the previous scene.
   *
   * @param {Scene} scene
   */
  review(scene) {
    const { words } = this;
    const { scene: before } = this.page;
    const isTurnOver = before?.legal.length && before.seen !== scene.seen; // perhaps by an action in another tab
    if (isTurnOver || scene.over) this.note = "";
    if (!this.plan.holds(scene) && !scene.over) this.note = t("planChanged", words);
  }

  /** Note an action of the viewer, which ends the turn. */
  done() {
    const now = performance.now();
    if (this.asked !== null) this.times.note(now - this.asked);
    this.asked = null;
    this.acted = now;
    this.stop();
  }

  /**
   * Begin the viewer's turn with the plan. Return false if there is none or it is not legal. If its things do not
   * decide an action, they stay chosen.
   *
   * @param {Scene} scene
   */
  begin(scene) {
    const { page, plan } = this;
    const { selection, table } = page;
    this.asked ??= performance.now();
    if (plan.empty) return false;
    selection.choose(plan.tokens);
    if (!selection.possible.length) {
      selection.clear();
      this.drop("planNotLegal");
      page.draw();
      return false;
    }
    const last = plan.tokens[plan.tokens.length - 1];
    const decided = settings().confirm ? undefined : selection.decidedBy(last);
    if (!decided) plan.clear();
    page.draw();
    announce(page.view.prompt.textContent);
    if (decided) setTimeout(() => this.finish(scene, decided.do), isAlone(table) ? forcedPause() : this.times.draw());
    return true;
  }

  /**
   * Do the planned action after its pause, unless the viewer has changed it.
   *
   * @param {Scene} scene
   * @param {string} action
   */
  finish(scene, action) {
    if (this.page.scene !== scene || this.plan.empty) return;
    this.asked = null; // the pause must not count as an answer time of the player
    this.page.input.act(action);
  }
}
