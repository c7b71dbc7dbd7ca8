// The page of one table. The server's messages, the viewer's actions and the state of the page meet here.

import { CLOSING } from "../close_codes.js";
import { clubTable, showSealed } from "../club/club_address.js";
import * as api from "../common/api.js";
import { openLastTrick } from "../scene/card_sheets.js";
import { Connection } from "./connection.js";
import { announce } from "../common/dom.js";
import { ForcedActions } from "./forced_action.js";
import { makeDraggable } from "../scene/drag.js";
import { showError, showFailure } from "../common/failure.js";
import { GameEnd } from "./game_end.js";
import { HintSheet } from "./hint.js";
import { deal, places, showFates, travel } from "../scene/motion.js";
import { PendingAction } from "./pending_action.js";
import { People } from "./people.js";
import { PlannedAction } from "./planned_action.js";
import { Glossary, primerSheet } from "./primer.js";
import { RatedSeat } from "./rated_seat.js";
import { ConnectionBanner, MissedLog, requireSockets } from "./reconnection.js";
import { SceneQueue } from "../scene/scene_queue.js";
import { keepSeatHere, SeatPanel, StorageNote, takeSeatFromLink } from "./seat_panel.js";
import { Selection } from "../scene/selection.js";
import { keepRead, onlookerName, seatAt, settings } from "../common/settings.js";
import * as sheets from "../common/sheets.js";
import { scoreSheet } from "../scene/score_sheets.js";
import { onResize } from "../scene/sizes.js";
import { sound } from "../common/sound.js";
import { actionsInWords, legalActions, unsaidOutcome } from "../common/speech.js";
import { isDealt } from "../scene/scene_view.js";
import { TableInput } from "./table_input.js";
import { invitationLink } from "../landing/table_links.js";
import { TableSheet } from "./table_sheet.js";
import { RoundPause, TurnNotice } from "./turn_notice.js";
import { EndNotice, State, stateOf } from "./table_state.js";
import { TableView } from "./table_view.js";
import { t } from "../common/texts.js";

/** @import { ClientMessage, CompanyMessage, HistoryMessage, RefusedMessage } from "../protocol.d.ts" */
/** @import { RematchMessage, Scene, ScenesMessage, ServerMessage } from "../protocol.d.ts" */

/** Sentences about a connection that the server refuses, by close code. @type {Record<number, string>} */
const REFUSALS = { [CLOSING.BANNED]: t("banned"), [CLOSING.SEALED]: t("dailySealedTable") };

/**
 * @param {HTMLElement} app
 * @param {string} id
 */
export async function tablePage(app, id) {
  takeSeatFromLink(id);
  try {
    const [table] = await Promise.all([api.table(id, seatAt(id).key), requireSockets()]);
    if (table.club?.sealed && seatAt(id).seat < 0) await (await clubTable()).takeSeat(table.club.id, id);
    new TablePage(app, id, { ...table, seat: seatAt(id).seat }).start();
  } catch (error) {
    showError(app, error, api.tableErrorText(error));
  }
}

export class TablePage {
  /** @type {Scene | null} the scene that is shown */
  scene = null;
  /** @type {Scene | null} the scene that has been drawn */
  drawn = null;
  /** @type {string[]} the log lines that have been shown */
  log = [];
  /** Scenes whose log lines have been shown before. @type {WeakSet<Scene>} */
  repeated = new WeakSet();
  /** Whether a finished trick has been cleared. */
  gathered = true;
  /** Whether the scene is not drawn: another one or the end of the queue follows at once. */
  passing = false;
  connected = true;
  /** Whether the server has answered a hello. */
  greeted = false;
  /** @type {Connection} */
  connection;
  /** @type {number | undefined} the number of events of the latest scene */
  latest;
  /** @type {Scene | null} the scene of the table as text */
  texted = null;
  /** @type {RematchMessage | null} the rematch that has been proposed */
  next = null;
  /** @type {HintSheet | undefined} */
  hintSheet;

