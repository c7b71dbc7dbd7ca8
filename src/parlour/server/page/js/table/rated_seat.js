// Seats of rated tables: the ratings beside their names, and the link of the viewer's own with the player.

import { h } from "../common/dom.js";
import { mayPass, persist, retry } from "../common/retry.js";
import { seatAt } from "../common/settings.js";
import { t } from "../common/texts.js";
import { ratingInWords } from "../texts/texts_own.js";

/** @import { Table } from "./seat_panel.js" */
/** @import { SeatInfo } from "../protocol.d.ts" */

/** Milliseconds between two requests for the link, after the first ones have failed. */
const LINK_TIME = 10_000;

/** @type {(seat: SeatInfo, number: number) => HTMLElement} the name at a seat, with the rating if it is known */
export const seatName = ({ taken, name, rating }, number) =>
  h(
    "span",
    {},
    taken ? name : t("seat", number + 1),
    rating ? h("b", { class: "rating" }, ratingInWords(rating)) : null,
  );

/** The viewer's seat at a rated table: its link with the player, without which it may not act, and its new rating. */
export class RatedSeat {
  /** The change of the viewer's rating by this game; it may arrive after the sheet at the end has been opened. */
  change = h("p", { role: "status", "data-place": "rating" });

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
   * Link the viewer's seat with the player, once, if the table needs it. Until the room has answered, it refuses the
   * viewer's actions; so the request is repeated as long as the page is open.
   *
   * @param {Table} table
   */
  async link({ manners, seat, seats, over }) {
    if (this.asked || !manners.rated || over || seat < 0 || seats[seat].rating) return;
    this.asked = true;
    const request = async () => {
      const { linkSeat } = await import("../player/seat_links.js"); // casual tables do without it
      await linkSeat(this.id);
    };
    const repeat = (/** @type {unknown} */ error) => {
      if (!mayPass(error)) throw error;
      this.say(t("ratedWaits"));
      return persist(request, LINK_TIME).then(() => this.say(""));
    };
    await retry(request)
      .catch(repeat)
      .catch(() => this.say(t("ratedUnlinked")));
    const { linked, fromLink } = seatAt(this.id);
    if (linked === "refused") this.say(t("ratedUnlinked"));
    else if (linked !== "yes" && fromLink) this.say(t("ratedFromLink"));
  }

  /**
   * Note a change of the viewer's rating.
   *
   * @param {Table} before
   * @param {Table} now
   */
  compare(before, now) {
    const [old, rating] = [before, now].map(({ seats }) => seats[now.seat]?.rating);
    if (old && rating && old.value !== rating.value) {
      this.change.textContent = t("ratingChanged", ratingInWords(rating), rating.value - old.value);
    }
  }
}
