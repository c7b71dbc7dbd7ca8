// A guided first game: the page explains, the learner plays, and whatever is tried is answered.

import * as api from "./api.js";
import { tool } from "./bar.js";
import { Choosing } from "./selection.js";
import { announce, button, clear, h } from "./dom.js";
import { showFailure } from "./failure.js";
import { Keys } from "./keyboard.js";
import { after, before, BEGINNING, startOf } from "./lesson_position.js";
import { quickGame } from "./my_tables.js";
import { Queue } from "./scene_queue.js";
import { meet, remember, settings } from "./settings.js";
import * as sheets from "./sheets.js";
import { Stage } from "./stage.js";
import { t } from "./texts.js";

/** A citation, with the bracket before it and what closes after it: they stay on one line. */
const CITED = /\(?<span class="cited"[^>]*>[^<]*<\/span>[).,;:]*/g;

/** Where a sentence begins after another. */
const BEGINS = /[.!?…]\)?\s+(?=[\p{Lu}“])/gu;

/**
 * The task of a step, set apart from what explains it: the sentence with its last bold words, and what follows. Where
 * there is little room it stays in sight when the rest has been read.
 */
export function setTaskApart(words) {
  const last = words.lastElementChild;
  const bold = [...(last?.querySelectorAll(":scope > strong") ?? [])].at(-1);
  if (!bold) return false;
  let start = bold;
  while (start.previousSibling) {
    const before = start.previousSibling;
    const ends =
      before.nodeType === Node.TEXT_NODE
        ? [...before.data.matchAll(BEGINS), ...before.data.matchAll(/[.!?…]\)?\s+$/gu)]
        : [];
    if (ends.length) {
      const end = ends.at(-1);
      start = before.splitText(end.index + end[0].length);
      break;
    }
    start = before;
  }
  const task = h("span", { class: "task" });
  const before = h("span", { class: "before-task" });
  while (last.firstChild && last.firstChild !== start) before.append(last.firstChild);
  task.append(...last.childNodes);
  last.append(before, task);
  return words.children.length > 1 || before.textContent.trim() !== "";
}

export async function lessonPage(app, game) {
  try {
    await new LessonPage(game, await api.lesson(game)).start(app);
  } catch (error) {
    showFailure(app, error.message);
  }
}

class LessonPage {
  constructor(game, lesson) {
    Object.assign(this, { game, lesson, hand: 0, step: 0, taught: null, shown: null });
    this.choosing = new Choosing();
    this.queue = new Queue({
      show: (scene, gathered) => this.show(scene, gathered),
      pause: () => Promise.resolve(),
      drained: () => this.teach(),
    });
  }

  async start(app) {
    document.title = `${this.lesson.title} · ${t("house")}`;
    this.where = h("p", { class: "coach-where" });
    this.words = h("article", { class: "coach-words", tabindex: "-1", "aria-live": "polite" });
    this.ways = h("div", { class: "coach-ways row" });
    this.line = h("progress", { max: 1, value: 0, "aria-label": t("lesson") });
    const [table] = location.hash.match(/[\w-]+/) ?? [];
    this.home = table ? `/table/${table}` : "/";
    const coach = (this.coach = h(
      "aside",
      { class: "coach", "aria-label": t("lesson") },
      this.where,
      this.line,
      this.words,
      this.ways,
    ));
    this.stage = new Stage(app, this.lesson.game, {
      tools: [tool("rules", t("rules"), () => this.rules())],
      beside: coach,
      home: this.home,
    });
    this.stage.room.addEventListener("click", (event) => this.click(event));
    this.words.addEventListener("click", (event) => event.target.closest(".cited") || this.fold(false));
    this.keys = new Keys(
      () => this.stage.room,
      {
        r: () => this.rules(),
        "?": () => sheets.helpSheet(),
        h: () => sheets.helpSheet(),
        close: () => sheets.closeTopSheet(),
        escape: () => this.putBack(),
      },
      () => this.space(),
    );
    const [hand, step] = startOf(this.lesson.hands, settings().lessons?.[this.game]);
    await this.go(hand, step, step > 0);
  }

  /** To a step; `still` shows only how the table lies there, not how it came to it. */
  async go(hand, step, still = false) {
    const part = this.lesson.hands[hand];
    this.busy();
    const taught = await this.asked(api.step(this.game, hand, step));
    if (!taught) return;
    Object.assign(this, { hand, step, taught });
    remember({ lessons: { ...settings().lessons, [this.game]: [hand, step] } });
    this.where.textContent = [
      this.lesson.hands.length > 1 ? t("lessonHand", hand + 1, this.lesson.hands.length, part.title) : part.title,
      t("stepOf", step + 1, part.steps),
    ].join(" · ");
    this.line.value = (step + 1) / part.steps;
    this.queue.push(still ? taught.scenes.slice(-1) : taught.scenes);
  }

