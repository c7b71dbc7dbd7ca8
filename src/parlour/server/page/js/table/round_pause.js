// The pause after a round. The room deals on meanwhile: the sheet of the pause calls the viewer whose turn has come.

import { announce, clear, h } from "../common/dom.js";
import * as sheets from "../common/sheets.js";
import { sound } from "../common/sound.js";
import { t } from "../common/texts.js";
import { pauseSheet } from "../scene/score_sheets.js";

/** @import { Scene } from "../protocol.d.ts" */

export class RoundPause {
  /** The line of the sheet that calls the viewer, with the clock if there is one. */
  line = h("p", { class: "offer", hidden: true });
  /** @type {number | undefined} the number of events at the latest sound of a turn */
  rung;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Open the sheet after a round; the promise resolves when the viewer goes on.
   *
   * @param {Scene} scene
   */
  async open(scene) {
    await sheets.noSheetOpen();
    if (!this.page.scene) return;
    const closed = pauseSheet(scene, this.page.openRules, this.line);
    this.call();
    await closed;
  }

  /** Call the viewer in the open sheet if the latest scene, which waits behind it, is the viewer's turn. */
  call() {
    if (sheets.sheetOpen() !== "pause") return;
    const { people, table, turnNotice } = this.page;
    this.line.hidden = !turnNotice.turn;
    if (!turnNotice.turn || turnNotice.seen === undefined) return;
    const clock = people.company.clocks && h("span", { class: "clock", "data-clock": table.seat, role: "timer" });
    clear(this.line, `${t("yourTurnNow")} `, clock);
    people.tick();
    if (this.ring(turnNotice.seen)) announce(t("yourTurnNow"));
  }

  /**
   * Play the sound of a turn once for each turn. Return whether it had not been played.
   *
   * @param {number} seen the number of events at the turn
   */
  ring(seen) {
    if (seen === this.rung) return false;
    this.rung = seen;
    sound("turn");
    return true;
  }
}
