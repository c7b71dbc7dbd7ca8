// A review as it is shown: a curve of chances, what the result came from, and the decisions to look at. It is given all
// it shows, so that it stands in a file of its own, too.

import { cardsNamed } from "./cards.js";
import { clear, h, svg } from "./dom.js";
import { sentence, t } from "./texts.js";

const LEFT = 46;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 26;
const HEIGHT = 260;
const NEAR = 22;

const cardsOf = (action) => h("span", { class: "review-cards" }, cardsNamed(action));
const spaced = (text) => text.replaceAll(" %", "\u00a0%");

/**
 * The review. `own` is the seat of whoever looks at it, or −1; `moment(seen)` is the address of a moment, where there is one.
 */
export function reviewView(review, { own = -1, moment = () => null } = {}) {
  const shown = h("div", { class: "review-seat" });
  const place = h(
    "div",
    { class: "review" },
    h("p", { class: "lead" }, outcome(review, own)),
    chooser(review, own, (course) => clear(shown, courseParts(review, course, own, moment))),
    shown,
    h(
      "section",
      { class: "review-part", "data-place": "reruns" },
      h("h2", {}, t("reviewAgain")),
      review.told.reruns ? rerunLines(review, own) : h("p", { class: "hint" }, t("reviewAgainSoon")),
    ),
    meaning(review),
  );
  const first = firstCourse(review, own);
  clear(shown, courseParts(review, first, own, moment));
  return place;
}

/** A review that is still worked out: the curve and the marked decisions, as far as they are known. */
export function reviewSoFar(review, { own, moment }) {
  if (!review) return [];
  const index = firstCourse(review, own);
  const course = review.courses[index];
  const told = review.told.courses[index];
  const marked = decisionsOf(course, told).filter((decision) => decision.mark);
  return [
    h("p", { class: "lead" }, outcome(review, own)),
    h("figure", { class: "review-figure" }, new Graph(review, course, told, moment).element),
    marked.length
      ? h("section", { class: "review-part" }, h("h2", {}, t("reviewMarked")), decisionList(marked, moment))
      : null,
  ];
}

/** How the game ended. Whoever has played is "you" here as at the table. */
export function outcome(review, own) {
  const mine = review.courses.findIndex((course) => course.seat === own);
  return mine >= 0 ? review.told.courses[mine].to_you.outcome : review.told.outcome;
}

/** What the strongest bot made of the same deal. */
export const rerunLines = (review, own) =>
  review.told.reruns.map(({ seats, to_you, to_others }) => h("p", {}, seats.includes(own) ? to_you : to_others));

const decisionsOf = (course, told) => course.decisions.map((decision, at) => ({ ...decision, ...told.decisions[at] }));

/** The own course, or that of a winner. */
function firstCourse(review, own) {
  const of = (seat) => review.courses.findIndex((course) => course.seat === seat);
  return Math.max(0, own >= 0 ? of(own) : of(review.winners[0]));
}

const nameOf = (review, course, own) => (course.seat === own ? t("you") : course.name);

function chooser(review, own, show) {
  if (review.courses.length < 2) return null;
  const first = firstCourse(review, own);
  return h(
    "fieldset",
    { class: "chooser" },
    h("legend", {}, t("reviewWhose")),
    h(
      "div",
      { class: "segments" },
      review.courses.map((course, index) =>
        h(
          "label",
          { class: "segment" },
          h("input", {
            type: "radio",
            name: "course",
            value: index,
            checked: index === first,
            on: { change: () => show(index) },
          }),
          h("span", {}, nameOf(review, course, own)),
        ),
      ),
    ),
  );
}

function courseParts(review, index, own, moment) {
  const course = review.courses[index];
  const told = review.told.courses[index];
  const mine = course.seat === own;
  const said = mine ? told.to_you : told.to_others;
  const all = decisionsOf(course, told);
  const marked = all.filter((decision) => decision.mark);
  return [
    said.headline ? h("p", { class: "review-headline" }, said.headline) : null,
    h(
      "figure",
      { class: "review-figure" },
      new Graph(review, course, told, moment).element,
      h(
        "figcaption",
        {},
        h("p", {}, t("reviewCurve", mine, course.name), " ", review.courses.length > 1 ? t("reviewNotAddUp") : ""),
        moment(0) ? h("p", { class: "hint" }, t("reviewPress")) : null,
      ),
    ),
    h(
      "section",
      { class: "review-part" },
      h("h2", {}, t("reviewSums")),
      h(
        "ul",
        { class: "review-sums" },
        said.sums.map(([number, what]) => h("li", {}, h("b", {}, spaced(number)), h("span", {}, what))),
      ),
      h("p", {}, said.own),
    ),
    h(
      "section",
      { class: "review-part" },
      h("h2", {}, t("reviewMarked")),
      marked.length ? decisionList(marked, moment) : h("p", {}, t("reviewNone")),
      all.length > marked.length
        ? h("details", {}, h("summary", {}, t("reviewAll", all.length)), decisionList(all, moment))
        : null,
    ),
  ];
}

const decisionList = (decisions, moment) =>
  h(
    "ol",
    { class: "decisions" },
    decisions.map((decision) => h("li", {}, decisionLine(decision, moment))),
  );

