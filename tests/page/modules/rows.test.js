// Rows, the middle and other hands of a table, as they depend on their neighbours and on the window.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { area, row, scene, seen } from "./scenes.js";

/** Which of the page's media queries hold. */
const windows = { large: false, small: false };
globalThis.matchMedia = (query) => ({
  get matches() {
    return query.includes("min-width: 1600px") ? windows.large : query.includes("max-width") && windows.small;
  },
  addEventListener() {},
});
const { emptyDocument, texts } = await import("./elements.js");
const { h } = await import("../../../src/parlour/server/page/js/common/dom.js");
const { t } = await import("../../../src/parlour/server/page/js/common/texts.js");
const { cardSpan, drawing } = await import("../../../src/parlour/server/page/js/scene/cards.js");
const { drawScene } = await import("../../../src/parlour/server/page/js/scene/scene_view.js");
const { Selection } = await import("../../../src/parlour/server/page/js/scene/selection.js");

let body;
let board;
const labels = (selector) => body.querySelectorAll(selector).map((one) => one.getAttribute("aria-label"));

beforeEach(() => {
  emptyStorage();
  Object.assign(windows, { large: false, small: false });
  body = emptyDocument();
});

function draw(shown, context = {}) {
  board = h("div", {});
  body.replaceChildren(board, h("div", {}));
  const selection = new Selection();
  selection.start(shown.choices);
  const usual = { live: false, gathered: false, peeked: new Set(), selection };
  drawScene(board, body.children[1], shown, { ...usual, ...context });
}
const ring = (number, ...rows) => [...Array(number).keys()].map((at) => area(`p${at}`, at, at === 1 ? rows : []));

describe("a slot", () => {
  const slot = row("slot", "slot", [seen("7H", "7H"), seen("8H", "8H", { area: "p0" })], { token: "slot" });

  it("has single cards to choose where an action takes one of them", () => {
    const choices = [{ do: "take 7H", label: "Take", tokens: ["7H"] }];
    draw(scene(1, { areas: ring(2, slot), choices, legal: ["take 7H"] }), { live: true });
    assert.deepEqual(labels(".place button"), ["seven of hearts, legal", "eight of hearts, not legal now"]);
    assert.equal(body.querySelector(".place").tagName, "DIV");
    draw(scene(1, { areas: ring(2, slot), choices, legal: ["take 7H"] }));
    assert.deepEqual(labels(".place button"), []);
  });

  it("leans towards the area of its last card", () => {
    draw(scene(1, { areas: ring(2, slot) }));
    assert.equal(body.querySelector(".row-slot").classList.contains("to-0"), true);
    draw(scene(1, { areas: ring(2, row("slot", "slot", [seen("7H")])) }));
    assert.equal(body.querySelector(".row-slot").className.trim(), "row-slot");
  });
});

describe("cards that the viewer does not know", () => {
  for (const style of ["slot", "meld", "wall"]) {
    it(`are backs behind the cards that lie open in a ${style}, and are counted in its name`, () => {
      const laid = row("laid", style, [seen("7H")], { hidden: 2 });
      draw(scene(1, { areas: ring(2, laid) }));
      const place = body.querySelector("[data-row=laid]");
      assert.equal(place.querySelectorAll(".card").length, 3);
      if (style !== "wall") assert.equal(place.getAttribute("aria-label"), "laid: seven of hearts, 2 cards");
      draw(scene(1, { areas: ring(2, { ...laid, cards: [] }) }));
      assert.equal(body.querySelectorAll("[data-row=laid] .card").length, 2);
      assert.deepEqual([texts(".place-name"), body.querySelectorAll(".empty").length], [[], 0]);
    });
  }
});

