// The page of a club night: its players, the viewer's games, the standings, the results, and the host's buttons.

import * as api from "../common/api.js";
import { announce, button, clear, find, h } from "../common/dom.js";
import { showError, showIn, whileDisabled } from "../common/failure.js";
import { isolated } from "../common/language.js";
import { nameInput } from "../common/name_input.js";
import { labelled, withSemicolons } from "../common/phrases.js";
import { hostKey, isPlayerKeyUnstored, remember, settings } from "../common/settings.js";
import { afterPress } from "../common/presses.js";
import { openSheet, rulesSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";
import { playingPart } from "./club_boards.js";
import { takeKeysFromLink } from "./club_keys.js";
import { resultsTable } from "./club_results.js";
import { CLUB_TEXTS } from "./club_texts.js";
import { pageHeader } from "../common/page_header.js";
import { gameOf } from "../landing/changed_rules.js";
import { optionsInWords } from "../landing/lobby_words.js";
import { goToSeat, linksTo } from "../landing/table_links.js";
import { ownKey } from "../player/player_key.js";
import { primerSheet } from "../table/primer.js";

/** @import { ClubGame, ClubNight } from "../answers.d.ts" */

/** Players at a board. */
export const BOARD_PLAYERS = 2;
/** The number of players with whom a round can begin. */
const FEWEST = 2;

/** Milliseconds between two requests for the club night. */
const REFRESH_TIME = 5000;

/**
 * @param {HTMLElement} app
 * @param {string} id
 */
export async function clubNightPage(app, id) {
  takeKeysFromLink(id);
  try {
    const night = await api.club(id, ownKey());
    new ClubNightPage(app, night).begin();
  } catch (error) {
    showError(app, error);
  }
}

class ClubNightPage {
  /**
   * @param {HTMLElement} app
   * @param {ClubNight} night
   */
  constructor(app, night) {
    this.night = night;
    /** The host's key; empty for others. */
    this.host = hostKey(night.club);
    /** The club night that is drawn, as text: a field keeps the focus while nothing changes. */
    this.drawn = "";
    /** The number of rounds whose results are drawn. */
    this.shownRounds = 0;
    /** The number of refreshes that have begun. The answer to an earlier one than the latest is ignored. */
    this.refreshes = 0;
    /** The place of the failure of a refresh, which ends with the next answer. */
    this.failure = h("p", { class: "failure", role: "alert" });
    /** The place of the failure of the viewer's own request, which stays until the next one. */
    this.refused = h("p", { class: "failure", role: "alert" });
    this.link = linksTo(`/club/${night.club}`, CLUB_TEXTS.clubInvite, CLUB_TEXTS.clubCopy, Boolean(this.host));
    this.parts = h("div", { class: "club-parts" });
    /** The form for the viewer's name, the same while the viewer's place does: others join while the name is typed. */
    this.join = this.joinForm();
    /** Whether the viewer has lost a place while this page was open. */
    this.isRemoved = false;
    this.facts = night.begun ? null : this.factsList();
    this.redraw = () => this.draw();
    this.nameOf = (/** @type {number | null} */ number) => this.name(number);
    document.title = `${CLUB_TEXTS.clubOf(night.title)} · ${t("parlour")}`;
    const head = h("header", { class: "page-header" }, pageHeader());
    const title = h("h1", { tabindex: "-1" }, CLUB_TEXTS.clubOf(night.title));
    const unstored = isPlayerKeyUnstored() ? h("p", { class: "failure" }, CLUB_TEXTS.clubUnstored) : null;
    const parts = [head, title, unstored, this.failure, this.refused, this.parts];
    clear(app, h("main", { class: "landing own-page club-page" }, parts));
  }

  begin() {
    this.draw();
    const timer = setInterval(() => {
      if (this.isOver) clearInterval(timer);
      else if (!document.hidden) this.refresh();
    }, REFRESH_TIME);
  }

  get isOver() {
    return this.night.closed > 0 && this.night.closed === this.night.rounds;
  }

  async refresh() {
    this.refreshes += 1;
    const number = this.refreshes;
    try {
      const { club, closed, games } = this.night;
      const night = await api.club(club, ownKey(), closed);
      if (number !== this.refreshes) return;
      const before = this.night;
      this.night = { ...night, games: [...games.filter(({ round }) => round <= closed), ...night.games] };
      if (night.you !== before.you) {
        this.join = this.joinForm();
        this.isRemoved = night.you === null;
      }
      this.sayFailure("");
      announce(this.changesSince(before).join("\n"));
      afterPress(this.redraw);
    } catch (error) {
      if (number === this.refreshes) this.sayFailure(api.messageOf(error));
    }
  }

  /**
   * What screen readers are told of a refresh: the viewer's place, the round, and to the host the players before it.
   *
   * @param {ClubNight} before
   */
  changesSince({ you: formerly, begun: round, players: some }) {
    const { you, begun, rounds, players } = this.night;
    if (begun > round) return [CLUB_TEXTS.clubRound(begun, rounds)];
    const news = you === formerly || begun ? [] : [this.placeText()];
    if (this.host && players.length !== some.length) news.push(CLUB_TEXTS.clubPlayers(players.length));
    if (this.host && players.length >= FEWEST && some.length < FEWEST) news.push(CLUB_TEXTS.clubBegin);
    return news;
  }

  /** The sentence about the viewer's place: to a player who has joined, or has been removed; else empty. */
  placeText() {
    const { you } = this.night;
    if (you === null) return this.isRemoved ? CLUB_TEXTS.clubRemoved : "";
    return CLUB_TEXTS[this.host ? "clubHostJoined" : "clubJoined"](this.name(you));
  }

  /**
   * Show the failure of a refresh; the same one again is no news for screen readers.
   *
   * @param {string} text
   */
  sayFailure(text) {
    if (this.failure.textContent !== text) this.failure.textContent = text;
  }

  /**
   * Send the request of a button, and show its effect or its error.
   *
   * @param {HTMLButtonElement} go
   * @param {() => Promise<unknown>} request
   */
  send(go, request) {
    return whileDisabled(go, showIn(this.refused), async () => {
      await request();
      await this.refresh();
    });
  }

  draw() {
    const text = JSON.stringify(this.night);
    if (text === this.drawn) return;
    this.drawn = text;
    const { begun, closed } = this.night;
    clear(
      this.parts,
      begun ? this.roundPart() : this.doorPart(),
      begun ? this.standingsPart() : null,
      closed ? this.resultsPart() : this.playersPart(),
    );
    this.shownRounds = closed;
  }

  /** @param {number | null} number */
  name(number) {
    if (number === null) return CLUB_TEXTS.clubTheBot;
    return this.night.players.find((player) => player.number === number)?.name || CLUB_TEXTS.clubNameless;
  }

  // Before the first round

  doorPart() {
    const { you, players, club, options } = this.night;
    const { host } = this;
    const rated = Object.keys(options).length ? "" : ` ${CLUB_TEXTS.clubRated}`;
    const place = this.placeText();
    const start = button(CLUB_TEXTS.clubBegin, () => this.send(start, () => api.beginClub(club, host)), {
      class: "primary",
      "data-go": "begin",
      disabled: players.length < FEWEST,
    });
    return h(
      "section",
      { class: "club-door" },
      place ? h("p", {}, place) : null,
      you === null ? h("p", {}, CLUB_TEXTS.clubWords, rated) : null,
      this.facts,
      this.primerButton(),
      this.join,
      this.link,
      host ? h("div", { class: "row" }, start) : null,
      host && players.length < FEWEST ? h("p", { class: "fine-print" }, CLUB_TEXTS.clubTooFew) : null,
    );
  }

  /** The rules and the rounds of the club night, for those who may play along. */
  factsList() {
    const { game: id, options, rounds, system } = this.night;
    const line = (/** @type {string} */ what, how = "") => h("div", {}, h("dt", {}, what), h("dd", {}, how));
    const list = h("dl", { class: "lobby-facts" }, line(CLUB_TEXTS.clubSystem, CLUB_TEXTS.clubSystems[system]));
    if (system === "swiss") list.append(line(CLUB_TEXTS.clubRounds, String(rounds)));
    gameOf(id).then((game) => {
      if (game)
        list.prepend(line(t("rules"), withSemicolons(optionsInWords(game, { players: BOARD_PLAYERS, options }))));
    });
    return list;
  }

  /** The button that explains the game: its lesson opens in another tab, since the players wait on this page. */
  primerButton() {
    const { game, title } = this.night;
    /** @type {import("../common/sheets.js").OpenRules} */
    const rules = (clause) => rulesSheet(title, () => api.rules(game), clause);
    return h(
      "p",
      {},
      button(t("howPlayed"), () => primerSheet(game, rules), { "data-go": "primer" }),
    );
  }

  joinForm() {
    const { club, you } = this.night;
    const field = nameInput({
      value: you === null ? settings().name : this.name(you),
      "aria-label": t("yourName"),
    });
    /** @param {Event} event */
    const join = (event) => {
      event.preventDefault();
      const name = field.value.trim() || t("defaultName");
      remember({ name });
      this.send(go, () => api.joinClub(club, name, ownKey()));
    };
    const kind = you === null ? "button primary" : "button";
    const go = h(
      "button",
      { type: "submit", class: kind, "data-go": "join" },
      CLUB_TEXTS[you === null ? "clubJoin" : "clubRename"],
    );
    return h(
      "form",
      { class: "labelled", on: { submit: join } },
      h("span", {}, t("yourName")),
      h("div", { class: "name-line" }, field, go),
    );
  }

  playersPart() {
    const { players, you } = this.night;
    return h(
      "section",
      { class: "club-players", "aria-labelledby": "club-players" },
      h("h2", { id: "club-players" }, CLUB_TEXTS.clubPlayers(players.length)),
      players.length
        ? h(
            "ul",
            {},
            players.map((player) => {
              const attributes = { class: player.number === you ? "own" : "" };
              return h("li", attributes, h("span", {}, isolated(this.name(player.number))), this.removal(player));
            }),
          )
        : h("p", { class: "fine-print" }, CLUB_TEXTS.clubNobodyYet),
    );
  }

  /**
   * The host's button that removes a player before the first round; null for others and later.
   *
   * @param {ClubNight["players"][number]} player
   */
  removal(player) {
    const { number } = player;
    const { club, begun } = this.night;
    if (!this.host || begun) return null;
    const label = labelled(CLUB_TEXTS.clubRemove, this.name(number));
    const go = button(CLUB_TEXTS.clubRemove, () => this.send(go, () => api.removeClubPlayer(club, this.host, player)), {
      class: "quiet",
      "data-go": `remove-${number}`,
      "aria-label": label,
    });
    return go;
  }

  // A round

  roundPart() {
    const { begun, rounds, games } = this.night;
    if (this.isOver) return this.endPart();
    const now = games.filter(({ round }) => round === begun);
    const over = now.filter((game) => game.over).length;
    const closing = button(CLUB_TEXTS.clubClose, () => this.askToClose(closing), { "data-go": "close" });
    return h(
      "section",
      { class: "club-round", "aria-labelledby": "club-round" },
      h("h2", { id: "club-round" }, CLUB_TEXTS.clubRound(begun, rounds)),
      h("p", { class: "fine-print", role: "status" }, CLUB_TEXTS.clubGamesOver(over, now.length)),
      this.ownPart(now),
      playingPart(now, this.nameOf),
      this.host ? h("div", { class: "row" }, closing) : null,
    );
  }

  endPart() {
    return h(
      "section",
      { class: "club-round", "aria-labelledby": "club-round" },
      h("h2", { id: "club-round" }, CLUB_TEXTS.clubOverTitle),
      h("p", {}, CLUB_TEXTS.clubKeep),
      h(
        "div",
        { class: "row no-print" },
        button(CLUB_TEXTS.clubPrint, () => print()),
      ),
    );
  }

  /**
   * The viewer's games of the round; for those who come late a sentence, and nothing for the host.
   *
   * @param {ClubGame[]} games
   */
  ownPart(games) {
    const { you } = this.night;
    if (you === null) return this.host ? null : h("p", {}, CLUB_TEXTS.clubBegun);
    const own = games.filter(({ seats }) => seats.includes(you));
    if (!own.length) return h("p", {}, CLUB_TEXTS.clubFree);
    return [
      h("h3", {}, CLUB_TEXTS.clubYours),
      h(
        "ul",
        { class: "club-own" },
        own.map((game) => this.ownLine(game, you)),
      ),
      own.every((game) => game.over) ? h("p", {}, CLUB_TEXTS.clubWait) : null,
    ];
  }

  /**
   * @param {ClubGame} game
   * @param {number} you
   */
  ownLine({ deal, seats, table, over }, you) {
    const seat = seats.indexOf(you);
    const label = CLUB_TEXTS.clubDeal(deal + 1, this.name(seats[1 - seat]));
    const play = () => goToSeat(String(table), seat, ownKey(), false);
    const attributes = { class: "primary", "data-go": "play", "aria-label": labelled(CLUB_TEXTS.clubPlay, label) };
    return h(
      "li",
      {},
      h("span", {}, label),
      over ? h("span", { class: "fine-print" }, CLUB_TEXTS.clubPlayed) : button(CLUB_TEXTS.clubPlay, play, attributes),
    );
  }

  /** @param {HTMLButtonElement} go the button that has been pressed */
  askToClose(go) {
    const { club, begun, games } = this.night;
    const now = games.filter(({ round }) => round === begun);
    const content = [h("p", {}, CLUB_TEXTS.clubCloseWords), playingPart(now, this.nameOf)];
    openSheet("close-round", CLUB_TEXTS.clubCloseQuestion, content, {
      kind: "center",
      actions: [
        (close) =>
          button(
            CLUB_TEXTS.clubCloseYes,
            () => {
              close();
              this.send(go, () => api.closeClubRound(club, this.host, begun));
            },
            { "data-go": "close-yes" },
          ),
        (close) => button(CLUB_TEXTS.clubCloseNo, close, { class: "primary" }),
      ],
    });
  }

  // Standings and results

  standingsPart() {
    const { closed, standings, you } = this.night;
    const line = (/** @type {ClubNight["standings"][0]} */ { number, rank, score, won, played }) =>
      h(
        "li",
        { class: number === you ? "own" : "" },
        h("span", { class: "rank" }, String(rank)),
        h("span", { class: "who" }, isolated(this.name(number))),
        h("span", { class: "fine-print" }, CLUB_TEXTS.clubWon(won, played)),
        h("b", { class: "number" }, CLUB_TEXTS.clubScore(score)),
      );
    return h(
      "section",
      { "aria-labelledby": "club-standings" },
      h("h2", { id: "club-standings" }, CLUB_TEXTS.clubStandings),
      h("p", { class: "fine-print" }, closed ? CLUB_TEXTS.clubAfter(closed) : CLUB_TEXTS.clubBefore),
      closed
        ? [
            h("ol", { class: "club-standings" }, standings.map(line)),
            h("p", { class: "fine-print" }, CLUB_TEXTS.clubScoring),
          ]
        : null,
    );
  }

  resultsPart() {
    const { closed, rounds, games } = this.night;
    const all = [...Array(closed).keys()].map((at) => at + 1);
    return h(
      "section",
      { class: "club-results", "aria-labelledby": "club-results" },
      h("h2", { id: "club-results" }, CLUB_TEXTS.clubResults),
      h("p", { class: "fine-print" }, CLUB_TEXTS.clubReading),
      all.map((round) =>
        h(
          "details",
          { open: this.isOpen(round), "data-round": round },
          h("summary", {}, CLUB_TEXTS.clubRound(round, rounds)),
          resultsTable(
            games.filter((game) => game.round === round),
            this.nameOf,
          ),
        ),
      ),
    );
  }

  /**
   * Whether the results of a round are shown: as the viewer has left them, otherwise those of the latest round, and of
   * all rounds at the end.
   *
   * @param {number} round
   */
  isOpen(round) {
    const shown = /** @type {HTMLDetailsElement | null} */ (find(this.parts, `[data-round="${round}"]`));
    const { closed } = this.night;
    return shown && closed === this.shownRounds ? shown.open : round === closed || this.isOver;
  }
}
