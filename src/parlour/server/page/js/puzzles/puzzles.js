// The trainer of puzzles: a table at a decision, one try, the verdict, the next.

import * as api from "../common/api.js";
import { tool } from "../common/bar.js";
import { announce, button, clear, fieldOf, focusedElement, h, isFocusLost, targetOf } from "../common/dom.js";
import { showError } from "../common/failure.js";
import { Keyboard } from "../common/keyboard.js";
import * as sheets from "../common/sheets.js";
import { keepOwnAbove } from "../scene/own_area.js";
import { scoreSheet } from "../scene/score_sheets.js";
import { sentence } from "../common/phrases.js";
import { locale } from "../common/language.js";
import { t } from "../common/texts.js";
import { Selection } from "../scene/selection.js";
import { Stage } from "../scene/stage.js";
import { StageInput } from "../scene/stage_input.js";
import { isProvisional, keepStanding, nextPuzzle, ratingOf, standingIn } from "./own_standing.js";
import { puzzleGamesPage } from "./puzzle_games.js";
import { verdictParts } from "./puzzle_verdict.js";
import { PUZZLE_TEXTS } from "./puzzle_texts.js";

/** @import { Puzzle, PuzzleLine, Puzzles, PuzzleVerdict } from "../answers.d.ts" */

/**
 * @param {HTMLElement} app
 * @param {string} game empty: the page with all games
 */
export async function puzzlesPage(app, game) {
  if (!game) {
    await puzzleGamesPage(app);
    return;
  }
  try {
    await new PuzzlePage(app, await api.puzzles(game)).start();
  } catch (error) {
    showError(app, error);
  }
}

class PuzzlePage {
  /** @type {Puzzle | null} */
  puzzle = null;
  /** Whether the player may try. */
  live = false;
  theme = "";
  /** @type {string[]} ids of the puzzles shown since the theme was chosen, the latest last */
  passed = [];
  /** The number of requests for puzzles and of tries. A puzzle that comes after a later one of them is ignored. */
  asked = 0;
  /** The answer to the latest try. The next one waits for it, because it changes the standing. */
  answered = Promise.resolve();

  /**
   * @param {HTMLElement} app
   * @param {Puzzles} ofGame
   */
  constructor(app, ofGame) {
    this.ofGame = ofGame;
    this.selection = new Selection();
    this.input = new StageInput(this);
    this.standing = h("p", { class: "coach-where", "data-place": "standing" });
    this.words = h("article", {
      class: "coach-words",
      tabindex: "0",
      "aria-label": PUZZLE_TEXTS.puzzleWords,
    });
    this.ways = h("div", { class: "coach-ways row" });
    const content = [this.standing, this.themeChooser(), this.words, this.ways];
    this.coach = h("aside", { class: "coach puzzle-coach", "aria-label": t("puzzles") }, content);
    this.stage = new Stage(app, PUZZLE_TEXTS.puzzlesOf(ofGame.title), {
      game: ofGame.game,
      tools: [tool("score", t("score"), () => this.score()), tool("rules", t("rules"), () => this.rules())],
      beside: this.coach,
    });
    keepOwnAbove(this.stage.room, this.stage.dock);
    this.keyboard = this.makeKeyboard();
  }

  async start() {
    document.title = `${PUZZLE_TEXTS.puzzlesOf(this.ofGame.title)} · ${t("parlour")}`;
    this.stage.room.addEventListener("click", (event) => this.click(event));
    await this.go(this.lineInAddress() ?? this.nextLine());
    addEventListener("hashchange", () => this.go(this.lineInAddress()));
  }

  lineInAddress() {
    const id = location.hash.slice(1);
    return this.ofGame.puzzles.find((line) => line.id === id);
  }

  makeKeyboard() {
    const actions = {
      r: () => this.rules(),
      s: () => this.score(),
      n: () => this.next(),
      "?": () => sheets.helpSheet("puzzle"),
      h: () => sheets.helpSheet("puzzle"),
      close: () => sheets.closeTopSheet(),
      escape: () => this.input.putBack(),
    };
    return new Keyboard(
      () => this.stage.room,
      actions,
      () => false,
    );
  }

  themeChooser() {
    const themes = Object.entries(this.ofGame.themes).sort(([, one], [, other]) => one.localeCompare(other, locale));
    const change = (/** @type {Event} */ event) => {
      this.theme = fieldOf(event).value;
      this.passed = [];
      this.next();
    };
    const all = h("option", { value: "" }, PUZZLE_TEXTS.puzzleAllThemes);
    const options = themes.map(([theme, title]) => h("option", { value: theme }, sentence(title)));
    return h(
      "select",
      { class: "field puzzle-theme", "aria-label": PUZZLE_TEXTS.puzzleTheme, on: { change } },
      all,
      options,
    );
  }

  get own() {
    return standingIn(this.ofGame.game);
  }

  nextLine() {
    return nextPuzzle(this.ofGame.puzzles, this.own, this.theme, this.passed);
  }

  async next() {
    await this.go(this.nextLine());
  }

