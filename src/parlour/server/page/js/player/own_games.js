// The page of the player's games: the list with its search, the plots, other devices, export and removal.

import * as api from "../common/api.js";
import { errorLines } from "../common/failure.js";
import { clear, fieldOf, button, h, svg } from "../common/dom.js";
import { icon } from "../common/glyphs.js";
import { afterPress } from "../common/presses.js";
import { segment } from "../common/sheets.js";
import { t } from "../common/texts.js";
import { pageHeader } from "../common/page_header.js";
import { removableLine, tableLines } from "../landing/my_tables.js";
import { resumeTableRequest } from "../landing/table_request.js";
import { carriedKey, devicePart, hasCarriedKey } from "./devices.js";
import { finishedOf, isReviewable, runningOf, selectGames } from "./game_list.js";
import { exportPart } from "./records_export.js";
import { ownKey } from "./player_key.js";
import { plotsPart } from "./plots.js";
import { ratingsPart } from "./ratings.js";
import { firstGames, keepListedSeats } from "./seat_links.js";
import { PLAYER_TEXTS } from "./player_texts.js";
import { unstoredNote } from "./unstored_note.js";

/** @import { Bot, PlayerGame } from "../answers.d.ts" */
/** @import { Filter, FinishedGame } from "./game_list.js" */

/** Games in one answer of the room. */
const PART = 100;
/** Lines that are added at once. */
const LINES = 20;

/** @param {HTMLElement} app */
export async function ownGamesPage(app) {
  document.title = `${t("mine")} · ${t("parlour")}`;
  const notice = carriedKey();
  addEventListener("hashchange", () => hasCarriedKey() && location.reload());
  const place = h("div", { class: "own-games" }, h("p", { class: "fine-print" }, PLAYER_TEXTS.mineLoading));
  const head = h("header", { class: "page-header" }, pageHeader());
  clear(app, h("main", { class: "landing own-page" }, head, notice, h("h1", {}, t("mine")), place));
  try {
    const { bots } = await api.games();
    await new OwnGames(place, bots).load();
  } catch (error) {
    clear(place, errorLines(error));
  }
}

/** @param {string} text */
const failureLine = (text) => h("p", { class: "failure", role: "alert" }, text);

class OwnGames {
  /** @type {PlayerGame[]} */
  games = [];
  /** @type {Filter} */
  filter = { text: "", game: "", result: "" };
  /** Number of lines that are shown. */
  lines = LINES;

  /**
   * @param {HTMLElement} place
   * @param {Bot[]} bots
   */
  constructor(place, bots) {
    this.place = place;
    this.bots = bots;
    this.chooser = h("select", {
      class: "field",
      name: "game",
      "aria-label": t("mineGame"),
      on: { change: (event) => this.choose({ game: fieldOf(event).value }) },
    });
    this.controls = this.makeControls();
    this.redraw = () => this.draw();
    this.count = h("p", { class: "fine-print", role: "status" });
    this.list = h("ul", { class: "table-list" });
    this.more = button(PLAYER_TEXTS.mineMore, () => this.showMore(), { class: "quiet" });
    this.finished = h("section", { class: "own-finished", "aria-labelledby": "finished-title" });
    this.shown = h("section", { class: "own-shown", "aria-labelledby": "shown-title" });
  }

  /** Load the list in parts, and show each as it arrives. */
  async load() {
    await resumeTableRequest();
    const { name, games, next, others, failure } = await firstGames(PART);
    this.games = games;
    const going = await this.runningPart([...runningOf(games), ...others]);
    if (failure) {
      clear(this.place, failureLine(failure), going);
      return;
    }
    const unstored = unstoredNote();
    const words = unstored ?? h("p", { class: "fine-print" }, PLAYER_TEXTS.mineKept(name ?? ""));
    const puzzles = h("a", { class: "button own-puzzles", href: "/puzzles" }, t("puzzles"));
    const top = h("div", { class: "own-top" }, words, puzzles, going);
    if (unstored) {
      clear(this.place, top); // the list of a key that is lost with the page stays empty
      return;
    }
    clear(this.place, top, this.finished, this.shown, devicePart(), exportPart());
    this.draw();
    this.showRatings(top);
    if (location.hash === "#device") document.getElementById("device")?.scrollIntoView();
    await this.loadRest(next).catch((error) => this.finished.append(failureLine(api.messageOf(error))));
  }

  /** @param {HTMLElement} top the part of the page before the finished games */
  async showRatings(top) {
    const { ratings } = await api.playerRatings(ownKey()).catch(() => ({ ratings: [] }));
    const part = ratingsPart(ratings);
    if (part) top.append(part);
  }

