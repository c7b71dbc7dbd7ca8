// The page of one table: connection, queue, drawing and keys come together here.

import * as api from "./api.js";
import { makeBar } from "./bar.js";
import { Choosing } from "./choosing.js";
import { announce, button, clear, h } from "./dom.js";
import { doorFor, shareNode } from "./door.js";
import { drawScene, trickCards } from "./draw.js";
import { Keys } from "./keys.js";
import { deal, places, travel } from "./motion.js";
import { Queue } from "./queue.js";
import { keepSeat, seatAt } from "./settings.js";
import * as sheets from "./sheets.js";
import { Connection } from "./socket.js";
import { t } from "./texts.js";

export function tablePage(app, id) {
  new TablePage(app, id).start();
}

class TablePage {
  constructor(app, id) {
    this.app = app;
    this.id = id;
    this.scene = null;
    this.about = null;
    this.told = [];
    this.peeked = new Set();
    this.choosing = new Choosing();
    this.gathered = true;
    this.asked = false;
    this.queue = new Queue({
      show: (scene, gathered) => this.show(scene, gathered),
      pause: (scene) => this.pause(scene),
      drained: (scene) => this.settle(scene),
    });
  }

  async start() {
    try {
      this.hear({ ...(await api.table(this.id)), type: "table", seat: seatAt(this.id).seat });
    } catch (error) {
      this.fail(error.status === 404 ? t("unknownTable") : error.message);
      return;
    }
    this.build();
    this.keys = new Keys(() => this.room, {
      l: () => this.last(), m: () => this.may(), s: () => this.score(), r: () => this.rules(), "?": () => sheets.helpSheet(),
      h: () => sheets.helpSheet(), close: () => sheets.closeSheets(),
    }, () => this.hurry());
    this.connection = new Connection(this.id, () => seatAt(this.id).key, {
      message: (data) => this.hear(data),
      lost: () => this.connected(false),
      found: () => this.connected(true),
      refused: (code) => this.shut(code),
    });
  }

  build() {
    this.board = h("div", { class: "board", hidden: true });
    this.hand = h("div", { class: "hand" });
    this.prompt = h("p", { class: "prompt" });
    this.note = h("div", { class: "note", role: "alert", hidden: true });
    this.actions = h("div", { class: "actions" });
    this.side = h("aside", { class: "side-panel", "aria-label": t("score") });
    this.banner = h("p", { class: "banner", role: "status", hidden: true }, t("lost"));
    this.door = h("div", { class: "door", hidden: true });
    const dock = h("section", { class: "dock", "aria-label": t("you") },
      h("div", { class: "dock-line" }, this.prompt, this.actions), this.note, this.hand);
    this.room = h("main", { class: "room" }, this.banner, this.door, this.board, dock);
    const bar = makeBar({ invite: () => this.invite(), last: () => this.last(), score: () => this.score(), rules: () => this.rules() });
    Object.assign(this, { title: bar.title, heading: bar.heading, strip: bar.strip });
    clear(this.app, bar.element, this.room, this.side);
    this.room.addEventListener("click", (event) => this.click(event));
    if (this.about) this.describe();
  }

  // What the server says

  hear(data) {
    if (data.type === "table") {
      this.about = data;
      if (this.board) this.describe();
    } else if (data.type === "scenes") this.receive(data);
    else if (data.type === "refused") this.refused(data);
    else if (data.type === "why") this.say(data.reason, data.clause);
    else if (data.type === "error") this.say(data.error);
  }

  receive(data) {
    this.asked = false;
    if (data.told) {
      this.told = [...data.told];
      this.queue.reset();
      data.scenes.forEach((scene) => { scene.retold = true; });
    }
    this.queue.push(data.scenes);
  }

  refused(data) {
    this.asked = false;
    this.say(data.reason || t("refusedNow"), data.clause);
    if (!this.queue.busy && this.scene) this.draw(true);
  }

  describe() {
    this.title.textContent = this.about.title;
    document.title = `${this.about.title} · ${t("house")}`;
    this.game = this.about.game;
    const content = doorFor(this.about, this.id, (seat, key) => this.sat(seat, key), () => this.describe());
    this.door.hidden = !content;
    clear(this.door, content);
    this.room.classList.toggle("waiting", !this.about.begun);
  }

  sat(seat, key) {
    keepSeat(this.id, seat, key);
    this.connection.again();
  }

  // Showing

  show(scene, gathered) {
    const first = !this.scene;
    const dealt = !first && this.empty(this.scene) && !this.empty(scene);
    const before = first ? null : places(this.room);
    const again = scene.seen === this.scene?.seen;
    if (!again && !scene.retold) this.told.push(...(this.told.length && scene.told.length && this.scene?.rest ? [""] : []), ...scene.told);
    if (!again) this.say("");
    this.scene = scene;
    this.choosing.start(scene.choices);
    this.board.hidden = false;
    this.gathered = gathered || (first && scene.rest);
    this.draw(false);
    if (dealt) deal(this.room);
    else if (before) travel(this.room, before);
    if (!again) announce((scene.retold ? [scene.prompt] : scene.told).join("\n"));
  }

  empty(scene) {
    return !scene.areas.some((area) => area.at !== null && area.rows.some((row) => row.cards.length || row.hidden));
  }

  draw(live) {
    const held = this.keys?.hold();
    const acting = live && this.scene.legal.length > 0 && !this.asked;
    drawScene(this.board, this.hand, this.scene, { gathered: this.gathered, live: acting, peeked: this.peeked, choosing: this.choosing });
    this.live = acting;
    this.dress(acting);
    this.keys?.restore(held);
  }

