// The sheet about a table: its people, the viewer's name, the links to the table, and the way to resign.

import { button, clear, h } from "../common/dom.js";
import { clubOfTable } from "../club/club_address.js";
import { nameInput } from "../common/name_input.js";
import { isCutOff, sealOf } from "../common/sealed.js";
import { keepOnlookerName, onlookerName, remember } from "../common/settings.js";
import { closeTopSheet, openSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";
import { changedRules } from "../landing/changed_rules.js";
import { invitationLink, ownSeatLink } from "../landing/table_links.js";
import { seatName } from "./rated_seat.js";
import { isAlone } from "./table_state.js";

/** @import { OnlookersMessage } from "../protocol.d.ts" */

/** @type {OnlookersMessage} */
const NO_ONLOOKERS = { type: "onlookers", number: 0, names: [] };

export class TableSheet {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.onlookers = NO_ONLOOKERS;
    this.watching = h("p", { class: "fine-print" });
    this.seats = h("ul", { class: "seats-now" });
    this.rated = h("p", { class: "fine-print" }, t("ratedTable"));
    this.foot = h("div", { class: "row table-foot" });
  }

  open() {
    const { id, table } = this.page;
    this.draw();
    const content = [
      h("div", {}, this.seats, changedRules(table), this.rated, this.watching),
      this.mayRename ? this.nameForm() : null,
      sealOf(table) || table.club ? null : invitationLink(id),
      table.club ? h("a", { class: "button", href: clubOfTable(table.club.id, id) }, t("clubBack")) : null,
      ownSeatLink(id),
      this.foot,
    ];
    openSheet("people", t("thisTable"), content, { kind: "center" });
  }

  /**
   * @param {OnlookersMessage} [message] omitted after a hello: spectators get no message
   */
  receive(message = NO_ONLOOKERS) {
    this.onlookers = message;
    const { number } = message;
    const tool = this.page.view.bar.peopleTool;
    tool.title = number ? t("thisTableWith", number) : t("thisTable");
    tool.setAttribute("aria-label", tool.title);
    if (number) tool.dataset.number = String(number);
    else delete tool.dataset.number;
    this.draw();
  }

  /** Draw the parts that change while the sheet is open. */
  draw() {
    const { table } = this.page;
    clear(
      this.seats,
      table.seats.map((seat, number) =>
        h("li", { class: seat.taken ? "taken" : "free" }, seatName(seat, number), h("i", {}, this.noteOn(number))),
      ),
    );
    this.rated.hidden = !table.manners.rated || isCutOff(table);
    const { number, names } = this.onlookers;
    this.watching.hidden = number === 0;
    this.watching.textContent = number ? t("onlookers", number, names) : "";
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

  get mayRename() {
    const { table, scene } = this.page;
    return table.seat < 0 || !(scene?.over || table.club); // a finished game and a club night keep their names
  }

  /** The form for the viewer's name: that of the seat, or that of an onlooker. */
  nameForm() {
    const { id, table } = this.page;
    const plays = table.seat >= 0;
    const label = t(plays ? "yourNameHere" : "onlookerName");
    const field = nameInput({
      name: "name-here",
      value: plays ? table.seats[table.seat].name : onlookerName(id),
      "aria-label": label,
    });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      const name = field.value.trim();
      if (!name) return;
      closeTopSheet(); // the answer is shown at the table
      if (plays && name === table.seats[table.seat].name) return; // perhaps with a number that the room has added
      if (!this.page.request({ type: "rename", name })) return;
      if (plays) remember({ name });
      else {
        keepOnlookerName(id, name);
        this.page.say(t("looksOnAs", name));
      }
    };
    const send = h("button", { type: "submit", class: "button" }, t(plays ? "changeName" : "lookOnAs"));
    const line = h("div", { class: "name-line" }, field, send);
    return h("form", { class: "labelled", on: { submit } }, h("span", {}, label), line);
  }

  // Resigning

  get mayResign() {
    const { table, people, scene } = this.page;
    const plays = table.seat >= 0 && !people.company.resigned.includes(table.seat);
    return plays && table.begun && !scene?.over && !table.daily; // the table may have been described before its end
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
