// The lobby: tables with a free seat for anyone. Those where people wait come first, with a press to sit down.

import * as api from "../common/api.js";
import { button, clear, find, focusedElement, h, isFocusLost } from "../common/dom.js";
import { withSemicolons } from "../common/phrases.js";
import { afterPress } from "../common/presses.js";
import { seatAt, settings } from "../common/settings.js";
import { t } from "../common/texts.js";
import { requestSeat } from "../table/seat_request.js";
import { botsInWords, nameInWords, optionsInWords } from "./lobby_words.js";
import { paceOf } from "./manners_list.js";
import { tableLine } from "./my_tables.js";
import { goToSeat } from "./table_links.js";
import { LANDING_TEXTS } from "./landing_texts.js";

/** @import { Catalogue, LobbyTable } from "../answers.d.ts" */

/** Milliseconds between two requests for the tables. */
const REFRESH_TIME = 10_000;

const failurePlace = () => h("p", { class: "failure", role: "alert" });

export class Lobby {
  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.cards = h("ul", { class: "lobby-cards" });
    /** The tables where people wait; hidden without any. */
    this.waiting = h(
      "section",
      { class: "lobby", "aria-labelledby": "lobby-title", hidden: true },
      h("h2", { id: "lobby-title" }, t("lobby")),
      this.cards,
    );
    this.list = h("ul", { class: "table-list" });
    this.none = h("p", { class: "fine-print" }, LANDING_TEXTS.noOpenTables);
    /** The other tables. */
    this.others = h(
      "section",
      { class: "open-tables", "aria-labelledby": "open-title" },
      h("h2", { id: "open-title" }, LANDING_TEXTS.openTables),
      this.list,
      this.none,
      h("p", { class: "fine-print" }, LANDING_TEXTS.openTablesHint),
    );
    /** The tables that are shown, as text: a card stays as it is while nothing changes. */
    this.shown = "";
    /** The number of requests for the tables. The answer to an earlier one than the latest is ignored. */
    this.asked = 0;
    /** @type {LobbyTable[]} */
    this.tables = [];
    this.redraw = () => this.show(this.tables);
    /** The tables at which a seat has been asked for: a second press must not take another one. @type {Set<string>} */
    this.sitting = new Set();
    /** The places of failures by table, which outlast their cards. @type {Map<string, HTMLElement>} */
    this.failures = new Map();
    /** The player's name on the cards. */
    this.name = "";
    addEventListener("parlour-settings", () => {
      if (settings().name !== this.name) afterPress(this.redraw);
    });
  }

  /** Show the tables, now and regularly while the page is visible. */
  begin() {
    this.refresh();
    setInterval(() => {
      if (!document.hidden) this.refresh();
    }, REFRESH_TIME);
  }

  /** Show the tables of the server; if it does not answer, the shown ones stay with their failures. */
  async refresh() {
    this.asked += 1;
    const number = this.asked;
    const answer = await api.openTables().catch(() => null);
    if (!answer || number !== this.asked) return;
    const strange = answer.tables.filter(({ table }) => seatAt(table).seat < 0);
    const minutes = strange.map((table) => ({ ...table, fills_in: Math.ceil((table.fills_in ?? 0) / 60) }));
    const shown = JSON.stringify([minutes, settings().name]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.tables = strange;
    afterPress(this.redraw); // the cards move when one of them goes
  }

  /** @param {LobbyTable[]} tables */
  show(tables) {
    this.name = settings().name;
    const waiting = tables.filter(({ waits }) => waits);
    this.waiting.hidden = !waiting.length;
    this.failures = new Map(waiting.map(({ table }) => [table, this.failures.get(table) ?? failurePlace()]));
    clear(
      this.cards,
      waiting.map((table) => this.card(table)),
    );
    this.none.hidden = tables.length > 0;
    clear(
      this.list,
      tables.filter(({ waits }) => !waits).map((table) => tableLine(table, -1)),
    );
  }

  /** @param {LobbyTable} table */
  card(table) {
    const { table: id, game, title, seats } = table;
    const people = seats.filter(({ kind }) => kind === "person").map(nameInWords);
    const free = seats.filter(({ kind }) => kind === "open").length;
    const name = this.name || t("defaultName");
    const failure = this.failures.get(id) ?? failurePlace();
    const sit = async () => {
      const hadFocus = focusedElement()?.closest(`[data-table="${id}"]`);
      this.setSitting(id, true);
      failure.textContent = "";
      if (seatAt(id).seat >= 0) return location.assign(`/table/${id}`); // taken in another tab meanwhile
      try {
        const seat = seats.findIndex(({ kind }) => kind === "open");
        const answer = await requestSeat(id, seat, name);
        // Bots may have filled the table since: its players are asked now, and its page continues this request
        if (answer.waiting) location.assign(`/table/${id}`);
        else goToSeat(id, answer.seat, answer.key, false);
      } catch (error) {
        failure.textContent = api.messageOf(error);
        this.setSitting(id, false);
        if (hadFocus && isFocusLost()) this.sitButton(id)?.focus(); // a disabled button loses it
      }
    };
    const label = { "aria-label": LANDING_TEXTS.sitDownAt(title, name) };
    const disabled = this.sitting.has(id);
    const go = button(LANDING_TEXTS.sitDownAs(name), sit, { class: "primary", "data-go": "sit", disabled, ...label });
    return h(
      "li",
      { class: "lobby-card", "data-table": id, "data-game": game },
      h("h3", {}, title),
      h(
        "p",
        { class: "lobby-who" },
        h("b", {}, t("waits", people)),
        ` ${LANDING_TEXTS.seatsOpenOf(free, seats.length)}`,
      ),
      this.facts(table),
      failure,
      h("div", { class: "row" }, go, h("a", { class: "button quiet", href: `/table/${id}` }, LANDING_TEXTS.lookFirst)),
    );
  }

  /**
   * Note whether a seat has been asked for. The card may have been redrawn since the press.
   *
   * @param {string} table
   * @param {boolean} sitting
   */
  setSitting(table, sitting) {
    if (sitting) this.sitting.add(table);
    else this.sitting.delete(table);
    const go = this.sitButton(table);
    if (go) Object.assign(go, { disabled: sitting });
  }

  /** @param {string} table */
  sitButton(table) {
    return find(this.cards, `[data-table="${table}"] [data-go=sit]`);
  }

  /**
   * The rules and the manners of a table.
   *
   * @param {LobbyTable} table
   */
  facts(table) {
    const { manners } = table;
    const game = this.catalogue.games.find((one) => one.id === table.game);
    /** @type {[string, string[]][]} */
    const facts = [
      [t("rules"), optionsInWords(game, table)],
      [t("mannersClock"), [paceOf(manners)]],
      [t("talk"), [t("mannersTalks")[manners.talk]]],
      [t("botsToPlay"), botsInWords(this.catalogue, table)],
    ];
    if (manners.rated) facts.push([t("mannersRated"), [t("mannersRatings").yes]]);
    if (manners.studied) facts.push([t("mannersStudied"), [t("mannersAgreed")]]);
    const lines = facts.map(([what, how]) => h("div", {}, h("dt", {}, what), h("dd", {}, withSemicolons(how))));
    return h("dl", { class: "lobby-facts" }, lines);
  }
}
