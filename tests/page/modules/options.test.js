// The rows of a game's options, and the reasons against them.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import "./browser.js";
import { emptyPage, press, texts } from "./elements.js";
import { option } from "./game_options.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { optionRows, reasonAgainst } from "../../../src/parlour/server/page/js/landing/options.js";

let body;
const field = (name) => body.querySelector(`[name=${name}]`);

beforeEach(() => {
  ({ body } = emptyPage());
});

describe("the server's reason against options", () => {
  const OPTIONS = [
    option("teams", { title: "Teams", kind: "text", values: ["none"], titles: { pairs: "Pairs" } }),
    option("hand_cards", { title: "Cards in a hand", kind: "number" }),
    option("lead", { title: "Only the lead counts" }),
  ];
  /** What is read, and the clause that is opened by its button. */
  function read(reason) {
    let opened = "";
    body.replaceChildren(...reasonAgainst(reason, { options: OPTIONS }, (clause) => (opened = clause)));
    body.querySelector("button")?.click();
    return [body.textContent, opened];
  }

  it("has their titles and the words of their values instead of the notation, and a button for its clause", () => {
    assert.deepEqual(read("hand_cards=5 is too small: the tricks have 7 cards (3T-8)"), [
      `“Cards in a hand: 5” is too small: the tricks have 7 cards. ${t("clauseSign", "3T-8")}`,
      "3T-8",
    ]);
    assert.equal(read("lead=true needs two sides")[0], `“Only the lead counts: ${t("optionOn")}” needs two sides.`);
    assert.match(read("teams=pairs is not for 3 players: no (T-1)")[0], /^“Teams: Pairs” is not for 3 players: no\. /);
    assert.match(read("teams=ABAB is not for 6 players")[0], /^“Teams: ABAB” is not for/);
  });

  it("has the title in place of the name at the beginning, in other languages too", () => {
    assert.equal(read("hand_cards is 12, but may be 5 to 10")[0], "“Cards in a hand” is 12, but may be 5 to 10.");
    assert.equal(
      read("hand_cards ist 12; möglich: 5 bis 10 (W-1)")[0].split(" (")[0].split(". ")[0],
      "“Cards in a hand” ist 12; möglich: 5 bis 10",
    );
    assert.match(read("teams=ABAB ist nicht für 6 Spieler: nein")[0], /^“Teams: ABAB” ist nicht für 6 Spieler/);
  });

  it("keeps what is no option of the game", () => {
    assert.deepEqual(read("x=1 is odd."), ["X=1 is odd.", ""]);
  });
});

describe("the row of an option", () => {
  const rows = (more, chosen = {}) => {
    const made = optionRows(
      { options: [option("nil", more)] },
      2,
      chosen,
      () => {},
      () => {},
    );
    body.replaceChildren(...made);
    return [texts(".consequence")[0], made[0].className.trim().split(/\s+/).slice(1)];
  };

  it("tells what its value means, and within which limits", () => {
    assert.deepEqual(rows({}), ["What nil does.", []]);
    assert.deepEqual(rows({ consequences: { true: "Nil counts." } }, { nil: true }), ["Nil counts.", ["changed"]]);
    const number = { kind: "number", limits: { 2: [1, 3] }, defaults: { 2: 2 } };
    assert.equal(rows(number)[0], `What nil does. ${t("limitsOf", 1, 3)}`);
    assert.deepEqual([field("nil").getAttribute("min"), field("nil").getAttribute("max")], ["1", "3"]);
  });

  it("has the titles of a text's usual values, and for another text a field that says what it may be", () => {
    const teams = {
      kind: "text",
      values: ["none", "pairs"],
      titles: { none: "No teams", pairs: "Pairs" },
      pattern: "[A-Z]+",
      pattern_words: "a letter for each player",
      defaults: { 2: "none" },
    };
    const own = () => body.querySelector(".own-text");
    assert.equal(rows(teams)[0], "What nil does.");
    assert.deepEqual(texts("option"), ["No teams", "Pairs", t("otherValue")]);
    assert.equal(own().hidden, true);
    field("nil").selectedIndex = 2;
    press(field("nil"), "change");
    assert.equal(own().hidden, false);
    assert.equal(own().querySelector("input").validationMessage, "A letter for each player.");
    assert.equal(rows(teams, { nil: "ABAB" })[0], "", "the meaning of the usual values is not that of this one");
    assert.deepEqual([own().hidden, own().querySelector("input").value], [false, "ABAB"]);
    assert.deepEqual(texts(".own-text small"), ["A letter for each player."]);
    assert.deepEqual(rows({ ...teams, refused: { 2: { pairs: "needs four players (W-4)" } } })[1], ["limited"]);
    assert.equal(body.querySelectorAll("option").at(-1).disabled, true);
  });

  it("tells why values are refused, and is fixed where all others are", () => {
    const refused = { 2: { true: "needs three players (W-4)" } };
    assert.deepEqual(rows({ refused }), ["Needs three players.", ["limited"]]);
    assert.equal(field("nil").disabled, true);
    const choice = {
      kind: "choice",
      values: ["a", "b", "c"],
      titles: { a: "A" },
      defaults: { 2: "a" },
      refused: { 2: { b: "is odd" } },
    };
    assert.deepEqual(rows(choice), ["What nil does. Is odd.", []]);
    assert.deepEqual(texts("option"), ["A", "B", "C"]);
    assert.deepEqual(
      body.querySelectorAll("option").map((one) => one.disabled === true),
      [false, true, false],
    );
  });
});
