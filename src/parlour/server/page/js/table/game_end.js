// The end of a game: its sheet beside the table, and the ways to the next game.

import * as api from "../common/api.js";
import { find } from "../common/dom.js";
import { sealOf } from "../common/sealed.js";
import { keepCarried, seatAt } from "../common/settings.js";
import * as sheets from "../common/sheets.js";
import { retry } from "../common/retry.js";
import { goToSeat } from "../landing/table_links.js";
import { playAgainWays } from "./play_again.js";
import { State } from "./table_state.js";

export class GameEnd {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    /** Whether this page has asked for the rematch. */
    this.asked = false;
  }

  /** Open the sheet. The module of results in daily deals is loaded for such a deal only. */
  async open() {
    const { daily, club, title, seat } = this.page.table;
    const place = daily?.counts && seat >= 0 ? await import("../daily/daily_result.js") : null;
    const { scene, next, id, table, rated, reviewLink, openRules } = this.page;
    if (!scene?.over) return;
    sheets.closeSheetBeside();
    const again = () => (next ? this.follow(next) : this.rematch());
    const ways = {
      again: club || (!next && seat < 0) ? null : again,
      next: next !== null,
      rating: table.manners.rated ? rated.change : null,
      record: api.recordAddress(id),
      replay: `/game/${id}`,
      review: table.conceded === null ? reviewLink : null,
      sealed: sealOf(this.page.table)?.words ?? "",
      club: club && `/club/${club.id}`,
      others: club ? null : playAgainWays(table),
    };
    sheets.endSheet(scene, ways, openRules, place?.resultPlace(id, title) ?? null);
  }

  /** Press *Play again*, which is in the sheet. */
  async playAgain() {
    if (this.page.state !== State.OVER) return;
    const button = () => find(document.body, "[data-sheet=end] [data-go=again]");
    if (!button()) await this.open();
    button()?.click();
  }

  /** Open a rematch. The server's message about it may be lost, so the answer is followed too. */
  async rematch() {
    const { id } = this.page;
    this.asked = true;
    this.follow(await retry(() => api.rematch(id, seatAt(id).key)));
  }

  /**
   * Go to the rematch that has been opened. If another player has done so, its page tells the viewer's seat.
   *
   * @param {{ table: string, seat: number }} next
   */
  join(next) {
    if (!this.asked && next.seat >= 0) keepCarried(next.table);
    this.follow(next);
  }

  /**
   * Go to the table of the next game: with the same key to a seat that is kept for the viewer.
   *
   * @param {{ table: string, seat: number }} next
   */
  follow({ table, seat }) {
    const { key } = seatAt(this.page.id);
    if (seat >= 0 && key) goToSeat(table, seat, key);
    else location.assign(`/table/${table}`);
  }
}
