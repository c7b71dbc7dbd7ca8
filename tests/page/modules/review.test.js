// Reviews of games: the wait for them, their curve, their decisions, and the way to a moment.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, enter, observers, settle, texts } from "./elements.js";
import { serve } from "./server.js";
import { keepSeat } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { reviewPage } from "../../../src/parlour/server/page/js/replay/review.js";
import { REVIEW_TEXTS } from "../../../src/parlour/server/page/js/replay/review_texts.js";
import {
  outcome,
  reviewFile,
  reviewSoFar,
  reviewView,
} from "../../../src/parlour/server/page/js/replay/review_view.js";

const decision = (seen, more = {}) => ({
  seen,
  heading: `Trick ${seen}`,
  do: "play 7H",
  best: "play 8H",
  phrase: "play 7♥",
  best_phrase: "play 8♥",
  mark: "",
  ...more,
});
const course = (seat, name, ...decisions) => ({
  seat,
  name,
  chances: [500, 600, 700, 1000],
  low: [400, 500, 600, 900],
  high: [600, 700, 800, 1000],
  decisions,
});
const sentences = (who) => ({
  outcome: `${who} won.`,
  headline: `${who} headline`,
  sums: [["+5 %", "luck"]],
  own: `${who} own`,
});
const textsOf = (name, ...costs) => ({
  to_you: sentences("You"),
  to_others: sentences(name),
  decisions: costs.map((cost) => ({ cost })),
  chances: ["50 %", "60 %", "70 %", "100 %"],
});

const REVIEW = {
  winners: [1],
  courses: [
    course(0, "Ann", decision(1), decision(2, { mark: "slip" })),
    course(1, "Bo", decision(3, { mark: "find", best: "play 7H" })),
  ],
  reruns: [],
  texts: {
    title: "Whist, reviewed",
    outcome: "Bo won.",
    marks: { slip: "costs little", find: "is hard to see" },
    courses: [textsOf("Ann", "", "−3 points"), textsOf("Bo", "")],
    reruns: [{ seats: [0], to_you: "You would have won.", to_others: "Ann would have won." }],
  },
};
const moment = (seen) => `/game/one#${seen}`;

let body;
let visited;
const show = (review, viewer) => {
  body.replaceChildren(reviewView(review, viewer));
  return body;
};
/** Give the curves a width in pixels. */
const draw = (width) => {
  const element = body.querySelectorAll(".review-graph").at(-1);
  element.box = { left: 100, top: 0, width, height: 260 };
  observers.at(-1).call();
  return element;
};

beforeEach(() => {
  emptyStorage();
  body = emptyDocument();
  visited = [];
  globalThis.location = { assign: (to) => visited.push(to), origin: "http://h", hostname: "h", host: "h" };
});

