// A review: the curve of probabilities, the sources of the result, the marked decisions. The module receives all its
// data, because it is also part of a review in a file of its own.

import { cardsNamed } from "../scene/cards.js";
import { clear, findAll, h, svg } from "../common/dom.js";
import { sentence, unbrokenPercents } from "../common/phrases.js";
import { t } from "../common/texts.js";
import { REVIEW_TEXTS } from "./review_texts.js";

/** @import { Course, CourseTexts, Decision, Review } from "../answers.d.ts" */

/** @typedef {(seen: number) => string | null} Moment the address of the replay after `seen` events, if there is one */
/** @typedef {Decision & { cost: string }} ShownDecision */

// Measures of the graph in pixels: its margins and its height.
const LEFT = 46;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 26;
const HEIGHT = 260;
/** Width of the strip around a dot in which a press beside its circle selects it. */
const DOT_REACH = 22;
/** Probabilities are in thousandths. */
const WHOLE = 1000;

/** @param {string} action */
const cardsOf = (action) => h("span", { class: "review-cards" }, cardsNamed(action));

/**
 * A review.
 *
 * @param {Review} review
 * @param {object} [viewer]
 * @param {number} [viewer.own] the viewer's seat, or −1
 * @param {Moment} [viewer.moment]
 */
export function reviewView(review, { own = -1, moment = () => null } = {}) {
  const shown = h("div", { class: "review-seat" });
  /** @param {number} index */
  const show = (index) => clear(shown, courseParts(review, index, own, moment));
  show(firstCourse(review, own));
  const reruns = review.texts.reruns
    ? rerunLines(review, own)
    : h("p", { class: "fine-print" }, REVIEW_TEXTS.reviewAgainSoon);
  return h(
    "div",
    { class: "review" },
    h("p", { class: "lead" }, outcome(review, own)),
    courseChooser(review, own, show),
    shown,
    h("section", { class: "review-part", "data-place": "reruns" }, h("h2", {}, REVIEW_TEXTS.reviewAgain), reruns),
    explanation(review),
  );
}

/**
 * The known part of an unfinished review: the curve and the marked decisions.
 *
 * @param {Review | null} review
 * @param {number} own
 * @param {Moment} moment
 */
export function reviewSoFar(review, own, moment) {
  if (!review) return [];
  const index = firstCourse(review, own);
  const [course, texts] = [review.courses[index], review.texts.courses[index]];
  const marked = decisionsOf(course, texts).filter((decision) => decision.mark);
  const list = [h("h2", {}, REVIEW_TEXTS.reviewMarked), decisionList(marked, moment)];
  return [
    h("p", { class: "lead" }, outcome(review, own)),
    h("figure", { class: "review-figure" }, new Graph(course, texts, moment, own, knownEvents(course)).element),
    marked.length ? h("section", { class: "review-part" }, list) : null,
  ];
}

/**
 * The number of events up to which an unfinished curve is computed. The probabilities after them are still those of the
 * last computed event, without an interval, except for the result.
 *
 * @param {Course} course
 */
export function knownEvents({ chances, low, high }) {
  const events = chances.length - 1;
  let seen = events - 1;
  while (seen > 0 && low[seen] === high[seen] && chances[seen] === chances[seen - 1]) seen--;
  return seen < events - 1 ? seen : events;
}

/**
 * The outcome of the game, addressed to the viewer if the viewer has played.
 *
 * @param {Review} review
 * @param {number} own
 */
export function outcome(review, own) {
  const index = review.courses.findIndex((course) => course.seat === own);
  return index >= 0 ? review.texts.courses[index].to_you.outcome : review.texts.outcome;
}

/**
 * The results of the strongest bot with the same deal.
 *
 * @param {Review} review
 * @param {number} own
 */
export const rerunLines = (review, own) =>
  (review.texts.reruns ?? []).map(({ seats, to_you: toYou, to_others: toOthers }) =>
    h("p", {}, seats.includes(own) ? toYou : toOthers),
  );

/**
 * The decisions of a course with their texts.
 *
 * @param {Course} course
 * @param {CourseTexts} texts
 * @returns {ShownDecision[]}
 */
const decisionsOf = (course, texts) =>
  course.decisions.map((decision, index) => ({ ...decision, ...texts.decisions[index] }));

/**
 * The index of the course that is shown first: the viewer's, or a winner's if the viewer did not play; else 0.
 *
 * @param {Review} review
 * @param {number} own
 */
function firstCourse(review, own) {
  const seat = own >= 0 ? own : review.winners[0];
  return Math.max(
    0,
    review.courses.findIndex((course) => course.seat === seat),
  );
}

/**
 * The choice of a player, where there are several.
 *
 * @param {Review} review
 * @param {number} own
 * @param {(index: number) => unknown} show
 */