  /** @param {string | null} next */
  async loadRest(next) {
    while (next) {
      const part = await api.playerGames(ownKey(), PART, next);
      const known = new Set(this.games.map(({ table }) => table)); // a game may have ended meanwhile
      this.games.push(...part.games.filter(({ table }) => !known.has(table)));
      next = part.next;
      afterPress(this.redraw);
    }
  }

  /** @param {string[]} tables */
  async runningPart(tables) {
    keepListedSeats(this.games.filter(({ score }) => !score));
    const part = h("section", { class: "own-tables", "aria-labelledby": "going-title" });
    const lines = await tableLines(tables, (line) => {
      line.remove();
      if (!part.querySelector("li")) part.remove();
    });
    if (!lines.length) return null;
    return clear(
      part,
      h("h2", { id: "going-title" }, PLAYER_TEXTS.mineGoesOn),
      h("ul", { class: "table-list" }, lines),
    );
  }

  makeControls() {
    const search = h("input", {
      class: "field",
      type: "search",
      name: "text",
      maxlength: "60",
      placeholder: PLAYER_TEXTS.mineSearch,
      "aria-label": PLAYER_TEXTS.mineSearch,
      on: { input: (event) => this.choose({ text: fieldOf(event).value }) },
    });
    const { all, won, other } = PLAYER_TEXTS.mineResults;
    const results = Object.entries({ "": all, won, other }).map(([value, title]) =>
      segment({ name: "result", value, checked: !value, on: { change: () => this.choose({ result: value }) } }, title),
    );
    const legend = h("legend", { class: "unseen" }, PLAYER_TEXTS.mineResult);
    const chooser = h("fieldset", { class: "chooser" }, legend, h("div", { class: "segments" }, results));
    return h("div", { class: "own-controls" }, search, this.chooser, chooser);
  }

  /** @param {Partial<Filter>} change */
  choose(change) {
    this.filter = { ...this.filter, ...change };
    this.lines = LINES;
    this.drawList();
  }

  showMore() {
    const { length } = this.list.children;
    this.lines += LINES;
    this.drawList();
    /** @type {HTMLElement | null} */ (this.list.children[length]?.querySelector("a, button"))?.focus();
  }

  draw() {
    const finished = finishedOf(this.games);
    const titles = new Map(finished.map(({ game, title }) => [game, title]));
    const title = h("h2", { id: "finished-title" }, PLAYER_TEXTS.mineFinished);
    if (!finished.length) {
      clear(this.finished, title, h("p", {}, PLAYER_TEXTS.mineNone), h("a", { class: "button", href: "/" }, t("home")));
      this.shown.hidden = true;
      return;
    }
    const options = [...titles].sort(([, one], [, other]) => one.localeCompare(other));
    const all = h("option", { value: "" }, PLAYER_TEXTS.mineAllGames);
    if (this.chooser.children.length !== options.length + 1) {
      clear(
        this.chooser,
        all,
        options.map(([game, text]) => h("option", { value: game }, text)),
      );
    }
    if (!titles.has(this.filter.game)) this.filter.game = "";
    this.chooser.value = this.filter.game;
    if (!this.controls.isConnected) clear(this.finished, title, this.controls, this.count, this.list, this.more);
    this.drawList();
    this.shown.hidden = false;
    clear(this.shown, plotsPart(this.games, this.bots));
  }

  drawList() {
    const games = selectGames(this.games, this.filter);
    const shown = games.slice(0, this.lines);
    keepListedSeats(shown);
    clear(
      this.list,
      shown.map((game) => this.line(game)),
    );
    this.more.hidden = games.length <= this.lines;
    const won = games.filter(({ score }) => score.won).length;
    const text = games.length ? PLAYER_TEXTS.mineCount(games.length, won) : PLAYER_TEXTS.mineNoneFit;
    if (this.count.textContent !== text) this.count.textContent = text;
  }

  /** @param {FinishedGame} game */
  line(game) {
    const removed = () => {
      this.games = this.games.filter(({ table }) => table !== game.table);
      this.draw();
    };
    const label = PLAYER_TEXTS.mineReviewOf(game.title);
    const way = { class: "line-review", href: `/game/${game.table}/review`, "aria-label": label, title: label };
    const review = h("a", way, svg(icon("score")), h("span", {}, PLAYER_TEXTS.mineReview));
    return removableLine(game, removed, isReviewable(game) ? review : null);
  }
}
