// The panel beside a table: the standings, the running score, the log.

import { clear, find, h, isAtEnd } from "../common/dom.js";
import { logLines, logList, scoreContent } from "./score_sheets.js";
import { t } from "../common/texts.js";

/** @import { Child } from "../common/dom.js" */
/** @import { Scene } from "../protocol.d.ts" */

export class SidePanel {
  /** The log lines that are shown. @type {string[]} */
  lines = [];
  /** @type {HTMLElement} */
  log = h("p");

  /**
   * @param {() => (line: string) => Child} reader makes a function that explains the words of log lines
   * @param {import("../common/sheets.js").OpenRules} rules
   */
  constructor(reader, rules) {
    this.reader = reader;
    this.rules = rules;
    this.gloss = reader();
    this.score = h("div", { class: "side-score" });
    this.logPlace = h("div", { class: "side-log" });
    const parts = [this.score, h("h3", {}, t("logTitle")), this.logPlace];
    this.element = h("aside", { class: "side-panel", "aria-label": t("score") }, parts);
    this.isShown = false;
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.height)).observe(this.logPlace);
  }

  /**
   * Follow the log to its end when a wider window shows it, because a hidden log cannot be scrolled.
   *
   * @param {number} height the height of the log in pixels
   */
  resize(height) {
    if (height > 0 && !this.isShown) this.log.scrollTop = this.log.scrollHeight;
    this.isShown = height > 0;
  }

  /** Explain the words of the log anew at the next drawing: further ones are known. */
  forget() {
    this.lines = [];
  }

  /** How far the score is scrolled, in pixels, and the log, unless its reader is at its end. */
  get scrolled() {
    return { score: find(this.score, ".score-lines")?.scrollTop ?? 0, log: isAtEnd(this.log) ? null : this.log };
  }

  /**
   * @param {Scene} scene
   * @param {string[]} log
   */
  draw(scene, log) {
    clear(this.score, h("h2", {}, t("standings")), scoreContent(scene, this.rules));
    this.drawLog(log);
  }

  /**
   * Add the new lines of the log, since a long log takes longer to draw than the table; draw another log.
   *
   * @param {string[]} log
   */
  drawLog(log) {
    const { lines } = this;
    if (lines.some(Boolean) && lines.every((line, at) => line === log[at])) {
      this.log.append(...logLines(log.slice(lines.length), this.gloss));
    } else {
      this.gloss = this.reader();
      this.log = logList(log, this.gloss);
      clear(this.logPlace, this.log);
    }
    this.lines = [...log];
  }

  /**
   * Scroll as before a drawing, and follow the log to its end, also if it is another one.
   *
   * @param {SidePanel["scrolled"]} before
   */
  scroll({ score, log }) {
    find(this.score, ".score-lines")?.scrollTo(0, score);
    if (log !== this.log) this.log.scrollTop = this.log.scrollHeight;
  }
}
