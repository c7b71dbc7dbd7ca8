// The page of a replay: a game event by event, as any seat sees it, and a new table from any event.

import * as api from "../common/api.js";
import { tool } from "../common/bar.js";
import { announce, button, clear, fieldOf, h, svg } from "../common/dom.js";
import { leaveBy, showError, showIn } from "../common/failure.js";
import { icon } from "../common/glyphs.js";
import { botNames, ownSeatRequest } from "../landing/new_table.js";
import { EventAddress } from "./event_address.js";
import { Playback } from "./playback.js";
import { isBrowsersKey, leaveFocus } from "./replay_keys.js";
import { ReplayScenes } from "./replay_scenes.js";
import { MOST_REVIEWED, reviewLink } from "./review_link.js";
import { sealOf } from "../common/sealed.js";
import { isMuted, seatAt } from "../common/settings.js";
import { replayKeysSheet } from "../common/help_sheet.js";
import * as sheets from "../common/sheets.js";
import { unsaidOutcome } from "../common/speech.js";
import { scoreSheet } from "../scene/score_sheets.js";
import { isDealt } from "../scene/scene_view.js";
import { Stage } from "../scene/stage.js";
import { copyText, goToSeat } from "../landing/table_links.js";
import { requestTable } from "../landing/table_request.js";
import { t } from "../common/texts.js";
import { REPLAY_TEXTS } from "./replay_texts.js";

/** @import { Catalogue } from "../answers.d.ts" */
/** @import { Scene, TableInfo } from "../protocol.d.ts" */

/** @typedef {import("./decision_marks.js").MarkedDecision} MarkedDecision */
/** @typedef {number | "all" | "spectator"} View a seat, all cards, or a spectator */

/** Milliseconds between two events of a running replay. */
const STEP_TIME = 1100;
/** Pixels of a swipe to the next or the previous event. */
const SWIPE_DISTANCE = 50;

/**
 * @param {HTMLElement} app
 * @param {string} id the table
 */
export async function replayPage(app, id) {
  try {
    const page = new ReplayPage(id, await api.table(id));
    await page.load();
    await page.start(app);
  } catch (error) {
    showError(app, error, api.tableErrorText(error));
  }
}

class ReplayPage {
  /** @type {Stage} */
  stage;
  /** @type {HTMLElement} */
  panel;
  /** @type {HTMLElement[]} what the panel has, beside the table or in a sheet */
  panelParts = [];
  /** @type {HTMLButtonElement | null} the button that leads to a new table from the present event */
  onward = null;
  /** @type {number | undefined} */
  timer = undefined;
  /** @type {Map<number, MarkedDecision>} the marked decisions, if the replay was opened from the review */
  marked = new Map();

  /**
   * @param {string} id
   * @param {TableInfo} table
   */
  constructor(id, table) {
    this.id = id;
    this.table = table;
    this.own = seatAt(id);
    this.playback = new Playback();
    this.address = new EventAddress();
    this.views = this.possibleViews();
    const search = new URLSearchParams(location.search);
    /** Whether the replay was opened from a review, which is about decisions as the player saw them. */
    this.reviewed = search.has("review");
    /** The view of an address that names none. */
    this.usual = this.reviewed && this.views.includes(this.own.seat) ? this.own.seat : this.views[0];
    this.view = this.views.find((view) => String(view) === search.get("view")) ?? this.usual;
    /** @type {Map<View, ReplayScenes>} */
    this.scenesByView = new Map();
    this.log = h("ol", { class: "log", tabindex: "0", "aria-label": t("logTitle") });
    this.ways = h("div", { class: "row replay-ways" });
    this.counter = h("span", { class: "counter" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      class: "moment",
      "aria-label": REPLAY_TEXTS.moment,
      on: { input: (event) => this.step(Number(fieldOf(event).value)) },
    });
    this.buttons = {
      first: this.stepButton("first", REPLAY_TEXTS.toStart, () => this.step(0)),
      before: this.stepButton("before", t("stepBack"), () => this.step(this.now - 1)),
      run: this.stepButton("run", REPLAY_TEXTS.run, () => this.toggle()),
      after: this.stepButton("after", REPLAY_TEXTS.stepOn, () => this.step(this.now + 1)),
      last: this.stepButton("last", REPLAY_TEXTS.toEnd, () => this.step(this.total), "last-event"),
    };
  }

  /** Whether the game has a review. */
  get isReviewable() {
    return this.table.over && this.table.conceded === null && !this.isSealed && this.total <= MOST_REVIEWED;
  }

