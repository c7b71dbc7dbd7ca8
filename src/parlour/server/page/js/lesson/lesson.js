// The page of a lesson: the coach explains, the learner plays, and every try is answered.

import * as api from "../common/api.js";
import { tool } from "../common/bar.js";
import { announce, button, clear, find, findAll, h, markup, targetOf } from "../common/dom.js";
import { leaveBy, showError } from "../common/failure.js";
import { Keyboard } from "../common/keyboard.js";
import { labelled, withSemicolons } from "../common/phrases.js";
import { after, before, BEGINNING, startOf } from "./lesson_position.js";
import { setTaskApart } from "./lesson_task.js";
import { quickGame } from "../landing/new_table.js";
import { SceneQueue } from "../scene/scene_queue.js";
import { Selection } from "../scene/selection.js";
import { markKnown, remember, settings } from "../common/settings.js";
import * as sheets from "../common/sheets.js";
import { Stage } from "../scene/stage.js";
import { StageInput } from "../scene/stage_input.js";
import { t } from "../common/texts.js";
import { LESSON_TEXTS } from "./lesson_texts.js";

/** @import { Lesson, LessonAnswer, LessonStep } from "../answers.d.ts" */
/** @import { Scene } from "../protocol.d.ts" */

/** A cited clause with its brackets and punctuation, which stay on one line. */
const CITATION = /\(?<span class="cited"[^>]*>[^<]*<\/span>[).,;:]*/g;

/**
 * @param {HTMLElement} app
 * @param {string} game
 */
export async function lessonPage(app, game) {
  try {
    await new LessonPage(app, game, await api.lesson(game)).start();
  } catch (error) {
    showError(app, error);
  }
}

class LessonPage {
  /** @type {LessonStep | null} */
  taught = null;
  /** @type {Scene} */
  scene;
  hand = 0;
  step = 0;
  /** The number of steps that have been asked for. Answers to what was asked before the latest are ignored. */
  asked = 0;
  /** Whether the learner may act. */
  live = false;
  /** Whether the suggested things are marked. */
  pointing = false;
  /** Whether a button of the coach had the focus, which the next step gives to its own. */
  hadFocus = false;

  /**
   * @param {HTMLElement} app
   * @param {string} game
   * @param {Lesson} lesson
   */
  constructor(app, game, lesson) {
    this.game = game;
    this.lesson = lesson;
    this.selection = new Selection();
    this.input = new StageInput(this);
    this.queue = new SceneQueue({
      show: (scene, gathered) => this.show(scene, gathered),
      pause: () => Promise.resolve(),
      drained: () => this.teach(),
    });
    this.heading = h("p", { class: "coach-where" });
    this.words = h("article", { class: "coach-words", tabindex: "-1", "aria-live": "polite" });
    this.ways = h("div", { class: "coach-ways row" });
    this.progress = h("progress", { max: 1, value: 0, "aria-label": t("lesson") });
    const content = [this.heading, this.progress, this.words, this.ways];
    this.coach = h("aside", { class: "coach", "aria-label": t("lesson") }, content);
    const [table] = location.hash.match(/[\w-]+/) ?? [];
    /** The address of the table that the learner comes from, or of the landing. */
    this.home = table ? `/table/${table}` : "/";
    this.stage = new Stage(app, lesson.game, {
      game: this.game,
      tools: [tool("rules", t("rules"), () => this.rules())],
      beside: this.coach,
      home: this.home,
    });
    this.keyboard = this.makeKeyboard();
  }

  async start() {
    document.title = `${this.lesson.title} · ${t("parlour")}`;
    this.stage.room.addEventListener("click", (event) => this.click(event));
    this.words.addEventListener("click", (event) => {
      if (!targetOf(event, ".cited")) this.fold(false);
    });
    const [hand, step] = startOf(this.lesson.hands, settings().lessons[this.game]);
    await this.go(hand, step, step > 0);
  }

