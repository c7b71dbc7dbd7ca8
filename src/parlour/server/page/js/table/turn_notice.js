// The player's turn: in the title and the icon of the page, as a notice while the player looks elsewhere, and in the
// sheet after a round.

import { announce, clear, find, h } from "../common/dom.js";
import { forgetNotice, mayNotify, notify, vibrate } from "../common/notices.js";
import { isCutOff } from "../common/sealed.js";
import { settings } from "../common/settings.js";
import * as sheets from "../common/sheets.js";
import { sound } from "../common/sound.js";
import { t } from "../common/texts.js";
import { pauseSheet } from "../scene/score_sheets.js";
import { isAlone } from "./table_state.js";

/** @import { Scene } from "../protocol.d.ts" */
/** @import { Table } from "./seat_panel.js" */

/** Milliseconds of waiting for the others after which a phone vibrates at the player's turn. */
const LONG_WAIT = 5000;

/**
 * Whether the player has to decide something. The page may do the only legal action by itself.
 *
 * @param {Pick<Scene, "legal" | "over" | "seat">} scene
 * @param {boolean} forced whether it does so
 */
export const decides = ({ legal, over, seat }, forced) => seat >= 0 && !over && legal.length > (forced ? 1 : 0);

export class TurnNotice {
  /**
   * @param {() => Table} table returns the present facts
   * @param {{ playedOut: string }} [people] know whether a bot plays the viewer's seat to the end
   */
  constructor(table, people = { playedOut: "" }) {
    this.table = table;
    this.people = people;
    /** @type {Scene | null} the latest scene */
    this.scene = null;
    this.turn = false;
    this.begun = table().begun;
    /** Whether the room has been asked for notices about the seat while the page is closed. */
    this.subscribed = false;
    /** @type {number | undefined} the number of events at the player's latest turn */
    this.seen = undefined;
    this.since = performance.now();
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) forgetNotice(this.table().table);
    });
    addEventListener("parlour-settings", () => this.subscribe());
  }

  /**
   * Note the latest scene, which may wait to be shown, or the same one again when a bot plays the seat from now on.
   *
   * @param {Scene | null} [scene]
   */
  note(scene = this.scene) {
    if (!scene) return;
    this.scene = scene;
    const table = this.table();
    const alone = isAlone(table);
    const turn = decides(scene, alone && settings().forced) && !isCutOff(table) && !this.people.playedOut;
    const comes = turn && scene.seen !== this.seen; // one message may have the player's action and the next turn
    const waited = performance.now() - this.since;
    if (turn !== this.turn || comes) this.since = performance.now();
    if (this.turn && !turn) forgetNotice(table.table); // the turn has ended, perhaps on another device
    this.turn = turn;
    if (turn) this.seen = scene.seen;
    this.draw();
    if (!comes) return;
    const others = table.seats.filter((_, seat) => seat !== table.seat).map(({ name }) => name);
    if (document.hidden) notify(table.table, t("yourTurnNow"), t("titleWith", table.title, others));
    else if (!alone && waited > LONG_WAIT) vibrate();
  }

  /** Note the facts of the table: a game that begins is noticed too. */
  noteTable() {
    const { begun, seat, table, title } = this.table();
    if (begun && !this.begun && seat >= 0 && document.hidden) notify(table, t("gameBegins"), title);
    this.begun = begun;
    this.draw();
    this.subscribe();
  }

  /**
   * Ask the room for notices about the seat while the page is closed, until it answers, and again when the player has
   * ended and chosen them again. Bots wait for nobody.
   */
  async subscribe() {
    const table = this.table();
    if (!mayNotify()) this.subscribed = false;
    if (this.subscribed || !mayNotify() || table.seat < 0 || table.over || isAlone(table)) return;
    this.subscribed = true;
    const push = import("../common/push.js"); // most players do without it
    await push
      .then(({ subscribeSeat }) => subscribeSeat(table.table))
      .catch(() => {
        this.subscribed = false;
      });
  }

  /** Note that the table is shown no more: there is no turn. */
  end() {
    this.turn = false;
    this.draw();
  }

  /** Write the title and the icon. */
  draw() {
    document.title = `${this.turn ? `● ${t("yourTurnNow")} · ` : ""}${this.table().title} · ${t("parlour")}`;
    const icon = /** @type {HTMLLinkElement | null} */ (find(document, "link[rel=icon]"));
    const address = icon?.href.replace(/icon(-turn)?\.svg$/, this.turn ? "icon-turn.svg" : "icon.svg") ?? "";
    if (icon && icon.href !== address) icon.href = address;
  }
}

/** The pause after a round. The room deals on meanwhile: the sheet calls the viewer whose turn has come. */
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