describe("a row of cards side by side", () => {
  it("that is a wall says that it is empty, and another is not drawn then", () => {
    draw(scene(1, { areas: ring(2, row("wall", "wall"), row("spread", "trick")) }));
    assert.deepEqual([labels(".spread"), body.querySelectorAll(".spread").length], [[`wall: ${t("empty")}`], 1]);
  });

  it("that is a hand has its backs between two players, and otherwise in a large window", () => {
    const hand = row("hand", "hand", [seen("7H")], { hidden: 3 });
    const slots = () => body.querySelectorAll(".row-hand .slot").length;
    for (const [players, large, number] of [
      [2, false, 4],
      [3, false, 1],
      [3, true, 4],
    ]) {
      windows.large = large;
      draw(scene(1, { areas: ring(players, hand) }));
      assert.equal(slots(), number);
    }
    draw(scene(1, { areas: ring(3, hand) }), { still: true });
    assert.equal(slots(), 1);
  });

  it("of unknown cards only says so", () => {
    draw(scene(1, { areas: ring(2, row("hand", "hand", [], { hidden: 3 })) }));
    assert.equal(body.querySelector(".row-hand").classList.contains("unknown"), true);
  });
});

describe("a pile", () => {
  it("looks like several cards, one or none", () => {
    const piles = [0, 1, 2].map((hidden) => row(`pile ${hidden}`, "pile", [], { hidden }));
    draw(scene(1, { areas: ring(2, ...piles) }));
    const kinds = body.querySelectorAll(".pile").map(({ className }) => className.split(" ").slice(2).join(" ").trim());
    assert.deepEqual(kinds, ["gone", "", "stack"]);
  });
});

describe("face-down rows", () => {
  it("are not drawn without cards", () => {
    draw(scene(1, { areas: ring(2, row("down", "buried"), row("pile", "pile")) }));
    assert.deepEqual(
      body.querySelectorAll("[data-row]").map(({ dataset }) => dataset.row),
      ["pile"],
    );
  });

  it("below a wall cannot be turned up without cards, nor in a picture", () => {
    const sided = (cards) =>
      scene(1, {
        areas: [area("you", 0, [row("wall", "wall", [seen("7H")]), row("down", "buried", cards)], { side: "red" })],
      });
    draw(sided([]));
    assert.equal(body.querySelector("[data-peek]").disabled, true);
    draw(sided([seen("8H")]), { still: true });
    assert.equal(body.querySelector("[data-peek]").tagName, "DIV");
  });
});

describe("the middle of a table", () => {
  it("has its rows with captions, and its notes", () => {
    const middle = area("middle", null, [row("stack", "pile", [], { hidden: 3 }), row("discards", "pile")], {
      notes: ["Hearts lead.", "The last was 10♥."],
    });
    draw(scene(1, { areas: [middle, ...ring(2)] }));
    assert.deepEqual(
      [texts(".caption"), texts(".place-name"), texts(".middle .area-note")],
      [["stack", "discards"], [], ["Hearts lead.", "The last was 10♥."]],
    );
    const spoken = body.querySelectorAll(".area-note").map((note) => note.getAttribute("aria-label"));
    assert.deepEqual(spoken, [null, "The last was ten of hearts."]);
    assert.equal(body.querySelector(".ring"), null);
  });

  it("has a ring of the areas where tricks are played, the one to act marked", () => {
    const areas = ring(3).map((one, at) => ({ ...one, active: at === 2, side: at ? "red" : "black" }));
    draw(scene(1, { areas: [area("middle", null, [row("trick", "trick")]), ...areas] }));
    const arcs = body.querySelectorAll(".arc").map(({ className }) => className.trim());
    assert.deepEqual(arcs, ["arc side-black", "arc side-red", "arc side-red active"]);
    assert.equal(labels(".middle")[0], "middle");
    assert.deepEqual([board.className, board.style.getPropertyValue("--across")], ["board of-3 tricks", "1.00"]);
  });

  it("has the marks of the cards of a trick, with their signs", () => {
    const cards = [
      seen("7H", null, { area: "p0", by: "Ann", mark: "sweeps", fate: "wins" }),
      seen("8H", null, { area: "p1", by: "Bo", mark: "unheard of" }),
      seen(null, null, { area: "p2", by: "Cy", face_up: false, mark: "sweeps", fate: "wins" }),
    ];
    draw(scene(1, { areas: [area("middle", null, [row("trick", "trick", cards)]), ...ring(3)] }));
    assert.deepEqual(texts(".fate"), ["Annsweeps", "Bounheard of", "Cysweeps"]);
    assert.deepEqual(
      body
        .querySelectorAll(".fate")
        .map((one) => [one.querySelector("svg") !== null, one.classList.contains("unmarked")]),
      [
        [true, false],
        [false, false],
        [true, true],
      ],
    );
    assert.deepEqual(
      body.querySelectorAll(".played").map(({ className }) => className),
      ["played fate-wins to-0", "played fate-none to-1", "played fate-wins to-2"],
    );
    assert.deepEqual(labels(".trick .card")[2], "Cy: a face-down card, sweeps");
  });
});