  makeKeyboard() {
    const actions = {
      r: () => this.rules(),
      "?": () => sheets.helpSheet("lesson"),
      h: () => sheets.helpSheet("lesson"),
      close: () => sheets.closeTopSheet(),
      escape: () => this.input.putBack(),
    };
    return new Keyboard(
      () => this.stage.room,
      actions,
      () => this.space(),
    );
  }

  /**
   * Go to a step.
   *
   * @param {number} hand
   * @param {number} step
   * @param {boolean} [still] whether to show only the last scene of the step
   */
  async go(hand, step, still = false) {
    const { hands } = this.lesson;
    const { title, steps } = hands[hand];
    this.stop();
    this.asked += 1;
    const taught = await this.answered(api.lessonStep(this.game, hand, step));
    if (!taught) return;
    if (hand !== this.hand) this.stage.turnDown();
    Object.assign(this, { hand, step, taught });
    remember({ lessons: { ...settings().lessons, [this.game]: [hand, step] } });
    const part = hands.length > 1 ? LESSON_TEXTS.lessonHand(hand + 1, hands.length, title) : title;
    this.heading.textContent = `${part} · ${LESSON_TEXTS.stepOf(step + 1, steps)}`;
    this.progress.value = (step + 1) / steps;
    this.queue.push(still ? taught.scenes.slice(-1) : taught.scenes);
  }

  /**
   * The answer to a request. An error is shown, and the lesson stays at its step; then the result is null, as it is
   * when another step has been asked for meanwhile.
   *
   * @template Answer
   * @param {Promise<Answer>} request
   */
  async answered(request) {
    const { asked } = this;
    try {
      const answer = await request;
      return asked === this.asked ? answer : null;
    } catch (error) {
      if (asked !== this.asked) return null;
      if (!this.taught) throw error;
      this.selection.clear(); // or else the next press on the same card would put it back
      this.teach();
      this.stage.say(api.messageOf(error));
      return null;
    }
  }

  /** Take away the buttons and the note, so that the learner cannot act. */
  stop() {
    this.live = false;
    this.pointing = false;
    this.stage.say("");
    this.hadFocus ||= this.ways.contains(document.activeElement);
    clear(this.ways);
    clear(this.stage.actions);
  }

  /**
   * @param {Scene} scene
   * @param {boolean} gathered
   */
  show(scene, gathered) {
    this.scene = scene;
    this.selection.start(scene.choices);
    this.stage.draw(scene, { gathered: gathered || !scene.rest });
    this.stage.prompt.textContent = scene.log.join(" ");
  }

  // The coach

  /** Show the words of the step and its buttons. */
  teach() {
    if (!this.taught) return;
    const { do: action, say } = this.taught;
    this.live = Boolean(action);
    this.speak(say, this.live);
    this.draw();
    const back = () => button(t("stepBack"), () => this.back(), { class: "quiet", "data-way": "back" });
    clear(this.ways, this.live ? this.taskWays() : this.readWays(), this.step || this.hand ? back() : null);
    this.reveal(this.coach.classList.contains("folded"));
    if (this.hadFocus) ((!this.live && find(this.ways, ".primary")) || this.words).focus({ preventScroll: true });
    this.hadFocus = false;
  }

  /** The buttons of a step in which the learner has to act. */
  taskWays() {
    const wholeText = { "aria-label": LESSON_TEXTS.wholeText, title: LESSON_TEXTS.wholeText };
    return [
      button(LESSON_TEXTS.toTheTable, () => this.fold(true), { class: "primary fold-way", "data-way": "fold" }),
      button(LESSON_TEXTS.showMe, () => this.point(), { "data-way": "show" }),
      button("…", () => this.fold(false), { class: "unfold-way", "data-way": "unfold", ...wholeText }),
    ];
  }

  readWays() {
    return button(LESSON_TEXTS.readOn, () => this.next(), { class: "primary", "data-way": "on" });
  }

  /**
   * Reduce the words to the task on small screens, or show all of them.
   *
   * @param {boolean} folded
   */
  fold(folded) {
    this.coach.classList.toggle("folded", folded);
    this.reveal(folded);
  }

