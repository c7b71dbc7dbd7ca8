// The score, the log, and the sheets at the end of a round and of a game.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, press, pressKey, settle, texts } from "./elements.js";
import { SIDES } from "./scenes.js";
import { late } from "./server.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { rowsContent } from "../../../src/parlour/server/page/js/scene/card_sheets.js";
import { logList, pauseSheet, scoreContent } from "../../../src/parlour/server/page/js/scene/score_sheets.js";
import { endSheet } from "../../../src/parlour/server/page/js/table/game_end.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

let body;
const open = () => body.querySelectorAll("dialog").map(({ dataset }) => dataset.sheet);
const sheet = (name) => body.querySelector(`[data-sheet=${name}]`);

beforeEach(() => {
  emptyStorage();
  body = emptyDocument();
});

const standing = (label, now, more = {}) => ({ label, now, before: 0, side: "", own: false, ...more });
const line = (area, points, more = {}) => ({ area, what: "won", points, side: "", clause: "", ...more });
const area = (id, more = {}) => ({ id, title: id, side: "", points: null, points_for: "", rows: [], ...more });
const scene = (more) => ({ standings: [], score: [], areas: [], counted: "tricks", pause: "", sides: SIDES, ...more });

describe("the score", () => {
  const content = (more, asked = []) => {
    const made = h(
      "div",
      {},
      scoreContent(scene(more), (clause) => asked.push(clause)),
    );
    return (selector) => texts(selector, made);
  };

  it("has the points before the round where they have changed, signed where they are of a side", () => {
    const of = content({
      standings: [
        standing("Ann", 3, { before: 2 }),
        standing("Bo", 2, { before: 2 }),
        standing("Cy", 1, { side: "red" }),
      ],
    });
    assert.deepEqual(of(".total"), ["3", "2", "+1"]);
    assert.deepEqual(of(".before"), ["before this round 2"]);
  });

  it("names its unit, unless that is points or the score has points for sides", () => {
    const standings = [standing("Ann", 3)];
    assert.deepEqual(content({ standings })(".counted"), ["tricks"]);
    assert.deepEqual(content({})(".counted"), []);
    assert.deepEqual(content({ standings, counted: "points" })(".counted"), []);
    const score = [line("Ann", 1, { side: "red" })];
    const sided = content({ standings, areas: [area("Ann")], score, score_note: "North counts." });
    assert.deepEqual(
      [sided(".counted"), sided(".number"), sided(".fine-print")],
      [[], ["north +1"], ["North counts."]],
    );
  });

  it("has the lines of each area that has some, with their sum where there are several", () => {
    const of = content({
      areas: [area("Ann"), area("Bo"), area("Cy", { side: "black" })],
      score: [line("Ann", 2), line("Cy", 1), line("Ann", -5)],
    });
    assert.deepEqual(of(".score-of"), ["Ann−3", "Cy"]);
    assert.deepEqual(of(".number"), ["2", "−5", "+1"]);
    assert.deepEqual(of("h3")[0], t("countsNow"));
  });

  it("has the points of an area for the side that gains them as its sum", () => {
    const score = [line("Ann", 2, { side: "red" }), line("Ann", 1, { side: "black" })];
    const of = content({ areas: [area("Ann", { points: 1, points_for: "red" })], score });
    assert.deepEqual(of(".score-of b"), ["north +1"]);
  });

  it("marks the viewer's area as the standings do, and no area for onlookers", () => {
    const areas = [area("the middle", { seat: null }), area("Ann", { seat: 0 }), area("Bo", { seat: 1 })];
    const score = areas.map(({ id }) => line(id, 1));
    assert.deepEqual(content({ areas, score, seat: 1 })(".score-area.own .score-of"), ["Bo"]);
    assert.deepEqual(content({ areas, score, seat: -1 })(".score-area.own .score-of"), []);
  });

  it("opens the rules at the clause of a line", () => {
    const asked = [];
    const made = h(
      "div",
      {},
      scoreContent(scene({ areas: [area("Ann")], score: [line("Ann", 2, { clause: "TW-9" })] }), (clause) =>
        asked.push(clause),
      ),
    );
    made.querySelector("button.score-line").click();
    assert.deepEqual([asked, texts(".clause", made)], [["TW-9"], ["rule\u00a09"]]);
  });
});

