// The page that opens a club night: the game, its rules, the rounds, the system.

import * as api from "../common/api.js";
import { button, clear, fieldOf, h } from "../common/dom.js";
import { errorLines, leaveBy, showIn } from "../common/failure.js";
import { keepHostKey } from "../common/settings.js";
import { t } from "../common/texts.js";
import { CLUB_TEXTS } from "./club_texts.js";
import { pageHeader } from "../common/page_header.js";
import { isRefusal } from "../common/retry.js";
import { withOption } from "../landing/option_limits.js";
import { optionRows } from "../landing/options.js";
import { afterPress } from "../common/presses.js";
import { rulesSheet } from "../common/sheets.js";
import { RequestKey } from "../table/seat_key.js";
import { hostPath } from "./club_keys.js";
import { BOARD_PLAYERS, clubNightPage } from "./club_night.js";

/** @import { Bot, Game, OptionValues } from "../answers.d.ts" */

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
  const words = [h("h1", {}, CLUB_TEXTS.clubTitle), h("p", {}, CLUB_TEXTS.clubWords)];
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
    const fitting = games.filter(({ players }) => players.includes(BOARD_PLAYERS));
    const levels = bots.filter(({ study }) => !study);
    if (fitting.length) clear(place, new ClubForm(fitting, levels, usual).form);
    else clear(place, h("p", {}, CLUB_TEXTS.clubNone));
  } catch (error) {
    clear(place, errorLines(error));
  }
}

class ClubForm {
  /** @type {OptionValues} */
  options = {};
  system = USUAL.system;
  rounds = USUAL.rounds;
  /** The key that becomes the host's. */
  key = new RequestKey();

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
    this.go = h("button", { type: "submit", class: "button primary" }, CLUB_TEXTS.clubGo);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      leaveBy(this.go, showIn(this.failure), () => this.open());
    };
    this.form = h("form", { class: "club-form", on: { submit } });
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
        this.line("system", CLUB_TEXTS.clubSystem, Object.entries(CLUB_TEXTS.clubSystems), this.system, (system) => {
          this.system = system;
          afterPress(this.redraw);
        }),
        this.system === "all"
          ? null
          : this.line("rounds", CLUB_TEXTS.clubRounds, rounds, String(this.rounds), (number) => {
              this.rounds = Number(number);
            }),
        this.line("bot", CLUB_TEXTS.clubBot, titles(this.bots), this.bot, (id) => {
          this.bot = id;
        }),
      ),
      this.game.options.length ? this.optionsPart() : null,
      Object.keys(this.options).length ? null : h("p", {}, CLUB_TEXTS.clubRated),
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
      this.options = withOption(this.game, BOARD_PLAYERS, this.options, name, value);
      afterPress(this.redraw);
    };
    const rules = (clause = "") => rulesSheet(this.game.title, () => api.rules(this.game.id), clause);
    const open = this.form.querySelector("details")?.open ?? false;
    return h(
      "details",
      { class: "more-options", open },
      h("summary", {}, t("options")),
      optionRows(this.game, BOARD_PLAYERS, this.options, set, rules),
      button(t("readRules"), () => rules()),
    );
  }

  /** Open the club night, and go there as its host. */
  async open() {
    const { options, system, rounds, bot } = this;
    const body = { game: this.game.id, options, system, rounds, bot };
    const key = this.key.of(body);
    try {
      const { club } = await api.openClub({ ...body, key });
      location.assign(keepHostKey(club, key) ? `/club/${club}` : hostPath(club, key));
    } catch (error) {
      if (isRefusal(error)) this.key.settle();
      throw error;
    }
  }
}
