// The people at a table: presence, clocks, talk, requests to take back an action or to take a bot's seat.

import { nameTool } from "../common/bar.js";
import { Conversation } from "./conversation.js";
import { announce, button, clear, fieldOf, find, findAll, h, isAtEnd, svg } from "../common/dom.js";
import { icon } from "../common/glyphs.js";
import { remember, settings } from "../common/settings.js";
import { openSheet, sheetOpen } from "../common/sheets.js";
import { sound } from "../common/sound.js";
import { t } from "../common/texts.js";
import { NO_COMPANY } from "./table_state.js";

/**
 * @import { ClientMessage, CompanyMessage, RefusedMessage, SaidMessage } from "../protocol.d.ts"
 * @import { Say, ChatMessageInfo, SeatRequestInfo } from "../protocol.d.ts"
 */

/** Milliseconds between two updates of the clocks. */
const TICK_TIME = 250;
/** Milliseconds for which a message is shown as a bubble. */
const BUBBLE_TIME = 5000;
/** Milliseconds from which on a clock is marked. */
const LOW_TIME = 20_000;

/** @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A random id of a message, by which the server recognizes its repetition. */
const newId = () => [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join("");

/**
 * The parts of the table that this module uses.
 *
 * @typedef {object} PeopleTable
 * @property {(message: ClientMessage) => boolean} send sends a message and returns false without a connection
 * @property {() => unknown} needsConnection says that a request needs the connection
 * @property {(text: string) => unknown} say shows a note
 * @property {(seat: number) => string} name
 * @property {(seat: number) => string | undefined} kind "person", "bot" or "open"
 * @property {() => number} own the viewer's seat, or −1
 * @property {() => number} seen the number of events at the table
 * @property {() => boolean} isOverDays whether people come and go between their turns
 */

export class People {
  /** @param {PeopleTable} table */
  constructor(table) {
    this.table = table;
    /** @type {CompanyMessage} */
    this.company = NO_COMPANY;
    this.talk = new Conversation();
    /** Whether the first answer to hello is complete; messages before that were said before the viewer came. */
    this.greeted = false;
    /** The number of events at the latest message about the people. */
    this.seen = 0;
    /** The time at which the clocks were received, in milliseconds. */
    this.since = performance.now();
    this.bubbles = h("div", { class: "bubbles", "aria-hidden": "true" });
    this.helpers = h("div", { class: "helpers" });
    this.notices = h("div", { class: "notices" });
    this.lines = h("ul", { class: "said", tabindex: "0", "aria-label": t("talk") });
    this.failure = h("p", { class: "failure", role: "alert" });
    this.field = h("input", {
      class: "field",
      maxlength: "200",
      "aria-label": t("talkSay"),
      placeholder: t("talkSay"),
      autocomplete: "off",
    });
    /** @type {HTMLElement | null} the tool of the bar that opens the talk */
    this.tool = null;
    setInterval(() => this.tick(), TICK_TIME);
  }

  /** The sentence to a viewer whose seat a bot plays to the end of the game; empty for others. */
  get playedOut() {
    const { out, resigned } = this.company;
    const own = this.table.own();
    if (resigned.includes(own)) return t("resignedPrompt");
    return out.includes(own) ? t("outPrompt") : "";
  }

  /** @param {CompanyMessage} company */
  receive(company) {
    const before = this.company;
    this.company = company;
    this.greeted = true;
    this.since = performance.now();
    const own = this.table.own();
    const { undoable, undo_request: undo, undo_declined: declined, seat_request: seat, readying } = company;
    if (undo?.waiting.includes(own) && !before.undo_request?.waiting.includes(own)) {
      announce(t("undoRequest", this.table.name(undo.seat)));
      sound("word");
    }
    if (seat?.waiting.includes(own) && seat.id !== before.seat_request?.id) {
      announce(this.seatRequestText(seat));
      sound("word");
    }
    if (declined !== null) {
      if (before.undo_request && declined !== own) this.table.say(t("undoDeclined", this.table.name(declined)));
    } else if (before.undo_request?.seat === own && !undo && undoable === null && this.seen === this.table.seen()) {
      this.table.say(t("undoLapsed")); // the room has been restarted
    }
    this.seen = this.table.seen();
    if (company.out.includes(own) && !before.out.includes(own)) announce(t("outPrompt"));
    if (readying && !before.readying) announce(t("readying"));
    this.draw();
    this.decorate();
  }

  // Talk

  /**
   * Say words or a sign. Without a connection they are sent later.
   *
   * @param {Pick<Say, "words" | "sign">} what
   */
  say(what) {
    this.failure.textContent = "";
    const message = { type: /** @type {const} */ ("say"), id: newId(), ...what };
    this.talk.say(message);
    if (!this.table.send(message) && sheetOpen() === "talk") this.list();
  }

  /**
   * Repeat the viewer's messages without an answer on a new connection. When it is lost, list them as unsent.
   *
   * @param {boolean} connected
   */
  connect(connected) {
    if (connected) for (const message of this.talk.unconfirmed.values()) this.table.send(message);
    else if (sheetOpen() === "talk") this.list();
  }

  /**
   * Take a message back that the server has refused, with its words into the field. The open sheet shows the reason,
   * since the note of the table is behind it.
   *
   * @param {Pick<RefusedMessage, "id" | "reason">} message
   */
  refused({ id, reason }) {
    this.table.say(reason);
    const refused = this.talk.refused(id);
    if (!refused) return;
    this.field.value ||= refused.words ?? "";
    if (sheetOpen() !== "talk") return;
    this.failure.textContent = reason;
    this.list();
  }

  /** @param {SaidMessage} message */
  receiveTalk({ said }) {
    const heard = this.talk.receive(said, { history: !this.greeted });
    for (const one of heard) this.hear(one);
    if (sheetOpen() === "talk") this.list();
    this.draw();
  }

  /** @param {Pick<ChatMessageInfo, "by"> & { words?: string, sign?: string }} message */
  text({ by, words = "", sign = "" }) {
    return t("saidBy", this.table.name(by), sign ? t("signs")[sign] : words);
  }

  /**
   * Count and announce a message. With the setting for bubbles it also has a sound, and a bubble.
   *
   * @param {ChatMessageInfo} message
   */
  hear(message) {
    const isListed = sheetOpen() === "talk";
    if (!isListed && message.by !== this.table.own()) this.talk.unread += 1;
    const text = this.text(message);
    announce(text);
    if (!settings().hear) return;
    sound("word");
    if (isListed) return; // a bubble would cover the buttons above the table
    const bubble = h("p", { class: "bubble" }, h("span", {}, text));
    this.bubbles.append(bubble);
    setTimeout(() => bubble.remove(), BUBBLE_TIME);
  }

  /** Draw the messages into the list of the sheet. */
  list() {
    const { listed } = this.talk;
    const atEnd = isAtEnd(this.lines); // a reader of earlier messages stays there
    const own = this.table.own();
    const unsent = [...this.talk.unconfirmed.values()].map((one) => t("unsent", this.text({ by: own, ...one })));
    clear(
      this.lines,
      listed.length || unsent.length ? null : h("li", { class: "fine-print" }, t("talkEmpty")),
      listed.map((one) => h("li", {}, this.text(one))),
      unsent.map((line) => h("li", { class: "fine-print" }, line)),
    );
    if (atEnd) this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** Open the sheet of the talk. */
  open() {
    this.talk.unread = 0;
    this.failure.textContent = "";
    this.list();
    const own = this.table.own();
    const { talk, there } = this.company;
    const talks = own >= 0 && talk !== "none";
    const signs = Object.entries(t("signs")).map(([sign, label]) =>
      button(label, () => this.say({ sign: /** @type {Say["sign"]} */ (sign) })),
    );
    const others = there.filter((seat) => seat !== own);
    openSheet("talk", t("talk"), [
      talk === "none" ? h("p", { class: "fine-print" }, t("talkNone")) : this.lines,
      talks ? h("div", { class: "signs" }, signs) : null,
      talks ? this.failure : null,
      talks && talk === "words" ? this.form() : null,
      h(
        "div",
        { class: "mutes" },
        checkbox(t("talkHear"), settings().hear, (hear) => remember({ hear })),
        others.map((seat) => this.muteBox(seat)),
      ),
    ]);
    this.lines.scrollTop = this.lines.scrollHeight;
    this.draw();
  }

  /** @param {number} seat */
  muteBox(seat) {
    return checkbox(t("talkMute", this.table.name(seat)), !this.talk.muted.has(seat), (show) => {
      this.talk.mute(seat, !show);
      this.list();
    });
  }

  form() {
    const { field } = this;
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      const words = field.value.trim();
      if (words) this.say({ words });
      field.value = "";
    };
    const send = h("button", { type: "submit", class: "button primary" }, t("talkSend"));
    return h("form", { class: "talk-line", on: { submit } }, field, send);
  }

  // Taking back

  /** Whether the viewer may take back the last action. */
  get mayUndo() {
    const { undoable, undo_request: request } = this.company;
    return undoable !== null && undoable === this.table.own() && !request;
  }

  /**
   * Ask to take back the viewer's last action, or say why that is not possible. After a request that was declined the
   * room says so, since it depends on the seat that had asked.
   */
  undo() {
    const { undo_request: request, undo_declined: declined } = this.company;
    const isDeclined = declined !== null && !request && this.table.own() >= 0;
    if (this.mayUndo || isDeclined) this.request({ type: "undo", seen: this.table.seen() });
    else this.table.say(this.undoRefusal());
  }

  undoRefusal() {
    const { undoable, undo_request: request } = this.company;
    const reasons = t("undoRefusals");
    if (this.table.own() < 0) return reasons.watching;
    if (request) return reasons.wish;
    const isOthers = undoable !== null && undoable !== this.table.own();
    return isOthers ? reasons.others(this.table.name(undoable)) : reasons.none;
  }

  /**
   * Send a message that is useless later.
   *
   * @param {ClientMessage} message
   */
  request(message) {
    if (!this.table.send(message)) this.table.needsConnection();
  }

  // Beside the hand

  /** Draw the button and the notices beside the hand. */
  draw() {
    this.drawTool();
    const undo = () => button(t("undo"), () => this.undo(), { "data-help": "undo" }, svg(icon("undo")));
    clear(this.helpers, this.mayUndo ? undo() : null);
    clear(
      this.notices,
      this.company.readying ? h("p", { class: "readying" }, t("readying")) : null,
      this.undoNotice(),
      this.seatNotice(),
    );
  }

  /** The notice of a request to take back an action, with buttons for the seats that have to agree. */
  undoNotice() {
    const { undo_request: request } = this.company;
    const own = this.table.own();
    if (!request) return null;
    if (request.seat === own) {
      const names = request.waiting.map((seat) => this.table.name(seat));
      return h("p", { class: "wish" }, t("undoRequested", names));
    }
    if (!request.waiting.includes(own)) return null;
    const question = t("undoRequest", this.table.name(request.seat));
    /** @param {boolean} yes */
    const agree = (yes) => this.request({ type: "agree", yes, seen: this.table.seen() });
    return h(
      "div",
      { class: "wish", role: "group", "aria-label": question },
      h("p", {}, question),
      button(t("allow"), () => agree(true), { class: "primary", "data-help": "allow" }),
      button(t("goOnInstead"), () => agree(false), { "data-help": "refuse" }),
    );
  }

  /** @param {SeatRequestInfo} request */
  seatRequestText({ name, seat }) {
    return t("seatRequest", name, this.table.name(seat));
  }

  /** The notice of a request for a bot's seat, with buttons for the seats that have to agree. */
  seatNotice() {
    const { seat_request: request } = this.company;
    const own = this.table.own();
    if (!request || own < 0) return null;
    if (!request.waiting.includes(own)) {
      const names = request.waiting.map((seat) => this.table.name(seat));
      return h("p", { class: "wish" }, t("seatRequested", names));
    }
    const question = this.seatRequestText(request);
    /** @param {boolean} yes */
    const allow = (yes) => this.request({ type: "allow", id: request.id, yes });
    return h(
      "div",
      { class: "wish", role: "group", "aria-label": question },
      h("p", {}, question),
      button(t("takeAllow", request.name), () => allow(true), { "data-help": "take-allow" }),
      button(t("takeDeny"), () => allow(false), { "data-help": "take-deny" }),
    );
  }

  /** Draw the tool of the bar, with the number of unread messages. */
  drawTool() {
    if (!this.tool) return;
    const own = this.table.own();
    const { there, talk } = this.company;
    const hasPartner = there.some((seat) => seat !== own) || this.talk.said.length > 0;
    this.tool.hidden = own < 0 || !hasPartner || talk === "none";
    nameTool(this.tool, this.talk.unread ? t("talkNew", this.talk.unread) : t("talk"));
    this.tool.classList.toggle("unread", this.talk.unread > 0);
  }

  // At the seats

  /** Add clocks, deadlines and notes on absent players to the areas of the board. */
  decorate() {
    const { clocks, deadline } = this.company;
    for (const area of findAll(document, ".board .area[data-seat]")) {
      const seat = Number(area.dataset.seat);
      const head = find(area, ".area-head");
      if (!head) continue;
      for (const old of findAll(head, "[data-clock], .absent, .deadline")) old.remove();
      const absence = this.absence(seat);
      if (clocks && this.table.kind(seat) === "person") {
        head.append(h("span", { class: "clock", "data-clock": seat, role: "timer" }));
      }
      if (absence) head.append(h("span", { class: "area-note absent" }, absence));
      if (deadline?.seat === seat) head.append(h("span", { class: "area-note deadline" }, t("untilTime", deadline.at)));
    }
    this.tick();
  }

  /**
   * The note on a player who has resigned, is out of time or absent; empty for others.
   *
   * @param {number} seat
   */
  absence(seat) {
    const { away, out, resigned, there } = this.company;
    if (resigned.includes(seat)) return t("resigned");
    if (out.includes(seat)) return t("out");
    if (away.includes(seat)) return t("away");
    const isMissed = there.length > 0 && !this.table.isOverDays();
    return isMissed && this.table.kind(seat) === "person" && !there.includes(seat) ? t("gone") : "";
  }

  /** Update the clocks. */
  tick() {
    const { clocks } = this.company;
    if (!clocks) return;
    for (const shown of findAll(document, "[data-clock]")) {
      const seat = Number(shown.dataset.clock);
      const runs = clocks.running === seat;
      const left = clocks.left[seat] - (runs ? performance.now() - this.since : 0);
      shown.textContent = clockText(left);
      shown.classList.toggle("runs", runs);
      shown.classList.toggle("late", left < LOW_TIME);
      shown.setAttribute("aria-label", t("timeLeft", this.table.name(seat), clockText(left)));
    }
  }
}

/** @type {(label: string, checked: boolean, change: (checked: boolean) => void) => HTMLElement} */
const checkbox = (label, checked, change) =>
  h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      class: "switch",
      role: "switch",
      checked,
      on: { change: (event) => change(fieldOf(event).checked) },
    }),
    h("span", {}, label),
  );