  /** What the server answers. If it does not, that is said, and the lesson stays where it is. */
  async asked(request) {
    try {
      return await request;
    } catch (error) {
      if (!this.taught) throw error;
      this.teach();
      this.stage.say(error.message);
      return null;
    }
  }

  busy() {
    this.live = false;
    this.pointing = false;
    this.shown = null;
    this.stage.say("");
    clear(this.ways);
    clear(this.stage.actions);
  }

  show(scene, gathered) {
    this.scene = scene;
    this.choosing.start(scene.choices);
    this.stage.draw(scene, { gathered: gathered || !scene.rest });
    this.stage.prompt.textContent = scene.told.join(" ");
  }

  // What is said

  teach() {
    this.live = Boolean(this.taught.do);
    this.speak(this.taught.say, this.live);
    this.draw();
    const ways = [];
    if (this.taught.do)
      ways.push(
        button(t("toTheTable"), () => this.fold(true), { class: "primary fold-way", "data-way": "fold" }),
        button(t("showMe"), () => this.point(), { "data-way": "show" }),
        button("…", () => this.fold(false), {
          class: "unfold-way",
          "data-way": "unfold",
          "aria-label": t("wholeText"),
          title: t("wholeText"),
        }),
      );
    else ways.push(button(t("readOn"), () => this.next(), { class: "primary", "data-way": "on" }));
    if (this.step || this.hand)
      ways.push(button(t("stepBack"), () => this.back(), { class: "quiet", "data-way": "back" }));
    clear(this.ways, ways);
    this.reveal(this.coach.classList.contains("folded"));
  }

  citation(clause) {
    return h(
      "button",
      { type: "button", class: "cited", "aria-label": t("clause", clause), on: { click: () => this.rules(clause) } },
      t("clauseSign", clause),
    );
  }

  /** Where there is little room only the task stays, until it is tapped. */
  fold(folded) {
    this.coach.classList.toggle("folded", folded);
    this.reveal(folded);
  }

  /** Brings the place to tap into sight; while one reads, the whole area around it, or else the own one. */
  reveal(folded) {
    if (!this.live) return;
    const there = this.things(this.meant()?.tokens ?? [])
      .filter((thing) => thing.closest(".board"))
      .at(-1);
    if (folded) there?.scrollIntoView({ block: "center" });
    else (there?.closest(".area") ?? this.stage.board.querySelector(".own"))?.scrollIntoView({ block: "nearest" });
  }

  /** The words of the lesson, which come from the server as HTML of its own; with a `task` to be done, perhaps. */
  speak(html, task = false) {
    const holder = document.createElement("template");
    holder.innerHTML = html.replace(CITED, '<span class="together">$&</span>');
    for (const cited of holder.content.querySelectorAll("[data-clause]"))
      cited.replaceWith(this.citation(cited.dataset.clause));
    const long = !task || setTaskApart(holder.content);
    this.words.replaceChildren(holder.content);
    this.words.scrollTop = 0;
    this.fold(!long);
  }

  draw() {
    this.stage.draw(this.scene, { live: this.live, gathered: true, choosing: this.choosing, move: false });
    this.keys.refresh();
    this.stage.prompt.textContent = this.live ? this.choosing.onward || this.scene.prompt : this.scene.told.join(" ");
    clear(
      this.stage.actions,
      this.live
        ? this.choosing.offered(this.scene).map((choice) =>
            button(choice.label, () => this.act(choice.do), {
              class: choice.tokens.length ? "primary" : "",
              "data-button": choice.do,
            }),
          )
        : [],
    );
    this.stage.room.classList.toggle("pointing", this.live && this.pointing);
    if (this.live && this.pointing) this.mark();
  }

  /** The action that the lesson means, as it goes on from what is chosen. */
  meant() {
    const ways = this.scene.choices.filter((choice) => choice.do === this.taught.do);
    return ways.find(({ tokens }) => [...this.choosing.picked].every((token) => tokens.includes(token))) ?? ways[0];
  }

  things(tokens) {
    return [...this.stage.room.querySelectorAll("[data-token]")].filter((thing) =>
      tokens.includes(thing.dataset.token),
    );
  }

