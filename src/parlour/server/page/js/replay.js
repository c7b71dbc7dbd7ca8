// A game looked at again: event by event, from any side, and on from any moment.

import * as api from "./api.js";
import { tool } from "./bar.js";
import { announce, button, clear, h, svg } from "./dom.js";
import { showFailure } from "./failure.js";
import { icon } from "./glyphs.js";
import { open } from "./table_request.js";
import { Playback } from "./playback.js";
import { reviewPart } from "./review.js";
import { seatAt, settings } from "./settings.js";
import { goToSeat } from "./table_links.js";
import * as sheets from "./sheets.js";
import { isDealt, Stage } from "./stage.js";
import { t } from "./texts.js";

const STEP = 1100;
const SWIPE = 50;

export async function replayPage(app, id) {
  try {
    await new ReplayPage(id, await api.table(id)).start(app);
  } catch (error) {
    const text = error.status === 404 ? t("unknownTable") : error.message;
    showFailure(app, text);
  }
}

/** The scenes of a game as one viewer is shown them, fetched a part at a time. */
class Scenes {
  constructor(id, view, key) {
    Object.assign(this, { id, view, key, found: [], asked: new Map() });
  }

  async at(number) {
    if (!this.found[number]) await this.fetch(number - (number % 50));
    return this.found[number];
  }

  fetch(first) {
    if (!this.asked.has(first))
      this.asked.set(
        first,
        this.take(first).catch((error) => {
          this.asked.delete(first); // asked for again when it is looked at again
          throw error;
        }),
      );
    return this.asked.get(first);
  }

  async take(first) {
    const { scenes, seen } = await api.replay(this.id, this.view, first, this.key);
    this.total = seen;
    for (const scene of scenes) this.found[scene.seen] = scene;
  }

  /** Everything told up to a moment; what is not there yet is left out. */
  told(number) {
    return this.found
      .slice(0, number + 1)
      .flatMap((scene, at) => scene.told.filter(Boolean).map((line) => ({ line, at })));
  }
}

class ReplayPage {
  constructor(id, about) {
    Object.assign(this, { id, about, playback: new Playback(), timer: null });
    this.own = seatAt(id);
    this.views = about.over
      ? ["all", ...about.seats.keys(), "spectator"]
      : [...(this.own.seat >= 0 ? [this.own.seat] : []), "spectator"];
    this.kept = new Map();
    this.view = String(about.over && this.own.seat >= 0 ? this.own.seat : this.views[0]);
  }

  async start(app) {
    document.title = `${this.about.title} · ${t("replay")} · ${t("house")}`;
    await this.scenes().fetch(0);
    this.playback.total = this.scenes().total;
    this.log = h("ol", { class: "log", tabindex: "0", "aria-label": t("told") });
    this.more = h("div", { class: "row replay-ways" });
    this.side = h(
      "aside",
      { class: "side-panel replay-side" },
      this.viewChooser(),
      this.more,
      this.about.over ? reviewPart(this.id) : null,
      h("h2", {}, t("told")),
      this.log,
    );
    const tools = [
      tool("score", t("score"), () => this.score()),
      tool("rules", t("rules"), () => this.rules()),
      tool("help", t("help"), () => sheets.keysSheet(t("replayKeys"))),
    ];
    this.parts = [...this.side.children];
    this.stage = new Stage(app, this.about.title, { tools, beside: this.side, below: this.controls() });
    this.drawWays();
    this.listen();
    await this.go(this.fromAddress() ?? (this.about.over ? this.opening() : this.total));
  }

  /** The first moment when the cards are dealt and somebody is to play: before it there is little to see. */
  opening() {
    return Math.max(
      0,
      this.scenes().found.findIndex((scene) => isDealt(scene) && scene.areas.some((area) => area.active)),
    );
  }