describe("the log", () => {
  it("has a gap between rounds, and the explanation of a line after it", () => {
    const list = logList(["one", "", "two"], (text) => (text === "two" ? h("li", {}, "explained") : []));
    assert.deepEqual(texts("li", list), ["one", "", "two", "explained"]);
    assert.deepEqual(texts(".gap", list), [""]);
    assert.equal(list.querySelector(".gap").getAttribute("aria-hidden"), "true");
  });

  it("says that nothing has happened, also after an empty line", () => {
    for (const log of [[], [""]]) assert.equal(logList(log).textContent, t("logEmpty"));
  });
});

describe("the sheet at the end of a round", () => {
  it("goes on at a press of its button, which has the focus", async () => {
    const closed = pauseSheet(scene({ pause: "Round 1 is over." }), () => {});
    assert.deepEqual(texts("h2", sheet("pause")), ["Round 1 is over."]);
    assert.equal(document.activeElement.dataset.go, "next");
    await press(document.activeElement);
    await closed;
    assert.deepEqual(open(), []);
  });

  describe("ignores Enter and the space bar", () => {
    /** Open the sheet these milliseconds before the next key. Return whether each key is ignored. */
    function areIgnored(milliseconds, held = {}) {
      mock.method(performance, "now", () => new Event("keydown").timeStamp - milliseconds);
      pauseSheet(scene({ pause: "Round 1 is over." }), () => {});
      return ["Enter", " "].map((key) => pressKey(key, held));
    }
    afterEach(() => mock.restoreAll());

    it("that were pressed for the table before the player could see it", () => {
      assert.deepEqual(areIgnored(-1_000_000), [true, true]);
    });

    it("while they are held down, and no other key", () => {
      assert.deepEqual(areIgnored(1000, { repeat: true }), [true, true]);
      assert.equal(pressKey("Tab", { repeat: true }), false);
    });

    it("no longer once the player has seen it", () => {
      assert.deepEqual(areIgnored(1000), [false, false]);
    });
  });
});

describe("the button for another game", () => {
  const WAYS = {
    next: false,
    rating: null,
    record: "/r",
    replay: "/g",
    review: null,
    sealed: "",
    club: null,
    further: null,
  };
  const go = () => sheet("end").querySelector("[data-go=again]");
  const failure = () => sheet("end").querySelector(".failure").textContent;

  it("asks once while it waits, and can be pressed again after a failure", async () => {
    let asked = 0;
    const tries = [late(), late()];
    const again = () => tries[asked++].body;
    endSheet(scene({ outcome: "Ann wins." }), { ...WAYS, again }, () => {});
    press(go());
    assert.equal(go().disabled, true);
    tries[0].give(Promise.reject(new Error("away")));
    await settle();
    assert.deepEqual([failure(), go().disabled, go().textContent], ["away", false, t("again")]);
    press(go());
    assert.deepEqual([failure(), asked], ["", 2]);
  });

  it("leads to the next game where one exists", () => {
    endSheet(scene({ outcome: "" }), { ...WAYS, next: true, again: () => {} }, () => {});
    assert.equal(go().textContent, t("nextGame"));
  });
});

describe("rows that are looked through", () => {
  it("have all cards face up, and the number of those that are unknown", () => {
    const cards = [{ card: "7H", face_up: false, mark: "" }];
    const made = h(
      "div",
      {},
      rowsContent([
        { label: "Pile", cards, hidden: 2 },
        { label: "Wall", cards, hidden: 0 },
      ]),
    );
    assert.deepEqual(texts(".fine-print", made), ["and 2 cards face down"]);
    assert.equal(made.querySelector("[data-card]").getAttribute("aria-label"), "seven of hearts");
  });
});