  /**
   * @param {HTMLElement} app
   * @param {string} id
   * @param {import("./seat_panel.js").Table} table
   */
  constructor(app, id, table) {
    this.app = app;
    this.id = id;
    this.table = table;
    this.selection = new Selection();
    this.input = new TableInput(this);
    this.banner = new ConnectionBanner();
    this.storageNote = new StorageNote(id);
    this.missed = new MissedLog(id, (change) => this.view.keepFocus(change));
    this.pending = new PendingAction((message) => this.connection.send(message));
    this.ending = new EndNotice();
    this.roundPause = new RoundPause(this);
    this.end = new GameEnd(this);
    this.sheet = new TableSheet(this);
    this.rated = new RatedSeat(id, (text) => this.say(text, true));
    this.forced = new ForcedActions(this);
    this.planned = new PlannedAction(this);
    this.openRules = (clause = "") => sheets.rulesSheet(this.table.title, () => api.rules(this.table.game), clause);
    this.glossary = new Glossary(this.openRules);
    this.people = new People({
      send: (message) => this.forced.send(message),
      say: (text) => this.say(text),
      needsConnection: () => this.view.needConnection(),
      own: () => this.table.seat,
      seen: () => this.latest ?? 0,
      name: (seat) => (seat === this.table.seat ? t("you") : (this.table.seats[seat]?.name ?? t("seat", seat + 1))),
      kind: (seat) => this.table.seats[seat]?.kind,
      isOverDays: () => Boolean(this.table.manners.days),
    });
    this.turnNotice = new TurnNotice(() => this.table, this.people);
    this.queue = new SceneQueue({
      show: (scene, gathered, passing) => this.show(scene, gathered, passing),
      pause: (scene) => this.roundPause.open(scene),
      drained: (scene) => this.settle(scene),
    });
    this.seatPanel = new SeatPanel(id, invitationLink(id), {
      sit: (seat, key) => this.sit(seat, key),
      redraw: () => this.describe(),
      say: (text) => this.say(text, true),
      absence: (seat) => this.people.absence(seat),
    });
    this.view = this.makeView();
    this.keyboard = this.input.makeKeyboard();
  }

  get state() {
    return stateOf(this.scene, this.queue.busy, this.pending, Boolean(this.people.playedOut));
  }

  start() {
    this.view.fill(this.app);
    this.describe();
    this.view.room.addEventListener("click", (event) => this.input.click(event));
    this.glossary.load(this.table.game).then(
      (fresh) => fresh && this.explainWords(),
      () => {}, // the words stay unexplained
    );
    makeDraggable(this.view.room, {
      may: () => this.state === State.TURN,
      goals: (thing) => this.input.goals(thing),
      dropped: (thing, target) => this.input.drop(thing, target),
    });
    addEventListener("parlour-settings", () => this.draw());
    onResize(() => this.draw());
    const name = () => (this.table.seat < 0 ? onlookerName(this.id) : "");
    const viewer = { key: () => seatAt(this.id).key, seen: () => this.latest, name };
    this.connection = new Connection(this.id, viewer, {
      message: (message) => this.view.keepFocus(() => this.receive(message)),
      lost: () => this.setConnected(false),
      found: () => this.setConnected(true),
      blocked: (why) => this.banner.explain(why),
      refused: (code) => this.handleRefusal(code),
    });
  }

  makeView() {
    return new TableView({
      people: this.people,
      banner: this.banner.element,
      missed: this.missed.element,
      reader: () => this.glossary.reader(),
      actions: {
        act: (action) => this.input.act(action),
        hurry: () => this.input.hurry(),
        putBack: () => this.input.putBack(),
        end: () => this.end.open(),
        primer: () => primerSheet(this.table.game, this.openRules),
        rules: this.openRules,
        talk: () => this.people.open(),
        people: () => this.sheet.open(),
        last: () => this.openLast(),
        hint: () => this.requestHint(),
        score: () => this.openScore(),
      },
    });
  }

  // Messages of the server

  /** @param {ServerMessage} message */
  receive(message) {
    switch (message.type) {
      case "table":
        return this.receiveTable(message);
      case "scenes":
        return this.receiveScenes(message);
      case "company":
        return this.receiveCompany(message);
      case "onlookers":
        return this.sheet.receive(message);
      case "said":
        return this.people.receiveTalk(message);
      case "rematch":
        return this.receiveRematch(message);
      case "refused":
        return message.id ? this.people.refused(message) : this.receiveRefusal(message);
      case "why":
        return this.view.explain(message.reasons);
      case "hint":
        return this.hintSheet?.show(message, this.scene?.seen ?? 0);
      case "hinted":
        return this.say(t("hinted", this.table.seats[message.by].name));
      case "text":
        return this.view.text.show(message.text);
      case "error":
        return this.say(message.error);
    }
  }

  /** @param {import("./seat_panel.js").Table} table */
  receiveTable(table) {
    this.rated.compare(this.table, table);
    this.seatPanel.compare(this.table, table);
    if (table.seat !== this.table.seat) this.pending.settle(); // an action of the seat that has been lost
    this.table = table;
    this.describe();
    this.sheet.draw();
    this.rated.link(table);
  }

