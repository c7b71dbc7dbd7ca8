// The viewer's seat at a rated table, which lets only players with a key play.

import { seatAt } from "../common/settings.js";
import { t } from "../common/texts.js";
import { linkSeat } from "../player/seat_links.js";

/** @import { Table } from "./seat_panel.js" */

export class RatedSeat {
  /** Whether the seat has been linked, or is being linked. */
  asked = false;

  /**
   * @param {string} id the table
   * @param {(text: string) => unknown} say shows a note
   */
  constructor(id, say) {
    this.id = id;
    this.say = say;
  }

  /**
   * Link the viewer's seat with the player, once, if the table needs it.
   *
   * @param {Table} table
   */
  async link({ manners, seat, seats, over }) {
    if (this.asked || !manners.rated || over || seat < 0 || seats[seat].rating) return;
    this.asked = true;
    const answered = await linkSeat(this.id);
    if (!answered || seatAt(this.id).linked === "refused") this.say(t("ratedUnlinked"));
  }
}
