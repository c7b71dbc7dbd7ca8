// The page that opens a club night: the game, its rules, the rounds, the system.

import * as api from "../common/api.js";
import { button, clear, fieldOf, h } from "../common/dom.js";
import { keepHostKey } from "../common/settings.js";
import { t } from "../common/texts.js";
import { clubText } from "./club_texts.js";
import { pageHeader } from "../common/page_header.js";
import { withOption } from "../landing/option_limits.js";
import { optionRows } from "../landing/options.js";
import { afterPress } from "../common/presses.js";
import { rulesSheet } from "../common/sheets.js";
import { newKey } from "../table/seat_key.js";
import { clubNightPage } from "./club_night.js";

/** @import { Bot, Game, OptionValues } from "../answers.d.ts" */

/** Players at a board. */
const PLAYERS = 2;
/** The numbers of rounds to choose from. */
const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const USUAL = { system: "swiss", rounds: 3 };

/**
 * @param {HTMLElement} app
 * @param {string} id the club night; empty: a new one
 */
export async function clubPage(app, id) {
  if (id) {
    clubNightPage(app, id);
    return;
  }
  document.title = `${t("club")} · ${t("parlour")}`;
  const place = h("div", { class: "club-form-place" }, h("p", { class: "fine-print" }, t("loading")));
  const words = [h("h1", {}, clubText("clubTitle")), h("p", {}, clubText("clubWords"), " ", clubText("clubRated"))];
  clear(
    app,
    h(
      "main",
      { class: "landing own-page club-page" },
      h("header", { class: "page-header" }, pageHeader()),
      words,
      place,
    ),
  );
  try {
    const { games, bots, usual_bot: usual } = await api.games();
    const fitting = games.filter(({ players }) => players.includes(PLAYERS));
    const levels = bots.filter(({ study }) => !study);
    if (fitting.length) clear(place, new ClubForm(fitting, levels, usual).form);
    else clear(place, h("p", {}, clubText("clubNone")));
  } catch (error) {
    clear(place, h("p", { class: "failure", role: "alert" }, api.messageOf(error)));
  }
}

class ClubForm {
  /** @type {OptionValues} */
  options = {};
  system = USUAL.system;
  rounds = USUAL.rounds;
  /** The key that becomes the host's. It stays the same until a request is answered, so that one can be repeated. */
  key = newKey();

  /**
   * @param {Game[]} games
   * @param {Bot[]} bots
   * @param {string} usual the usual bot
   */
  constructor(games, bots, usual) {
    this.games = games;
    this.game = games[0];
    this.bots = bots;
    this.bot = usual;
    this.failure = h("p", { class: "failure", role: "alert" });
    this.go = h("button", { type: "submit", class: "button primary" }, clubText("clubGo"));
    this.form = h("form", { class: "club-form", on: { submit: (event) => this.open(event) } });
    this.redraw = () => this.draw();
    this.draw();
  }

  draw() {
    const titles = (/** @type {{ id: string, title: string }[]} */ list) => list.map(({ id, title }) => [id, title]);
    const rounds = ROUNDS.map((number) => [String(number), String(number)]);
    clear(
      this.form,
      h(
        "fieldset",
        { class: "seats" },
        this.line("game", t("mineGame"), titles(this.games), this.game.id, (id) => this.chooseGame(id)),
        this.line("system", clubText("clubSystem"), Object.entries(clubText("clubSystems")), this.system, (system) => {
          this.system = system;
          afterPress(this.redraw);
        }),
        this.system === "all"
          ? null
          : this.line("rounds", clubText("clubRounds"), rounds, String(this.rounds), (number) => {
              this.rounds = Number(number);
            }),
        this.line("bot", clubText("clubBot"), titles(this.bots), this.bot, (id) => {
          this.bot = id;
        }),
      ),
      this.game.options.length ? this.optionsPart() : null,
      this.failure,
      h("div", { class: "row" }, this.go),
    );
  }

  /** @type {(name: string, label: string, values: string[][], now: string, choose: (value: string) => void) => Node} */
  line(name, label, values, now, choose) {
    const options = values.map(([value, text]) => h("option", { value, selected: value === now }, text));
    const on = { change: (/** @type {Event} */ event) => choose(fieldOf(event).value) };
    return h(
      "label",
      { class: "seat-line" },
      h("span", {}, label),
      h("select", { class: "field", name, id: `club-${name}`, on }, options),
    );
  }

  /** @param {string} id */
  chooseGame(id) {
    this.game = this.games.find((game) => game.id === id) ?? this.game;
    this.options = {};
    afterPress(this.redraw);
  }

  optionsPart() {
    /** @type {import("../landing/options.js").SetOption} */
    const set = (name, value) => {
      this.options = withOption(this.game, PLAYERS, this.options, name, value);
      afterPress(this.redraw);
    };
    const rules = (clause = "") => rulesSheet(this.game.title, () => api.rules(this.game.id), clause);
    const open = this.form.querySelector("details")?.open ?? false;
    return h(
      "details",
      { class: "more-options", open },
      h("summary", {}, t("options")),
      optionRows(this.game, PLAYERS, this.options, set, rules),
      button(t("readRules"), () => rules()),
    );
  }

  /** @param {Event} event */
  async open(event) {
    event.preventDefault();
    this.go.disabled = true;
    this.failure.textContent = "";
    const { options, system, rounds, bot, key } = this;
    try {
      const { club } = await api.openClub({ game: this.game.id, options, system, rounds, bot, key });
      keepHostKey(club, key);
      location.assign(`/club/${club}`);
    } catch (error) {
      this.failure.textContent = api.messageOf(error);
      this.go.disabled = false;
      if (Math.floor(api.statusOf(error) / 100) === 4) this.key = newKey(); // a refused request may be changed
    }
  }
}