describe("a review", () => {
  it("begins with the viewer's own course, also from the first seat, or with the winner's", () => {
    for (const [own, headline, checked] of [
      [0, "You headline", "0"],
      [1, "You headline", "1"],
      [-1, "Bo headline", "1"],
      [5, "Ann headline", "0"],
    ]) {
      show(REVIEW, { own, moment });
      assert.deepEqual(
        [texts(".review-headline"), body.querySelector("[name=course]:checked").value],
        [[headline], checked],
      );
    }
  });

  it("names the viewer, and shows another course on request", () => {
    show(REVIEW, { own: 0, moment });
    assert.deepEqual(texts(".segment span"), [t("you"), "Bo"]);
    enter(body.querySelector('[name=course][value="1"]'), true);
    assert.deepEqual(texts(".review-headline"), ["Bo headline"]);
  });

  it("of one player has no choice", () => {
    show({ ...REVIEW, courses: [REVIEW.courses[0]] }, { own: -1 });
    assert.equal(body.querySelector("[name=course]"), null);
  });

  it("addresses the viewer who has played, and no other", () => {
    assert.deepEqual(
      [0, 1, -1].map((own) => outcome(REVIEW, own)),
      ["You won.", "You won.", "Bo won."],
    );
    const reruns = (own) => texts("[data-place=reruns] p", show(REVIEW, { own }));
    assert.deepEqual([reruns(0), reruns(1)], [["You would have won."], ["Ann would have won."]]);
    const soon = { ...REVIEW, texts: { ...REVIEW.texts, reruns: null } };
    assert.deepEqual(texts("[data-place=reruns] p", show(soon, {})), [REVIEW_TEXTS.reviewAgainSoon]);
  });

  it("has the marked decisions, and all of them where there are more", () => {
    show(REVIEW, { own: 0, moment });
    assert.deepEqual(texts(".decision-mark").slice(0, 1), ["Slipmove 2: Trick 2"]);
    assert.deepEqual(texts("details summary")[0], "All 2 decisions");
    enter(body.querySelector('[name=course][value="1"]'), true);
    assert.equal(texts("details summary").includes("All 1 decision"), false);
    const plain = { ...REVIEW, courses: [course(0, "Ann", decision(1))] };
    assert.ok(show(plain, { own: 0 }).textContent.includes(REVIEW_TEXTS.reviewNone));
  });

  it("has a better action where one would have cost less, but not beside a find", () => {
    const better = (more, cost) => {
      const review = { ...REVIEW, courses: [course(0, "Ann", decision(2, { mark: "slip", ...more }))] };
      review.texts = { ...REVIEW.texts, courses: [textsOf("Ann", cost)] };
      return texts(".decision-better b, .decision-better span", show(review, {})).length > 0;
    };
    assert.equal(better({}, "−3 points"), true);
    assert.equal(better({ best: "play 7H" }, "−3 points"), false);
    assert.equal(better({}, ""), false);
    assert.equal(better({ mark: "find" }, "−3 points"), false);
  });

  it("leads to the moments of a replay, and in a file of its own nowhere", () => {
    show(REVIEW, { own: 0, moment });
    assert.deepEqual(
      body.querySelectorAll("a.decision").map(({ href }) => href),
      ["/game/one#2", "/game/one#1", "/game/one#2"],
    );
    reviewFile(body, REVIEW);
    assert.deepEqual([texts("h1"), body.querySelectorAll("a").length], [["Whist, reviewed"], 0]);
    assert.ok(!body.textContent.includes(REVIEW_TEXTS.reviewPress));
  });

  it("so far has the curve and the marked decisions", () => {
    assert.deepEqual(reviewSoFar(null, 0, moment), []);
    body.append(...reviewSoFar(REVIEW, 0, moment).filter(Boolean));
    assert.deepEqual([texts(".lead"), texts(".decision-mark")], [["You won."], ["Slipmove 2: Trick 2"]]);
    assert.deepEqual(reviewSoFar({ ...REVIEW, courses: [course(0, "Ann", decision(1))] }, 0, moment)[2], null);
  });
});

