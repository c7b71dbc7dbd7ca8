// Before a table is opened: who sits at it, and the rules it is played by.

import * as api from "./api.js";
import { button, clear, h, svg } from "./dom.js";
import { showFailure } from "./failure.js";
import { factsOf, houseBar, lessonLink } from "./game_info.js";
import { icon } from "./glyphs.js";
import { mannersFields, mannersWanted } from "./manners.js";
import { possibleOptions, withOption } from "./option_limits.js";
import { optionRows } from "./options.js";
import { botOr, openTable } from "./my_tables.js";
import { remember, settings } from "./settings.js";
import { rulesSheet } from "./sheets.js";
import { t } from "./texts.js";

/** The page where a table of one game is set up. */
export async function setup(app, id) {
  try {
    const offer = await api.games();
    const game = offer.games.find((one) => one.id === id);
    if (!game) throw new Error(t("unknownGame"));
    new Setup(app, game, offer).draw();
  } catch (error) {
    showFailure(app, error.message);
  }
}

class Setup {
  constructor(app, game, offer) {
    Object.assign(this, { app, game, offer });
    const kept = settings();
    this.players = kept.game === game.id && game.players.includes(kept.players) ? kept.players : game.usual;
    this.options = kept.game === game.id ? possibleOptions(game, this.players, kept.options) : {};
    this.seats = [...kept.seats];
    this.name = kept.name;
    this.listed = false;
    this.form = h("form", { class: "setup", on: { submit: (event) => this.play(event) } });
    this.advice = h("div", { class: "advice", "aria-live": "polite" });
    this.failure = h("p", { class: "failure", role: "alert" });
    this.go = h("button", { type: "submit", class: "button primary play" }, t("play"));
  }

