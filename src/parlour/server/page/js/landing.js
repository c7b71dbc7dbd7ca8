// The landing: choose a game, who sits at the table, and the rules it is played by.

import * as api from "./api.js";
import { fan } from "./cards.js";
import { button, clear, h, svg } from "./dom.js";
import { drawPlace } from "./draw.js";
import { icon } from "./glyphs.js";
import { mannersFields, mannersWanted } from "./manners.js";
import { optionRows } from "./options.js";
import { keepSeat, remember, settings } from "./settings.js";
import { rulesSheet, settingsSheet } from "./sheets.js";
import { t } from "./texts.js";

const CARDS = ["KH", "AS", "7D", "QC", "TH"];

export async function landing(app) {
  let offer;
  try {
    offer = await api.games();
  } catch (error) {
    clear(app, h("main", { class: "failed" }, h("p", {}, error.message)));
    return;
  }
  new Landing(app, offer).draw();
}

/** A game's picture: parts of its table, small. */
function picture(game) {
  const how = { still: true, live: false, middle: new Set(), peeked: new Set() };
  const parts = game.picture.map((area) => h("div", { class: `side-${area.side || "none"}` }, drawPlace(area, how)));
  return h("span", { class: "picture", "aria-hidden": "true" }, parts.length ? parts : fan(CARDS));
}

class Landing {
  constructor(app, { games, bots }) {
    Object.assign(this, { app, games, bots });
    const kept = settings();
    this.game = games.find((game) => game.id === kept.game) ?? games[0];
    this.players = this.game.players.includes(kept.players) ? kept.players : this.usual(this.game);
    this.options = kept.game === this.game.id ? { ...kept.options } : {};
    this.seats = [...kept.seats];
    this.name = kept.name;
    this.form = h("form", { class: "setup", on: { submit: (event) => this.play(event) } });
    this.advice = h("div", { class: "advice", "aria-live": "polite" });
    this.failure = h("p", { class: "failure", role: "alert" });
    this.go = h("button", { type: "submit", class: "button primary play" }, t("play"));
  }

  usual(game) {
    return game.players.includes(4) ? 4 : game.players[0];
  }

  draw() {
    document.title = t("house");
    const settingsButton = h("button", { type: "button", class: "tool", "aria-label": t("settings"), title: t("settings"), on: { click: () => settingsSheet() } }, svg(icon("settings")));
    clear(this.app, h("main", { class: "landing" },
      h("header", { class: "house" }, h("div", { class: "house-line" }, h("h1", {}, t("house")), settingsButton), h("p", { class: "tagline" }, t("tagline"))),
      this.games.length > 1 ? h("fieldset", { class: "games" }, h("legend", { class: "unseen" }, t("games")), this.games.map((game) => this.gameCard(game))) : null,
      this.about(),
      this.form));
    this.drawForm();
  }

  gameCard(game) {
    const chosen = game === this.game;
    const choose = () => {
      const unusual = this.players !== this.usual(this.game);
      if (!unusual || !game.players.includes(this.players)) this.players = this.usual(game);
      this.game = game;
      this.options = {};
      this.draw();
      document.getElementById(`game-${game.id}`).focus();
    };
    return h("label", { class: `game ${chosen ? "chosen" : ""}` },
      picture(game),
      h("span", { class: "game-name" }, game.title, h("small", {}, t("playersRange", game.players[0], game.players.at(-1)))),
      h("input", { type: "radio", name: "game", id: `game-${game.id}`, value: game.id, "aria-label": game.title, checked: chosen, on: { change: choose } }));
  }

  about() {
    const game = this.game;
    return h("section", { class: "about" },
      h("div", { class: "about-words" }, h("h2", {}, game.title), h("p", {}, game.summary), h("p", { class: "fine-print" }, game.credit)),
      button(t("readRules"), () => rulesSheet(game.title, () => api.rules(game.id)), {}, svg(icon("rules"))));
  }

