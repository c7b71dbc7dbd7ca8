// The panel above a table before the viewer plays: open seats, bots' seats, the wait for other players.

import * as api from "../common/api.js";
import { button, clear, fieldOf, find, h } from "../common/dom.js";
import { whileDisabled } from "../common/failure.js";
import { isCutOff } from "../common/sealed.js";
import { clubTable } from "../club/club_address.js";
import { changedRules } from "../landing/changed_rules.js";
import { invitationHead } from "../landing/invitation.js";
import { mannersList } from "../landing/manners_list.js";
import { seatName } from "./rated_seat.js";
import { requestSeat } from "./seat_request.js";
import { nameInput } from "../common/name_input.js";
import { asSentence } from "../common/phrases.js";
import { isSeatUnstored, keepSeat, markFromLink, remember, seatAt, settings } from "../common/settings.js";
import { openSheet, segment } from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { Scene, TableInfo } from "../protocol.d.ts" */

/** @typedef {TableInfo & { seat: number }} Table a table with the viewer's seat; −1 is no seat */
/** @typedef {(seat: number, key: string) => unknown} TakeSeat uses a seat that has been taken */
/** @typedef {{ number: number, name: string }} SeatChoice */

/** Milliseconds between two requests for a bot's seat, while other players have not agreed. */
const AGREEMENT_WAIT = 2500;

/**
 * Keep a seat of the table on this page. Where storage refuses it, the page's entry in the history keeps it.
 *
 * @param {string} id
 * @param {number} seat
 * @param {string | null} key
 */
export function keepSeatHere(id, seat, key) {
  history.replaceState(keepSeat(id, seat, key) ? null : { seat, key }, "", location.pathname);
}

/**
 * Take the seat in the address and remove its key from there. The address is a link from another device, or carries the
 * seat because the storage is blocked. A seat that this browser has already is kept, because its key cannot be
 * restored.
 *
 * @param {string} id
 */
export function takeSeatFromLink(id) {
  const link = new URLSearchParams(location.hash.slice(1));
  const fromLink = { seat: Number(link.get("seat") ?? -1), key: link.get("key") };
  const { seat, key } = link.has("key") ? fromLink : (history.state ?? {});
  if (!key || !Number.isInteger(seat) || seat < 0) return;
  if (seatAt(id).seat >= 0) {
    history.replaceState(null, "", location.pathname);
    return;
  }
  keepSeatHere(id, seat, key);
  if (link.has("key") && history.state === null) markFromLink(id); // where storage is blocked, it may be a seat of ours
}

/** The warning that the browser does not keep the viewer's seat at a table. */
export class StorageNote {
  #given = false;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
  }

  /**
   * The text of the warning at a scene: until the viewer's first turn, so that bots do not play it away; then empty.
   *
   * @param {Scene} scene
   */
  text(scene) {
    if (this.#given || !isSeatUnstored(this.id)) return "";
    this.#given = scene.legal.length > 0;
    return t("seatUnstored");
  }
}

/**
 * @param {Table} table
 * @param {(seat: number) => string} absence the note on an absent player, empty for others
 */
const seatsList = (table, absence) =>
  h(
    "ul",
    { class: "seats-now" },
    table.seats.map((seat, index) => {
      const note = index === table.seat ? t("you") : absence(index);
      return h(
        "li",
        { class: seat.taken ? "taken" : "free" },
        seatName(seat, index),
        h("i", {}, seat.taken ? note : t("open")),
      );
    }),
  );

/**
 * Use the seat that another tab has taken, whose key could not be restored. Return whether there is one.
 *
 * @param {string} id
 * @param {TakeSeat} sit
 */
function sitAsElsewhere(id, sit) {
  const { seat, key } = seatAt(id);
  if (seat >= 0) sit(seat, key ?? "");
  return seat >= 0;
}

/** The panel of one table. */
export class SeatPanel {
  /** @type {Table | null} the table of the latest message */
  table = null;
  /** The time at which that message came, in milliseconds. */
  since = 0;
  /** Whether the viewer prefers to watch. */
  watching = false;
  /** The open seats for which `panel` invites. */
  seats = "";
  /** The invitation, kept while the same seats are open: a redraw would lose a press or the failure of a request. */
  panel = h("div", { class: "panel join" });
  list = h("ul");
  /** The panel of those who wait for others, the same node each time, so that its link keeps the focus. */
  waiting = h("div", { class: "panel" });
  /** The line about a game that does not count any more, the same node each time for the same reason. */
  cutOff = h("div", { class: "door-line" });

