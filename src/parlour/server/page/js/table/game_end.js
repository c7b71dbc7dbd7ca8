// The end of a game: its sheet beside the table, and the ways to the next game.

import * as api from "../common/api.js";
import { clubOfTable } from "../club/club_address.js";
import { announce, button, find, h } from "../common/dom.js";
import { leaveBy, showIn } from "../common/failure.js";
import { notify } from "../common/notices.js";
import { sealOf } from "../common/sealed.js";
import { markFromLink, markProposed, seatAt } from "../common/settings.js";
import * as sheets from "../common/sheets.js";
import { retry } from "../common/retry.js";
import { t } from "../common/texts.js";
import { goToSeat } from "../landing/table_links.js";
import { scoreLines, scoreNote, standingsPart } from "../scene/score_sheets.js";
import { isAlone, State } from "./table_state.js";

/** @import { Child, Properties } from "../common/dom.js" */
/** @import { OpenRules } from "../common/sheets.js" */
/** @import { RematchMessage, Scene } from "../protocol.d.ts" */

/** Milliseconds for which the sheet waits for the modules of its parts. */
const PARTS_TIME = 3000;

/**
 * A module with a part of the sheet; nothing if it cannot be loaded in time.
 *
 * @template Module
 * @param {Promise<Module>} module
 */
const part = (module) => Promise.race([module, api.pause(PARTS_TIME).then(() => null)]).catch(() => null);

export class GameEnd {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    /** Whether the viewer has proposed or accepted the rematch on this page. */
    this.agreed = false;
    /** Whether a request for the rematch has no answer yet. Another sheet would enable its button again. */
    this.asking = false;
    /** @type {string | undefined} the sentence of the latest message about the rematch */
    this.offered = undefined;
    /** Whether this page is on its way to the rematch: the answer and the message both say so. */
    this.followed = false;
  }

  /** Open the sheet. The modules of its parts are loaded at the end of a game, those of daily deals for these only. */
  async open() {
    const { daily, club, title, seat } = this.page.table;
    const [place, again, review] = await Promise.all([
      daily?.counts && seat >= 0 ? part(import("../daily/daily_result.js")) : null,
      !club && isAlone(this.page.table) ? part(import("./play_again.js")) : null,
      part(import("../replay/review_link.js")),
    ]);
    const { scene, next, id, table, rated, openRules } = this.page;
    if (!scene?.over) return;
    sheets.closeSheetBeside();
    const looksOn = seat < 0;
    const hasNoSeat = next !== null && (looksOn || next.seat < 0);
    const playNext = () => (hasNoSeat ? location.assign(`/table/${next.table}`) : this.rematch());
    const ways = {
      again: club || (!next && looksOn) ? null : playNext,
      next: hasNoSeat || next?.begun === true,
      offer: this.offer,
      rating: table.manners.rated ? rated.change : null,
      record: api.recordAddress(id),
      replay: `/game/${id}`,
      review: (table.conceded === null && review?.reviewLink(id)) || null,
      sealed: sealOf(this.page.table)?.words ?? "",
      club: club && clubOfTable(club.id, id),
      further: again?.playAgainWays(table),
    };
    endSheet(scene, ways, openRules, place?.resultPlace(id, title) ?? null);
  }

  /** Press *Play again*, which is in the sheet. */
  async playAgain() {
    if (this.page.state !== State.OVER) return;
    const again = () => find(document.body, "[data-sheet=end] [data-go=again]");
    if (!again()) await this.open();
    again()?.click();
  }

  /** The sentence to a player about a rematch that others propose, or that goes on; empty if there is none. */
  get offer() {
    const { next, table } = this.page;
    if (!next || table.seat < 0) return "";
    if (next.seat < 0) return t("rematchTaken");
    if (next.begun) return t("rematchBegun");
    const others = next.by.filter((seat) => seat !== table.seat);
    return others.length
      ? t(
          "rematchOffered",
          others.map((seat) => table.seats[seat].name),
        )
      : "";
  }

  /** Propose the rematch, or accept it, and go to its table. */
  async rematch() {
    this.asking = true;
    try {
      await this.ask();
    } finally {
      this.asking = false;
    }
  }

  async ask() {
    const { id, table } = this.page;
    const { seat, key } = seatAt(id);
    this.agreed = true;
    this.followed = false;
    const next = await retry(() => api.rematch(id, key));
    const application = { name: table.seats[seat].name, key: key ?? "" };
    if (next.seat < 0) await this.loseSeat(next);
    else if (next.by.includes(seat) || (await this.accept(next, application))) this.follow(next);
    else location.assign(`/table/${next.table}`); // which shows the seats that are still open
  }

  /**
   * Say in the sheet that another person has taken the viewer's seat in the rematch; its button leads there.
   *
   * @param {Pick<RematchMessage, "table" | "seat" | "by">} next
   */
  async loseSeat(next) {
    this.page.next = { begun: false, ...next, type: "rematch" };
    this.offered = this.offer;
    await this.open();
    announce(this.offer);
  }

  /**
   * Take the viewer's seat in a rematch, with the same key. Return whether it was still available.
   *
   * @param {{ table: string, seat: number }} next
   * @param {{ name: string, key: string }} application
   */
  async accept({ table, seat }, { name, key }) {
    try {
      const answer = await retry(() => api.takeSeat(table, seat, name, key));
      return !answer.waiting; // a bot may have filled the seat, and the players are asked
    } catch (error) {
      if (!api.isConflict(error)) throw error;
      return false;
    }
  }

  /**
   * Show a rematch that has been proposed. The page of the player who has agreed goes there, since the answer to its
   * request may be lost; the others may accept, also where they have closed the sheet. The room repeats the message
   * for each seat that is taken there.
   *
   * @param {RematchMessage} next
   */
  receive(next) {
    const { table } = this.page;
    if (this.agreed && next.by.includes(table.seat)) return this.follow(next);
    if (this.offer === this.offered) return;
    this.offered = this.offer;
    const open = !this.asking && sheets.closeSheetBeside();
    if (open) this.open();
    if (!this.offer) return;
    if (!open) this.page.say(this.offer);
    announce(this.offer);
    if (document.hidden) notify(table.table, this.offer, table.title);
  }

  /**
   * Go to the viewer's seat in the rematch, which has the same key.
   *
   * @param {{ table: string, seat: number, by: number[] }} next
   */
  follow({ table, seat, by }) {
    if (this.followed) return;
    this.followed = true;
    const { seat: own, key, fromLink, linked } = seatAt(this.page.id);
    const proposed = by.includes(own);
    goToSeat(table, seat, key ?? "", proposed);
    if (proposed) markProposed(table);
    if (fromLink && linked !== "yes") markFromLink(table); // the author of the link has this key as well
  }
}

