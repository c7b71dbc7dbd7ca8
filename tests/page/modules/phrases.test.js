// Parts of sentences: capital letters, marks at the end, breaks of lines.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as phrases from "../../../src/parlour/server/page/js/common/phrases.js";

describe("words as a sentence", () => {
  it("begin with a capital letter and end with one mark, whichever they have", () => {
    const examples = {
      "it ends": "It ends.",
      "it ends.": "It ends.",
      "is it over?": "Is it over?",
      "stop!": "Stop!",
      ä: "Ä.",
    };
    for (const [words, sentence] of Object.entries(examples)) assert.equal(phrases.asSentence(words), sentence);
  });

  it("have a mark of their own inside quotation marks or brackets", () => {
    assert.equal(phrases.asSentence("it is (so)"), "It is (so).");
  });

  it("are not broken before a number", () => {
    assert.equal(phrases.sentence("lead slot 2 with 10"), "Lead slot\u00a02 with\u00a010");
    assert.equal(phrases.unbrokenPercents("63 % of 5 games"), "63\u00a0% of 5 games");
    assert.equal(phrases.unbroken("rule 4 a"), "rule\u00a04\u00a0a");
  });

  it("have semicolons between parts", () => {
    assert.equal(phrases.withSemicolons(["one deck, cut", "12 rounds"]), "one deck, cut; 12 rounds");
    assert.equal(phrases.withSemicolons([]), "");
  });

  it("are small within another sentence in English", () => {
    assert.equal(phrases.withinSentence("Play a card"), "play a card");
  });
});

describe("the name of a card", () => {
  it("has its rank and suit, or its colour", () => {
    const names = {
      AS: "ace of spades",
      TH: "ten of hearts",
      "2C": "two of clubs",
      XB: "black joker",
      XR: "red joker",
    };
    for (const [card, name] of Object.entries(names)) assert.equal(phrases.cardName(card), name);
    assert.equal(phrases.suitCards(["XB"]), "black joker");
  });
});