  draw() {
    const { game } = this;
    document.title = `${game.title} · ${t("house")}`;
    clear(
      this.app,
      h(
        "main",
        { class: "landing one-game" },
        houseBar(),
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
    const focused = document.activeElement?.id;
    clear(
      this.form,
      h(
        "div",
        { class: "setup-part" },
        this.playersChooser(),
        this.seatsList(),
        this.isShared() ? [this.listing(), mannersFields(this.listed, this.hasBots())] : null,
      ),
      h(
        "fieldset",
        { class: "setup-part" },
        h("legend", {}, t("options")),
        optionRows(
          this.game,
          this.players,
          this.options,
          (name, value) => this.setOption(name, value),
          (clause) => this.rules(clause),
        ),
        Object.keys(this.options).length
          ? button(
              t("reset"),
              () => {
                this.options = {};
                this.drawForm();
              },
              { class: "quiet" },
            )
          : null,
      ),
      h(
        "div",
        { class: "setup-go" },
        this.advice,
        this.failure,
        this.isShared() ? h("p", { class: "hint" }, t("openTableHint")) : null,
        this.go,
      ),
    );
    this.go.textContent = t(this.isShared() ? "openTable" : "play");
    if (focused) document.getElementById(focused)?.focus();
    this.check();
  }

  rules(clause = "") {
    rulesSheet(this.game.title, () => api.rules(this.game.id), clause);
  }

  playersChooser() {
    if (this.game.players.length === 1)
      return h("p", { class: "players-fixed" }, h("b", {}, t("players")), ` ${this.players}`);
    const pick = (number) => {
      this.players = number;
      this.options = possibleOptions(this.game, number, this.options);
      this.drawForm();
    };
    return h(
      "fieldset",
      { class: "chooser" },
      h("legend", {}, t("players")),
      h(
        "div",
        { class: "segments" },
        this.game.players.map((number) =>
          h(
            "label",
            { class: "segment" },
            h("input", {
              type: "radio",
              id: `players-${number}`,
              name: "players",
              value: number,
              checked: number === this.players,
              on: { change: () => pick(number) },
            }),
            h("span", {}, String(number)),
          ),
        ),
      ),
    );
  }

  seatsList() {
    const name = h("input", {
      class: "field",
      id: "your-name",
      name: "name",
      maxlength: "24",
      autocomplete: "nickname",
      value: this.name,
      placeholder: t("defaultName"),
      on: {
        input: (event) => {
          this.name = event.target.value;
        },
      },
    });
    const others = [...Array(this.players - 1)].map((_, index) => this.seat(index));
    return h(
      "fieldset",
      { class: "seats" },
      h("legend", {}, t("seats")),
      h("label", { class: "seat-line" }, h("span", {}, t("yourName")), name),
      others,
      this.legend(),
    );
  }

  seat(index) {
    const now = this.kind(index);
    const select = h(
      "select",
      {
        class: "field",
        name: `seat-${index + 1}`,
        id: `seat-${index + 1}`,
        on: {
          change: (event) => {
            this.seats[index] = event.target.value;
            this.drawForm();
          },
        },
      },
      h("option", { value: "open", selected: now === "open" }, t("friend")),
      [
        ["botsToPlay", false],
        ["botsToStudy", true],
      ].map(([name, study]) =>
        h(
          "optgroup",
          { label: t(name) },
          this.offer.bots
            .filter((bot) => bot.study === study)
            .map((bot) => h("option", { value: bot.id, selected: now === bot.id }, bot.title)),
        ),
      ),
    );
    return h(
      "label",
      { class: "seat-line" },
      h("span", {}, now === "open" ? t("seat", index + 2) : t("names")[index]),
      select,
    );
  }

  /** Whether other people are to sit down. */
  isShared() {
    return [...Array(this.players - 1)].some((_, index) => this.kind(index) === "open");
  }

  hasBots() {
    return [...Array(this.players - 1)].some((_, index) => this.kind(index) !== "open");
  }

  /** Whether everyone may see that a seat is open here. */
  listing() {
    const change = (event) => {
      this.listed = event.target.checked;
      this.drawForm();
    };
    return h(
      "label",
      { class: "listing" },
      h("input", {
        type: "checkbox",
        role: "switch",
        class: "switch",
        id: "listed",
        checked: this.listed,
        on: { change },
      }),
      h("span", {}, t("listed"), h("small", {}, t("listedHint"))),
    );
  }

  /** What the chosen bots are like, each said once. */
  legend() {
    const chosen = new Set([...Array(this.players - 1)].map((_, index) => this.kind(index)));
    return h(
      "div",
      { class: "bots-legend" },
      this.offer.bots
        .filter((bot) => chosen.has(bot.id))
        .map((bot) => h("p", {}, h("b", {}, bot.title), ` ${bot.description}`)),
    );
  }

  kind(index) {
    const kept = this.seats[index];
    return kept === "open" ? kept : botOr(this.offer, kept);
  }

  setOption(name, value) {
    this.options = withOption(this.game, this.players, this.options, name, value);
    this.drawForm();
  }

  async check() {
    this.keep();
    const asked = (this.asked = {}); // only the latest question's answer counts
    try {
      const answer = await api.check(this.game.id, this.players, this.options);
      if (asked !== this.asked) return;
      clear(
        this.advice,
        answer.advice.map((line) => h("p", {}, line)),
      );
      this.failure.textContent = "";
      this.go.disabled = false;
    } catch (error) {
      if (asked !== this.asked) return;
      this.failure.textContent = error.message;
      this.go.disabled = error.status === 422;
    }
  }

  keep() {
    remember({ name: this.name, game: this.game.id, players: this.players, options: this.options, seats: this.seats });
  }

  request() {
    const others = [...Array(this.players - 1)].map((_, index) => {
      const kind = this.kind(index);
      return kind === "open" ? { kind: "open" } : { kind: "bot", bot: kind, name: t("names")[index] };
    });
    const listed = this.listed && this.isShared();
    return {
      game: this.game.id,
      players: this.players,
      options: this.options,
      listed,
      manners: this.isShared() ? mannersWanted(listed) : {},
      seats: [{ kind: "you", name: this.name.trim() || t("defaultName") }, ...others],
    };
  }

  async play(event) {
    event.preventDefault();
    this.keep();
    this.asked = null;
    this.go.disabled = true;
    try {
      await openTable(this.request());
    } catch (error) {
      this.failure.textContent = error.message;
      this.go.disabled = false;
    }
  }
}
