// The people at the table: who is there, their clocks, what they say, and who wants to take something back.

import { Conversation } from "./conversation.js";
import { announce, button, clear, h, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { remember, settings } from "./settings.js";
import { openSheet, sheetOpen } from "./sheets.js";
import { sound } from "./sound.js";
import { t } from "./texts.js";

const TICK = 250;
const SHOWN = 5000;
const LATE = 20;

const clockText = (milliseconds) => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

export class Company {
  /**
   * `send(message)` tells whether it could be; `needs()` says that it could not; `say(text)` shows a note; `name(seat)`;
   * `kind(seat)` is who plays there; `own()` is the viewer's seat; `seen()` what is shown.
   */
  constructor(table) {
    this.table = table;
    this.now = {
      there: [],
      away: [],
      out: [],
      undoable: null,
      wish: null,
      asking: null,
      clocks: null,
      talk: "none",
      opener: null,
      readying: false,
    };
    this.talk = new Conversation();
    this.since = performance.now();
    this.bubbles = h("div", { class: "bubbles", "aria-hidden": "true" });
    this.helpers = h("div", { class: "helpers" });
    this.notices = h("div", { class: "notices" });
    setInterval(() => this.tick(), TICK);
  }

  hear(data) {
    const before = this.now;
    this.now = data;
    this.since = performance.now();
    const own = this.table.own();
    const asked = data.wish?.waiting.includes(own) && !before.wish?.waiting.includes(own);
    if (asked) {
      announce(t("undoAsk", this.table.name(data.wish.by)));
      sound("word");
    }
    if (data.asking?.waiting.includes(own) && data.asking.id !== before.asking?.id) {
      announce(this.takeAsk(data.asking));
      sound("word");
    }
    if (data.readying && !before.readying) announce(t("readying"));
    this.draw();
    this.decorate();
  }

  // What is said

  /** What is not heard of because the connection is lost is said again (`again`), and heard once. */
  say(what) {
    const id = [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join("");
    const message = { type: "say", id, ...what };
    this.talk.say(message);
    if (!this.table.send(message) && sheetOpen() === "talk") this.list();
  }

  again() {
    for (const message of this.talk.unheard.values()) this.table.send(message);
  }

  refused() {
    this.talk.refused();
  }

  listen({ said }) {
    for (const one of this.talk.listen(said, { hear: settings().hear })) this.pop(one);
    if (sheetOpen() === "talk") this.list();
    this.draw();
  }

  text({ by, words, sign }) {
    return t("saidBy", this.table.name(by), sign ? t("signs")[sign] : words);
  }

  pop(one) {
    if (sheetOpen() !== "talk" && one.by !== this.table.own()) this.talk.unread += 1;
    announce(this.text(one));
    sound("word");
    const bubble = h("p", { class: "bubble" }, h("span", {}, this.text(one)));
    this.bubbles.append(bubble);
    setTimeout(() => bubble.remove(), SHOWN);
  }

  list() {
    const { heard } = this.talk;
    const unheard = [...this.talk.unheard.values()].map((one) =>
      t("unsaid", this.text({ by: this.table.own(), ...one })),
    );
    clear(
      this.lines,
      heard.length || unheard.length ? null : h("li", { class: "hint" }, t("talkEmpty")),
      heard.map((one) => h("li", {}, this.text(one))),
      unheard.map((line) => h("li", { class: "hint" }, line)),
    );
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  open() {
    this.talk.unread = 0;
    this.lines = h("ul", { class: "said", tabindex: "0", "aria-label": t("talk") });
    this.list();
    const plays = this.table.own() >= 0 && this.now.talk !== "none";
    const others = this.now.there.filter((seat) => seat !== this.table.own());
    const check = (label, checked, change) =>
      h(
        "label",
        { class: "check" },
        h("input", {
          type: "checkbox",
          class: "switch",
          role: "switch",
          checked,
          on: { change: (event) => change(event.target.checked) },
        }),
        h("span", {}, label),
      );
    const mute = (seat) =>
      check(t("talkMute", this.table.name(seat)), !this.talk.muted.has(seat), (hear) => {
        this.talk.mute(seat, !hear);
        this.list();
      });
    openSheet("talk", t("talk"), [
      this.now.talk === "none" ? h("p", { class: "hint" }, t("talkNone")) : this.lines,
      plays
        ? h(
            "div",
            { class: "signs" },
            Object.entries(t("signs")).map(([sign, label]) => button(label, () => this.say({ sign }))),
          )
        : null,
      plays && this.now.talk === "words" ? this.form() : null,
      h(
        "div",
        { class: "mutes" },
        check(t("talkHear"), settings().hear, (hear) => remember({ hear })),
        others.map(mute),
      ),
    ]);
    this.draw();
  }

  form() {
    const field = h("input", {
      class: "field",
      maxlength: "200",
      "aria-label": t("talkSay"),
      placeholder: t("talkSay"),
      autocomplete: "off",
    });
    const send = (event) => {
      event.preventDefault();
      if (field.value.trim()) this.say({ words: field.value.trim() });
      field.value = "";
    };
    return h(
      "form",
      { class: "talk-line", on: { submit: send } },
      field,
      h("button", { type: "submit", class: "button primary" }, t("talkSend")),
    );
  }

  // Beside the hand

  undo() {
    if (this.mayUndo) this.ask({ type: "undo", seen: this.table.seen() });
    else this.table.say(this.whyNotUndo());
  }

  whyNotUndo() {
    const { undoable, wish } = this.now;
    const reasons = t("undoNot");
    if (this.table.own() < 0) return reasons.watching;
    if (wish) return reasons.wish;
    return undoable === null || undoable === this.table.own()
      ? reasons.none
      : reasons.others(this.table.name(undoable));
  }

  /** What is for this moment only, and not kept for when the connection is back. */
  ask(message) {
    if (!this.table.send(message)) this.table.needs();
  }

  get mayUndo() {
    return this.now.undoable !== null && this.now.undoable === this.table.own() && !this.now.wish;
  }

  draw() {
    const own = this.table.own();
    const { wish } = this.now;
    const agree = (yes) => this.ask({ type: "agree", yes, seen: this.table.seen() });
    const talks =
      own >= 0 && (this.now.there.some((seat) => seat !== own) || this.talk.said.length) && this.now.talk !== "none";
    const parts = [
      this.mayUndo ? button(t("undo"), () => this.undo(), { "data-help": "undo" }, svg(icon("undo"))) : null,
    ];
    const notices = [
      this.now.readying ? h("p", { class: "readying" }, t("readying")) : null,
      wish && wish.by === own
        ? h(
            "p",
            { class: "wish" },
            t(
              "undoAsked",
              wish.waiting.map((seat) => this.table.name(seat)),
            ),
          )
        : null,
      wish && wish.waiting.includes(own)
        ? h(
            "div",
            { class: "wish", role: "group", "aria-label": t("undoAsk", this.table.name(wish.by)) },
            h("p", {}, t("undoAsk", this.table.name(wish.by))),
            button(t("allow"), () => agree(true), { class: "primary", "data-help": "allow" }),
            button(t("goOnInstead"), () => agree(false), { "data-help": "refuse" }),
          )
        : null,
      this.asking(own),
    ];
    this.offerTalk(Boolean(talks));
    const held = document.activeElement?.dataset.help;
    clear(this.helpers, parts);
    clear(this.notices, notices);
    if (held) document.querySelector(`[data-help=${held}]`)?.focus();
  }

  takeAsk({ name, seat }) {
    return t("takeAsk", name, this.table.name(seat));
  }

  /** Somebody would like to have a bot's seat, and those who play are to say whether they mind. */
  asking(own) {
    const { asking } = this.now;
    if (!asking || own < 0) return null;
    if (!asking.waiting.includes(own))
      return h(
        "p",
        { class: "wish" },
        t(
          "takeAsked",
          asking.waiting.map((seat) => this.table.name(seat)),
        ),
      );
    const answer = (yes) => this.table.send({ type: "allow", id: asking.id, yes });
    return h(
      "div",
      { class: "wish", role: "group", "aria-label": this.takeAsk(asking) },
      h("p", {}, this.takeAsk(asking)),
      button(t("takeAllow", asking.name), () => answer(true), { "data-help": "take-allow" }),
      button(t("takeDeny"), () => answer(false), { "data-help": "take-deny" }),
    );
  }

  /** The button in the bar, with how much is new. */
  offerTalk(talks) {
    const label = this.talk.unread ? t("talkNew", this.talk.unread) : t("talk");
    this.tool.hidden = !talks;
    this.tool.title = label;
    this.tool.setAttribute("aria-label", label);
    this.tool.querySelector("span").textContent = label;
    this.tool.classList.toggle("unread", this.talk.unread > 0);
  }

  // At the seats

  /** Marks at the seats as they are drawn now: clocks, and for whom a bot plays. */
  decorate() {
    const { clocks, away, out, there } = this.now;
    for (const area of document.querySelectorAll(".board .area[data-seat]")) {
      const seat = Number(area.dataset.seat);
      const head = area.querySelector(".area-head");
      head?.querySelectorAll("[data-clock], .absent").forEach((old) => old.remove());
      const person = this.table.kind(seat) === "person";
      const absent = out.includes(seat)
        ? t("out")
        : away.includes(seat)
          ? t("away")
          : person && there.length && !there.includes(seat)
            ? t("gone")
            : "";
      if (clocks && person) head?.append(h("span", { class: "clock", "data-clock": seat, role: "timer" }));
      if (absent) head?.append(h("span", { class: "area-note absent" }, absent));
    }
    this.tick();
  }

  tick() {
    const { clocks } = this.now;
    if (!clocks) return;
    for (const shown of document.querySelectorAll("[data-clock]")) {
      const seat = Number(shown.dataset.clock);
      const runs = clocks.running === seat;
      const left = clocks.left[seat] - (runs ? performance.now() - this.since : 0);
      shown.textContent = clockText(left);
      shown.classList.toggle("runs", runs);
      shown.classList.toggle("late", left < LATE * 1000);
      shown.setAttribute("aria-label", t("timeLeft", this.table.name(seat), clockText(left)));
    }
  }
}
