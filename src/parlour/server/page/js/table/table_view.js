// The elements of a table's page, and their content, drawn from a snapshot of its state.

import { makeBar } from "../common/bar.js";
import { rowsOnDemand } from "../scene/card_sheets.js";
import { button, clear, find, findAll, focusedElement, h, isFocusLost } from "../common/dom.js";
import { wearFace } from "../scene/face.js";
import { reasonLines } from "../scene/reasons.js";
import { keepOwnAbove } from "../scene/own_area.js";
import { drawScene } from "../scene/scene_view.js";
import { knowsGame, settings } from "../common/settings.js";
import { standingsList } from "../scene/score_sheets.js";
import { unbroken } from "../common/phrases.js";
import { SidePanel } from "../scene/side_panel.js";
import { State } from "./table_state.js";
import { TextView } from "../scene/text_view.js";
import { t } from "../common/texts.js";

/** @import { Child } from "../common/dom.js" */
/** @import { Choice, Reason, Scene } from "../protocol.d.ts" */

/**
 * The state of the page for one drawing.
 *
 * @typedef {object} Snapshot
 * @property {import("./table_state.js").PageState} state
 * @property {Scene} scene
 * @property {boolean} gathered whether the finished trick has been cleared
 * @property {import("../scene/selection.js").Selection} selection
 * @property {import("../scene/rows.js").DrawnPlan} planned
 * @property {Set<string>} peeked ids of the rows that the viewer has turned up
 * @property {import("./pending_action.js").PendingAction} pending
 * @property {boolean} connected
 * @property {string[]} log
 * @property {string} game
 */

/**
 * The actions of the page's buttons.
 *
 * @typedef {object} TableActions
 * @property {(action: string) => boolean} act
 * @property {() => unknown} hurry ends a pause
 * @property {() => unknown} end opens the sheet at the end of the game
 * @property {() => unknown} putBack cancels selection, plan and waiting action
 * @property {() => unknown} primer opens the game in short
 * @property {(clause: string) => unknown} rules
 * @property {() => unknown} talk
 * @property {() => unknown} people
 * @property {() => unknown} last
 * @property {() => unknown} hint
 * @property {() => unknown} score
 */

export class TableView {
  /**
   * @param {object} parts
   * @param {TableActions} parts.actions
   * @param {import("./people.js").People} parts.people
   * @param {HTMLElement} parts.banner
   * @param {HTMLElement} parts.missed
   * @param {() => (line: string) => Child} parts.reader makes a function that explains the words of log lines
   */
  constructor({ actions, people, banner, missed, reader }) {
    this.actions = actions;
    this.hinting = false;
    /** Whether scenes leave the note above the hand, until the viewer's next press. */
    this.noteStays = false;
    /** Whether the note says that a request needs the connection. */
    this.lacksConnection = false;
    this.people = people;
    this.banner = banner;
    this.board = h("div", { class: "board", hidden: true });
    this.hand = h("div", { class: "hand", tabindex: "-1" });
    this.prompt = h("p", { class: "prompt" });
    this.note = h("div", { class: "note", role: "alert", hidden: true });
    this.buttons = h("div", { class: "actions" });
    this.side = new SidePanel(reader, actions.rules);
    this.door = h("div", { class: "door", hidden: true });
    this.text = new TextView({ act: actions.act, hurry: actions.hurry });
    const line = h("div", { class: "dock-line" }, this.prompt, this.buttons, people.helpers);
    const parts = [people.notices, line, this.note, this.text.form, this.hand];
    const dock = h("section", { class: "dock", "aria-label": t("dock") }, parts);
    this.room = h("main", { class: "room" }, missed, this.door, this.text.element, this.board, dock);
    keepOwnAbove(this.room, dock);
    this.bar = makeBar({ ...actions, rules: () => actions.rules("") });
    people.tool = this.bar.talkTool;
  }

  /** @param {HTMLElement} app */
  fill(app) {
    clear(app, this.bar.element, this.banner, this.people.bubbles, this.room, this.side.element);
    this.bar.title.focus(); // where keyboards and screen readers begin
  }

  /**
   * Change the table. The focus of an element that is gone afterwards goes to the place where the viewer goes on. In
   * the hand that is no card: a second press of the key would play it.
   *
   * @param {() => unknown} change
   */
  keepFocus(change) {
    const isInside = this.room.contains(focusedElement());
    change();
    if (!isInside || !isFocusLost()) return;
    const { form, field, table } = this.text;
    const shown = settings().text ? (form.hidden ? table : field) : this.hand;
    const goal = this.room.classList.contains("waiting") ? find(this.door, "button, a") : shown;
    goal?.focus();
    if (isFocusLost()) this.bar.title.focus(); // also before the first scene, when the hand is hidden
  }

  /**
   * Show the facts about a table, and its seat panel if there is one.
   *
   * @param {import("./seat_panel.js").Table} table
   * @param {HTMLElement | null} panel
   */
  describe(table, panel) {
    this.bar.title.textContent = table.title;
    wearFace(document.body, table.game);
    this.hinting = table.hints && table.seat >= 0;
    this.bar.hintTool.hidden = !this.hinting;
    this.bar.scoreTool.hidden = !table.begun;
    this.door.hidden = !panel;
    this.room.classList.toggle("waiting", !table.begun);
    if (panel && panel === this.door.firstElementChild) return; // a press on it may have begun
    this.keepFocus(() => clear(this.door, panel));
  }