describe("the curve of a review", () => {
  const points = (element, kind) => element.querySelector(`.${kind}`).getAttribute("points");

  it("rises with the chance from left to right, within a band", () => {
    show(REVIEW, { own: 0, moment });
    const element = draw(360);
    assert.equal(points(element, "curve"), "46,123 146,100.8 246,78.6 346,12");
    assert.equal(points(element, "band"), "46,100.8 146,78.6 246,56.4 346,12 346,34.2 246,100.8 146,123 46,145.2");
  });

  it("of an unfinished review is dashed from the last event that is computed to the result", () => {
    const rough = { chances: [500, 600, 600, 600, 1000], low: [400, 500, 600, 600, 1000], decisions: [] };
    const courses = [{ ...course(0, "Ann"), ...rough, high: [600, 700, 600, 600, 1000] }];
    body.append(...reviewSoFar({ ...REVIEW, courses }, 0, moment).filter(Boolean));
    const element = draw(360);
    assert.equal(points(element, "curve"), "46,123 121,100.8");
    assert.equal(points(element, "band"), "46,100.8 121,78.6 121,123 46,145.2");
    assert.equal(points(element, "rest"), "121,100.8 346,12");
    body.replaceChildren(...reviewSoFar(REVIEW, 0, moment).filter(Boolean));
    assert.equal(draw(360).querySelector(".rest"), null);
  });

  it("has a dot at each marked decision, with its moment in words", () => {
    show(REVIEW, { own: 0, moment });
    const [dot, ...others] = draw(360).querySelectorAll(".dot");
    assert.deepEqual(
      [dot.href, dot.getAttribute("aria-label"), others],
      ["/game/one#2", "Move 2, Trick 2: 70 %, Slip", []],
    );
    assert.equal(dot.querySelector(".spot").getAttribute("cx"), "246");
    show(REVIEW, { own: 0 });
    assert.equal(draw(360).querySelector(".dot").getAttribute("role"), "img");
  });

  it("has lines of the quarters, that of the half marked", () => {
    show(REVIEW, { own: 0, moment });
    const element = draw(360);
    const chances = texts("text", element).filter((text) => text.includes("%"));
    assert.deepEqual(chances, ["0\u00a0%", "25\u00a0%", "50\u00a0%", "75\u00a0%", "100\u00a0%"]);
    const heights = element
      .querySelectorAll("line")
      .map((line) => [line.getAttribute("class"), line.getAttribute("y1")]);
    assert.deepEqual(heights, [
      ["line", "234"],
      ["line", "178.5"],
      ["half", "123"],
      ["line", "67.5"],
      ["line", "12"],
    ]);
  });

  it("has numbers of events that stay apart", () => {
    const long = {
      ...course(0, "Ann"),
      chances: Array(101).fill(500),
      low: Array(101).fill(500),
      high: Array(101).fill(500),
    };
    show({ ...REVIEW, courses: [long] }, { own: 0, moment });
    const numbers = () => texts("text", body.querySelector(".review-graph")).filter((text) => !text.includes("%"));
    draw(360);
    assert.deepEqual(numbers(), ["0", "20", "40", "60", "80", "100"]);
    const more = (values) => [...values, ...Array(40).fill(500)];
    const longer = { ...long, chances: more(long.chances), low: more(long.low), high: more(long.high) };
    show({ ...REVIEW, courses: [longer] }, { own: 0, moment });
    draw(360);
    assert.deepEqual(numbers(), ["0", "50", "100"]);
    show({ ...REVIEW, courses: [long] }, { own: 0, moment });
    draw(900);
    assert.deepEqual(numbers(), ["0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"]);
  });

  it("is drawn for another width only", () => {
    show(REVIEW, { own: 0, moment });
    const first = draw(360).children[0];
    assert.equal(draw(360).children[0], first);
    assert.equal(draw(0).children[0], first);
    assert.notEqual(draw(361).children[0], first);
  });

  it("opens the replay at the event below a press, or at a marked one near it", () => {
    show(REVIEW, { own: 0, moment });
    const element = draw(360);
    for (const [x, event] of [
      [46, 0],
      [146, 1],
      [236, 2],
      [256, 2],
      [300, 3],
      [999, 3],
      [0, 0],
    ]) {
      element.dispatchEvent(Object.assign(new Event("click"), { clientX: 100 + x }));
      assert.equal(visited.pop(), `/game/one#${event}`);
    }
    element.querySelector(".dot").dispatchEvent(Object.assign(new Event("click", { bubbles: true }), { clientX: 346 }));
    assert.deepEqual(visited, []);
  });

  it("opens nothing in a file of its own", () => {
    show(REVIEW, { own: 0 });
    draw(360).dispatchEvent(Object.assign(new Event("click"), { clientX: 146 }));
    assert.deepEqual(visited, []);
  });
});