function courseChooser(review, own, show) {
  if (review.courses.length < 2) return null;
  const first = firstCourse(review, own);
  const segments = review.courses.map((course, index) => {
    const attributes = { type: "radio", name: "course", value: index, checked: index === first };
    const name = course.seat === own ? t("you") : course.name;
    const input = h("input", { ...attributes, on: { change: () => show(index) } });
    return h("label", { class: "segment" }, input, h("span", {}, name));
  });
  const legend = h("legend", {}, REVIEW_TEXTS.reviewWhose);
  return h("fieldset", { class: "chooser" }, legend, h("div", { class: "segments" }, segments));
}

/**
 * The parts about one player.
 *
 * @param {Review} review
 * @param {number} index
 * @param {number} own
 * @param {Moment} moment
 */
function courseParts(review, index, own, moment) {
  const [course, texts] = [review.courses[index], review.texts.courses[index]];
  const isOwn = course.seat === own;
  const sentences = isOwn ? texts.to_you : texts.to_others;
  const decisions = decisionsOf(course, texts);
  const marked = decisions.filter((decision) => decision.mark);
  const caption = [
    h(
      "p",
      {},
      REVIEW_TEXTS.reviewCurve(isOwn, course.name),
      " ",
      review.courses.length > 1 ? REVIEW_TEXTS.reviewNotAddUp : "",
    ),
    moment(0) ? h("p", { class: "fine-print" }, REVIEW_TEXTS.reviewPress) : null,
  ];
  const all = [h("summary", {}, REVIEW_TEXTS.reviewAll(decisions.length)), decisionList(decisions, moment)];
  return [
    sentences.headline ? h("p", { class: "review-headline" }, sentences.headline) : null,
    h(
      "figure",
      { class: "review-figure" },
      new Graph(course, texts, moment, own).element,
      h("figcaption", {}, caption),
    ),
    h(
      "section",
      { class: "review-part" },
      h("h2", {}, REVIEW_TEXTS.reviewSums),
      h(
        "ul",
        { class: "review-sums" },
        sentences.sums.map(([number, what]) => h("li", {}, h("b", {}, unbrokenPercents(number)), h("span", {}, what))),
      ),
      h("p", {}, sentences.own),
    ),
    h(
      "section",
      { class: "review-part" },
      h("h2", {}, REVIEW_TEXTS.reviewMarked),
      marked.length ? decisionList(marked, moment) : h("p", {}, REVIEW_TEXTS.reviewNone),
      decisions.length > marked.length ? h("details", {}, all) : null,
    ),
  ];
}

/**
 * @param {ShownDecision[]} decisions
 * @param {Moment} moment
 */
const decisionList = (decisions, moment) =>
  h(
    "ol",
    { class: "decisions" },
    decisions.map((decision) => h("li", {}, decisionLine(decision, moment))),
  );

/**
 * A decision: its mark, the action, a better action if there was one, its cost. It links to its moment.
 *
 * @param {ShownDecision} decision
 * @param {Moment} moment
 */
function decisionLine(decision, moment) {
  const { seen, heading, do: done, best, phrase, best_phrase: bestPhrase, mark, cost } = decision;
  const hasBetter = best !== done && cost && mark !== "find";
  const better = () => [h("small", {}, REVIEW_TEXTS.reviewBetter), cardsOf(best), h("span", {}, sentence(bestPhrase))];
  const parts = [
    h(
      "span",
      { class: `decision-mark ${mark}` },
      mark ? REVIEW_TEXTS.reviewMarks[mark] : "",
      h("small", {}, REVIEW_TEXTS.reviewMoment(seen, heading)),
    ),
    h("span", { class: "decision-done" }, cardsOf(done), h("b", {}, sentence(phrase))),
    hasBetter ? h("span", { class: "decision-better" }, better()) : null,
    cost ? h("span", { class: "decision-cost" }, cost) : null,
  ];
  const address = moment(seen);
  if (!address) return h("div", { class: "decision" }, parts);
  return h("a", { class: "decision", href: address, "data-seen": seen }, parts);
}

/**
 * The meaning of the marks and numbers.
 *
 * @param {Review} review
 */
function explanation(review) {
  const marks = Object.entries(review.texts.marks).map(([mark, meaning]) =>
    h("div", {}, h("dt", { class: `decision-mark ${mark}` }, REVIEW_TEXTS.reviewMarks[mark]), h("dd", {}, meaning)),
  );
  return h(
    "details",
    { class: "review-part" },
    h("summary", {}, REVIEW_TEXTS.reviewMeans),
    REVIEW_TEXTS.reviewMeaning.map((line) => h("p", {}, line)),
    h("dl", { class: "review-marks" }, marks),
  );
}

/** The curve of one seat. It is redrawn for each width, so that its print keeps its size. */
class Graph {
  /**
   * @param {Course} course
   * @param {CourseTexts} texts
   * @param {Moment} moment
   * @param {number} own the viewer's seat, or −1
   * @param {number} [known] the number of events up to which the curve is computed; the rest is dashed
   */
  constructor(course, texts, moment, own, known = course.chances.length) {
    this.course = course;
    this.texts = texts;
    this.moment = moment;
    this.known = known;
    this.events = course.chances.length - 1;
    this.marked = course.decisions.filter((decision) => decision.mark);
    this.width = 0;
    this.element = h("div", {
      class: "review-graph",
      role: "group",
      "aria-label": REVIEW_TEXTS.reviewGraph(course.seat === own, course.name),
    });
    this.element.addEventListener("click", (event) => this.press(event));
    new ResizeObserver(() => this.draw(this.element.clientWidth)).observe(this.element);
  }

