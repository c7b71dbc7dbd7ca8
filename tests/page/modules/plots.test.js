// What a player's games show: wins by level, points lost by week, luck against skill, the costliest decisions.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyDocument, texts } from "./elements.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import {
  byWeek,
  costliestDecisions,
  luckAndSkill,
  mean,
  weekOf,
  wholePoints,
} from "../../../src/parlour/server/page/js/player/game_list.js";
import { PLAYER_TEXTS } from "../../../src/parlour/server/page/js/player/player_texts.js";
import { plotsPart } from "../../../src/parlour/server/page/js/player/plots.js";
import { REVIEW_TEXTS } from "../../../src/parlour/server/page/js/replay/review_texts.js";

const BOTS = ["beginner", "casual", "master"].map((id) => ({ id, title: id }));
const WON = { won: true, points: 3, against: 2 };
const LOST = { won: false, points: 2, against: 3 };
const day = (date) => new Date(2020, 10, date, 12).toISOString();
const game = (more) => ({
  table: "t",
  game: "whist",
  title: "Whist",
  at: day(23),
  others: [{ name: "Ada", bot: "casual" }],
  score: WON,
  review: null,
  kept: true,
  daily: null,
  ...more,
});
const review = (more) => ({ luck: 0, others: 0, own: 0, lost: 0, decisions: 10, worst: [], ...more });

let body;
const show = (...games) => body.replaceChildren(h("div", {}, plotsPart(games, BOTS)));
/** The plot with this title. */
const plot = (title) => body.querySelectorAll(".plot").find((one) => one.querySelector("h3").textContent === title);
const dots = (title) =>
  plot(title)
    .querySelectorAll(".dot")
    .map((dot) => ["cx", "cy"].map((name) => Number(dot.getAttribute(name))));

beforeEach(() => {
  body = emptyDocument();
});

describe("the wins against bots", () => {
  it("are counted by level, the weakest first, with their share", () => {
    show(
      game({ others: [{ name: "M", bot: "master" }] }),
      game({}),
      game({ score: LOST }),
      game({ score: LOST }),
      game({ others: [{ name: "Bo", bot: null }] }),
    );
    assert.deepEqual(texts(".levels li"), ["casual1 of 3", "master1 of 1"]);
    assert.deepEqual(
      body.querySelectorAll(".level-bar").map(({ style }) => style.getPropertyValue("--share")),
      [String(1 / 3), "1"],
    );
  });

  it("are none without games against bots alone", () => {
    show(game({ others: [] }));
    assert.deepEqual([texts(".levels"), texts(".plot figcaption")], [[], [PLAYER_TEXTS.shownNoLevels]]);
  });
});

describe("the points lost by week", () => {
  const title = PLAYER_TEXTS.shownWeeks;
  const week = (date, lost) => game({ at: day(date), review: review({ lost }) });

  it("stand in the middle for one week, and from left to right for several, fewer points lower", () => {
    show(week(23, 400));
    assert.deepEqual(dots(title), [[192, 12]]);
    show(week(23, 200), week(9, 400), week(16, 0));
    assert.deepEqual(dots(title), [
      [46, 12],
      [192, 164],
      [338, 88],
    ]);
    assert.equal(plot(title).querySelector(".curve").getAttribute("points"), "46,12 192,164 338,88");
    const numbers = plot(title)
      .querySelectorAll("text")
      .map(({ textContent }) => textContent);
    assert.deepEqual(numbers, ["0", "2", "4", "9 Nov", "23 Nov"]);
  });

  it("have their weeks as titles of the dots", () => {
    show(week(23, 150), week(25, 250));
    assert.deepEqual(
      [...plot(title).querySelectorAll(".dot title")].map(({ textContent }) => textContent),
      ["Week of 23 November: 2.0 points, 2 games"],
    );
  });

  it("begin on Mondays, and are those of the last half-year", () => {
    for (const [date, monday] of [
      [22, 16],
      [23, 23],
      [29, 23],
    ])
      assert.equal(weekOf(new Date(2020, 10, date, 23)).getDate(), monday);
    const weeks = byWeek(
      Array.from({ length: 30 }, (_, at) =>
        game({ at: new Date(2020, 0, 6 + 7 * at, 12).toISOString(), review: review({ lost: at }) }),
      ),
    );
    assert.deepEqual([weeks.length, weeks[0].lost, weeks[25].lost], [26, 0.04, 0.29]);
  });
});

describe("luck and skill", () => {
  const title = PLAYER_TEXTS.shownLuck;

  it("are to the right and above where they were good, with full dots for games that were won", () => {
    show(
      game({ review: review({ luck: 50, own: -20 }) }),
      game({ score: LOST, review: review({ luck: -100, own: 100 }) }),
    );
    assert.deepEqual(dots(title), [
      [259, 162.8],
      [22, 26],
    ]);
    assert.deepEqual(
      plot(title)
        .querySelectorAll(".dot")
        .map((dot) => dot.classList.contains("full")),
      [true, false],
    );
    assert.match(
      plot(title).querySelector("figcaption").textContent,
      /^In 2 games luck gave you on average −2, and your play \+4,/,
    );
  });

  it("are means in whole points", () => {
    assert.deepEqual([mean([1, 2, 6]), mean([]), wholePoints(14), wholePoints(15)], [3, 0, 1, 2]);
    assert.deepEqual(
      luckAndSkill([game({}), game({ review: review({ luck: 55, own: -5 }) })]).map(({ luck, own }) => [luck, own]),
      [[5.5, -0.5]],
    );
  });
});

describe("the costliest decisions", () => {
  const worst = (...lost) => lost.map((each, at) => ({ seen: at + 1, lost: each, mark: "slip" }));

  it("are six, the worst first, each with its mark, its game, its moment and its cost", () => {
    const games = [
      game({ table: "a", review: review({ worst: worst(14, 80, 30) }) }),
      game({ table: "b", review: review({ worst: worst(20, 70, 60, 50) }) }),
    ];
    assert.deepEqual(
      costliestDecisions(games).map(({ lost }) => lost),
      [80, 70, 60, 50, 30, 20],
    );
    show(...games);
    const [first] = body.querySelectorAll(".worst a");
    assert.deepEqual(
      [first.href, first.textContent],
      ["/game/a?review#2", `${REVIEW_TEXTS.reviewMarks.slip}Whist23 November 2020, move 28 points`],
    );
  });

  it("are missing where none stands out", () => {
    show(game({ review: review({}) }));
    assert.equal(plot(PLAYER_TEXTS.shownWorst).querySelector("figcaption").textContent, PLAYER_TEXTS.shownNoWorst);
  });
});

describe("the games without a review", () => {
  it("are counted, with the way to the latest that can have one", () => {
    show(game({ table: "a" }), game({ table: "b" }));
    assert.deepEqual(texts(".plots-more .fine-print"), [PLAYER_TEXTS.shownUnreviewed]);
    assert.deepEqual([body.querySelector(".plots-more a").href, texts(".plot").length], ["/game/a/review", 1]);
    show(game({ table: "a", review: review({}) }), game({ table: "b", kept: false }));
    assert.deepEqual(texts(".plots-more .fine-print"), [PLAYER_TEXTS.shownReviewed(1, 2)]);
    assert.equal(body.querySelector(".plots-more a"), null);
    show(game({ review: review({}) }));
    assert.equal(body.querySelector(".plots-more"), null);
  });
});
