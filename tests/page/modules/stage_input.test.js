// Choices on the table of a lesson or a puzzle: picked things, buttons, and the note on a refusal.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, press } from "./elements.js";
import { area, row, scene } from "./scenes.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { Selection } from "../../../src/parlour/server/page/js/scene/selection.js";
import { StageInput } from "../../../src/parlour/server/page/js/scene/stage_input.js";

beforeEach(() => {
  emptyStorage();
  emptyDocument();
});

describe("choices on a stage", () => {
  const choices = [
    { do: "lay 7H 8H", label: "Lay", tokens: ["7H", "8H"] },
    { do: "lay 9C", label: "Lay one", tokens: ["9C"] },
    { do: "pass", label: "Pass", tokens: [] },
  ];
  let page;
  let done;
  let input;
  const actions = () => done.filter((one) => !one.startsWith("say "));
  const buttons = () => page.stage.actions.querySelectorAll("button").map(({ textContent }) => textContent);

  beforeEach(() => {
    done = [];
    const selection = new Selection();
    selection.start(choices);
    const stage = { actions: h("div", {}), say: (text) => done.push(`say ${text}`) };
    page = { selection, stage, draw: () => done.push("draw"), act: (action) => done.push(action) };
    input = new StageInput(page);
  });

  it("become an action when they are complete", () => {
    input.choose("", "9C");
    input.choose("", "7H");
    input.choose("", "8H");
    assert.deepEqual(actions(), ["lay 9C", "draw", "lay 7H 8H"]);
  });

  it("that are no legal action are done as they are, to be refused with the reason", () => {
    input.choose("play 2C", "2C");
    assert.deepEqual(actions(), ["play 2C"]);
  });

  it("that are a part of no action are refused without the server", () => {
    input.choose("", "2D");
    input.choose("", "7H");
    input.choose("", "2D");
    assert.deepEqual(actions(), ["draw"]);
    assert.deepEqual(done.at(-1), "say That does not go together with what is chosen.");
    assert.deepEqual(done[1], "say Nothing can be done with that now.");
  });

  it("take away the note on the previous choice", async () => {
    for (const choose of [
      () => input.choose("", "7H"),
      () => input.choose("", "9C"),
      () => input.choose("play 2C", "2C"),
      () => press(input.actionButton(choices[2])),
    ]) {
      done.length = 0;
      await choose();
      assert.equal(done[0], "say ");
      assert.equal(done.length, 2);
    }
  });

  it("are put back, with the note", () => {
    input.choose("", "7H");
    input.putBack();
    input.putBack();
    assert.deepEqual(done, ["say ", "draw", "draw", "say ", "say "]);
  });

  it("have buttons for what is complete and for actions without things", async () => {
    input.drawButtons(scene(1, { choices }));
    assert.deepEqual(buttons(), ["Pass"]);
    await press(page.stage.actions.querySelector("button"));
    input.drawButtons(null);
    assert.deepEqual([buttons(), actions()], [[], ["pass"]]);
  });
});

describe("the buttons of a selection", () => {
  const pile = { do: "draw", label: "Draw", tokens: ["stack"] };
  const card = { do: "play 7H", label: "Play", tokens: ["7H"] };
  const shown = scene(1, { areas: [area("middle", null, [row("stack", "pile", [], { token: "stack" })])] });
  const offered = (...picked) => {
    const selection = new Selection();
    selection.start([pile, card, { do: "pass", label: "Pass", tokens: [] }]);
    for (const token of picked) selection.pick(token);
    return selection.offered(shown).map((choice) => choice.do);
  };

  it("are those of a pile while nothing is picked, and of what is picked", () => {
    assert.deepEqual(offered(), ["draw", "pass"]);
    assert.deepEqual(offered("7H"), ["play 7H", "pass"]);
    assert.deepEqual(offered("stack"), ["draw", "pass"]);
  });
});