/** A decision: what was done, what would have been better (nothing is, where it is a find); pressing it leads to its moment. */
function decisionLine({ seen, heading, do: done, best, phrase, best_phrase: better, mark, cost }, moment) {
  const address = moment(seen);
  const parts = [
    h(
      "span",
      { class: `decision-mark ${mark}` },
      mark ? t("reviewMarks")[mark] : "",
      h("small", {}, t("reviewMoment", seen, heading)),
    ),
    h("span", { class: "decision-done" }, cardsOf(done), h("b", {}, sentence(phrase))),
    best === done || !cost || mark === "find"
      ? null
      : h(
          "span",
          { class: "decision-better" },
          h("small", {}, t("reviewBetter")),
          cardsOf(best),
          h("span", {}, sentence(better)),
        ),
    cost ? h("span", { class: "decision-cost" }, cost) : null,
  ];
  return address
    ? h("a", { class: "decision", href: address, "data-seen": seen }, parts)
    : h("div", { class: "decision" }, parts);
}

const meaning = (review) =>
  h(
    "details",
    { class: "review-part" },
    h("summary", {}, t("reviewMeans")),
    t("reviewMeaning").map((line) => h("p", {}, line)),
    h(
      "dl",
      { class: "review-marks" },
      Object.entries(review.told.marks).map(([mark, means]) =>
        h("div", {}, h("dt", { class: `decision-mark ${mark}` }, t("reviewMarks")[mark]), h("dd", {}, means)),
      ),
    ),
  );

/** The curve of one seat, drawn anew for the room it has, so that its print keeps its size. */
class Graph {
  constructor(review, course, told, moment) {
    Object.assign(this, { review, course, told, moment, events: course.chances.length - 1 });
    this.element = h("div", { class: "review-graph", role: "group", "aria-label": t("reviewGraph", course.name) });
    this.element.addEventListener("click", (event) => this.press(event));
    new ResizeObserver(() => this.draw(this.element.clientWidth)).observe(this.element);
  }

  x(seen) {
    return Math.round(10 * (LEFT + (this.width - LEFT - RIGHT) * (seen / Math.max(1, this.events)))) / 10;
  }

  y(chance) {
    return Math.round(10 * (TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance / 1000))) / 10;
  }

  draw(width) {
    if (!width || width === this.width) return;
    this.width = width;
    const { chances, low, high } = this.course;
    const points = (values) => values.map((value, seen) => `${this.x(seen)},${this.y(value)}`);
    clear(
      this.element,
      svg(`<svg viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}">${this.grid()}
      <g aria-hidden="true"><polygon class="band" points="${[...points(high), ...points(low).reverse()].join(" ")}"/>
      <polyline class="curve" points="${points(chances).join(" ")}"/></g>${this.marked()
        .map((one) => this.dot(one))
        .join("")}</svg>`),
    );
    this.element.querySelectorAll(".dot").forEach((dot, index) => {
      const { seen, heading, mark } = this.marked()[index];
      dot.setAttribute("aria-label", t("reviewPoint", seen, heading, this.told.chances[seen], t("reviewMarks")[mark]));
    });
  }

  marked() {
    return this.course.decisions.filter((decision) => decision.mark);
  }

  dot({ seen, mark }) {
    const address = this.moment(seen);
    const circle =
      `<circle class="reach" cx="${this.x(seen)}" cy="${this.y(this.course.chances[seen])}" r="22"/><circle ` +
      `class="spot ${mark}" cx="${this.x(seen)}" cy="${this.y(this.course.chances[seen])}" r="6"/>`;
    return address ? `<a class="dot" href="${address}">${circle}</a>` : `<g class="dot" role="img">${circle}</g>`;
  }

  grid() {
    const lines = [0, 250, 500, 750, 1000].map(
      (level) =>
        `<line class="${level === 500 ? "half" : "line"}" x1="${LEFT}" x2="${this.width - RIGHT}" ` +
        `y1="${this.y(level)}" y2="${this.y(level)}"/><text x="${LEFT - 8}" y="${this.y(level) + 4}" ` +
        `text-anchor="end">${level / 10}\u00a0%</text>`,
    );
    const step =
      [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => this.events / each < this.width / 70) ?? this.events;
    const numbers = [...Array(Math.floor(this.events / step) + 1).keys()].map(
      (at) => `<text x="${this.x(at * step)}" y="${HEIGHT - 6}" text-anchor="middle">${at * step}</text>`,
    );
    return `<g aria-hidden="true">${lines.join("")}${numbers.join("")}</g>`;
  }

  /** A press leads to the marked decision that is near, or to the moment under it. */
  press(event) {
    if (!this.moment(0) || event.target.closest("a")) return;
    const { left } = this.element.getBoundingClientRect();
    const at = event.clientX - left;
    const near = this.marked()
      .map(({ seen }) => seen)
      .sort((one, other) => Math.abs(this.x(one) - at) - Math.abs(this.x(other) - at))[0];
    const under = Math.round(((at - LEFT) / (this.width - LEFT - RIGHT)) * this.events);
    const seen =
      near !== undefined && Math.abs(this.x(near) - at) < NEAR / 2 ? near : Math.max(0, Math.min(this.events, under));
    location.assign(this.moment(seen));
  }
}

/** A review that is a file of its own: it leads nowhere. */
export function reviewFile(root, review) {
  clear(root, h("main", { class: "review-page" }, h("h1", {}, review.told.title), reviewView(review)));
}