  drawForm() {
    const focused = document.activeElement?.id;
    clear(this.form,
      h("div", { class: "setup-part" }, this.playersChooser(), this.seatsList(), this.isShared() ? mannersFields() : null),
      h("fieldset", { class: "setup-part" }, h("legend", {}, t("options")),
        optionRows(this.game, this.players, this.options, (name, value) => this.setOption(name, value)),
        Object.keys(this.options).length ? button(t("reset"), () => { this.options = {}; this.drawForm(); }, { class: "quiet" }) : null),
      h("div", { class: "setup-go" }, this.advice, this.failure, this.go));
    if (focused) document.getElementById(focused)?.focus();
    this.check();
  }

  playersChooser() {
    const pick = (number) => {
      this.players = number;
      for (const option of this.game.options) {
        if (option.refused?.[number]?.[String(this.options[option.name])]) delete this.options[option.name];
      }
      this.drawForm();
    };
    return h("fieldset", { class: "chooser" }, h("legend", {}, t("players")), h("div", { class: "segments" },
      this.game.players.map((number) => h("label", { class: "segment" },
        h("input", { type: "radio", id: `players-${number}`, name: "players", value: number, checked: number === this.players, on: { change: () => pick(number) } }),
        h("span", {}, String(number))))));
  }

  seatsList() {
    const name = h("input", { class: "field", id: "your-name", name: "name", maxlength: "24", autocomplete: "nickname", value: this.name, placeholder: t("defaultName"), on: { input: (event) => { this.name = event.target.value; } } });
    const others = [...Array(this.players - 1)].map((_, index) => this.seat(index));
    return h("fieldset", { class: "seats" }, h("legend", {}, t("seats")),
      h("label", { class: "seat-line" }, h("span", {}, t("yourName")), name), others, this.legend());
  }

  seat(index) {
    const now = this.kind(index);
    const select = h("select", { class: "field", name: `seat-${index + 1}`, id: `seat-${index + 1}`, on: { change: (event) => { this.seats[index] = event.target.value; this.drawForm(); } } },
      this.bots.map((bot) => h("option", { value: bot.id, selected: now === bot.id }, bot.title)),
      h("option", { value: "open", selected: now === "open" }, t("friend")));
    return h("label", { class: "seat-line" }, h("span", {}, now === "open" ? t("seat", index + 2) : t("names")[index]), select);
  }

  /** What the chosen bots are like, each said once. */
  legend() {
    const chosen = new Set([...Array(this.players - 1)].map((_, index) => this.kind(index)));
    return h("div", { class: "bots-legend" }, this.bots.filter((bot) => chosen.has(bot.id)).map((bot) =>
      h("p", {}, h("b", {}, bot.title), ` ${bot.description}`)));
  }

  kind(index) {
    const kept = this.seats[index];
    return kept === "open" || this.bots.some((bot) => bot.id === kept) ? kept : this.bots[0].id;
  }

  setOption(name, value) {
    const usual = this.game.options.find((option) => option.name === name).defaults[this.players];
    if (value === usual) delete this.options[name];
    else this.options[name] = value;
    this.drawForm();
  }

  async check() {
    this.keep();
    try {
      const answer = await api.check(this.game.id, this.players, this.options);
      clear(this.advice, answer.advice.map((line) => h("p", {}, line)));
      this.failure.textContent = "";
      this.go.disabled = false;
    } catch (error) {
      this.failure.textContent = error.message;
      this.go.disabled = error.status === 422;
    }
  }

  keep() {
    remember({ name: this.name, game: this.game.id, players: this.players, options: this.options, seats: this.seats });
  }

  /** Whether other people are to sit down. */
  isShared() {
    return [...Array(this.players - 1)].some((_, index) => this.kind(index) === "open");
  }

  request() {
    const others = [...Array(this.players - 1)].map((_, index) => {
      const kind = this.kind(index);
      return kind === "open" ? { kind: "open" } : { kind: "bot", bot: kind, name: t("names")[index] };
    });
    return { game: this.game.id, players: this.players, options: this.options, manners: this.isShared() ? mannersWanted() : {}, seats: [{ kind: "you", name: this.name.trim() || t("defaultName") }, ...others] };
  }

  async play(event) {
    event.preventDefault();
    this.keep();
    this.go.disabled = true;
    try {
      const request = this.request();
      const { table, seat, key } = await api.openTable(request);
      keepSeat(table, seat, key, request);
      location.assign(`/table/${table}`);
    } catch (error) {
      this.failure.textContent = error.message;
      this.go.disabled = false;
    }
  }
}
