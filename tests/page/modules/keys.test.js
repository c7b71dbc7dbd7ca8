// Keys at a table: which of them the page uses, and what the arrows and digits reach.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, pressKey } from "./elements.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { Keyboard } from "../../../src/parlour/server/page/js/common/keyboard.js";
import { remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { openSheet } from "../../../src/parlour/server/page/js/common/sheets.js";

let done;
let keyboard;
let root;
let pauses;

const card = (name, kind = "may", box = null) => Object.assign(h("button", { class: kind, "data-do": name }), { box });
const area = (at, ...cards) => h("section", { class: "area", "data-area": `a${at}`, "data-at": at }, cards);
const focused = () => document.activeElement?.dataset.do ?? document.activeElement?.className;
const boxAt = (left, top) => ({ left, top, width: 10, height: 10 });

/** A table with these cards in the hand, a button beside it, and things on the board. */
function lay(hand, ...board) {
  root = h(
    "main",
    {},
    h("div", { class: "hand", tabindex: "-1" }, hand),
    h("div", { class: "actions" }, h("button", { "data-button": "pass", class: "may", "data-do": "pass" })),
    h("div", { class: "board" }, board),
  );
  emptyDocument().append(root);
  [done, pauses] = [[], false];
  const actions = Object.fromEntries(["r", "s", "c", "?", "close", "escape"].map((key) => [key, () => done.push(key)]));
  keyboard = new Keyboard(
    () => root,
    actions,
    () => pauses,
  );
}

beforeEach(() => {
  emptyStorage();
  lay([card("7H"), card("8H")], h("div", { class: "middle", tabindex: "-1" }));
});

describe("a key with an action", () => {
  it("does it once, also as a capital letter, and is then not the browser's", () => {
    assert.equal(pressKey("r"), true);
    assert.equal(pressKey("S"), true);
    assert.deepEqual(done, ["r", "s"]);
  });

  it("does nothing as a letter, digit or sign if the settings say so; arrows, Esc and the space bar stay", () => {
    remember({ letters: false });
    pauses = true;
    assert.deepEqual(
      ["r", "S", "?", "b", "1"].map((key) => pressKey(key)),
      [false, false, false, false, false],
    );
    openSheet("score", "Score", "words");
    pressKey("s");
    document.querySelector("dialog").close();
    assert.deepEqual([done, pressKey(" "), pressKey("ArrowRight")], [[], true, true]);
    pressKey("Escape");
    assert.deepEqual([done, focused()], [["escape"], "7H"]);
  });

  for (const held of ["ctrlKey", "metaKey", "altKey"]) {
    it(`is left to the browser together with ${held}`, () => {
      assert.equal(pressKey("r", { [held]: true }), false);
      assert.deepEqual(done, []);
    });
  }

  for (const tag of ["input", "select", "textarea"]) {
    it(`is left to a field for text: ${tag}`, () => {
      const field = h(tag, {});
      root.append(field);
      field.focus();
      for (const key of ["r", "1", "ArrowLeft", "Escape", " "]) assert.equal(pressKey(key), false);
      assert.deepEqual([done, document.activeElement], [[], field]);
    });
  }

  it("without an action is left to the browser", () => assert.equal(pressKey("q"), false));
});

describe("the space bar", () => {
  it("is the browser's unless it ends a pause", () => {
    assert.equal(pressKey(" "), false);
    pauses = true;
    assert.equal(pressKey(" "), true);
  });
});

describe("Esc", () => {
  it("puts back without a sheet, and is not used up", () => {
    assert.equal(pressKey("Escape"), false);
    assert.deepEqual(done, ["escape"]);
  });
});

describe("the keys while a sheet is open", () => {
  for (const [sheet, key] of [
    ["rules", "r"],
    ["score", "s"],
    ["talk", "c"],
    ["help", "?"],
  ]) {
    it(`are those that close it: ${sheet}`, () => {
      openSheet(sheet, "", []);
      for (const other of ["r", "s", "c", "?"].filter((one) => one !== key)) pressKey(other);
      assert.deepEqual(done, []);
      assert.equal(pressKey(key), true);
      assert.deepEqual(done, ["close"]);
    });
  }

  it("are neither arrows nor digits nor Esc, which closes it by itself", () => {
    openSheet("rules", "", []);
    const before = document.activeElement;
    for (const key of ["ArrowRight", "1", "b", "Escape", " "]) assert.equal(pressKey(key), false);
    assert.deepEqual([done, document.activeElement], [[], before]);
  });
});

describe("the arrows to the left and right", () => {
  it("lead through the hand, the buttons and the board, and around", () => {
    root.querySelector(".board").append(card("slot"));
    const reached = [];
    for (let press = 0; press < 5; press += 1) {
      pressKey("ArrowRight");
      reached.push(focused());
    }
    assert.deepEqual(reached, ["7H", "8H", "pass", "slot", "7H"]);
    pressKey("ArrowLeft");
    assert.equal(focused(), "slot");
  });

  it("begin at the thing that Tab reaches, or at the last one if there are fewer now", () => {
    keyboard.index = 1;
    pressKey("ArrowLeft");
    assert.equal(focused(), "8H");
    document.activeElement = null;
    keyboard.index = 3;
    pressKey("ArrowRight");
    assert.equal(focused(), "pass");
  });

  it("do nothing without a thing to choose", () => {
    lay([]);
    root.querySelector(".actions").replaceChildren();
    for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"]) assert.equal(pressKey(key), true);
    assert.equal(document.activeElement, null);
  });
});

describe("the arrows up and down", () => {
  beforeEach(() => {
    const hand = [card("7H", "may", boxAt(0, 100)), card("8H", "may", boxAt(50, 100))];
    lay(hand, [
      card("left", "may", boxAt(0, 0)),
      card("right", "may", boxAt(55, 5)),
      card("far", "may", boxAt(50, 40)),
    ]);
    root.querySelector("[data-do=pass]").box = boxAt(90, 95);
  });

  it("lead to the nearest thing of another line", () => {
    pressKey("ArrowRight");
    pressKey("ArrowRight");
    assert.equal(focused(), "8H");
    pressKey("ArrowUp");
    assert.equal(focused(), "far");
    pressKey("ArrowUp");
    assert.equal(focused(), "right");
    pressKey("ArrowUp");
    assert.equal(focused(), "right");
    pressKey("ArrowDown");
    assert.equal(focused(), "far");
  });

  it("begin at the thing that Tab reaches", () => {
    pressKey("ArrowUp");
    assert.equal(focused(), "7H");
  });
});

describe("the digits", () => {
  it("lead to the hand, the own area, the middle, and the others clockwise", () => {
    lay(
      [card("7H")],
      area(2, card("north")),
      h("div", { class: "middle" }),
      area(0, card("own")),
      area(1, card("west")),
    );
    const reached = [..."123456"].map((digit) => {
      pressKey(digit);
      return focused();
    });
    assert.deepEqual(reached, ["7H", "own", "middle", "west", "north", "north"]);
  });

  it("lead to a legal thing of a part where there is one, which Tab then reaches", () => {
    lay([card("7H", "pale"), card("8H", "may")]);
    pressKey("1");
    assert.equal(focused(), "8H");
    assert.deepEqual(
      keyboard.things().map(({ tabIndex }) => tabIndex),
      [-1, 0, -1],
    );
    lay([card("7H", "pale"), card("8H", "pale")]);
    pressKey("1");
    assert.equal(focused(), "7H");
  });

  it("are joined by B, which leads to the buttons", () => {
    pressKey("b");
    assert.equal(focused(), "pass");
  });
});

describe("Tab", () => {
  const reached = () =>
    keyboard
      .things()
      .filter(({ tabIndex }) => tabIndex === 0)
      .map(({ dataset }) => dataset.do);

  it("reaches the first legal thing instead of a pale one, unless the focus is among the things", () => {
    lay([card("7H", "pale"), card("8H", "may")]);
    keyboard.refresh();
    assert.deepEqual(reached(), ["8H"]);
    lay([card("7H", "pale"), card("8H", "may")]);
    root.querySelector("[data-do=pass]").focus();
    keyboard.refresh();
    assert.deepEqual(reached(), ["7H"]);
  });

  it("reaches one thing also after the last ones have gone", () => {
    keyboard.index = 2;
    root.querySelector(".actions").replaceChildren();
    keyboard.refresh();
    assert.deepEqual(reached(), ["8H"]);
  });
});

describe("the focus on an area or on face-down cards", () => {
  it("comes back after a redraw", () => {
    const [face, place] = [h("button", { "data-peek": "wall" }), area(0)];
    lay([], face, place);
    for (const [one, again] of [
      [face, h("button", { "data-peek": "wall" })],
      [place, area(0)],
    ]) {
      one.focus();
      const held = keyboard.hold();
      one.replaceWith(again);
      keyboard.restore(held);
      assert.equal(document.activeElement, again);
    }
  });

  it("is not taken from a field outside the table", () => {
    const field = h("input", { "data-area": "a0" });
    document.body.append(field);
    field.focus();
    assert.equal(keyboard.hold(), null);
    keyboard.restore(null);
    assert.equal(document.activeElement, field);
  });
});