  /** Load the first scenes. */
  async load() {
    await this.scenes().fetch(0);
    this.playback.total = this.scenes().total;
    this.slider.max = String(this.total);
    if (this.reviewed) {
      const { markedDecisions } = await import("./decision_marks.js"); // other replays do without it
      this.marked = await markedDecisions(this.id);
    }
  }

  /** @param {HTMLElement} app */
  async start(app) {
    document.title = `${this.table.title} · ${t("replay")} · ${t("parlour")}`;
    const tools = [
      tool("score", t("score"), () => this.openScore()),
      tool("rules", t("rules"), () => this.openRules()),
      tool("help", t("help"), () => replayKeysSheet()),
    ];
    const review = this.isReviewable ? [reviewLink(this.id)] : [];
    this.panelParts = [this.viewChooser(), this.ways, ...review, h("h2", {}, t("logTitle")), this.log];
    this.panel = h("aside", { class: "side-panel replay-side" }, this.panelParts);
    this.stage = new Stage(app, this.table.title, {
      game: this.table.game,
      tools,
      beside: this.panel,
      below: this.controls(),
    });
    this.drawWays();
    this.listen();
    await this.go(this.eventInAddress() ?? (this.table.over ? this.firstTurn() : this.total));
  }

  get now() {
    return this.playback.now;
  }

  get total() {
    return this.playback.total;
  }

  /** Whether others still play the same cards: only the player's own view may be shown. */
  get isSealed() {
    return sealOf(this.table) !== null;
  }

  /** @returns {View[]} */
  possibleViews() {
    if (this.isSealed) return [this.own.seat];
    if (this.table.over) return ["all", ...this.table.seats.keys(), "spectator"];
    return this.own.seat >= 0 ? [this.own.seat, "spectator"] : ["spectator"];
  }

  /** The number of the first event after which a seat is to act and cards are dealt. */
  firstTurn() {
    const { found } = this.scenes();
    return Math.max(
      0,
      found.findIndex((scene) => isDealt(scene) && scene.areas.some((area) => area.active)),
    );
  }