  /** @param {CompanyMessage} message */
  receiveCompany(message) {
    this.greeted = true;
    const before = this.people.playedOut;
    this.people.receive(message);
    this.sheet.draw();
    if (this.people.playedOut !== before) {
      this.planned.stop();
      this.selection.clear();
      this.turnNotice.note();
      this.roundPause.call();
      this.draw();
    }
    if (!this.table.begun) this.describe();
    if (this.state === State.OVER) this.showEnd(true);
    this.hintSheet?.wait(message.readying);
  }

  /** @param {ScenesMessage | HistoryMessage} message */
  receiveScenes(message) {
    const { scenes } = message;
    const latest = scenes[scenes.length - 1];
    this.latest = latest.seen;
    this.turnNotice.note(latest);
    if ("log" in message) this.resume(message);
    // a scene without an event since the action, as after a change of names, does not answer it
    else if (scenes.some(({ seen }) => seen !== this.pending.message?.seen)) this.pending.settle();
    this.queue.push(scenes);
    this.roundPause.call();
  }

  /**
   * Continue after a hello: send the pending action, and show the missed log lines unless there are none (`log` is
   * null).
   *
   * @param {HistoryMessage} message
   */
  resume({ scenes, log, meanwhile }) {
    this.planned.drop("planCutOff");
    this.sheet.receive();
    const action = this.pending.message?.do ?? "";
    const late = this.pending.resume(this.latest ?? 0) ? "" : t("tooLate", this.selection.nameOf(action));
    for (const scene of scenes) this.repeated.add(scene);
    if (!log) return;
    if (this.table.seat >= 0) this.missed.show(this.missed.since(log, this.log.length, meanwhile), late);
    this.log = [...log];
    this.queue.reset();
  }

  /** @param {RefusedMessage} message */
  receiveRefusal(message) {
    const { reason, clause } = message;
    this.hintSheet?.close();
    const words = this.pending.wasLate(message) ? t("refusedNow") : reason || t("refusedNow");
    this.pending.settle();
    this.view.explain([{ reason: words, clause }]);
    if (this.state !== State.SHOWING) this.draw();
  }

  /**
   * Keep a rematch that has been proposed. A viewer who comes back later gets the message before the first `company`,
   * and reads of it in the sheet at the end.
   *
   * @param {RematchMessage} next
   */
  receiveRematch(next) {
    this.next = next;
    if (this.greeted) this.end.receive(next);
  }

  describe() {
    this.view.describe(this.table, this.seatPanel.draw(this.table));
    this.turnNotice.noteTable();
  }

  /**
   * Use a seat that has been taken, or none (−1): the log of a seat differs from a spectator's.
   *
   * @param {number} seat @param {string | null} key
   */
  sit(seat, key) {
    keepSeatHere(this.id, seat, key);
    this.hintSheet?.close();
    this.log = [];
    this.latest = undefined;
    this.connection.restart();
  }

  // Drawing

  /**
   * Show the next scene of the queue.
   *
   * @param {Scene} scene
   * @param {boolean} gathered
   * @param {boolean} passing
   */
  show(scene, gathered, passing) {
    const first = !this.scene;
    const again = scene.seen === this.scene?.seen;
    const isRepeated = this.repeated.has(scene);
    const lines = scene === this.scene || isRepeated ? [] : scene.log; // a finished trick is shown twice
    this.log.push(...lines);
    this.planned.review(scene);
    // lines without an event are about the table, not the game
    const isNoted = !this.view.noteStays && (!again || lines.length > 0);
    if (isNoted) this.say(again ? lines.join(" ") : this.planned.note || this.storageNote.text(scene));
    this.scene = scene;
    this.selection.start(scene.choices, again);
    this.gathered = gathered || (first && scene.rest && !scene.over); // the last trick of a game stays
    this.passing = passing;
    if (!passing) this.present();
    const prompt = scene.legal.length || again ? [] : [this.view.doorHeading || scene.prompt];
    const spoken = isRepeated ? prompt : lines.filter(Boolean);
    if (spoken.length) announce(spoken.join("\n"));
  }

  /** Draw a new scene with motion and sound. */
  present() {
    const { drawn, scene } = this;
    if (!scene) return;
    const { room } = this.view;
    const before = drawn ? places(room) : null;
    this.draw();
    const again = scene.seen === drawn?.seen;
    if (drawn && !isDealt(drawn) && isDealt(scene)) {
      deal(room);
      sound("deal");
    } else if (before) {
      const happened = travel(room, before);
      if (happened && !again) sound(happened);
      if (scene.rest && !this.gathered) showFates(room);
    }
  }

