// The page that sets up a table of one game: seats, manners, options.

import * as api from "../common/api.js";
import { button, clear, fieldOf, find, findAll, focusedElement, h, svg } from "../common/dom.js";
import { leaveBy, showError, showIn } from "../common/failure.js";
import { factsOf, lessonLink } from "./game_info.js";
import { pageHeader } from "../common/page_header.js";
import { icon } from "../common/glyphs.js";
import { chosenAlone, chosenManners, mannersFields, fieldsAlone } from "./manners.js";
import { botNames, knownBot, openTable, ownSeatRequest } from "./new_table.js";
import { possibleOptions, withOption } from "./option_limits.js";
import { optionRows, reasonAgainst } from "./options.js";
import { nameInput } from "../common/name_input.js";
import { afterPress } from "../common/presses.js";
import { remember, settings } from "../common/settings.js";
import { rulesSheet, segment } from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { Catalogue, Game } from "../answers.d.ts" */

/** The status of options that the game excludes. */
const UNPROCESSABLE = 422;

/**
 * @param {HTMLElement} app
 * @param {string} id the game
 */
export async function setupPage(app, id) {
  try {
    const catalogue = await api.games();
    const game = catalogue.games.find((one) => one.id === id);
    if (!game) throw new Error(t("unknownGame"));
    new SetupPage(app, game, catalogue).draw();
  } catch (error) {
    showError(app, error);
  }
}

class SetupPage {
  /**
   * @param {HTMLElement} app
   * @param {Game} game
   * @param {Catalogue} catalogue
   */
  constructor(app, game, catalogue) {
    this.app = app;
    this.game = game;
    this.catalogue = catalogue;
    const kept = settings();
    const isSame = kept.game === game.id;
    this.players = isSame && kept.players && game.players.includes(kept.players) ? kept.players : game.usual;
    this.options = isSame ? possibleOptions(game, this.players, kept.options) : {};
    this.seats = [...kept.seats];
    this.listed = false;
    /** Whether the rarely changed options are shown. */
    this.moreOpen = game.options.some(({ name, advanced }) => advanced && name in this.options);
    /** The number of checks that have begun. The answer to an earlier one than the latest is ignored. */
    this.checks = 0;
    /** Whether the table has been asked for. */
    this.opening = false;
    /** Draw the form after a choice: when a field is left by a press, the goal of the press must stay until its end. */
    this.redraw = () => this.drawForm();
    this.form = h("form", { class: "setup", on: { submit: (event) => this.play(event) } });
    this.advice = h("div", { class: "advice", "aria-live": "polite" });
    this.failure = h("p", { class: "failure", role: "alert" });
    this.go = h("button", { type: "submit", class: "button primary play" }, t("play"));
    addEventListener("parlour-settings", () => this.showName());
  }

  draw() {
    const { game } = this;
    document.title = `${game.title} · ${t("parlour")}`;
    clear(
      this.app,
      h(
        "main",
        { class: "landing one-game" },
        pageHeader(),
        h(
          "section",
          { class: "about" },
          h(
            "div",
            { class: "about-words" },
            h("h1", {}, game.title),
            h("p", {}, game.summary),
            factsOf(game),
            h("p", { class: "fine-print" }, game.credit),
          ),
          h(
            "div",
            { class: "row" },
            lessonLink(game),
            button(t("readRules"), () => this.rules(), {}, svg(icon("rules"))),
          ),
        ),
        this.form,
      ),
    );
    this.drawForm();
  }

  drawForm() {
    const shared = this.isShared();
    clear(
      this.form,
      h(
        "div",
        { class: "setup-part" },
        this.playersChooser(),
        this.seatsList(),
        shared ? [this.listedSwitch(), mannersFields(this.listed, this.hasBots(), this.fillBots())] : fieldsAlone(),
      ),
      this.optionsPart(),
      h(
        "div",
        { class: "setup-go" },
        this.advice,
        this.failure,
        shared ? h("p", { class: "fine-print" }, t("openTableHint")) : null,
        this.go,
      ),
    );
    this.go.textContent = t(shared ? "openTable" : "play");
    this.check();
  }