describe("the page of a review", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());
  const open = async (answers, table = { title: "Whist" }) => {
    const sent = serve({ "/api/tables/one/review": answers, "/api/tables/one/player": {}, "/api/tables/one": table });
    reviewPage(body, "one");
    await settle();
    return sent;
  };
  const later = async (time) => {
    mock.timers.tick(time);
    await settle();
  };
  const progress = (share, seconds, waits = false) => ({ share, seconds, waits, review: null });

  it("names its curve after the viewer or the player", async () => {
    keepSeat("one", 0, "k");
    await open(REVIEW);
    const label = () => body.querySelector(".review-graph").getAttribute("aria-label");
    assert.equal(label(), "Your chance to win, over the game");
    keepSeat("one", -1, null);
    await open(REVIEW);
    assert.equal(label(), "The chance of Bo to win, over the game");
  });

  it("leads to the moments of its decisions in a replay that says what it says of them", async () => {
    await open(REVIEW);
    const hrefs = body.querySelectorAll("a.decision").map(({ href }) => href);
    assert.ok(hrefs.length);
    assert.deepEqual(
      hrefs.filter((href) => !/^\/game\/one\?review#\d$/.test(href)),
      [],
    );
  });

  it("tells how long it takes", async () => {
    const waits = [
      progress(null, null, true),
      progress(null, null),
      progress(0.256, null),
      progress(0.5, 5),
      progress(0.999, 1),
    ];
    await open([...waits, REVIEW]);
    const shown = [];
    for (let time = 0; time < waits.length; time += 1) {
      shown.push([texts("[role=timer]")[0], body.querySelector("progress").value]);
      await later(1000);
    }
    assert.deepEqual(shown, [
      [REVIEW_TEXTS.reviewWaits, ""],
      [REVIEW_TEXTS.reviewSoon, ""],
      ["25\u00a0%", "0.256"],
      ["About 5 seconds left.", "0.5"],
      ["Nearly done.", "0.999"],
    ]);
    assert.deepEqual(texts(".lead"), ["Bo won."]);
  });

  it("draws the curve anew as it is computed, and not while the focus may be at a marked decision", async () => {
    const part = (known, ...decisions) => {
      const values = [500, 600, 700, 800].map((value, seen) => (seen > known ? 500 + 100 * known : value));
      const [low, high] = [values.map((value, seen) => (seen > known ? value : value - 9)), values];
      return { ...REVIEW, courses: [{ ...course(0, "Ann", ...decisions), chances: [...values, 1000], low, high }] };
    };
    const marked = decision(2, { mark: "slip" });
    const reviews = [part(0), part(0), part(1), part(1, marked), part(2, marked)];
    await open([...reviews.map((review) => ({ ...progress(0.5, 5), review })), REVIEW]);
    const graphs = [];
    for (let time = 0; time < reviews.length; time += 1) {
      graphs.push(body.querySelector(".review-graph"));
      await later(1000);
    }
    const fresh = graphs.map((graph, at) => graph !== graphs[at - 1]);
    assert.deepEqual(fresh, [true, false, true, true, false]);
  });

  it("leaves its first results and the focus as they are until there are others", async () => {
    const computed = (...decisions) => ({ ...REVIEW, courses: [course(1, "Bo", ...decisions)] });
    const marks = [decision(1, { mark: "slip" }), decision(2, { mark: "slip" })];
    const reviews = [null, computed(), computed(marks[0]), computed(...marks)].flatMap((review) => [review, review]);
    const answers = reviews.map((review, number) => ({ ...progress(0.5, 20 - number), review }));
    await open([...answers, REVIEW]);
    const frame = ["h2", "progress", "[role=timer]"].map((part) => body.querySelector(part));
    const results = () => body.querySelectorAll(".lead, .review-figure, .review-part, a.decision");
    for (let before = results(), number = 1; number < answers.length; number += 1) {
      body.querySelectorAll("a.decision").at(-1)?.focus();
      const { activeElement } = document;
      await later(1000);
      const isOld = results().length === before.length && before.every((part, at) => part === results()[at]);
      assert.equal(isOld, number % 2 === 1, `answer ${number}`);
      if (isOld) assert.equal(document.activeElement, activeElement);
      assert.deepEqual(texts("[role=timer]"), [`About ${20 - number} seconds left.`]);
      frame.forEach((part) => assert.ok(part.isConnected));
      before = results();
    }
    assert.equal(results().filter(({ tagName }) => tagName.toLowerCase() === "a").length, 2);
  });

  it("links the viewer's seat first, so that the room keeps what it finds", async () => {
    keepSeat("one", 0, "k");
    const sent = await open([REVIEW]);
    assert.deepEqual(
      sent.map(({ path }) => path),
      ["/api/tables/one", "/api/tables/one/player", "/api/tables/one/review"],
    );
    assert.deepEqual(texts(".lead"), ["You won."]);
    assert.equal(document.title, "Whist · Review · Parlour");
  });

  it("shows the reruns when they are known, and keeps all else as it is", async () => {
    const without = { ...REVIEW, reruns: null, texts: { ...REVIEW.texts, reruns: null } };
    const sent = await open([without, without, REVIEW]);
    const [chooser] = body.querySelectorAll(".chooser");
    await later(3999);
    assert.equal(sent.filter(({ path }) => path.endsWith("review")).length, 1);
    await later(1);
    await later(4000);
    assert.deepEqual(texts("[data-place=reruns] p"), ["Ann would have won."]);
    assert.deepEqual([texts("[data-place=reruns] h2").length, body.querySelector(".chooser")], [1, chooser]);
    await later(9000);
    assert.equal(sent.filter(({ path }) => path.endsWith("review")).length, 3);
  });

  it("stays through a lost connection, and shows the reruns after it", async () => {
    const without = { ...REVIEW, reruns: null, texts: { ...REVIEW.texts, reruns: null } };
    await open([progress(0.5, 5), null, without, null, 503, REVIEW]);
    await later(1000);
    assert.deepEqual([texts(".failure"), texts("[role=timer]")], [[], ["About 5 seconds left."]]);
    await later(1000);
    for (let time = 0; time < 3; time += 1) {
      assert.deepEqual([texts(".lead"), texts(".failure")], [["Bo won."], []]);
      await later(4000);
    }
    assert.deepEqual(texts("[data-place=reruns] p"), ["Ann would have won."]);
  });

  it("ends its wait when the room could not compute it, and says so", async () => {
    const sent = await open([progress(0.5, 5), 503, 500]);
    await later(1000);
    assert.deepEqual([texts(".failure"), texts("[role=timer]")], [[], ["About 5 seconds left."]]);
    await later(1000);
    assert.deepEqual([texts(".failure"), texts("[role=timer]"), texts("h1")], [["refused: 500"], [], ["Whist"]]);
    await later(9000);
    assert.equal(sent.filter(({ path }) => path.endsWith("review")).length, 3);
  });

  it("stays when the room fails at its reruns", async () => {
    const without = { ...REVIEW, reruns: null, texts: { ...REVIEW.texts, reruns: null } };
    await open([without, 500, REVIEW]);
    await later(4000);
    assert.deepEqual([texts(".lead"), texts(".failure")], [["Bo won."], []]);
    await later(4000);
    assert.deepEqual(texts("[data-place=reruns] p"), ["Ann would have won."]);
  });

  it("says why there is none", async () => {
    await open([409]);
    assert.deepEqual([texts(".failure"), texts("h1")], [["refused: 409"], ["Whist"]]);
    body = emptyDocument();
    await open([], 404);
    assert.deepEqual(texts("[role=alert]"), [t("unknownTable")]);
  });
});