  /** The heading of the seat panel at a table that has not begun; else empty. */
  get doorHeading() {
    if (!this.room.classList.contains("waiting")) return "";
    return findAll(this.door, ".invited-to, h2")
      .map(({ textContent }) => textContent)
      .join(" ");
  }

  /**
   * Dim the things that need the connection while it is lost. Its return takes the note about it away.
   *
   * @param {boolean} connected
   */
  connect(connected) {
    this.room.classList.toggle("cut-off", !connected);
    this.bar.hintTool.classList.toggle("pale", !connected);
    if (connected && this.lacksConnection) this.explain([]);
  }

  /** @param {Snapshot} now */
  draw(now) {
    const { scene, gathered, peeked, planned, selection, state } = now;
    const asText = settings().text;
    this.board.hidden = asText;
    this.text.toggle(asText);
    this.hand.hidden = asText;
    const { scrolled } = this.side; // before any change, which would cost a layout
    drawScene(this.board, this.hand, scene, { gathered, live: state === State.TURN, peeked, planned, selection });
    this.drawSurroundings(now);
    this.side.scroll(scrolled);
    this.people.decorate();
  }

  /** @param {boolean} own whether it is the viewer's turn */
  setTurn(own) {
    this.room.classList.toggle("my-turn", own);
  }

  /** @param {Snapshot} now */
  drawSurroundings(now) {
    const { scene, log, state } = now;
    this.bar.heading.textContent = scene.heading;
    this.bar.hintTool.hidden = !this.hinting || scene.over;
    this.drawPrompt(now);
    this.setTurn(state === State.TURN);
    this.room.classList.toggle("watching", scene.seat < 0);
    clear(this.buttons, this.buttonsOf(now));
    const rows = rowsOnDemand(scene);
    const lastLabel = rows.length === 1 ? rows[0].label : t("seenBefore");
    this.bar.nameLastTool(rows.length ? lastLabel : "");
    clear(this.bar.strip, standingsList(scene));
    this.side.draw(scene, log);
  }

  /**
   * The buttons beside the prompt.
   *
   * @param {Snapshot} now
   */
  buttonsOf({ state, scene, gathered, selection, planned, pending, game }) {
    const { actions } = this;
    const acting = state === State.TURN;
    const showing = state === State.SHOWING;
    const offersPrimer = acting && !selection.picked.size && !knowsGame(game);
    return [
      acting && !planned.tokens.size
        ? selection.offered(scene).map((choice) => this.actionButton(choice, scene))
        : null,
      offersPrimer ? button(t("howPlayed"), actions.primer, { class: "quiet", "data-go": "primer" }) : null,
      pending.waits || planned.tokens.size ? button(t("putBack"), actions.putBack, { "data-go": "put-back" }) : null,
      showing && scene.rest && !gathered ? button(t("goOn"), actions.hurry, { class: "go-on" }) : null,
      scene.over && !showing ? button(t("end"), actions.end, { class: "primary", "data-go": "end" }) : null,
    ];
  }

  /**
   * @param {Choice} choice
   * @param {Scene} scene
   */
  actionButton(choice, scene) {
    const primary = choice.tokens.length || scene.choices.length === 1;
    const attributes = { class: primary ? "primary" : "", "data-button": choice.do };
    return button(choice.label, () => this.actions.act(choice.do), attributes);
  }

  /**
   * Show the expected action. Sentences after the first are small. A name such as "Dr. Bob" does not end a sentence.
   *
   * @param {Snapshot} now
   */
  drawPrompt(now) {
    const { scene } = now;
    const names = scene.areas.map(({ title }) => title).filter((title) => title.includes(". "));
    const prompt = (!scene.over && this.people.playedOut) || promptText(now);
    const text = names.reduce((words, name) => words.replaceAll(name, () => unbroken(name)), prompt);
    const [first, ...more] = text.split(/(?<=[.!?]) (?=[¿¡]?\p{Lu})/u);
    const watching = scene.seat < 0 && !scene.over ? `${t("watching")} ` : "";
    clear(this.prompt, watching, first, more.length ? h("small", {}, ` ${more.join(" ")}`) : null);
  }

  /**
   * Show reasons in a note above the hand, which screen readers read at once. A clause opens the rules.
   *
   * @param {Reason[]} reasons
   * @param {boolean} [stays] until the viewer's next press, not only until the next scene
   */
  explain(reasons, stays = false) {
    this.noteStays = stays;
    this.lacksConnection = false;
    this.note.hidden = !reasons.length;
    const lines = reasonLines(reasons, (clause) => this.actions.rules(clause));
    this.keepFocus(() => clear(this.note, lines));
  }

  /** Show that a request needs the connection, until it is back. */
  needConnection() {
    this.explain([{ reason: t("needsConnection"), clause: "" }]);
    this.lacksConnection = true;
  }
}

/**
 * The prompt: the outcome, the wait for the connection, a plan, the next step of a selection, or the scene's prompt.
 *
 * @param {Snapshot} now
 */
function promptText({ state, scene, selection, planned, pending, connected }) {
  if (scene.over) return scene.outcome || scene.prompt;
  if (!connected && pending.message) {
    return t(pending.waits ? "waitsToBeSent" : "waitsForAnswer", selection.nameOf(pending.message.do));
  }
  if (planned.tokens.size) return state === State.TURN ? t("planComes") : `${scene.prompt} ${t("planWaits")}`;
  return (state === State.TURN && selection.onward) || scene.prompt;
}