  /** Everything around the table. */
  dress(acting) {
    const scene = this.scene;
    this.heading.textContent = scene.heading;
    this.prompt.textContent = scene.over ? scene.outcome || scene.prompt : scene.prompt;
    if (scene.seat < 0 && !scene.over) this.prompt.prepend(`${t("watching")} `);
    this.room.classList.toggle("my-turn", acting);
    this.room.classList.toggle("watching", scene.seat < 0);
    const buttons = acting ? scene.buttons.map((one) => button(one.label, () => this.choose(one.do), { class: "primary", "data-button": one.do })) : [];
    if (acting) buttons.push(...this.choosing.complete.map((one) => button(one.label, () => this.choose(one.do), { class: "primary", "data-button": one.do })));
    if (scene.rest && !this.gathered && this.queue.busy) buttons.push(button(t("goOn"), () => this.hurry(), { class: "go-on" }));
    if (scene.over && !this.queue.busy) buttons.push(button(t("end"), () => this.end(), { class: "primary" }));
    clear(this.actions, buttons);
    clear(this.strip, sheets.standingsList(scene));
    const log = sheets.logList(this.told);
    clear(this.side, h("h2", {}, t("standings")), sheets.scoreContent(scene), h("h3", {}, t("told")), log);
    log.scrollTop = log.scrollHeight;
  }

  pause(scene) {
    return sheets.pauseSheet(scene);
  }

  settle(scene) {
    this.draw(true);
    if (this.live) announce(`${scene.told.join("\n")}\n${scene.prompt}`);
    if (scene.over) this.end();
  }

  // What the viewer does

  click(event) {
    const peek = event.target.closest("[data-peek]");
    if (peek) {
      const row = peek.dataset.peek;
      if (!this.peeked.delete(row)) this.peeked.add(row);
      peek.classList.toggle("peeked");
      peek.setAttribute("aria-pressed", String(this.peeked.has(row)));
      announce(peek.getAttribute("aria-label"));
      return;
    }
    const thing = event.target.closest("[data-do]");
    if (thing) this.choose(thing.dataset.do, thing.dataset.token);
    else if (event.target.closest(".middle")) this.hurry();
  }

  choose(action, token = undefined) {
    if (this.queue.busy) this.hurry();
    if (!this.live) return;
    if (!this.scene.legal.includes(action)) {
      if (this.choosing.pick(token)) this.draw(true);
      else this.connection.send({ type: "why", do: action || token });
    } else if (this.connection.send({ type: "do", do: action, seen: this.scene.seen })) {
      this.asked = true;
      this.live = false;
      this.room.classList.remove("my-turn");
    }
  }

  hurry() {
    if (!this.queue.resting) return false;
    this.queue.goOn();
    return true;
  }

  may() {
    const names = this.live ? this.scene.choices?.map((choice) => this.nameOf(choice.do)) ?? [] : [];
    this.say(t("mayPlay", names));
  }

  nameOf(action) {
    const label = this.scene.buttons.find((one) => one.do === action)?.label;
    const card = action.split(" ").at(-1);
    return label ?? (/^([2-9TJQKA][CDHS]|X[BR])$/.test(card) ? t("card", card) : action);
  }

  /** A small note above the hand; screen readers say it at once. */
  say(text, clause = "") {
    this.note.hidden = !text;
    clear(this.note, text ? [h("span", {}, text), clause ? h("span", { class: "clause" }, t("clause", clause)) : null] : []);
  }

  last() {
    const rows = this.scene?.areas.filter((area) => area.at === null).flatMap((area) => area.rows) ?? [];
    const ring = this.scene?.areas.filter((area) => area.at !== null) ?? [];
    const row = rows.find((one) => one.style === "last" && one.cards.length) ??
      (this.scene?.rest ? rows.find((one) => one.style === "trick") : null);
    if (!row) this.say(t("noLastTrick"));
    else sheets.openSheet("last", t("lastTrick"), h("div", { class: `last-trick of-${ring.length}` }, h("div", { class: "trick" }, trickCards(row, ring))), { kind: "center small-sheet" });
  }

  score() {
    if (this.scene) sheets.scoreSheet(this.scene, this.told);
  }

  rules() {
    sheets.rulesSheet(t("rules"), () => api.rules(this.game));
  }

  invite() {
    sheets.openSheet("invite", t("copyLink"), shareNode(), { kind: "center" });
  }

  end() {
    sheets.endSheet(this.scene, { again: () => this.again(), record: api.recordAddress(this.id), home: "/" });
  }

  async again() {
    const { request } = seatAt(this.id);
    if (!request) {
      location.assign("/");
      return;
    }
    const answer = await api.openTable(request);
    keepSeat(answer.table, answer.seat, answer.key, request);
    location.assign(`/table/${answer.table}`);
  }

  // The connection

  connected(yes) {
    this.banner.hidden = yes;
    if (yes) {
      this.asked = false;
      announce(t("back_again"));
    }
  }

  shut(code) {
    if (code === 4403) {
      keepSeat(this.id, -1, null);
      this.say(t("wrongKey"));
      this.connection.again();
    } else this.fail(t("unknownTable"));
  }

  fail(text) {
    clear(this.app, h("main", { class: "failed" }, h("p", {}, text), h("a", { class: "button primary", href: "/" }, t("home"))));
  }
}
