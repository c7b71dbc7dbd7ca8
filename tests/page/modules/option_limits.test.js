import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./browser.js";
import {
  defaultOf,
  limitsOf,
  possibleOptions,
  withOption,
} from "../../../src/parlour/server/page/js/landing/option_limits.js";

const GAME = {
  options: [
    {
      name: "dummy",
      defaults: { 2: true, 3: false, 4: false },
      limits: {},
      refused: { 2: { false: "needed" }, 4: { true: "too many" } },
    },
    { name: "target", defaults: { 2: 20, 3: 15, 4: 10 }, limits: { 4: [5, 12] }, refused: {}, min: 1, max: 30 },
    { name: "open", defaults: { 2: false, 3: false, 4: false }, limits: {}, refused: {} },
  ],
};

describe("the options for another number of players", () => {
  it("are those that this number allows", () => {
    assert.deepEqual(possibleOptions(GAME, 4, { dummy: true, open: true }), { open: true });
    assert.deepEqual(possibleOptions(GAME, 3, { dummy: true, open: true }), { dummy: true, open: true });
  });

  it("have no number beyond its limits", () => {
    assert.deepEqual(possibleOptions(GAME, 4, { target: 13 }), {});
    assert.deepEqual(possibleOptions(GAME, 4, { target: 4 }), {});
    assert.deepEqual(possibleOptions(GAME, 4, { target: 12 }), { target: 12 });
  });

  it("have no text that is neither a usual value nor one that the option may be", () => {
    const teams = {
      name: "teams",
      kind: "text",
      values: ["none"],
      pattern: "[A-Z]+",
      defaults: { 4: "none" },
      limits: {},
    };
    const kept = (value, more = {}) => possibleOptions({ options: [{ ...teams, ...more }] }, 4, { teams: value });
    assert.deepEqual(kept("2-2"), {});
    assert.deepEqual(kept("ABAB"), { teams: "ABAB" });
    assert.deepEqual(kept("none"), { teams: "none" });
    assert.deepEqual(kept("2-2", { pattern: "(?P<python>.+)" }), { teams: "2-2" }, "the server judges this one");
  });

  it("have no option that the game lacks", () => assert.deepEqual(possibleOptions(GAME, 3, { gone: 1 }), {}));

  it("do not change the choices before", () => {
    const chosen = { dummy: true };
    possibleOptions(GAME, 4, chosen);
    assert.deepEqual(chosen, { dummy: true });
  });
});

describe("one more choice", () => {
  it("is added to the others", () =>
    assert.deepEqual(withOption(GAME, 3, { open: true }, "target", 9), { open: true, target: 9 }));
  it("is left out if it is the default of this number of players", () => {
    assert.deepEqual(withOption(GAME, 3, { target: 9, open: true }, "target", 15), { open: true });
    assert.deepEqual(withOption(GAME, 2, {}, "target", 15), { target: 15 });
  });
});

describe("the default of an option", () => {
  const depending = { defaults: { 4: 9 }, depends: { 4: { long: { true: 13 } } } };

  it("is that of the number of players", () => assert.equal(defaultOf(depending, 4, {}), 9));
  it("may follow from another option", () => assert.equal(defaultOf(depending, 4, { long: true }), 13));
  it("is not chosen where it follows from another option", () => {
    const game = { options: [{ ...depending, name: "cards", limits: {}, refused: {} }] };
    assert.deepEqual(withOption(game, 4, { long: true }, "cards", 13), { long: true });
    assert.deepEqual(withOption(game, 4, { long: true }, "cards", 9), { long: true, cards: 9 });
  });
});

describe("the limits of a number", () => {
  it("are those of the number of players, or those of the option", () => {
    assert.deepEqual(limitsOf(GAME.options[1], 4), { min: 5, max: 12 });
    assert.deepEqual(limitsOf(GAME.options[1], 3), { min: 1, max: 30 });
  });
});