  fromAddress() {
    const given = location.hash.match(/^#(\d+)$/);
    return given ? this.playback.within(Number(given[1])) : null;
  }

  scenes() {
    if (!this.kept.has(this.view))
      this.kept.set(this.view, new Scenes(this.id, this.view, this.about.over ? null : this.own.key));
    return this.kept.get(this.view);
  }

  // What is to be seen

  async go(number, move = true) {
    const wanted = this.playback.go(number);
    const scenes = this.scenes();
    try {
      const scene = await scenes.at(wanted);
      if (this.now !== wanted || scenes !== this.scenes()) return; // somebody was quicker
      this.show(scene, move);
    } catch (error) {
      this.halt();
      this.stage.say(error.message);
    }
    scenes.fetch(Math.min(this.total, wanted + 50) - (Math.min(this.total, wanted + 50) % 50)).catch(() => {});
  }

  show(scene, move) {
    this.stage.draw(scene, { move });
    const told = scene.told.filter(Boolean).join(" ");
    const text = scene.outcome || told || scene.heading;
    this.stage.prompt.textContent = text;
    announce([told, scene.outcome].filter(Boolean).join("\n") || scene.heading);
    this.slider.value = this.now;
    this.slider.setAttribute("aria-valuetext", `${t("eventOf", this.now, this.total)}. ${scene.heading}`);
    this.counter.textContent = t("eventOf", this.now, this.total);
    history.replaceState(null, "", `#${this.now}`);
    for (const [name, number] of [
      ["first", 0],
      ["before", 0],
      ["after", this.total],
      ["last", this.total],
    ])
      this.buttons[name].disabled = this.now === number;
    if (this.onward) this.onward.disabled = this.now === this.total;
    const lines = this.scenes().told(this.now);
    clear(
      this.log,
      lines.map(({ line, at }) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: at === this.now ? "now" : "", on: { click: () => this.jump(at) } },
            line,
          ),
        ),
      ),
    );
    this.log.scrollTop = this.log.scrollHeight;
    this.keepTime();
  }

  get now() {
    return this.playback.now;
  }

  get total() {
    return this.playback.total;
  }

  viewChooser() {
    const name = (view) =>
      view === "all"
        ? t("everyone")
        : view === "spectator"
          ? t("spectator")
          : view === this.own.seat
            ? t("you")
            : this.about.seats[view].name;
    const pick = (view) => {
      this.view = String(view);
      this.go(this.now, false);
    };
    return h(
      "fieldset",
      { class: "chooser views" },
      h("legend", {}, t("view")),
      h(
        "div",
        { class: "segments" },
        this.views.map((view) =>
          h(
            "label",
            { class: "segment" },
            h("input", {
              type: "radio",
              name: "view",
              value: view,
              checked: String(view) === this.view,
              on: { change: () => pick(view) },
            }),
            h("span", {}, name(view)),
          ),
        ),
      ),
    );
  }

  controls() {
    const make = (name, label, go) =>
      h(
        "button",
        {
          type: "button",
          class: "button step",
          "data-step": name,
          "aria-label": label,
          title: label,
          on: { click: go },
        },
        svg(icon(name)),
      );
    this.buttons = {
      first: make("first", t("toStart"), () => this.step(0)),
      before: make("before", t("stepBack"), () => this.step(this.now - 1)),
      run: make("run", t("run"), () => this.toggle()),
      after: make("after", t("stepOn"), () => this.step(this.now + 1)),
      last: make("last-event", t("toEnd"), () => this.step(this.total)),
    };
    this.counter = h("output", { class: "counter" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: this.total,
      value: 0,
      class: "moment",
      "aria-label": t("moment"),
      on: { input: (event) => this.step(Number(event.target.value)) },
    });
    const more = button(t("moreOfGame"), () => this.openSide(), { class: "more-of-game" });
    return h(
      "div",
      { class: "replay-controls" },
      h("div", { class: "steps" }, Object.values(this.buttons)),
      more,
      this.slider,
      this.counter,
    );
  }

  /** Where there is no room beside the table, what stands there slides in over it. */
  async openSide() {
    await sheets.openSheet("game", t("replay"), this.parts);
    this.side.append(...this.parts);
  }

  // Going through it

  /** A step by hand stops what runs by itself. */
  step(number) {
    this.go(this.playback.step(number));
    this.keepTime();
  }

  /** To what is told of somewhere; where that slid in over the table, it makes way. */
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

  /** Lets the page's clock run as long as the playback does, and shows whether it does. */
  keepTime() {
    const { running } = this.playback;
    if (!running) {
      clearInterval(this.timer);
      this.timer = null;
    } else this.timer ??= setInterval(() => this.go(this.playback.tick()), STEP);
    this.mark(running);
  }

  mark(running) {
    const { run } = this.buttons;
    clear(run, svg(icon(running ? "halt" : "run")));
    run.setAttribute("aria-label", t(running ? "halt" : "run"));
    run.title = t(running ? "halt" : "run");
  }

  listen() {
    const keys = {
      ArrowLeft: () => this.step(this.now - 1),
      ArrowRight: () => this.step(this.now + 1),
      Home: () => this.step(0),
      End: () => this.step(this.total),
      " ": () => this.toggle(),
      r: () => this.rules(),
      s: () => this.score(),
      "?": () => sheets.keysSheet(t("replayKeys")),
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || sheets.sheetOpen()) return;
      if (event.target.matches("input, select, textarea") || (event.key === " " && event.target.matches("button, a")))
        return;
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    addEventListener("hashchange", () => this.go(this.fromAddress() ?? this.now));
    let from = null;
    this.stage.board.addEventListener(
      "touchstart",
      (event) => {
        from = event.touches[0];
      },
      { passive: true },
    );
    this.stage.board.addEventListener("touchend", (event) => {
      const moved = event.changedTouches[0].clientX - (from?.clientX ?? NaN);
      if (Math.abs(moved) > SWIPE) this.step(this.now + (moved < 0 ? 1 : -1));
    });
  }

  // What can be done with it

  drawWays() {
    const link = button(t("linkHere"), () => this.copyLink());
    if (!this.about.over) {
      clear(
        this.more,
        h("p", { class: "hint" }, t("stillOn")),
        h("a", { class: "button primary", href: `/table/${this.id}` }, t("toTable")),
        link,
      );
      return;
    }
    this.onward = button(t("playOn"), () => this.playOn(), { class: "primary", "data-go": "on" });
    clear(
      this.more,
      this.onward,
      link,
      h("a", { class: "button", href: api.recordAddress(this.id), download: "", "data-go": "record" }, t("record")),
    );
  }

  async copyLink() {
    const address = `${location.origin}/game/${this.id}#${this.now}`;
    sheets.closeTopSheet();
    try {
      await navigator.clipboard.writeText(address);
      this.stage.say(t("linkCopied"));
    } catch {
      this.stage.say(address);
    }
  }

  async playOn() {
    this.halt();
    const { bots, usual_bot: usual } = await api.games();
    const seats = this.about.seats.map(({ name }, number) =>
      h(
        "label",
        { class: "segment" },
        h("input", { type: "radio", name: "seat", value: number, checked: number === Math.max(0, this.own.seat) }),
        h("span", {}, number === this.own.seat ? t("you") : name),
      ),
    );
    const bot = h(
      "select",
      { class: "field", "aria-label": t("names")[0] },
      bots.map(({ id, title }) => h("option", { value: id, selected: id === usual }, title)),
    );
    const failure = h("p", { class: "failure", role: "alert" });
    const form = h(
      "form",
      { class: "play-on" },
      h("p", {}, t("playOnHint")),
      h(
        "fieldset",
        { class: "chooser" },
        h("legend", { class: "unseen" }, t("seats")),
        h("div", { class: "segments" }, seats),
      ),
      h("label", { class: "labelled" }, t("against"), bot),
      failure,
    );
    const begin = async () => {
      try {
        await this.begin(Number(form.elements.seat.value), bot.value);
      } catch (error) {
        failure.textContent = error.message;
      }
    };
    sheets.openSheet("on", t("playOnTitle", this.now), form, {
      kind: "center",
      actions: [() => button(t("playOn"), begin, { class: "primary", "data-go": "begin" })],
    });
  }

  async begin(seat, bot) {
    const others = this.about.seats.map(({ name, kind }, number) => ({
      kind: "bot",
      bot,
      name: kind === "bot" ? name : t("names")[number],
    }));
    const seats = others.with(seat, { kind: "you", name: settings().name.trim() || t("defaultName") });
    const { table, key } = await open({ seen: this.now, seats }, `/api/tables/${this.id}/on`);
    goToSeat(table, seat, key);
  }

  score() {
    if (this.stage.scene)
      sheets.scoreSheet(
        this.stage.scene,
        this.scenes()
          .told(this.now)
          .map(({ line }) => line),
        (clause) => this.rules(clause),
      );
  }

  rules(clause = "") {
    sheets.rulesSheet(t("rules"), () => api.rules(this.about.game), clause);
  }
}