  /**
   * @param {string} id
   * @param {HTMLElement} link the link to the table, the same node each time, so that its open QR code stays
   * @param {object} table
   * @param {TakeSeat} table.sit
   * @param {() => void} table.redraw
   * @param {(text: string) => unknown} table.say shows a failure at the table
   * @param {(seat: number) => string} table.absence the note on an absent player, empty for others
   */
  constructor(id, link, { sit, redraw, say, absence }) {
    this.id = id;
    this.link = link;
    this.sit = sit;
    this.redraw = redraw;
    this.say = say;
    this.absence = absence;
    /** The parts of its form that know of a request, which goes on although the form is made anew for other seats. */
    this.parts = requestParts(t("join"), say);
  }

  /**
   * Tell an invited viewer that a game has begun without one, unless the viewer has chosen to watch or has a request
   * without an answer. A viewer who has sat down in another tab takes that seat here too.
   *
   * @param {Table} before
   * @param {Table} now
   */
  compare(before, now) {
    const isInvited = before.seat < 0 && !before.begun && !this.watching;
    const isPassedOver = isInvited && now.begun && now.seat < 0 && !this.parts.submit.disabled;
    if (isPassedOver && !sitAsElsewhere(this.id, this.sit)) this.say(t("seatsGone"));
  }

  /**
   * The panel for the state of a table; null if there is nothing to decide.
   *
   * @param {Table} table
   */
  draw(table) {
    if (table !== this.table) this.since = performance.now();
    this.table = table;
    const open = table.seats.flatMap((seat, number) => (seat.taken ? [] : [{ number, name: t("seat", number + 1) }]));
    const mayJoin = table.seat < 0 && open.length > 0;
    if (mayJoin && !this.watching) return this.invite(table, open);
    if (!table.begun) {
      this.seats = ""; // another invitation is made anew, since the failure moves here
      const hint = t(seatAt(this.id).proposed ? "waitingForRematch" : "waitingHint");
      const words = [
        h("h2", {}, t("waiting")),
        seatsList(table, this.absence),
        h("p", {}, hint),
        countdown(table, this.since),
      ];
      const join = mayJoin ? this.watchButton("join", false) : null;
      return clear(this.waiting, words, this.parts.failure, join, this.link);
    }
    if (isCutOff(table)) {
      clubTable().then(
        (club) => club.describeCutOff(this.cutOff, table),
        () => clear(this.cutOff, h("p", {}, asSentence(t("clubCutOffShort")))),
      );
      return this.cutOff;
    }
    return table.seat < 0 && table.take_over ? botSeatLine(table, this.id, this.sit, this.say) : null;
  }

  /**
   * The button by which the viewer prefers to watch, or after all to play.
   *
   * @param {"watch" | "join"} label
   * @param {boolean} watching
   */
  watchButton(label, watching) {
    return button(t(label), () => {
      this.watching = watching;
      this.redraw();
    });
  }

  /**
   * @param {Table} table
   * @param {SeatChoice[]} open
   */
  invite(table, open) {
    const list = seatsList(table, this.absence);
    const seats = JSON.stringify(open);
    if (seats === this.seats) {
      this.list.replaceWith(list);
    } else {
      const other = this.watchButton("watch", true);
      const form = joinForm(this.id, open, this.parts, this.sit, { other });
      this.panel = h("div", { class: "panel join" }, invitationHead(table), list, mannersList(table), form);
    }
    this.seats = seats;
    this.list = list;
    return this.panel;
  }
}

/**
 * The time until bots take the open seats; null if they do not.
 *
 * @param {Table} table
 * @param {number} since the time at which the table was described, in milliseconds
 */
function countdown({ fills_in: seconds }, since) {
  if (seconds === null) return null;
  const ends = since + seconds * 1000;
  const line = h("p", { class: "fills", role: "timer" });
  const show = () => {
    line.textContent = t("fillsAfter", Math.max(0, Math.ceil((ends - performance.now()) / 1000)));
  };
  const timer = setInterval(() => (line.isConnected ? show() : clearInterval(timer)), 1000);
  show();
  return line;
}

