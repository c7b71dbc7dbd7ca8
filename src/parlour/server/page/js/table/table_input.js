// The viewer's actions at a table: clicks, drags and keys become selections, actions and questions.

import { lookAtCards } from "../scene/card_sheets.js";
import { ACTION_PATIENCE } from "./connection.js";
import { announce, targetOf } from "../common/dom.js";
import { Keyboard } from "../common/keyboard.js";
import { countAction, remember, settings } from "../common/settings.js";
import * as sheets from "../common/sheets.js";
import { sound, toggleSound } from "../common/sound.js";
import { legalActions } from "../common/speech.js";
import { State } from "./table_state.js";
import { t } from "../common/texts.js";

export class TableInput {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    /** @type {Set<string>} ids of rows that the viewer has turned up */
    this.peeked = new Set();
  }

  get selection() {
    return this.page.selection;
  }

  /**
   * The tokens on which a thing may be dropped: those of the choices that contain it.
   *
   * @param {HTMLElement} thing
   */
  goals({ dataset: { token } }) {
    const choices = token === undefined ? [] : this.selection.with([token]);
    return new Set(choices.flatMap((choice) => choice.tokens));
  }

  makeKeyboard() {
    const { page } = this;
    const actions = {
      l: () => page.openLast(),
      m: () => this.sayLegalActions(),
      s: () => page.openScore(),
      r: () => page.openRules(),
      "?": () => sheets.helpSheet("table"),
      h: () => page.requestHint(),
      t: () => remember({ text: !settings().text }),
      v: () => announce(t("soundIs", toggleSound())),
      u: () => page.people.undo(),
      c: () => page.people.open(),
      n: () => page.end.playAgain(),
      close: () => sheets.closeTopSheet(),
      escape: () => sheets.closeSheetBeside() || this.putBack(),
    };
    return new Keyboard(
      () => page.view.room,
      actions,
      () => this.hurry(),
    );
  }

  /** @param {MouseEvent} event */
  click(event) {
    this.page.view.noteStays = false;
    if (lookAtCards(event, this.page.scene, this.peeked)) return;
    const thing = targetOf(event, "[data-do]");
    if (thing) this.choose(thing.dataset.do, thing.dataset.token, event.timeStamp);
    else if (targetOf(event, ".middle")) this.hurry();
  }

  /**
   * Choose a card or a row: an action, a part of one, a question why it is not legal, or while another seat acts a
   * thing for the next turn.
   *
   * @param {string} [action]
   * @param {string} [token]
   * @param {number} [at] the time of the press
   */
  choose(action, token, at) {
    const { planned } = this.page;
    if (this.hurry()) return;
    if (planned.open) planned.press(token, action, at);
    if (this.page.state !== State.TURN) return;
    planned.stop();
    const { confirm } = settings();
    const { only: chosen } = this.selection;
    if (confirm && chosen && token && this.selection.picked.has(token)) this.act(chosen.do);
    else if (!token || !this.selection.knows(token)) {
      if (action && this.page.scene?.legal.includes(action)) this.act(action);
      else this.askWhy(token);
    } else if (!this.selection.pick(token)) this.askWhy(token);
    else this.continueSelection(token);
  }

  /**
   * Act if the picked tokens are an action; otherwise show the next step.
   *
   * @param {string} token the token that was picked or unpicked
   */
  continueSelection(token) {
    const { only } = this.selection;
    const decided = settings().confirm ? undefined : this.selection.decidedBy(token);
    if (decided) {
      this.act(decided.do);
      return;
    }
    this.page.say(only ? t("onceMore", only.label) : "");
    this.page.draw();
  }

  /**
   * Ask the server why a token is not legal together with the picked ones.
   *
   * @param {string} [token]
   */
  askWhy(token) {
    sound("no");
    if (token) this.page.request({ type: "why", tokens: [...this.selection.picked, token] });
    else this.page.say(t("notNow"));
  }

  /**
   * Choose a dragged card and the thing that it was dropped on.
   *
   * @param {HTMLElement} thing
   * @param {HTMLElement | null} target null is the table
   */
  drop(thing, target) {
    const { do: action, token = "" } = thing.dataset;
    const { selection } = this;
    if (!target) {
      if (selection.picked.has(token)) this.putBack();
      this.choose(action, token);
      return;
    }
    const goal = target.dataset.token ?? "";
    if (!selection.picked.has(token) && !selection.with([token, goal]).length) {
      this.putBack();
      this.page.request({ type: "why", tokens: [token, goal] });
      return;
    }
    if (!selection.picked.has(token)) selection.pick(token);
    if (!selection.picked.has(goal)) this.choose(target.dataset.do, goal);
  }

  /**
   * Do an action. Return true if it was sent or waits for the connection.
   *
   * @param {string} action
   */
  act(action) {
    if (!this.page.scene || this.page.state !== State.TURN) return false;
    this.page.pending.start(action, this.page.scene.seen);
    this.selection.keep(action);
    this.page.missed.hide();
    this.page.say("");
    countAction(this.page.table.game);
    this.page.forced.held = false;
    this.page.planned.done();
    this.page.view.setTurn(false);
    if (this.page.pending.waits) {
      this.page.draw();
      announce(this.page.view.prompt.textContent);
    } else this.page.connection.ping(ACTION_PATIENCE);
    return true;
  }

  /** Cancel the selection, a plan, and an action that waits for the connection. */
  putBack() {
    const waited = this.page.pending.waits;
    if (waited) this.page.pending.settle();
    const planned = this.page.planned.stop();
    if (planned) announce(t("planNone"));
    if (this.selection.clear() || waited || planned) this.page.draw();
    this.page.missed.hide();
    this.page.say("");
  }

  /** End the pause after a trick. Return false if there is none. */
  hurry() {
    if (!this.page.queue.resting) return false;
    this.page.queue.goOn();
    return true;
  }

  sayLegalActions() {
    this.page.say(legalActions(this.page.state === State.TURN && this.page.scene ? this.page.scene.choices : []));
  }
}
