import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./browser.js";
import { botsInWords, optionsInWords } from "../../../src/parlour/server/page/js/landing/lobby_words.js";

const option = (name, kind, usual, titles = {}) => ({ name, title: name, kind, titles, defaults: { 2: usual } });
const GAME = {
  options: [
    option("Rounds", "number", 4),
    option("Jokers", "boolean", false),
    option("Half", "choice", "a", { b: "B" }),
  ],
};
const CATALOGUE = { bots: [{ id: "casual", title: "Casual player" }] };

describe("the rules of a table in the lobby", () => {
  it("are the options that differ from their defaults", () => {
    const options = { Rounds: 2, Jokers: true, Half: "b" };
    assert.deepEqual(optionsInWords(GAME, { players: 2, options }), ["Rounds: 2", "Jokers: yes", "Half: B"]);
  });

  it("are also those whose value is zero or no", () => {
    const game = { options: [option("Rounds", "number", 4), option("Jokers", "boolean", true)] };
    assert.deepEqual(optionsInWords(game, { players: 2, options: { Rounds: 0, Jokers: false } }), [
      "Rounds: 0",
      "Jokers: no",
    ]);
  });

  it("are the usual ones without such options", () => {
    const options = { Rounds: 4, Jokers: false, Half: "a" };
    assert.deepEqual(optionsInWords(GAME, { players: 2, options }), ["as the rules have it"]);
  });
});

describe("the bots of a table in the lobby", () => {
  const fill = { seconds: 300, bot: "casual" };
  const words = (bots, manners, seconds) => botsInWords(CATALOGUE, { bots, manners, fills_in: seconds });

  it("are those who sit there, by level", () => {
    assert.deepEqual(words([], { fill: null }, null), ["None"]);
    assert.deepEqual(words(["casual"], { fill: null }, null), ["One (Casual player)"]);
    assert.deepEqual(words(["casual", "new", "casual"], { fill: null }, null), ["3 (Casual player, new)"]);
  });

  it("are also those who come in time", () => {
    assert.deepEqual(words([], { fill }, 125), ["None", "a bot (Casual player) takes what stays free in 3 minutes"]);
    for (const seconds of [60, 5, 0])
      assert.deepEqual(words([], { fill }, seconds)[1], "a bot (Casual player) takes what stays free within a minute");
    assert.deepEqual(words([], { fill }, null), ["None"]);
  });
});
