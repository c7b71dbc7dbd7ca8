// The page of one table: what the server says, what the viewer does, and what the page is at come together here.

import * as api from "./api.js";
import { Choosing } from "./selection.js";
import { Company } from "./people.js";
import { announce } from "./dom.js";
import { doorFor, keepSeatHere } from "./seat_panel.js";
import { makeDraggable } from "./drag.js";
import { showFailure } from "./failure.js";
import { HintSheet } from "./hint.js";
import { Keys } from "./keyboard.js";
import { showLast, showRows } from "./card_sheets.js";
import { Banner, Missed } from "./reconnection.js";
import { deal, fates, places, travel } from "./motion.js";
import { insist } from "./table_request.js";
import { Presses } from "./pending_action.js";
import { Queue } from "./scene_queue.js";
import { primerSheet, Terms } from "./primer.js";
import { reviewPart } from "./review.js";
import { actedIn, keepRead, remember, seatAt, settings } from "./settings.js";
import { deviceNode, goToSeat, shareNode } from "./table_links.js";
import * as sheets from "./sheets.js";
import { ANSWER_PATIENCE, Connection } from "./connection.js";
import { actionsInWords, isCard, mayDo } from "./speech.js";
import { onResize } from "./sizes.js";
import { sound } from "./sound.js";
import { isDealt } from "./stage.js";
import { EndNotice, State, stateOf } from "./table_state.js";
import { TableView } from "./table_view.js";
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
    this.connected = true;
    this.banner = new Banner();
    this.missed = new Missed(id);
    this.presses = new Presses((message) => this.connection.send(message));
    this.ending = new EndNotice();
    this.openRules = (clause) => this.rules(clause);
    this.terms = new Terms(this.openRules);
    this.company = new Company({
      send: (message) => this.connection.send(message),
      say: (text) => this.say(text),
      needs: () => this.say(t("needsConnection")),
      own: () => this.about?.seat ?? -1,
      seen: () => this.latest,
      name: (seat) => (seat === this.about?.seat ? t("you") : (this.about?.seats[seat]?.name ?? t("seat", seat + 1))),
      kind: (seat) => this.about?.seats[seat]?.kind,
    });
    this.queue = new Queue({
      show: (scene, gathered, passing) => this.show(scene, gathered, passing),
      pause: (scene) => this.pause(scene),
      drained: (scene) => this.settle(scene),
    });
  }

  get state() {
    return stateOf(this.scene, this.queue.busy, this.presses);
  }

  async start() {
    try {
      this.hear({ ...(await api.table(this.id)), type: "table", seat: seatAt(this.id).seat });
    } catch (error) {
      showFailure(this.app, error.status === 404 ? t("unknownTable") : error.message);
      return;
    }
    this.build();
    this.terms.load(this.about.game).then(
      (fresh) => fresh && this.draw(),
      () => {},
    ); // without them the words stay unexplained
    this.keys = new Keys(
      () => this.view.room,
      {
        l: () => this.last(),
        m: () => this.may(),
        s: () => this.score(),
        r: () => this.rules(),
        "?": () => sheets.helpSheet(),
        h: () => this.hint(),
        close: () => sheets.closeTopSheet(),
        t: () => remember({ text: !settings().text }),
        u: () => this.company.undo(),
        c: () => this.company.open(),
        escape: () => this.putBack(),
      },
      () => this.hurry(),
    );
    makeDraggable(this.view.room, {
      may: () => this.state === State.TURN,
      goals: ({ dataset }) => new Set(this.choosing.with([dataset.token]).flatMap((choice) => choice.tokens)),
      dropped: (thing, target) => this.drop(thing, target),
    });
    addEventListener("parlour-settings", () => this.draw());
    onResize(() => this.draw());
    this.connection = new Connection(
      this.id,
      { key: () => seatAt(this.id).key, seen: () => this.latest },
      {
        message: (data) => this.hear(data),
        lost: () => this.connect(false),
        found: () => this.connect(true),
        refused: (code) => this.shut(code),
      },
    );
  }

  build() {
    this.invitation = shareNode(this.id);
    this.view = new TableView({
      company: this.company,
      banner: this.banner,
      missed: this.missed,
      reader: () => this.terms.reader(),
      does: {
        act: (action) => this.act(action),
        hurry: () => this.hurry(),
        putBack: () => this.putBack(),
        end: () => this.end(),
        primer: () => primerSheet(this.about.game, this.openRules),
        rules: (clause) => this.rules(clause),
        talk: () => this.company.open(),
        invite: () => this.invite(),
        last: () => this.last(),
        hint: () => this.hint(),
        score: () => this.score(),
      },
    });
    this.view.fill(this.app);
    this.view.room.addEventListener("click", (event) => this.click(event));
    this.describe();
  }

  // What the server says

  hear(data) {
    if (data.type === "table") {
      this.about = data;
      if (this.view) this.describe();
    } else if (data.type === "scenes") this.receive(data);
    else if (data.type === "refused") this.refused(data);
    else if (data.type === "why") this.explain(data.reasons);
    else if (data.type === "hint") this.hinting?.show(data, this.scene.seen);
    else if (data.type === "hinted") this.say(t("hinted", this.about.seats[data.by].name));
    else if (data.type === "company") {
      this.greeted = true;
      this.company.hear(data);
      this.hinting?.wait(data.readying);
    } else if (data.type === "said") this.company.listen(data);
    else if (data.type === "rematch") this.called(data);
    else if (data.type === "text") this.view.text.show(data.text);
    else if (data.type === "error") this.say(data.error);
  }

  receive(data) {
    this.latest = data.scenes.at(-1).seen;
    if (data.told === undefined) this.presses.settle();
    else this.comeBack(data);
    this.queue.push(data.scenes);
  }

  /** After hello: what waited is sent, and what happened meanwhile is told, if anything did (`told` is not null). */
  comeBack({ scenes, told, meanwhile }) {
    const { one } = this.presses;
    const late = this.presses.again(this.latest) ? "" : t("tooLate", this.choosing.nameOf(one.do));
    scenes.forEach((scene) => {
      scene.retold = true;
    });
    if (told) {
      if (this.about.seat >= 0) this.missed.show(this.missed.since(told, this.told.length, meanwhile), late);
      this.told = [...told];
      this.queue.reset();
    }
  }

  refused(data) {
    this.hinting?.refused();
    if (!data.do) this.company.refused();
    const late = this.presses.open && data.seen > this.presses.one.seen;
    this.presses.settle();
    this.explain([{ reason: late ? t("refusedNow") : data.reason || t("refusedNow"), clause: data.clause }]);
    if (this.state !== State.SHOWING) this.draw();
  }

  describe() {
    this.view.describe(
      this.about,
      doorFor(
        this.about,
        this.id,
        this.invitation,
        (seat, key) => this.sat(seat, key),
        () => this.describe(),
      ),
    );
  }

  sat(seat, key) {
    keepSeatHere(this.id, seat, key);
    this.told = []; // another seat is told other things
    this.latest = undefined;
    this.connection.again();
  }

  // Showing

  show(scene, gathered, passing) {
    const first = !this.scene;
    const again = scene.seen === this.scene?.seen;
    const told = scene === this.scene || scene.retold ? [] : scene.told; // a finished trick is shown once more as it goes
    this.told.push(...told);
    if (!again || told.length) this.say(again ? told.join(" ") : ""); // what is told at the same moment is of the table, not of the game
    this.scene = scene;
    this.choosing.start(scene.choices, again);
    this.gathered = gathered || (first && scene.rest);
    this.passing = passing;
    if (!passing) this.present();
    const said = scene.retold ? (!scene.legal.length && !again ? [scene.prompt] : []) : told.filter(Boolean);
    if (said.length) announce(said.join("\n"));
  }

  /** Draws a scene that has not been drawn yet, and what the change looks and sounds like. */
  present() {
    const { drawn } = this;
    const before = drawn ? places(this.view.room) : null;
    this.draw();
    const again = this.scene.seen === drawn?.seen;
    if (drawn && !isDealt(drawn) && isDealt(this.scene)) {
      deal(this.view.room);
      sound("deal");
    } else if (before) {
      const happened = travel(this.view.room, before);
      if (happened && !again) sound(happened);
      if (this.scene.rest && !this.gathered) fates(this.view.room);
    }
  }

  draw() {
    if (!this.scene) return;
    this.drawn = this.scene;
    const held = this.keys?.hold();
    const { state, scene, gathered, choosing, peeked, presses, connected, told, about } = this;
    if (!settings().text) this.texted = null;
    this.view.draw({ state, scene, gathered, choosing, peeked, presses, connected, told, game: about.game });
    this.keys?.restore(held);
    if (settings().text) this.drawText();
  }

  drawText() {
    const { seen, seat, over, legal } = this.scene;
    if (this.texted !== seen && this.connection?.send({ type: "text" })) this.texted = seen;
    const acting = this.state === State.TURN;
    this.view.text.offer(acting ? legal : [], acting ? actionsInWords(this.scene) : [], seat >= 0 && !over);
  }

  async pause(scene) {
    await sheets.noSheetOpen();
    return sheets.pauseSheet(scene, this.openRules);
  }

  settle(scene) {
    if (this.passing) this.present();
    else this.draw();
    this.passing = false;
    if (this.state === State.TURN) {
      announce(scene.prompt);
      if (scene.seen !== this.rung) sound("turn");
      this.rung = scene.seen;
    }
    if (this.about.seat >= 0) keepRead(this.id, this.told.length);
    if (scene.over && !scene.retold) sound("end");
    this.showEnd(scene.over);
  }

  /** The end shows itself once, not whenever the connection comes back; after that a button shows it. */
  async showEnd(over) {
    if (!this.ending.isDue(over)) return;
    await sheets.noSheetOpen();
    if (this.ending.over) this.end();
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
    const shown = event.target.closest("[data-show]");
    if (shown) {
      showRows(this.scene, shown.dataset.show);
      return;
    }
    const thing = event.target.closest("[data-do]");
    if (thing) this.choose(thing.dataset.do, thing.dataset.token);
    else if (event.target.closest(".middle")) this.hurry();
  }

  /** A card or a row: alone it may be an action, or a part of several; or it is asked why it is neither. */
  choose(action, token) {
    if (this.queue.busy) this.hurry();
    if (this.state !== State.TURN) return;
    const confirmed = this.choosing.only && this.choosing.picked.has(token);
    if (confirmed && settings().confirm) this.act(this.choosing.only.do);
    else if (!token || !this.choosing.knows(token)) {
      if (this.scene.legal.includes(action)) this.act(action);
      else this.ask(token);
    } else if (!this.choosing.pick(token)) this.ask(token);
    else if (this.choosing.only && !settings().confirm && !(isCard(token) && this.choosing.grown))
      this.act(this.choosing.only.do);
    else {
      this.say(this.choosing.only ? t("onceMore", this.choosing.only.label) : "");
      this.draw();
    }
  }

  /** Why may this not be chosen, after what has been? */
  ask(token) {
    sound("no");
    if (token) this.request({ type: "why", tokens: [...this.choosing.picked, token] });
    else this.say(t("notNow"));
  }

  /** Let go upon something: both are chosen. Let go anywhere else: the same as choosing it. */
  drop(thing, target) {
    const { do: action, token } = thing.dataset;
    if (!target) {
      if (this.choosing.picked.has(token)) this.putBack();
      this.choose(action, token);
    } else if (!this.choosing.picked.has(token) && !this.choosing.with([token, target.dataset.token]).length) {
      this.putBack();
      this.request({ type: "why", tokens: [token, target.dataset.token] });
    } else {
      if (!this.choosing.picked.has(token)) this.choosing.pick(token);
      if (!this.choosing.picked.has(target.dataset.token)) this.choose(target.dataset.do, target.dataset.token);
    }
  }

  /** Asks the server something that makes no sense later; where that cannot be, it is said. True if it was asked. */
  request(message) {
    return this.connection.send(message) || this.say(t("needsConnection"));
  }

  /** True if it is done, or waits for the connection. */
  act(action) {
    if (this.state !== State.TURN) return false;
    this.presses.press(action, this.scene.seen);
    this.choosing.keep(action);
    this.missed.hide();
    this.say("");
    actedIn(this.about.game);
    this.view.turn(false);
    if (this.state === State.HELD) {
      this.draw();
      announce(this.view.prompt.textContent);
    } else this.connection.ask(ANSWER_PATIENCE);
    return true;
  }

  /** What is chosen, and what waits for the connection. */
  putBack() {
    const waited = this.presses.waits;
    if (waited) this.presses.settle();
    if (this.choosing.clear() || waited) this.draw();
    this.missed.hide();
    this.say("");
  }

  hurry() {
    if (!this.queue.resting) return false;
    this.queue.goOn();
    return true;
  }

  /** What may be done, by what it is called, with the cards it may be done with. */
  may() {
    this.say(mayDo(this.state === State.TURN ? this.scene.choices : []));
  }

  say(text) {
    this.explain(text ? [{ reason: text }] : []);
  }

  explain(reasons) {
    this.view.explain(reasons);
  }

  last() {
    if (!showLast(this.scene)) this.say(t("noLastTrick"));
  }

  hint() {
    if (!this.about.hints || this.about.seat < 0) sheets.helpSheet();
    else if (this.state !== State.TURN) this.say(t("mayPlay", []));
    else if (this.request({ type: "hint" }))
      this.hinting = new HintSheet({
        scene: () => this.scene,
        room: this.view.room,
        act: (action) => this.act(action),
      });
  }

  score() {
    if (this.scene && this.about.begun) sheets.scoreSheet(this.scene, this.told, this.openRules, this.terms.reader());
  }

  rules(clause = "") {
    sheets.rulesSheet(t("rules"), () => api.rules(this.about.game), clause);
  }

  invite() {
    sheets.openSheet("invite", t("copyLink"), [shareNode(this.id), deviceNode(this.id)], { kind: "center" });
  }

  end() {
    const { opener } = this.company.now;
    const mine = opener !== null && opener === this.about.seat;
    sheets.endSheet(this.scene, {
      again: this.next ? () => this.follow(this.next) : mine ? () => this.again() : null,
      next: Boolean(this.next),
      opener: opener === null ? "" : this.about.seats[opener].name,
      record: api.recordAddress(this.id),
      review: (this.review ??= reviewPart(this.id)),
      game: `/game/${this.id}`,
      home: "/",
      rules: this.openRules,
    });
  }

  /** Another game like this one. Everyone who is here is told of it, and so are we, but that may be lost with the connection. */
  async again() {
    this.follow(await insist(() => api.rematch(this.id, seatAt(this.id).key)));
  }

  /** Who is here goes along to the next game; who comes to look at the one that is over is shown the way. */
  called(next) {
    if (this.greeted) this.follow(next);
    this.next = next;
    if (sheets.sheetOpen() === "end") {
      sheets.closeTopSheet();
      this.end();
    }
  }

  /** To the table of the next game; the key is the same. */
  follow({ table, seat }) {
    if (seat >= 0) goToSeat(table, seat, seatAt(this.id).key);
    else location.assign(`/table/${table}`);
  }

  // The connection

  /** The connection is there again, or lost. What cannot be asked for meanwhile is pale. */
  connect(yes) {
    if (yes !== this.connected) this.banner.show(yes);
    this.connected = yes;
    this.view.connect(yes);
    if (yes) {
      this.texted = null; // the answer may have been lost
      this.company.again();
      if (this.hinting?.waits) this.request({ type: "hint" }); // it went to the connection that was lost
    }
    if (this.state !== State.SHOWING) this.draw();
  }

  shut(code) {
    if (code === 4403) {
      keepSeatHere(this.id, -1, null);
      this.say(t("wrongKey"));
      this.connection.again();
    } else showFailure(this.app, t(code === 4410 ? "banned" : "unknownTable"));
  }
}