describe("an area with hands and other rows", () => {
  it("has its hands last, and the viewer's own not at all", () => {
    const rows = (id) => [
      row(`${id} hand`, "hand", [], { hidden: 1 }),
      row(`${id} slot`, "slot"),
      row(`${id} last`, "last", [seen("7H")]),
    ];
    draw(scene(1, { areas: [area("you", 0, rows("my")), area("Bo", 1, rows("his"))] }));
    const drawn = (id) =>
      body.querySelectorAll(`[data-area=${id}] .area-cards [data-row]`).map(({ dataset }) => dataset.row);
    assert.deepEqual([drawn("you"), drawn("Bo")], [["my slot"], ["his slot", "his hand"]]);
    const classes = (id) => body.querySelector(`[data-area=${id}]`).className.split(" ").filter(Boolean);
    assert.deepEqual(
      [classes("you"), classes("Bo")],
      [
        ["area", "at-0", "side-none", "own"],
        ["area", "at-1", "side-none"],
      ],
    );
  });
});

describe("cards in a small window", () => {
  it("have small faces on the table, and in pictures everywhere", () => {
    const small = () => body.querySelector(".row-slot .card").classList.contains("small");
    const shown = scene(1, { areas: ring(2, row("slot", "slot", [seen("7H")])) });
    draw(shown);
    assert.equal(small(), false);
    draw(shown, { still: true });
    assert.equal(small(), true);
    windows.small = true;
    draw(shown);
    assert.equal(small(), true);
  });
});

describe("the drawing of a card", () => {
  const look = (...how) => drawing(...how).getAttribute("class");

  it("is that of its suit, its face and its back", () => {
    assert.deepEqual(
      ["7H", "XR", "XB", null].map((card) => look(card).split(" ")[1]),
      ["of-H", "of-H", "of-S", "of-back"],
    );
    assert.equal(look("7H", false, true, { faces: "large", back: "waves" }), "face of-H faces-large back-waves");
    const parts = (...how) =>
      [".paper", ".back-ground", ".suit"].map((part) => drawing(...how).querySelectorAll(part).length);
    assert.deepEqual(parts("7H"), [1, 0, 9]);
    assert.deepEqual(parts("7H", true), [1, 0, 2]);
    assert.deepEqual(parts("7H", false, false), [1, 1, 1]);
    assert.deepEqual(parts(null), [0, 1, 0]);
    assert.deepEqual(parts("AS"), [1, 0, 3]);
  });

  it("is not the same element twice", () => {
    assert.notEqual(drawing("7H"), drawing("7H"));
    assert.equal(cardSpan({ card: "7H", face_up: true, mark: "sunk", fate: "out" }).className.trim(), "card  fate-out");
    assert.equal(cardSpan({ card: "7H", face_up: true, mark: "sunk", fate: "" }).className.trim(), "card");
  });
});
