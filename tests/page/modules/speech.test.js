import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { page } from "./browser.js";

const { actionsInWords, cardsBySuit, isCard, mayDo, sortedCards, spoken } = await import(page("speech"));

describe("cards for the ear", () => {
  it("are read suit by suit", () => {
    assert.equal(cardsBySuit(["9C", "TC", "QC", "7H"]), "nine, ten and queen of clubs, seven of hearts");
    assert.equal(cardsBySuit(["7H"]), "seven of hearts");
    assert.equal(cardsBySuit(["AS", "XR", "XB"]), "ace of spades, red joker, black joker");
    assert.equal(cardsBySuit([]), "");
  });

  it("are sorted by suit, then by rank", () => {
    assert.deepEqual(sortedCards(["XB", "TH", "AC", "2S", "9H", "KD"]), ["AC", "KD", "2S", "9H", "TH", "XB"]);
  });

  it("are words where a sentence has signs", () => {
    assert.equal(
      spoken("The cards are turned up: Cleo 2♥, You 10♠, Ada A♦."),
      "The cards are turned up: Cleo two of hearts, You ten of spades, Ada ace of diamonds.",
    );
    assert.equal(spoken("You lead clubs."), "You lead clubs.");
  });

  it("are told from places and buttons", () =>
    assert.deepEqual(["7H", "XR", "slot-2", "TT"].map(isCard), [true, true, false, false]));
});

describe("actions for the ear", () => {
  const scene = {
    legal: ["lay 3C 3S", "put 7H 2", "pass", "odd"],
    choices: [
      { do: "lay 3C 3S", label: "Lay a trick", tokens: ["3C", "3S"] },
      { do: "put 7H 2", label: "Put face down", tokens: ["7H", "slot-2"] },
      { do: "pass", label: "Pass", tokens: [] },
    ],
    areas: [
      {
        rows: [
          { token: "slot-2", label: "Slot 2" },
          { token: null, label: "Hand" },
        ],
      },
    ],
  };

  it("say what is done with which cards and where", () => {
    assert.deepEqual(actionsInWords(scene), [
      "Lay a trick: three of clubs, three of spades",
      "Put face down: seven of hearts, Slot 2",
      "Pass",
      "odd",
    ]);
  });

  it("are said once for each label, with the cards by suit", () => {
    const play = (card) => ({ do: `play ${card}`, label: "Play", tokens: [card] });
    const choices = [
      ...["7H", "8H", "8S", "9C", "JS", "QC", "TC"].map(play),
      { do: "pass", label: "Pass", tokens: [] },
    ];
    assert.equal(
      mayDo(choices),
      "You may play: nine, ten and queen of clubs, eight and jack of spades, seven and eight of hearts; pass.",
    );
  });

  it("are none outside one's turn", () => assert.equal(mayDo([]), "It is not your turn."));
});