  /** @param {number} seen */
  x(seen) {
    const share = seen / Math.max(1, this.events);
    return Math.round(10 * (LEFT + (this.width - LEFT - RIGHT) * share)) / 10;
  }

  /** @param {number} chance thousandths */
  y(chance) {
    return Math.round(10 * (TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance / WHOLE))) / 10;
  }

  /** @param {number} chance @param {number} seen */
  point(chance, seen) {
    return `${this.x(seen)},${this.y(chance)}`;
  }

  /** The line from the last computed event to the result; empty for a complete curve. */
  rest() {
    const { chances } = this.course;
    if (this.known >= this.events) return "";
    const ends = [this.known, this.events].map((seen) => this.point(chances[seen], seen));
    return `<polyline class="curve rest" points="${ends.join(" ")}"/>`;
  }

  /** @param {number} width */
  draw(width) {
    if (!width || width === this.width) return;
    this.width = width;
    const { chances, low, high } = this.course;
    /** @param {number[]} values */
    const points = (values) => values.slice(0, this.known + 1).map((value, seen) => this.point(value, seen));
    const band = [...points(high), ...points(low).reverse()].join(" ");
    const dots = this.marked.map((decision) => this.dot(decision));
    const curve = points(chances).join(" ");
    const lines = `<polygon class="band" points="${band}"/><polyline class="curve" points="${curve}"/>`;
    const parts = [this.grid(), `<g aria-hidden="true">${lines}${this.rest()}</g>`, ...dots];
    const size = `viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}"`;
    const source = `<svg ${size}>${parts.join("")}</svg>`;
    clear(this.element, svg(source));
    findAll(this.element, ".dot").forEach((dot, index) => {
      const { seen, heading, mark } = this.marked[index];
      const label = REVIEW_TEXTS.reviewPoint(seen, heading, this.texts.chances[seen], REVIEW_TEXTS.reviewMarks[mark]);
      dot.setAttribute("aria-label", label);
    });
  }

  /**
   * A marked decision on the curve, within an area that a finger can hit.
   *
   * @param {Decision} decision
   */
  dot({ seen, mark }) {
    const address = this.moment(seen);
    const center = `cx="${this.x(seen)}" cy="${this.y(this.course.chances[seen])}"`;
    const circles = `<circle class="reach" ${center} r="22"/><circle class="spot ${mark}" ${center} r="6"/>`;
    return address ? `<a class="dot" href="${address}">${circles}</a>` : `<g class="dot" role="img">${circles}</g>`;
  }

  /** The lines of probabilities and the numbers of events. */
  grid() {
    const lines = [0, 250, 500, 750, 1000].map((level) => {
      const y = this.y(level);
      const kind = level === WHOLE / 2 ? "half" : "line";
      const text = `<text x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${level / 10}\u00a0%</text>`;
      return `<line class="${kind}" x1="${LEFT}" x2="${this.width - RIGHT}" y1="${y}" y2="${y}"/>${text}`;
    });
    const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    const step = steps.find((each) => this.events / each < this.width / 70) ?? this.events;
    const numbers = [...Array(Math.floor(this.events / step) + 1).keys()].map((number) => {
      const seen = number * step;
      return `<text x="${this.x(seen)}" y="${HEIGHT - 6}" text-anchor="middle">${seen}</text>`;
    });
    return `<g aria-hidden="true">${lines.join("")}${numbers.join("")}</g>`;
  }

  /**
   * Open the replay at the marked decision near a press, or at the event below it.
   *
   * @param {MouseEvent} event
   */
  press(event) {
    if (!this.moment(0) || /** @type {Element} */ (event.target).closest("a")) return;
    const pressed = event.clientX - this.element.getBoundingClientRect().left;
    /** @param {number} seen */
    const distance = (seen) => Math.abs(this.x(seen) - pressed);
    const [nearest] = this.marked.map(({ seen }) => seen).sort((one, other) => distance(one) - distance(other));
    const below = Math.round(((pressed - LEFT) / (this.width - LEFT - RIGHT)) * this.events);
    const isNear = nearest !== undefined && distance(nearest) < DOT_REACH / 2;
    const address = this.moment(isNear ? nearest : Math.max(0, Math.min(this.events, below)));
    if (address) location.assign(address);
  }
}

/**
 * Show a review in a file of its own, without links.
 *
 * @param {HTMLElement} root
 * @param {Review} review
 */
export function reviewFile(root, review) {
  clear(root, h("main", { class: "review-page" }, h("h1", {}, review.texts.title), reviewView(review)));
}
