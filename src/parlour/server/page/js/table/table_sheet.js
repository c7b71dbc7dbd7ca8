// The sheet about a table: its people, the links to it, and the way to resign.

import { button, clear, h } from "../common/dom.js";
import { openSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";
import { invitationLink, ownSeatLink } from "../landing/table_links.js";
import { isAlone } from "./table_state.js";

export class TableSheet {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.seats = h("ul", { class: "seats-now" });
    this.foot = h("div", { class: "row table-foot" });
  }

  open() {
    const { id, table } = this.page;
    this.draw();
    const content = [this.seats, table.daily?.sealed ? null : invitationLink(id), ownSeatLink(id), this.foot];
    openSheet("people", t("thisTable"), content, { kind: "center" });
  }

  /** Draw the parts that change while the sheet is open. */
  draw() {
    const { table } = this.page;
    clear(
      this.seats,
      table.seats.map((seat, number) =>
        h(
          "li",
          { class: seat.taken ? "taken" : "free" },
          h("span", {}, seat.taken ? seat.name : t("seat", number + 1)),
          h("i", {}, this.noteOn(number)),
        ),
      ),
    );
    clear(this.foot, this.mayResign ? button(t("resign"), () => this.askToResign(), { "data-go": "resign" }) : null);
  }

  /**
   * A few words on the occupant of a seat.
   *
   * @param {number} seat
   */
  noteOn(seat) {
    const { table, people } = this.page;
    const { kind } = table.seats[seat];
    const note = people.absence(seat);
    if (seat === table.seat) return note ? `${t("you")}, ${note}` : t("you");
    if (kind === "open") return t("open");
    return note || t(kind === "bot" ? "isBot" : "isHere");
  }

  // Resigning

  get mayResign() {
    const { table, people } = this.page;
    const plays = table.seat >= 0 && !people.company.resigned.includes(table.seat);
    return plays && table.begun && !table.over && !table.daily;
  }

  askToResign() {
    const { table } = this.page;
    const other = table.seats.length === 2 ? table.seats[1 - table.seat].name : "";
    const more = other ? t("resignTwo", other) : t("resignMore");
    openSheet("resign", t("resignQuestion"), h("p", {}, isAlone(table) ? t("resignAlone") : more), {
      kind: "center",
      actions: [
        (close) => button(t("resignYes"), () => this.resign(close), { "data-go": "resign-yes" }),
        (close) => button(t("resignNo"), close, { class: "primary" }),
      ],
    });
  }

  /** @param {() => void} close */
  resign(close) {
    this.page.request({ type: "resign" });
    close();
  }
}
