// The room of a lesson and of a replay: a table to look at, with what is said beside it.

import { tool } from "./bar.js";
import { clear, h, svg } from "./dom.js";
import { drawScene } from "./scene_view.js";
import { icon } from "./glyphs.js";
import { places, travel } from "./motion.js";
import { settingsSheet } from "./sheets.js";
import { onResize } from "./sizes.js";
import { t } from "./texts.js";

const NOTHING = { tokens: new Set(), picked: new Set(), knows: () => false };

/** Whether anything lies on the table yet. */
export const isDealt = (scene) =>
  scene.areas.some((area) => area.at !== null && area.rows.some((row) => row.cards.length || row.hidden));

export class Stage {
  /** `tools` are more buttons of the bar, `beside` stands next to the table, `below` under it. */
  constructor(app, title, { tools = [], beside, below = null, home = "/" }) {
    this.title = h("h1", { class: "table-title", tabindex: "-1" }, title);
    this.heading = h("p", { class: "heading" });
    this.board = h("div", { class: "board", hidden: true });
    this.hand = h("div", { class: "hand" });
    this.prompt = h("p", { class: "prompt" });
    this.actions = h("div", { class: "actions" });
    this.note = h("div", { class: "note", role: "alert", hidden: true });
    const dock = h(
      "section",
      { class: "dock", "aria-label": t("dock") },
      h("div", { class: "dock-line" }, this.prompt, this.actions),
      this.note,
      this.hand,
      below,
    );
    this.room = h("main", { class: "room" }, this.board, dock);
    const bar = h(
      "header",
      { class: "bar stage-bar" },
      h("a", { class: "tool tool-home", href: home, "aria-label": t("home"), title: t("home") }, svg(icon("back"))),
      h("div", { class: "where" }, this.title, this.heading),
      h("nav", { class: "tools" }, tools, tool("settings", t("settings"), settingsSheet)),
    );
    clear(app, bar, beside, this.room);
    this.title.focus();
    this.scene = null;
    onResize(() => this.scene && this.redraw());
  }

  /** As before, for another size of the window. */
  redraw() {
    drawScene(this.board, this.hand, this.scene, this.context);
  }

  /** Draws a scene; what may be chosen in it is told by `choosing`, where the viewer is to act. */
  draw(scene, { live = false, gathered = false, choosing = NOTHING, move = true } = {}) {
    const before = this.scene && move ? places(this.room) : null;
    this.scene = scene;
    this.board.hidden = false;
    this.context = { gathered, live, choosing, peeked: new Set() };
    this.redraw();
    this.heading.textContent = scene.heading;
    this.room.classList.toggle("my-turn", live);
    this.room.classList.toggle("watching", scene.seat < 0);
    if (before) travel(this.room, before);
  }

  /** A small note above the hand; screen readers say it at once. `open(clause)` shows the rule. */
  say(text, clause = "", open = null) {
    this.note.hidden = !text;
    const rule =
      clause &&
      h("button", { type: "button", class: "clause", on: { click: () => open(clause) } }, t("clause", clause));
    clear(this.note, text ? [h("span", {}, text), rule || null] : []);
  }
}
