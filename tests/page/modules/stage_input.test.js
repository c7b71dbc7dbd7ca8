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
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  const actions = () => done.filter((one) => !one.startsWith("say "));
  const buttons = () => page.stage.actions.querySelectorAll("button").map(({ textContent }) => textContent);

  beforeEach(() => {
    done = [];
    const selection = new Selection();
    selection.start(choices);
    const stage = {
      actions: h("div", {}),
      say: (text) => done.push(`say ${text}`),
      explain: (reasons) => done.push(`say ${reasons.map(({ reason }) => reason).join(" ")}`),
    };
    page = {
      selection,
      stage,
      scene: scene(1, { choices, legal: choices.map((choice) => choice.do) }),
      draw: () => done.push("draw"),
      act: (action) => done.push(action),
      why: (tokens) => Promise.resolve([{ reason: `Not ${tokens.join(" and ")}.`, clause: "W-7" }]),
    };
    input = new StageInput(page);
  });

  it("become an action when they are complete", () => {
    input.choose("", "9C");
    input.choose("", "7H");
    input.choose("", "8H");
    assert.deepEqual(actions(), ["lay 9C", "draw", "lay 7H 8H"]);
  });

  it("of a thing that is a legal action by itself are done", () => {
    input.choose("pass", "stack");
    assert.deepEqual(actions(), ["pass"]);
  });

  it("that are not legal are answered with the rules' reasons, with what is picked", async () => {
    input.choose("play 2D", "2D");
    await settled();
    assert.equal(done.at(-1), "say Not 2D.");
    input.choose("", "7H");
    input.choose("", "2D");
    await settled();
    assert.equal(done.at(-1), "say Not 7H and 2D.");
    assert.deepEqual(actions(), ["draw"]);
  });

  it("that are not legal are refused without reasons if the server gives none", async () => {
    page.why = () => Promise.reject(new Error("offline"));
    input.choose("", "2D");
    await settled();
    assert.equal(done.at(-1), "say Nothing can be done with that now.");
    input.choose("", "7H");
    input.choose("", "2D");
    await settled();
    assert.equal(done.at(-1), "say That does not go together with what is chosen.");
  });

  it("of things without a name are refused without the server", async () => {
    page.why = () => assert.fail("nothing is asked");
    input.choose("play 2D");
    await settled();
    assert.equal(done.at(-1), "say Nothing can be done with that now.");
  });

  for (const [event, change] of Object.entries({
    "another choice": () => input.choose("", "7H"),
    "the selection was put back": () => input.putBack(),
    "another scene": () => (page.scene = scene(2)),
  })) {
    it(`ignore reasons that come after ${event}`, async () => {
      input.choose("", "2D");
      change();
      await settled();
      assert.deepEqual(
        done.filter((one) => one.startsWith("say Not")),
        [],
      );
    });
  }

  it("take away the note on the previous choice", async () => {
    for (const choose of [
      () => input.choose("", "7H"),
      () => input.choose("", "9C"),
      () => input.choose("play 2C", "2C"),
      () => press(input.actionButton(choices[2])),
    ]) {
      done.length = 0;
      await choose();
      await settled();
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