  /** The event in the address, or null. */
  eventInAddress() {
    const match = location.hash.match(/^#(\d+)$/);
    return match ? this.playback.within(Number(match[1])) : null;
  }

  /**
   * The address of the present event.
   *
   * @param {string[]} search the parts of its query; empty ones are left out
   */
  momentAddress(search) {
    const query = search.filter(Boolean).join("&");
    return `/game/${this.id}${query ? `?${query}` : ""}#${this.now}`;
  }

  /** The scenes of the present view. */
  scenes() {
    const key = this.table.over && !this.isSealed ? null : this.own.key;
    const scenes = this.scenesByView.get(this.view) ?? new ReplayScenes(this.id, String(this.view), key);
    this.scenesByView.set(this.view, scenes);
    return scenes;
  }

  // Display

  /**
   * Go to an event.
   *
   * @param {number} number
   * @param {boolean} [move] whether cards move from their places at the previous event
   */
  async go(number, move = true) {
    const event = this.playback.go(number);
    const scenes = this.scenes();
    try {
      const scene = await scenes.at(event);
      if (this.now !== event || scenes !== this.scenes()) return; // another event was chosen meanwhile
      this.show(scene, move);
    } catch (error) {
      if (this.now !== event || scenes !== this.scenes()) return;
      const { scene } = this.stage;
      if (scene) this.playback.go(scene.seen); // the event that is shown still
      this.halt();
      if (scene) this.showPosition(scene);
      this.stage.say(api.messageOf(error));
    }
    scenes.prefetch(event);
  }

  /**
   * @param {Scene} scene
   * @param {boolean} move
   */
  show(scene, move) {
    this.stage.draw(scene, { move });
    const lines = scene.log.filter(Boolean);
    const { mark, text } = this.marked.get(scene.seen) ?? { mark: "", text: "" };
    clear(
      this.stage.prompt,
      scene.outcome || lines.join(" ") || scene.heading,
      text ? h("span", { class: `decision-mark ${mark}` }, text) : null,
    );
    const happened = [lines.join(" "), unsaidOutcome(scene)].filter(Boolean).join("\n") || scene.heading;
    announce([happened, text].filter(Boolean).join("\n"));
    this.showPosition(scene);
    this.showLog();
    this.keepTime();
  }

  /** @param {Scene} scene */
  showPosition(scene) {
    const { now, total, buttons } = this;
    const text = REPLAY_TEXTS.eventOf(now, total);
    this.slider.value = String(now);
    this.slider.setAttribute("aria-valuetext", `${text}. ${scene.heading}`);
    this.counter.textContent = text;
    const search = [this.reviewed ? "review" : "", this.searchOfView(this.usual)];
    this.address.show(this.momentAddress(search));
    for (const each of [buttons.first, buttons.before]) each.disabled = this.playback.atStart;
    for (const each of [buttons.after, buttons.last]) each.disabled = this.playback.atEnd;
    // a conceded game was not over at its last event
    if (this.onward) this.onward.disabled = this.playback.atEnd && this.table.conceded === null;
  }

  showLog() {
    const lines = this.scenes().log(this.now);
    clear(
      this.log,
      lines.map(({ line, event }) => {
        const attributes = { type: "button", class: event === this.now ? "now" : "" };
        return h("li", {}, h("button", { ...attributes, on: { click: () => this.jump(event) } }, line));
      }),
    );
    this.log.scrollTop = this.log.scrollHeight;
  }

  viewChooser() {
    const segments = this.views.map((view) => {
      const change = () => {
        this.view = view;
        this.stage.turnDown();
        this.go(this.now, false);
      };
      const attributes = { name: "view", value: view, checked: view === this.view, on: { change, click: leaveFocus } };
      return sheets.segment(attributes, this.viewName(view));
    });
    const legend = h("legend", {}, REPLAY_TEXTS.view);
    return h("fieldset", { class: "chooser views" }, legend, h("div", { class: "segments" }, segments));
  }

  /** @param {View} view */
  viewName(view) {
    if (view === "all") return REPLAY_TEXTS.everyone;
    if (view === "spectator") return REPLAY_TEXTS.spectator;
    return this.seatName(view);
  }

  /** @param {number} seat */
  seatName(seat) {
    return seat === this.own.seat ? t("you") : this.table.seats[seat].name;
  }

  /** @type {(name: string, label: string, go: () => void, image?: string) => HTMLButtonElement} */
  stepButton(name, label, go, image = name) {
    const attributes = { type: "button", class: "button step", "data-step": image };
    return h("button", { ...attributes, "aria-label": label, title: label, on: { click: go } }, svg(icon(image)));
  }

  controls() {
    const more = button(REPLAY_TEXTS.moreOfGame, () => this.openPanel(), { class: "more-of-game" });
    const steps = h("div", { class: "steps" }, Object.values(this.buttons));
    return h("div", { class: "replay-controls" }, steps, more, this.slider, this.counter);
  }

  /** Open the panel as a sheet, on screens without room beside the table. */
  async openPanel() {
    await sheets.openSheet("game", t("replay"), this.panelParts);
    this.panel.append(...this.panelParts);
  }

  // Position

  /**
   * Go to an event by hand, which stops the clock.
   *
   * @param {number} number
   */
  step(number) {
    this.go(this.playback.step(number));
    this.keepTime();
  }

  /**
   * Go to the event of a log line, and close the panel over the table.
   *
   * @param {number} number
   */
  jump(number) {
    sheets.closeTopSheet();
    this.step(number);
  }

  toggle() {
    const { now } = this;
    this.playback.toggle();
    if (this.now !== now) this.go(this.now);
    this.keepTime();
  }

  halt() {
    this.playback.step(this.now);
    this.keepTime();
  }

  /** Run the page's clock while the playback runs, and show whether it does. */
  keepTime() {
    const { running } = this.playback;
    if (running) this.timer ??= setInterval(() => this.go(this.playback.tick()), STEP_TIME);
    else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    const { run } = this.buttons;
    clear(run, svg(icon(running ? "halt" : "run")));
    run.title = running ? REPLAY_TEXTS.halt : REPLAY_TEXTS.run;
    run.setAttribute("aria-label", run.title);
  }

  listen() {
    document.addEventListener("keydown", (event) => this.press(event));
    addEventListener("hashchange", () => this.go(this.eventInAddress() ?? this.now));
    let from = NaN;
    const { board, room } = this.stage;
    room.addEventListener("click", (event) => this.stage.look(event));
    board.addEventListener("touchstart", (event) => (from = event.touches[0].clientX), { passive: true });
    board.addEventListener("touchend", (event) => {
      const moved = event.changedTouches[0].clientX - from;
      if (Math.abs(moved) > SWIPE_DISTANCE) this.step(this.now + (moved < 0 ? 1 : -1));
    });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isMuted(event.key) || sheets.sheetOpen()) return;
    const target = /** @type {Element} */ (event.target);
    if (isBrowsersKey(target, event.key)) return;
    /** @type {Record<string, () => unknown>} */
    const actions = {
      ArrowLeft: () => this.step(this.now - 1),
      ArrowRight: () => this.step(this.now + 1),
      Home: () => this.step(0),
      End: () => this.step(this.total),
      " ": () => this.toggle(),
      r: () => this.openRules(),
      s: () => this.openScore(),
      "?": () => replayKeysSheet(),
      h: () => replayKeysSheet(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // A new table from this event

  drawWays() {
    const link = button(REPLAY_TEXTS.linkHere, () => this.copyLink());
    if (!this.table.over) {
      const table = h("a", { class: "button primary", href: `/table/${this.id}` }, t("toTable"));
      clear(this.ways, h("p", { class: "fine-print" }, REPLAY_TEXTS.stillOn), table, link);
      return;
    }
    if (this.isSealed) {
      clear(this.ways, h("p", { class: "fine-print" }, REPLAY_TEXTS.onlyOwnView));
      return;
    }
    this.onward = button(REPLAY_TEXTS.playOn, () => this.openPlayOn(), { class: "primary", "data-go": "on" });
    const attributes = { class: "button", href: api.recordAddress(this.id), download: "", "data-go": "record" };
    clear(this.ways, this.onward, link, h("a", attributes, t("record")));
  }

  /** The part of an address with the view. @param {View} unnamed needs none once the game is over */
  searchOfView(unnamed) {
    return this.table.over && this.view === unnamed ? "" : `view=${this.view}`;
  }

  async copyLink() {
    const address = `${location.origin}${this.momentAddress([this.searchOfView(this.views[0])])}`;
    sheets.closeTopSheet();
    this.stage.say((await copyText(address)) ? REPLAY_TEXTS.linkCopied : address);
  }

  /** Open the sheet that begins a table from the present event. */
  openPlayOn() {
    this.halt();
    return sheets.openLoaded("on", REPLAY_TEXTS.playOn, async () => {
      const catalogue = await api.games();
      return () => this.playOnSheet(catalogue);
    });
  }

  /** @param {Catalogue} catalogue */
  playOnSheet({ bots, usual_bot: usual }) {
    const ownSeat = Math.max(0, this.own.seat);
    const segments = this.table.seats.map((_, seat) =>
      sheets.segment({ name: "seat", value: seat, checked: seat === ownSeat }, this.seatName(seat)),
    );
    const bot = h(
      "select",
      { class: "field" },
      bots.map(({ id, title }) => h("option", { value: id, selected: id === usual }, title)),
    );
    const failure = h("p", { class: "failure", role: "alert" });
    const legend = h("legend", { class: "unseen" }, t("seats"));
    const form = h(
      "form",
      { class: "play-on" },
      h("p", {}, REPLAY_TEXTS.playOnHint),
      h("fieldset", { class: "chooser" }, legend, h("div", { class: "segments" }, segments)),
      h("label", { class: "labelled" }, REPLAY_TEXTS.against, bot),
      failure,
    );
    const begin = () => this.playOn(Number(new FormData(form).get("seat")), bot.value);
    const start = () => leaveBy(go, showIn(failure), begin);
    const go = button(REPLAY_TEXTS.playOn, start, { class: "primary", "data-go": "begin" });
    sheets.openSheet("on", REPLAY_TEXTS.playOnTitle(this.now), form, { kind: "center", actions: [() => go] });
  }

  /**
   * Open a table that continues from the present event.
   *
   * @param {number} seat the player's seat
   * @param {string} bot the bot of the other seats
   */
  async playOn(seat, bot) {
    const own = ownSeatRequest();
    /** @param {TableInfo["seats"][number]} one @param {number} number */
    const keepsName = ({ name, kind }, number) => kind === "bot" && number !== seat && name !== own.name;
    const kept = this.table.seats.filter(keepsName);
    const names = botNames(this.table.seats.length, [own.name, ...kept.map(({ name }) => name)]);
    const others = this.table.seats.map((one, number) => ({
      kind: "bot",
      bot,
      name: keepsName(one, number) ? one.name : names[number],
    }));
    const seats = others.map((other, number) => (number === seat ? own : other));
    const opened = await requestTable({ seen: this.now, seats }, `/api/tables/${this.id}/on`);
    goToSeat(opened.table, seat, opened.key);
  }

  openScore() {
    const log = this.scenes().log(this.now);
    if (this.stage.scene) {
      scoreSheet(
        this.stage.scene,
        log.map(({ line }) => line),
        (clause) => this.openRules(clause),
      );
    }
  }

  openRules(clause = "") {
    sheets.rulesSheet(this.table.title, () => api.rules(this.table.game), clause);
  }
}