  /** Where to put one's finger, and then where next, until it is done. */
  point() {
    const { tokens = [] } = this.meant() ?? {};
    if ([...this.choosing.picked].some((token) => !tokens.includes(token))) this.choosing.clear();
    this.pointing = true;
    this.draw();
    this.fold(true);
  }

  /** Marks what is still to be chosen; when all is chosen, the button that does it. */
  mark() {
    const meant = this.meant();
    const things = this.things((meant?.tokens ?? []).filter((token) => !this.choosing.picked.has(token)));
    const marked = things.length
      ? things
      : [...this.stage.actions.querySelectorAll("[data-button]")].filter(
          (one) => one.dataset.button === this.taught.do,
        );
    for (const thing of marked) {
      thing.classList.add("suggested");
      thing.scrollIntoView({ block: thing.closest(".board") ? "center" : "nearest" });
    }
    marked[0]?.focus({ preventScroll: true });
    announce([meant?.label, ...things.map((thing) => thing.getAttribute("aria-label"))].filter(Boolean).join(": "));
  }

  // What the learner does

  click(event) {
    const cards = event.target.closest("[data-do]");
    if (cards) this.choose(cards.dataset.do, cards.dataset.token);
    else if (event.target.closest(".middle")) this.queue.goOn();
  }

  choose(action, token) {
    if (!this.live) {
      this.queue.goOn();
      return;
    }
    this.fold(true);
    if (!token || !this.choosing.knows(token)) this.act(action || token);
    else if (!this.choosing.pick(token)) this.stage.say(t("notTogether"));
    else if (this.choosing.only) this.act(this.choosing.only.do);
    else this.draw();
  }

  async act(action) {
    this.live = false;
    clear(this.stage.actions);
    const answer = await this.asked(api.answerStep(this.game, this.hand, this.step, action));
    if (!answer) return;
    if (answer.kind === "done") await this.next();
    else if (answer.kind === "refused") {
      this.live = true;
      this.choosing.clear();
      this.draw();
      this.stage.say(answer.reason, answer.clause, (clause) => this.rules(clause));
    } else this.astray(answer);
  }

  /** Something else that is legal: it is seen, and taken back or left behind. */
  astray(answer) {
    this.stage.say("");
    this.stage.draw(answer.scene, { gathered: false });
    clear(this.stage.actions);
    this.stage.prompt.textContent = answer.scene.told.join(" ");
    this.speak(answer.say || `<p>${t("otherWay")}</p>`);
    const takeBack = () => {
      this.pointing = false;
      this.scene = this.taught.scenes.at(-1);
      this.choosing.start(this.scene.choices);
      this.teach();
    };
    clear(
      this.ways,
      button(t("takeBack"), takeBack, { class: "primary", "data-way": "take-back" }),
      button(t("asSuggested"), () => this.next(), { "data-way": "as-suggested" }),
    );
  }

  async next() {
    const place = after(this.lesson.hands, [this.hand, this.step]);
    if (place) await this.go(...place);
    else this.end();
  }

  async back() {
    await this.go(...before(this.lesson.hands, [this.hand, this.step]), true);
  }

  end() {
    remember({ lessons: { ...settings().lessons, [this.game]: BEGINNING } });
    meet(this.game);
    this.busy();
    this.where.textContent = "";
    this.line.value = 1;
    clear(this.words, h("h2", {}, t("lessonOver")), h("p", {}, t("lessonOverHint")));
    const play = async () => {
      try {
        const offer = await api.games();
        await quickGame(
          offer.games.find((one) => one.id === this.game),
          offer,
        );
      } catch (error) {
        this.stage.say(error.message);
      }
    };
    const invited = this.home !== "/";
    clear(
      this.ways,
      invited
        ? h("a", { class: "button primary", href: this.home, "data-way": "table" }, t("toYourTable"))
        : button(t("playNowShort"), play, { class: "primary", "data-way": "play" }),
      button(t("readRules"), () => this.rules()),
      invited ? null : h("a", { class: "button", href: "/" }, t("home")),
    );
    this.words.focus();
  }

  space() {
    const primary = this.ways.querySelector(".primary");
    if (this.queue.busy) this.queue.goOn();
    else if (primary && !document.activeElement?.matches("button, a")) primary.click();
    else return false;
    return true;
  }

  putBack() {
    if (this.choosing.clear()) this.draw();
    this.stage.say("");
  }

  rules(clause = "") {
    sheets.rulesSheet(t("rules"), () => api.rules(this.game), clause);
  }
}