  /**
   * Scroll to the thing to be chosen; while the words are open, to its area or to the viewer's.
   *
   * @param {boolean} folded
   */
  reveal(folded) {
    if (!this.live) return;
    const tokens = this.suggested()?.tokens ?? [];
    const thing = this.things(tokens)
      .filter((one) => one.closest(".board"))
      .at(-1);
    if (folded) thing?.scrollIntoView({ block: "center" });
    else (thing?.closest(".area") ?? find(this.stage.board, ".own"))?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Show words of the lesson, which are HTML from the server.
   *
   * @param {string} html
   * @param {boolean} [task] whether they may end with a task
   */
  speak(html, task = false) {
    const content = markup(html.replace(CITATION, '<span class="together">$&</span>'));
    for (const cited of findAll(content, "[data-clause]")) {
      cited.replaceWith(sheets.clauseButton(cited.dataset.clause ?? "", (clause) => this.rules(clause)));
    }
    const long = !task || setTaskApart(content);
    this.words.replaceChildren(content);
    this.words.scrollTop = 0;
    this.fold(!long);
  }

  draw() {
    const { live, scene, selection } = this;
    this.stage.draw(scene, { live, gathered: true, selection, move: false });
    this.keyboard.refresh();
    this.stage.prompt.textContent = live ? selection.onward || scene.prompt : scene.log.join(" ");
    this.input.drawButtons(live ? scene : null);
    this.stage.room.classList.toggle("pointing", live && this.pointing);
    if (live && this.pointing) this.mark();
  }

  /** The choice of the suggested action that continues the selection. */
  suggested() {
    const choices = this.scene.choices.filter((choice) => choice.do === this.taught?.do);
    const picked = [...this.selection.picked];
    return choices.find(({ tokens }) => picked.every((token) => tokens.includes(token))) ?? choices[0];
  }

  /**
   * The elements of tokens.
   *
   * @param {string[]} tokens
   */
  things(tokens) {
    return findAll(this.stage.room, "[data-token]").filter(({ dataset }) => tokens.includes(dataset.token ?? ""));
  }

  /** Mark what to choose, until the action is done. */
  point() {
    const { tokens = [] } = this.suggested() ?? {};
    if ([...this.selection.picked].some((token) => !tokens.includes(token))) this.selection.clear();
    this.pointing = true;
    this.stage.say("");
    this.draw();
    this.fold(true);
  }

  /** Mark the things still to be chosen, or the button of the complete action. */
  mark() {
    const choice = this.suggested();
    const left = (choice?.tokens ?? []).filter((token) => !this.selection.picked.has(token));
    const things = this.things(left);
    const buttons = findAll(this.stage.actions, "[data-button]");
    const marked = things.length ? things : buttons.filter(({ dataset }) => dataset.button === this.taught?.do);
    for (const thing of marked) {
      thing.classList.add("suggested");
      thing.scrollIntoView({ block: thing.closest(".board") ? "center" : "nearest" });
    }
    marked[0]?.focus({ preventScroll: true });
    const names = things.map((thing) => thing.getAttribute("aria-label") ?? "").filter(Boolean);
    if (choice) announce(names.length ? labelled(choice.label, withSemicolons(names)) : choice.label);
  }

  // The learner

  /** @param {MouseEvent} event */
  click(event) {
    if (this.stage.look(event)) return;
    const thing = targetOf(event, "[data-do]");
    if (thing) this.choose(thing.dataset.do, thing.dataset.token);
    else if (targetOf(event, ".middle")) this.queue.goOn();
  }

  /**
   * Choose a card or a row.
   *
   * @param {string} [action]
   * @param {string} [token]
   */
  choose(action, token) {
    if (!this.live) {
      this.queue.goOn();
      return;
    }
    this.fold(true);
    this.input.choose(action, token);
  }

  /** @param {string[]} tokens */
  async why(tokens) {
    const { reasons } = await api.whyNotInLesson(this.game, this.hand, this.step, tokens);
    return reasons;
  }

  /** @param {string} action */
  async act(action) {
    this.live = false;
    clear(this.stage.actions);
    const answer = await this.answered(this.answerTo(action));
    if (!answer) return;
    if (answer.kind === "done") await this.next();
    else if (answer.kind === "refused") {
      this.live = true;
      this.selection.clear();
      this.draw();
      this.stage.explain([answer], (clause) => this.rules(clause));
    } else this.showOther(answer);
  }

  /**
   * The lesson's answer to an action. The suggested one needs no server.
   *
   * @param {string} action
   * @returns {Promise<LessonAnswer>}
   */
  async answerTo(action) {
    try {
      return await api.answerStep(this.game, this.hand, this.step, action);
    } catch (error) {
      if (api.statusOf(error)) throw error;
      if (action === this.taught?.do) return { kind: "done" };
      throw new Error(LESSON_TEXTS.lessonOffline, { cause: error });
    }
  }

  /**
   * Show another legal action than the suggested one, which can be taken back.
   *
   * @param {Extract<LessonAnswer, { kind: "other" }>} answer
   */
  showOther({ scene, say }) {
    this.stage.say("");
    this.stage.draw(scene, { gathered: false });
    clear(this.stage.actions);
    this.stage.prompt.textContent = scene.log.join(" ");
    this.speak(say || `<p>${LESSON_TEXTS.otherWay}</p>`);
    const takeBack = () => {
      this.pointing = false;
      this.scene = this.taught?.scenes.at(-1) ?? this.scene;
      this.selection.start(this.scene.choices);
      this.teach();
    };
    clear(
      this.ways,
      button(LESSON_TEXTS.takeBack, takeBack, { class: "primary", "data-way": "take-back" }),
      button(LESSON_TEXTS.asSuggested, () => this.next(), { "data-way": "as-suggested" }),
    );
  }

  async next() {
    const position = after(this.lesson.hands, [this.hand, this.step]);
    if (position) await this.go(...position);
    else this.end();
  }

  async back() {
    const position = before(this.lesson.hands, [this.hand, this.step]);
    if (position) await this.go(...position, true);
  }

  /** Show the end of the lesson and the ways to a game. */
  end() {
    remember({ lessons: { ...settings().lessons, [this.game]: BEGINNING } });
    markKnown(this.game);
    this.stop();
    this.heading.textContent = "";
    this.progress.value = 1;
    clear(this.words, h("h2", {}, LESSON_TEXTS.lessonOver), h("p", {}, LESSON_TEXTS.lessonOverHint));
    clear(this.ways, this.home === "/" ? this.freeWays() : this.invitedWays());
    this.words.focus();
  }

  /** The ways of a learner who comes from a table. */
  invitedWays() {
    const attributes = { class: "button primary", href: this.home, "data-way": "table" };
    return [h("a", attributes, LESSON_TEXTS.toYourTable), button(t("readRules"), () => this.rules())];
  }

  freeWays() {
    const play = async () => {
      const catalogue = await api.games();
      const game = catalogue.games.find((one) => one.id === this.game);
      if (game) await quickGame(game, catalogue);
    };
    const start = () => leaveBy(go, (text) => this.stage.say(text), play);
    const go = button(LESSON_TEXTS.playNowShort, start, { class: "primary", "data-way": "play" });
    return [go, button(t("readRules"), () => this.rules()), h("a", { class: "button", href: "/" }, t("home"))];
  }

  /** Take the space bar: end a pause, or press the main button. Return false if there is nothing to do. */
  space() {
    const primary = find(this.ways, ".primary");
    if (this.queue.busy) this.queue.goOn();
    else if (primary && !document.activeElement?.matches("button, a")) primary.click();
    else return false;
    return true;
  }

  rules(clause = "") {
    sheets.rulesSheet(this.lesson.title, () => api.rules(this.game), clause);
  }
}