  /** @param {boolean} advanced whether to draw the options that few tables change, or the others */
  optionRows(advanced) {
    return optionRows(
      { options: this.game.options.filter((option) => Boolean(option.advanced) === advanced) },
      this.players,
      this.options,
      (name, value) => this.setOption(name, value),
      (clause) => this.rules(clause),
    );
  }

  moreOptions() {
    const rows = this.optionRows(true);
    if (!rows.length) return null;
    /** @param {Event} event */
    const toggle = (event) => {
      this.moreOpen = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
    };
    return h(
      "details",
      { class: "more-options", open: this.moreOpen, on: { toggle } },
      h("summary", {}, t("moreOptions", rows.length)),
      rows,
    );
  }

  optionsPart() {
    const reset = () => {
      this.options = {};
      afterPress(this.redraw);
    };
    return h(
      "fieldset",
      { class: "setup-part" },
      h("legend", {}, t("options")),
      this.optionRows(false),
      this.moreOptions(),
      Object.keys(this.options).length ? button(t("reset"), reset, { class: "quiet" }) : null,
    );
  }

  rules(clause = "") {
    rulesSheet(this.game.title, () => api.rules(this.game.id), clause);
  }

  // Seats

  /** The numbers of the other seats, from 0. */
  otherSeats() {
    return [...Array(this.players - 1).keys()];
  }

  /** @param {number} index */
  botName(index) {
    return botNames(this.players - 1, [ownSeatRequest().name])[index];
  }

  playersChooser() {
    const { players } = this.game;
    if (players.length === 1) return h("p", { class: "players-fixed" }, h("b", {}, t("players")), ` ${this.players}`);
    /** @param {number} number */
    const choose = (number) => {
      this.players = number;
      this.options = possibleOptions(this.game, number, this.options);
      afterPress(this.redraw);
    };
    const segments = players.map((number) => {
      const attributes = { id: `players-${number}`, name: "players", value: number, checked: number === this.players };
      return segment({ ...attributes, on: { change: () => choose(number) } }, String(number));
    });
    const legend = h("legend", {}, t("players"));
    return h("fieldset", { class: "chooser" }, legend, h("div", { class: "segments" }, segments));
  }

  seatsList() {
    const keepName = (/** @type {Event} */ event) => {
      remember({ name: fieldOf(event).value.trim() });
      this.showBotNames();
    };
    const name = nameInput({ id: "your-name", value: settings().name, on: { input: keepName } });
    return h(
      "fieldset",
      { class: "seats" },
      h("legend", {}, t("seats")),
      h("label", { class: "seat-line" }, h("span", {}, t("yourName")), name),
      this.otherSeats().map((index) => this.seatLine(index)),
      this.botsLegend(),
    );
  }

  /** Show the name that has been changed in the sheet of the settings; the one that is being typed stays as it is. */
  showName() {
    const field = find(this.form, "[name=name]");
    if (field && field !== focusedElement()) Object.assign(field, { value: settings().name });
    this.showBotNames();
  }

  /** Show the names of bots, none of which is the player's. */
  showBotNames() {
    for (const line of findAll(this.form, "[data-bot]")) line.textContent = this.botName(Number(line.dataset.bot));
  }

  /** @param {number} index */
  seatLine(index) {
    const now = this.kind(index);
    /** @param {Event} event */
    const change = (event) => {
      this.seats[index] = /** @type {HTMLSelectElement} */ (event.target).value;
      afterPress(this.redraw);
    };
    /** @type {(label: string, study: boolean) => HTMLElement} */
    const group = (label, study) =>
      h(
        "optgroup",
        { label },
        this.catalogue.bots
          .filter((bot) => bot.study === study)
          .map((bot) => h("option", { value: bot.id, selected: now === bot.id }, bot.title)),
      );
    const select = h(
      "select",
      { class: "field", name: `seat-${index + 1}`, id: `seat-${index + 1}`, on: { change } },
      h("option", { value: "open", selected: now === "open" }, t("friend")),
      group(t("botsToPlay"), false),
      group(t("botsToStudy"), true),
    );
    const name =
      now === "open" ? h("span", {}, t("seat", index + 2)) : h("span", { "data-bot": index }, this.botName(index));
    return h("label", { class: "seat-line" }, name, select);
  }