  /** Explain the words of the log, which may have been drawn before the explanations came. */
  explainWords() {
    this.view.side.forget();
    this.draw();
  }

  draw() {
    if (!this.scene) return;
    this.drawn = this.scene;
    const held = this.keyboard.hold();
    const { state, scene, gathered, selection, pending, connected, log, table } = this;
    const { peeked } = this.input;
    const planned = { open: this.planned.open, tokens: this.planned.tokens };
    if (!settings().text) this.texted = null;
    const now = { state, scene, gathered, selection, planned, peeked, pending, connected, log, game: table.game };
    this.view.keepFocus(() => {
      this.view.draw(now);
      this.keyboard.restore(held);
    });
    if (settings().text) this.drawText(scene);
  }

  /** @param {Scene} scene */
  drawText(scene) {
    const { seat, over, legal } = scene;
    if (this.texted !== scene && this.connection?.send({ type: "text" })) this.texted = scene;
    const acting = this.state === State.TURN;
    this.view.text.offer(acting ? legal : [], acting ? actionsInWords(scene) : [], seat >= 0 && !over);
  }

  /**
   * Continue after the last scene of the queue.
   *
   * @param {Scene} scene
   */
  settle(scene) {
    if (this.passing) this.present();
    else this.draw();
    this.passing = false;
    if (this.state === State.TURN) {
      announce(scene.prompt);
      this.roundPause.ring(scene.seen);
      if (!this.planned.begin(scene)) this.forced.begin(scene);
    }
    if (this.table.seat >= 0) keepRead(this.id, this.log.length);
    if (scene.over && !this.repeated.has(scene)) sound("end");
    this.showEnd(scene.over);
  }

  /**
   * Open the sheet at the end once, when the viewer's right to open another game is known. A button opens it again.
   *
   * @param {boolean} over
   */
  async showEnd(over) {
    if (!over) sheets.closeSheetBeside(); // the end has been taken back
    if (!this.greeted || !this.ending.isDue(over)) return;
    await sheets.noSheetOpen();
    if (!this.ending.over) return;
    if (this.scene) announce(this.repeated.has(this.scene) ? this.scene.outcome : unsaidOutcome(this.scene));
    await this.end.open();
  }

  // Requests and notes

  /**
   * Send a message that would be useless later. Without a connection show a note and return false.
   *
   * @param {ClientMessage} message
   */
  request(message) {
    const sent = this.connection.send(message);
    if (!sent) this.view.needConnection();
    return sent;
  }

  /** @param {string} text @param {boolean} [stays] until the viewer's next press, not only until the next scene */
  say(text, stays = false) {
    this.view.explain(text ? [{ reason: text, clause: "" }] : [], stays);
  }

  requestHint() {
    if (!this.table.hints || this.table.seat < 0) sheets.helpSheet();
    else if (this.scene?.over) this.say(this.scene.outcome);
    else if (this.state !== State.TURN) this.say(legalActions([]));
    else if (this.request({ type: "hint" })) {
      if (this.planned.stop()) this.draw();
      this.hintSheet = new HintSheet({
        scene: () => this.scene,
        room: this.view.room,
        act: (action) => this.input.act(action),
      });
    }
  }

  // Sheets

  openLast() {
    if (!openLastTrick(this.scene)) this.say(t("noLastTrick"));
  }

  openScore() {
    if (this.scene && this.table.begun) {
      scoreSheet(this.scene, this.log, this.openRules, this.glossary.reader());
    }
  }

  // The connection

  /** @param {boolean} connected */
  setConnected(connected) {
    if (connected !== this.connected) this.banner.show(connected);
    this.connected = connected;
    if (!connected) this.planned.drop("planCutOff");
    this.view.connect(connected);
    this.people.connect(connected);
    if (connected && this.hintSheet?.waits) this.request({ type: "hint" });
    if (this.state !== State.SHOWING) this.draw();
  }

  /** @param {number} code */
  handleRefusal(code) {
    if (code === CLOSING.WRONG_KEY) {
      this.say(t("wrongKey"), true);
      return this.sit(-1, null);
    }
    this.scene = null; // nothing goes on behind the sentence
    this.queue.stop();
    this.turnNotice.end();
    sheets.closeSheets();
    if (code === CLOSING.SEALED && this.table.club) showSealed(this.app, this.id, this.table.club.id);
    else showFailure(this.app, REFUSALS[code] ?? t("unknownTable"));
  }
}
