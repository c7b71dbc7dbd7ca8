import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./browser.js";
import { SIDES } from "./scenes.js";
import {
  actionsInWords,
  cardsBySuit,
  isCard,
  legalActions,
  pointsFor,
  sortedCards,
  unsaidOutcome,
  inWords,
} from "../../../src/parlour/server/page/js/common/speech.js";

describe("cards in words", () => {
  it("are read suit by suit", () => {
    assert.equal(cardsBySuit(["9C", "TC", "QC", "7H"]), "nine, ten and queen of clubs, seven of hearts");
    assert.equal(cardsBySuit(["7H"]), "seven of hearts");
    assert.equal(cardsBySuit(["AS", "XR", "XB"]), "ace of spades, red joker, black joker");
    assert.equal(cardsBySuit([]), "");
  });

  it("are sorted by suit, then by rank", () => {
    assert.deepEqual(sortedCards(["XB", "TH", "AC", "2S", "9H", "KD"]), ["AC", "KD", "2S", "9H", "TH", "XB"]);
  });

  it("replace card signs in a sentence", () => {
    assert.equal(
      inWords("The cards are turned up: Cleo 2♥, You 10♠, Ada A♦."),
      "The cards are turned up: Cleo two of hearts, You ten of spades, Ada ace of diamonds.",
    );
    assert.equal(inWords("You lead clubs."), "You lead clubs.");
  });

  it("are a list where only spaces separate their signs, as in the name of a trick", () => {
    assert.equal(
      inWords("Your turn: block J♣ A♦, swap or pass."),
      "Your turn: block jack of clubs and ace of diamonds, swap or pass.",
    );
    assert.equal(
      inWords("9♠ 10♠ J♠ can still be blocked"),
      "nine of spades, ten of spades and jack of spades can still be blocked",
    );
  });

  it("differ from tokens of rows and buttons", () =>
    assert.deepEqual(["7H", "XR", "slot-2", "TT"].map(isCard), [true, true, false, false]));
});

describe("the outcome of a game", () => {
  const rest = (...log) => unsaidOutcome({ log, outcome: "Bo resigns. Cy wins." });

  it("is said without the sentences that the log has said", () => {
    assert.equal(rest("Bo resigns."), "Cy wins.");
    assert.equal(rest("Bo resigns.", "Cy wins."), "");
    assert.equal(rest("", "Bo resigns. Cy wins."), "");
    assert.equal(rest("Ann plays.", ""), "Bo resigns. Cy wins.");
    assert.equal(rest("Bo resigns", "Bo"), "Bo resigns. Cy wins.");
  });
});

describe("points of a side in short", () => {
  const points = (colour, number) => pointsFor({ sides: SIDES }, colour, number);

  it("begin with the word that the scene has for the side", () =>
    assert.deepEqual([points("red", 3), points("black", 1)], ["north +3", "south +1"]));

  it("begin with the colour in a scene of an earlier server, which names no sides", () =>
    assert.equal(pointsFor({}, "red", 3), "red +3"));

  it("are only a number where there are none", () => assert.equal(points("red", 0), "0"));
});

describe("actions in words", () => {
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

  it("have a label, cards and rows", () => {
    assert.deepEqual(actionsInWords(scene), [
      "Lay a trick: three of clubs, three of spades",
      "Put face down: seven of hearts, Slot 2",
      "Pass",
      "odd",
    ]);
  });

  it("list each label once, with its cards by suit", () => {
    const play = (card) => ({ do: `play ${card}`, label: "Play", tokens: [card] });
    const choices = [
      ...["7H", "8H", "8S", "9C", "JS", "QC", "TC"].map(play),
      { do: "pass", label: "Pass", tokens: [] },
    ];
    assert.equal(
      legalActions(choices),
      "You may play: nine, ten and queen of clubs, eight and jack of spades, seven and eight of hearts; pass.",
    );
  });

  it("are none outside the viewer's turn", () => assert.equal(legalActions([]), "It is not your turn."));
});