  /** Whether another person is to sit down. */
  isShared() {
    return this.otherSeats().some((index) => this.kind(index) === "open");
  }

  hasBots() {
    return this.otherSeats().some((index) => this.kind(index) !== "open");
  }

  fillBots() {
    const playing = this.catalogue.bots.filter(({ study }) => !study);
    return {
      titles: Object.fromEntries(playing.map(({ id, title }) => [id, title])),
      usual: this.catalogue.usual_bot,
    };
  }

  /** The switch that shows the table to everyone. */
  listedSwitch() {
    /** @param {Event} event */
    const change = (event) => {
      this.listed = fieldOf(event).checked;
      afterPress(this.redraw);
    };
    const attributes = { type: "checkbox", role: "switch", class: "switch", id: "listed", checked: this.listed };
    return h(
      "label",
      { class: "listing" },
      h("input", { ...attributes, on: { change } }),
      h("span", {}, t("listed"), h("small", {}, t("listedHint"))),
    );
  }

  /** Descriptions of the chosen bots. */
  botsLegend() {
    const chosen = new Set(this.otherSeats().map((index) => this.kind(index)));
    const bots = this.catalogue.bots.filter((bot) => chosen.has(bot.id));
    return h(
      "div",
      { class: "bots-legend" },
      bots.map((bot) => h("p", {}, h("b", {}, bot.title), ` ${bot.description}`)),
    );
  }

  /**
   * "open", or the id of a bot.
   *
   * @param {number} index
   */
  kind(index) {
    const kept = this.seats[index];
    return kept === "open" ? kept : knownBot(this.catalogue, kept);
  }

  // Options

  /**
   * @param {string} name
   * @param {import("../answers.d.ts").OptionValue} value
   */
  setOption(name, value) {
    this.options = withOption(this.game, this.players, this.options, name, value);
    afterPress(this.redraw);
  }

  /** Ask the server about the options, and show its advice or its error. */
  async check() {
    this.keep();
    this.checks += 1;
    const number = this.checks;
    try {
      const answer = await api.check(this.game.id, this.players, this.options);
      if (number !== this.checks) return;
      clear(
        this.advice,
        answer.advice.map((line) => h("p", {}, line)),
      );
      this.failure.textContent = "";
      this.go.disabled = this.opening;
    } catch (error) {
      if (number !== this.checks) return;
      const reason = reasonAgainst(api.messageOf(error), this.game, (clause) => this.rules(clause));
      clear(this.failure, ...reason);
      this.go.disabled = this.opening || api.statusOf(error) === UNPROCESSABLE;
    }
  }

  /** Remember the choices for the next visit. */
  keep() {
    const { players, options, seats } = this;
    remember({ game: this.game.id, players, options, seats });
  }

  // Opening the table

  request() {
    const others = this.otherSeats().map((index) => {
      const kind = this.kind(index);
      return kind === "open" ? { kind: "open" } : { kind: "bot", bot: kind, name: this.botName(index) };
    });
    const shared = this.isShared();
    const listed = this.listed && shared;
    return {
      game: this.game.id,
      players: this.players,
      options: this.options,
      listed,
      manners: shared ? chosenManners(listed, this.hasBots()) : chosenAlone(),
      seats: [ownSeatRequest(), ...others],
    };
  }

  /** @param {Event} event */
  async play(event) {
    event.preventDefault();
    this.keep();
    this.checks += 1; // an answer to an earlier check would be about this request
    this.opening = true; // one to a later check would enable the button
    await leaveBy(this.go, showIn(this.failure), () =>
      openTable(this.request()).catch((error) => {
        this.opening = false;
        throw error;
      }),
    );
  }
}
