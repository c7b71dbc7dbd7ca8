// Messages of the page in the language of a catalogue.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

const MODULES = "../../../src/parlour/server/page/js/common";

/** A catalogue whose plural form is 0 for 0 and 1, as in French. */
const CATALOGUE = {
  language: "fr",
  languages: { en: "English", fr: "Français" },
  plurals: `00${"1".repeat(198)}`,
  messages: {
    "{label}: {text}": ["{label} : {text}"],
    "{ranks} of {suit}": ["{ranks} de {suit}"],
    "ace of {suit}": ["as de {suit}"],
    "rank\u0004ace": ["as"],
    "rank\u0004ten": ["dix"],
    hearts: ["cœur"],
    "{number} point": ["{number} point", "{number} points"],
    "chance to win\u0004{number} point": ["{number} pour cent", "{number} pour cents"],
    "{number} card": ["{number} carte", "{number} cartes"],
    "You may {actions}.": ["Possible : {actions}."],
  },
};

describe("a page in another language", () => {
  /** @type {any} */
  let texts;
  /** @type {any} */
  let language;

  before(async () => {
    Object.assign(globalThis, { parlourCatalogue: CATALOGUE });
    language = await import(`${MODULES}/language.js`);
    texts = await import(`${MODULES}/texts.js`);
  });

  it("fills the fields of a translation, and keeps a message without one", () => {
    assert.equal(texts.t("saidBy", "Ada", "oui"), "Ada : oui");
    assert.equal(texts.t("seat", 2), "Seat 2");
  });

  it("takes the plural form of a number", () => {
    assert.deepEqual(
      [0, 1, 2, 301].map((number) => texts.t("cards", number)),
      ["0 carte", "1 carte", "2 cartes", "301 cartes"],
    );
    for (const number of [99, 100, 101, 199, 200, 201, 299, 300, 1000, 1001]) {
      assert.equal(texts.t("cards", number), `${number} cartes`);
    }
  });

  it("tells points of a game from those of a chance", () => {
    /** @param {number} number */
    const cost = (number) => language.npgettext("chance to win", "{number} point", "{number} points", number);
    assert.deepEqual([1, 2].map(cost), ["1 pour cent", "2 pour cents"]);
    assert.deepEqual([texts.t("pointsLong", 1), texts.t("pointsLong", 2)], ["1 point", "2 points"]);
  });

  it("names cards, one or several of a suit", () => {
    assert.equal(texts.t("card", "AH"), "as de cœur");
    assert.equal(texts.t("cardsOfSuit", ["TH", "AH"]), "dix et as de cœur");
  });

  it("leaves the labels of buttons as they are within a sentence", () => {
    const parts = [texts.t("legalAction", "Jouer", "as de cœur"), texts.t("legalAction", "Passer", "")];
    assert.equal(texts.t("legalActions", parts), "Possible : Jouer : as de cœur; Passer.");
  });

  it("isolates a name from right to left, so that a number beside it stays on its side", () => {
    for (const name of ["أحمد", "דָּוִד", "Ann אן"]) {
      assert.equal(language.isolated(name), `\u2068${name}\u2069`);
      assert.equal(texts.t("saidBy", name, "oui"), `\u2068${name}\u2069 : oui`);
      assert.equal(language.listedChoice([name, "b"]), `\u2068${name}\u2069 ou b`);
    }
    for (const name of ["Ann", "李小龍", "Ольга", "♠ 3"]) assert.equal(language.isolated(name), name);
  });

  it("writes dates and lists in its language", () => {
    assert.equal(language.listedChoice(["a", "b"]), "a ou b");
    assert.match(texts.t("dailyOf", "2026-11-23"), /23 novembre/);
  });
});