/**
 * The button for another game. An error is shown beside it.
 *
 * @param {() => unknown} again opens another game, or goes to it
 * @param {boolean} exists whether another game has been opened
 * @param {boolean} primary whether it is the usual way on
 */
function againButton(again, exists, primary) {
  const failure = h("p", { class: "failure", role: "alert" });
  const open = () => leaveBy(go, showIn(failure), again);
  const go = button(t(exists ? "nextGame" : "again"), open, { class: primary ? "primary" : "", "data-go": "again" });
  return [failure, go];
}

/**
 * Open the sheet at the end of a game, which stands beside the table.
 *
 * @param {Scene} scene
 * @param {object} ways
 * @param {(() => unknown) | null} ways.again opens another game, or goes to it; null if the viewer may not
 * @param {boolean} ways.next whether another game has been opened in which the viewer looks on, or that has begun
 * @param {string} ways.offer the sentence about the rematch of other players; empty if there is none
 * @param {HTMLElement | null} ways.rating the change of the viewer's rating; null at a casual table
 * @param {string} ways.record the address of the record
 * @param {string} ways.replay the address of the replay
 * @param {HTMLElement | null} ways.review the link to the review; null if the game has none
 * @param {Child} ways.further more ways to another game
 * @param {string} ways.sealed why the game is hidden, while others still have to play its cards; else empty
 * @param {string | null} ways.club the address of the club night of the table
 * @param {OpenRules} rules
 * @param {HTMLElement | null} [result] the result in the daily deal
 */
export function endSheet(
  scene,
  { again, next, offer, rating, record, replay, review, sealed, club, further },
  rules,
  result = null,
) {
  /** @type {(label: string, address: string, properties?: Properties) => HTMLElement} */
  const link = (label, address, properties) => h("a", { class: "button", href: address, ...properties }, label);
  /** @type {(node: HTMLElement, hint: string) => HTMLElement} */
  const way = (node, hint) =>
    h("ul", { class: "end-ways" }, h("li", {}, node, h("span", { class: "fine-print" }, hint)));
  const home = () => link(t("newGame"), "/");
  const onward = { class: "button primary" };
  const clubNight = () => (club ? link(t("clubBack"), club, { ...onward, "data-go": "club" }) : null);
  const otherDeals = () => (result ? link(t("dailyOtherDeals"), "/daily", onward) : null);
  const more = () => (again ? againButton(again, next, result === null) : null);
  return sheets.openSheet(
    "end",
    scene.outcome,
    [
      offer ? h("p", { class: "offer" }, offer) : null,
      result,
      standingsPart(scene),
      rating,
      scoreNote(scene),
      scoreLines(scene, rules),
      further,
      sealed
        ? h("p", { class: "fine-print" }, sealed)
        : [
            way(link(t("lookAgain"), replay, { "data-go": "game" }), t("lookAgainHint")),
            review,
            way(link(t("record"), record, { download: "", "data-go": "record" }), t("recordHint")),
          ],
    ],
    {
      actions: [clubNight, otherDeals, more, home],
      beside: document.getElementById("app"),
      unasked: true,
    },
  );
}