/**
 * The line by which spectators request the seat of a bot.
 *
 * @param {Table} table
 * @param {string} id
 * @param {TakeSeat} sit
 * @param {(text: string) => unknown} sayAtTable
 */
function botSeatLine(table, id, sit, sayAtTable) {
  const open = () => {
    const bots = table.seats.flatMap(({ kind, name }, number) => (kind === "bot" ? [{ number, name }] : []));
    const label = bots.length === 1 ? t("takeSeatOf", bots[0].name) : t("takeBotSeat");
    /** @type {TakeSeat} */
    const closeAndSit = (seat, key) => {
      /** @type {HTMLDialogElement | null} */ (find(document, "[data-sheet=take]"))?.close();
      sit(seat, key);
    };
    /** @param {number[]} seats */
    const asked = (seats) =>
      t(
        "seatRequested",
        seats.map((seat) => table.seats[seat].name),
      );
    const form = joinForm(id, bots, requestParts(label, sayAtTable), closeAndSit, { asked });
    const content = [h("p", {}, t("takeBotHint")), changedRules(table), mannersList(table), form];
    openSheet("take", t("takeBotSeat"), content, { kind: "center" });
  };
  return h("div", { class: "door-line" }, button(t("takeBotSeat"), open, { "data-go": "take" }));
}

/**
 * The parts of a form that know of the request for a seat: the button, the players who are asked, the failure. Once the
 * form is gone, the failure is shown at the table.
 *
 * @param {string} label
 * @param {(text: string) => unknown} sayAtTable
 */
const requestParts = (label, sayAtTable) => ({
  sayAtTable,
  submit: h("button", { type: "submit", class: "button primary" }, label),
  waiting: h("p", { class: "fine-print", role: "status" }),
  failure: h("p", { class: "failure", role: "alert" }),
});

/**
 * A form with the player's name, and a choice of seats if there are several.
 *
 * @param {string} id
 * @param {SeatChoice[]} seats
 * @param {ReturnType<typeof requestParts>} parts
 * @param {TakeSeat} sit
 * @param {object} [more]
 * @param {HTMLElement | null} [more.other] a further button
 * @param {(waiting: number[]) => string} [more.asked] names the players who have not agreed yet
 */
function joinForm(id, seats, { submit, waiting, failure, sayAtTable }, sit, { other = null, asked = () => "" } = {}) {
  const name = nameInput({
    value: settings().name,
    "aria-label": t("yourName"),
    on: { input: (event) => remember({ name: fieldOf(event).value.trim() }) }, // at once: the panel may be redrawn
  });
  const chooser = seats.length > 1 ? seatChooser(seats) : null;
  const join = async () => {
    if (sitAsElsewhere(id, sit)) return;
    const chosen = name.value.trim() || t("defaultName");
    const seat = chooser ? Number(new FormData(form).get("seat")) : seats[0].number;
    let answer = await requestSeat(id, seat, chosen);
    while (answer.waiting) {
      waiting.textContent = asked(answer.waiting);
      await api.pause(AGREEMENT_WAIT);
      if (!form.isConnected) return;
      answer = await requestSeat(id, seat, chosen);
    }
    sit(answer.seat, answer.key);
  };
  const say = (/** @type {string} */ text) => {
    if (text && !failure.isConnected) sayAtTable(text);
    else failure.textContent = text;
    waiting.textContent = "";
  };
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    whileDisabled(submit, say, join);
  };
  const form = h(
    "form",
    { class: "join-form", on: { submit: send } },
    chooser,
    h("label", { class: "labelled" }, t("yourName"), name),
    waiting,
    failure,
    h("div", { class: "row" }, submit, other),
  );
  return form;
}

/** @param {SeatChoice[]} seats */
function seatChooser(seats) {
  const radios = seats.map((seat, index) =>
    segment({ name: "seat", value: seat.number, checked: index === 0 }, seat.name),
  );
  const legend = h("legend", { class: "unseen" }, t("seats"));
  return h("fieldset", { class: "chooser" }, legend, h("div", { class: "segments" }, radios));
}
