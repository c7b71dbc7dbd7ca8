// The table of a lesson, a puzzle or a replay, with a bar above it and a panel beside it.

import { homeLink, tool } from "../common/bar.js";
import { clear, h } from "../common/dom.js";
import { lookAtCards } from "./card_sheets.js";
import { wearFace } from "./face.js";
import { places, travel } from "./motion.js";
import { reasonLines } from "./reasons.js";
import { drawScene } from "./scene_view.js";
import { settingsSheet } from "../common/sheets.js";
import { onResize } from "./sizes.js";
import { t } from "../common/texts.js";

/** @import { Reason, Scene } from "../protocol.d.ts" */
/** @import { SceneContext } from "./scene_view.js" */

const NO_SELECTION = { tokens: new Set(), picked: new Set(), knows: () => false };

export class Stage {
  /**
   * @param {HTMLElement} app
   * @param {string} title
   * @param {object} parts
   * @param {HTMLElement} parts.beside the panel beside the table
   * @param {HTMLElement[]} [parts.tools] further buttons of the bar
   * @param {HTMLElement | null} [parts.below] controls below the table
   * @param {string} [parts.home] the address of the way back
   * @param {string} parts.game the game's id
   */
  constructor(app, title, { game, beside, tools = [], below = null, home = "/" }) {
    wearFace(document.body, game);
    this.title = h("h1", { class: "table-title", tabindex: "-1" }, title);
    this.heading = h("p", { class: "heading" });
    this.board = h("div", { class: "board", hidden: true });
    this.hand = h("div", { class: "hand" });
    this.prompt = h("p", { class: "prompt" });
    this.actions = h("div", { class: "actions" });
    this.note = h("div", { class: "note", role: "alert", hidden: true });
    const line = h("div", { class: "dock-line" }, this.prompt, this.actions);
    this.dock = h("section", { class: "dock", "aria-label": t("dock") }, line, this.note, this.hand, below);
    this.room = h("main", { class: "room" }, this.board, this.dock);
    const bar = h(
      "header",
      { class: "bar stage-bar" },
      homeLink(home),
      h("div", { class: "where" }, this.title, this.heading),
      h("nav", { class: "tools" }, tools, tool("settings", t("settings"), settingsSheet)),
    );
    clear(app, bar, beside, this.room);
    this.title.focus();
    /** Ids of the rows that the viewer has turned up. @type {Set<string>} */
    this.peeked = new Set();
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {SceneContext} */
    this.context = { gathered: false, live: false, selection: NO_SELECTION, peeked: this.peeked };
    onResize(() => this.redraw());
    addEventListener("parlour-settings", () => this.redraw());
  }

  /**
   * Turn face-down cards, or show the cards of a row, if a press is on them. Return whether it is.
   *
   * @param {Event} event
   */
  look(event) {
    return lookAtCards(event, this.scene, this.peeked);
  }

  /** Turn all cards down again, for another deal or viewer: the ids of rows repeat. */
  turnDown() {
    this.peeked.clear();
  }

  /** Draw the same scene again, for another size of the window or other settings. */
  redraw() {
    if (this.scene) drawScene(this.board, this.hand, this.scene, this.context);
  }

  /**
   * Draw a scene.
   *
   * @param {Scene} scene
   * @param {object} [how]
   * @param {boolean} [how.live] whether the viewer may act
   * @param {boolean} [how.gathered] whether a finished trick has been cleared
   * @param {import("./rows.js").DrawnSelection} [how.selection]
   * @param {boolean} [how.move] whether cards move from their places in the previous scene
   */
  draw(scene, { live = false, gathered = false, selection = NO_SELECTION, move = true } = {}) {
    const before = this.scene && move ? places(this.room) : null;
    this.scene = scene;
    this.board.hidden = false;
    this.context = { gathered, live, selection, peeked: this.peeked };
    this.redraw();
    this.heading.textContent = scene.heading;
    this.room.classList.toggle("my-turn", live);
    this.room.classList.toggle("watching", scene.seat < 0);
    if (before) travel(this.room, before);
  }

  /**
   * Show a note above the hand, which screen readers read at once; an empty text removes it.
   *
   * @param {string} text
   */
  say(text) {
    this.note.hidden = !text;
    clear(this.note, text ? h("span", {}, text) : null);
  }

  /**
   * Show reasons why something is not legal in the note.
   *
   * @param {Reason[]} reasons
   * @param {import("../common/sheets.js").OpenRules} rules
   */
  explain(reasons, rules) {
    this.note.hidden = false;
    clear(this.note, reasonLines(reasons, rules));
  }
}