  /**
   * Show a puzzle to solve; nothing without one.
   *
   * @param {PuzzleLine} [line]
   */
  async go(line) {
    if (!line) return;
    this.asked += 1;
    const number = this.asked;
    try {
      const puzzle = await api.puzzle(this.ofGame.game, line.id);
      if (number !== this.asked) return;
      this.puzzle = puzzle;
    } catch (error) {
      if (number !== this.asked) return;
      if (!this.puzzle) throw error;
      this.stage.say(api.messageOf(error));
      return;
    }
    this.stage.turnDown();
    this.passed.push(line.id);
    history.replaceState(null, "", `#${line.id}`);
    this.live = true;
    this.selection.start(this.puzzle.scene.choices);
    this.input.clearNote();
    this.showStanding();
    const again = this.own.tried.includes(line.id);
    this.words.setAttribute("aria-live", "off"); // the task is announced below, without the log lines
    clear(
      this.words,
      h("p", { class: "task" }, PUZZLE_TEXTS.puzzleTask),
      again ? h("p", { class: "fine-print" }, PUZZLE_TEXTS.puzzleAgain) : null,
      this.before(),
    );
    const skip = button(PUZZLE_TEXTS.puzzleSkip, () => this.next(), { "data-way": "skip" });
    const other = h("a", { class: "button quiet", href: "/puzzles" }, PUZZLE_TEXTS.puzzleOther);
    const isInside = this.ways.contains(focusedElement());
    clear(this.ways, skip, other);
    if (isInside && isFocusLost()) this.words.focus({ preventScroll: true });
    this.draw();
    announce(`${this.puzzle.scene.heading}. ${PUZZLE_TEXTS.puzzleTask}`);
  }

  /** The log lines before the decision, folded on small screens. */
  before() {
    const lines = (this.puzzle?.log ?? []).filter(Boolean);
    if (!lines.length) return null;
    const list = h(
      "ol",
      { class: "puzzle-log" },
      lines.map((line) => h("li", {}, line)),
    );
    const open = matchMedia("(min-width: 901px)").matches;
    return h("details", { open }, h("summary", {}, PUZZLE_TEXTS.puzzleBefore), list);
  }

  showStanding() {
    const { standing } = this.own;
    const parts = [PUZZLE_TEXTS.puzzleRating(ratingOf(standing), isProvisional(standing))];
    if (standing) parts.push(PUZZLE_TEXTS.puzzleTried(standing.tried, standing.solved));
    if (standing && standing.streak > 1) parts.push(PUZZLE_TEXTS.puzzleStreak(standing.streak));
    this.standing.textContent = parts.join(" · ");
  }

  draw() {
    const { live, puzzle, selection } = this;
    if (!puzzle) return;
    this.stage.draw(puzzle.scene, { live, gathered: true, selection, move: false });
    this.keyboard.refresh();
    if (live) this.stage.room.removeAttribute("tabindex");
    else this.stage.room.tabIndex = 0; // it scrolls by keys, although nothing on it can be chosen
    this.stage.prompt.textContent = live ? selection.onward || puzzle.scene.prompt : "";
    this.input.drawButtons(live ? puzzle.scene : null);
  }

  // The player

  /** @param {MouseEvent} event */
  click(event) {
    if (this.stage.look(event)) return;
    const thing = targetOf(event, "[data-do]");
    if (thing && this.live) this.input.choose(thing.dataset.do, thing.dataset.token);
  }

  get scene() {
    return this.puzzle?.scene;
  }

  /** @param {string[]} tokens */
  async why(tokens) {
    const { reasons } = await api.whyNotInPuzzle(this.ofGame.game, this.puzzle?.id ?? "", tokens);
    return reasons;
  }

  /** @param {string} action */
  async act(action) {
    const { puzzle } = this;
    if (!puzzle) return;
    this.asked += 1;
    this.live = false;
    clear(this.stage.actions);
    this.answered = this.answered.then(() => this.send(puzzle, action));
    await this.answered;
  }

  /**
   * Send a try, and show its verdict.
   *
   * @param {Puzzle} puzzle
   * @param {string} action
   */
  async send(puzzle, action) {
    const { own } = this;
    const counts = !own.tried.includes(puzzle.id);
    try {
      const verdict = await api.tryPuzzle(this.ofGame.game, puzzle.id, action, own.standing, counts);
      const kept = !verdict.standing || keepStanding(this.ofGame.game, verdict.standing, puzzle.id);
      if (puzzle === this.puzzle) this.show(verdict, own.standing, kept);
      else this.showStanding(); // another puzzle was asked for meanwhile
    } catch (error) {
      if (puzzle !== this.puzzle) return;
      this.live = true;
      this.selection.clear();
      this.draw();
      this.stage.say(sentence(api.messageOf(error)));
    }
  }

  /**
   * Show a verdict.
   *
   * @param {PuzzleVerdict} verdict
   * @param {import("../answers.d.ts").PuzzleStanding | null} before
   * @param {boolean} kept whether the browser has stored the standing
   */
  show(verdict, before, kept) {
    const { standing } = verdict;
    const change = standing ? ratingOf(standing) - ratingOf(before) : 0;
    const line = standing
      ? PUZZLE_TEXTS.puzzleChange(verdict.rating, ratingOf(standing), change)
      : PUZZLE_TEXTS.puzzleAgain;
    this.showStanding();
    this.words.setAttribute("aria-live", "polite");
    clear(
      this.words,
      verdictParts(verdict),
      h("p", { class: "fine-print" }, line),
      kept ? null : h("p", { class: "fine-print" }, PUZZLE_TEXTS.puzzleUnstored),
    );
    this.words.scrollTop = 0;
    const next = button(PUZZLE_TEXTS.puzzleNext, () => this.next(), { class: "primary", "data-way": "next" });
    clear(this.ways, next);
    this.selection.clear();
    this.selection.choose(this.tokensOf(verdict.best));
    this.draw();
    next.focus({ preventScroll: true });
  }

  /**
   * The things of an action on the table.
   *
   * @param {string} action
   * @returns {string[]}
   */
  tokensOf(action) {
    return [...(this.puzzle?.scene.choices.find((choice) => choice.do === action)?.tokens ?? [])];
  }

  score() {
    if (this.puzzle) scoreSheet(this.puzzle.scene, this.puzzle.log, (clause) => this.rules(clause));
  }

  rules(clause = "") {
    sheets.rulesSheet(this.ofGame.title, () => api.rules(this.ofGame.game), clause);
  }
}
