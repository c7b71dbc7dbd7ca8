// Selections: which things together are an action, what can be chosen next, and what a button has to decide.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import "./browser.js";
import { area, row, scene } from "./scenes.js";
import { Selection } from "../../../src/parlour/server/page/js/scene/selection.js";

const choice = (action, label, ...tokens) => ({ do: action, label, tokens });
const CHOICES = [
  choice("lay 7H 8H on 2", "Lay", "7H", "8H", "s2"),
  choice("lay 7H 8H on 1", "Lay", "7H", "8H", "s1"),
  choice("lay 7H on 2", "Lay", "7H", "s2"),
  choice("lay 9C on 1", "Put", "9C", "s1"),
  choice("pass", "Pass"),
];

let selection;
const pick = (...tokens) => tokens.map((token) => selection.pick(token));
const picked = () => [...selection.picked];
const dos = (choices) => choices.map((one) => one.do);

beforeEach(() => {
  selection = new Selection();
  selection.start(CHOICES);
});

describe("a thing", () => {
  it("is picked by a press and unpicked by another", () => {
    assert.deepEqual([pick("7H"), picked()], [[true], ["7H"]]);
    assert.deepEqual([pick("7H"), picked()], [[true], []]);
    assert.deepEqual([pick("8H", "7H", "8H"), picked()], [[true, true, true], ["7H"]]);
  });

  it("joins those that it goes with, and takes the place of the others", () => {
    pick("7H", "8H", "s1");
    assert.deepEqual([pick("s2"), picked()], [[true], ["7H", "8H", "s2"]]);
    assert.deepEqual([pick("9C"), picked()], [[true], ["9C"]]);
    assert.deepEqual([pick("s1"), picked()], [[true], ["9C", "s1"]]);
    assert.deepEqual([pick("7H"), picked()], [[true], ["s1", "7H"]]);
  });

  it("that belongs to no action is not picked, nor one that leaves several equal parts", () => {
    assert.deepEqual([pick("nothing"), picked()], [[false], []]);
    selection.start([choice("a c", "", "a", "c"), choice("b c", "", "b", "c"), choice("a b", "", "a", "b")]);
    pick("a", "b");
    assert.deepEqual([pick("c"), picked()], [[false], ["a", "b"]]);
  });

  it("is known if any action has it", () => {
    assert.deepEqual(
      ["7H", "s1", "pass", null, undefined].map((token) => selection.knows(token)),
      [true, true, false, false, false],
    );
  });
});

describe("the choices", () => {
  it("are those with all picked things, complete or not", () => {
    assert.equal(selection.possible.length, 5);
    pick("7H", "s2");
    assert.deepEqual(dos(selection.possible), ["lay 7H 8H on 2", "lay 7H on 2"]);
    assert.deepEqual(dos(selection.complete), ["lay 7H on 2"]);
    assert.deepEqual([...selection.tokens].sort(), ["7H", "8H", "s2"]);
    assert.deepEqual(dos(selection.with(["s1"])), ["lay 7H 8H on 1", "lay 9C on 1"]);
    assert.deepEqual(dos(selection.plain), ["pass"]);
  });

  it("are complete without anything picked for none", () => {
    assert.deepEqual([selection.complete, selection.only], [[], undefined]);
  });

  it("are one if only one is possible, and then decide at once, unless a card completes a smaller one", () => {
    pick("9C");
    assert.deepEqual([selection.only, selection.decidedBy("9C")], [undefined, undefined]);
    pick("s1");
    assert.deepEqual(
      [selection.only.do, selection.decidedBy("s1").do, selection.decidedBy("9C").do, selection.grown],
      ["lay 9C on 1", "lay 9C on 1", "lay 9C on 1", false],
    );
    selection.clear();
    pick("7H", "s2", "8H");
    assert.deepEqual([selection.only.do, selection.grown], ["lay 7H 8H on 2", true]);
    assert.equal(selection.decidedBy("8H"), undefined);
    assert.equal(selection.decidedBy("s2").do, "lay 7H 8H on 2");
  });
});

describe("the next step", () => {
  it("is to choose more, to press a button, or both", () => {
    assert.equal(selection.onward, "");
    pick("7H");
    assert.equal(selection.onward, "Now choose one of those outlined.");
    pick("s2");
    assert.equal(selection.onward, "Choose more of what is outlined, or press “Lay”.");
    pick("8H");
    assert.equal(selection.onward, "Now press “Lay”.");
    selection.start([choice("a", "Give", "7H"), choice("b", "Keep", "7H"), choice("c", "Give", "7H")]);
    pick("7H");
    assert.equal(selection.onward, "Now press “Give” or “Keep”.");
  });
});

describe("a new scene", () => {
  it("keeps what is picked if it is the same scene and still possible", () => {
    pick("7H");
    selection.start(CHOICES, true);
    assert.deepEqual(picked(), ["7H"]);
    selection.start([CHOICES[3]], true);
    assert.deepEqual(picked(), []);
    pick("9C");
    selection.start(CHOICES);
    assert.deepEqual(picked(), []);
    selection.start(undefined);
    assert.deepEqual(selection.choices, []);
  });
});

describe("an action", () => {
  it("keeps its things picked when it is done", () => {
    pick("7H", "8H");
    selection.keep("lay 7H on 2");
    assert.deepEqual(picked(), ["7H", "s2"]);
    selection.keep("pass");
    assert.deepEqual(picked(), []);
  });

  it("is named by its label and cards, or by its notation", () => {
    assert.equal(selection.nameOf("lay 7H 8H on 2"), "“Lay: seven of hearts, eight of hearts”");
    assert.equal(selection.nameOf("pass"), "“Pass”");
    assert.equal(selection.nameOf("other"), "other");
  });

  it("that is put back tells whether something was picked", () => {
    assert.equal(selection.clear(), false);
    selection.choose(["7H", "8H"]);
    assert.deepEqual([picked(), selection.clear(), picked()], [["7H", "8H"], true, []]);
  });

  it("has a button when it is complete, needs nothing, or takes a pile alone while nothing is picked", () => {
    const stack = row("stack", "pile", [], { token: "stack" });
    const shown = scene(1, { areas: [area("middle", null, [stack, row("slot", "slot", [], { token: "s9" })])] });
    selection.start([
      ...CHOICES,
      choice("draw", "Draw", "stack"),
      choice("see", "See", "s9"),
      choice("put", "Put", "stack", "9C"),
    ]);
    assert.deepEqual(dos(selection.offered(shown)), ["draw", "pass"]);
    pick("7H", "s2");
    assert.deepEqual(dos(selection.offered(shown)), ["lay 7H on 2", "pass"]);
  });
});
