// The drawing of scenes: cards and rows by their kind, areas and the middle, the hand and the stage.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, texts } from "./elements.js";
import { area, row, scene, seen, SIDES, turn } from "./scenes.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { remember } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { openLastTrick, openRow, rowsOnDemand } from "../../../src/parlour/server/page/js/scene/card_sheets.js";
import { cardsNamed, fan, nameOf } from "../../../src/parlour/server/page/js/scene/cards.js";
import { drawScene, isDealt } from "../../../src/parlour/server/page/js/scene/scene_view.js";
import { Selection } from "../../../src/parlour/server/page/js/scene/selection.js";
import { onResize } from "../../../src/parlour/server/page/js/scene/sizes.js";
import { Stage } from "../../../src/parlour/server/page/js/scene/stage.js";

let body;
let board;
let hand;
const labels = (selector) => body.querySelectorAll(selector).map((one) => one.getAttribute("aria-label"));
const cardsIn = (selector) => body.querySelectorAll(`${selector} [data-card]`).map(({ dataset }) => dataset.card);

beforeEach(() => {
  emptyStorage();
  body = emptyDocument();
  board = h("div", {});
  hand = h("div", {});
  body.append(board, hand);
});

/** Draw a scene with these facts about the page. */
function draw(shown, context = {}) {
  const selection = new Selection();
  selection.start(shown.choices);
  drawScene(board, hand, shown, { live: false, gathered: false, peeked: new Set(), selection, ...context });
}
/** The rows of one area in the middle of the ring. */
const ofRows = (...rows) => scene(1, { areas: [area("you", 0, []), area("Bo", 1, rows)] });

describe("the name of a card", () => {
  it("has its orientation, its mark and its state", () => {
    assert.equal(nameOf({ card: "7H", face_up: true }), "seven of hearts");
    assert.equal(
      nameOf({ card: "7H", face_up: false, mark: "wins" }, "legal"),
      "seven of hearts, face down, wins, legal",
    );
    assert.equal(nameOf({ card: null, face_up: false }), "a face-down card");
    assert.equal(nameOf({ card: "7H", face_up: true, mark: "odd one" }), "seven of hearts, odd one");
  });

  it("is that of each card in an action", () => {
    assert.deepEqual(
      cardsNamed("put 7H XB 2").map(({ dataset }) => dataset.card),
      ["7H", "XB"],
    );
    assert.equal(fan(["7H", "8H"]).children.length, 2);
  });
});

describe("things that can be chosen", () => {
  const look = (name) => {
    const found = body.querySelector(`[data-card="${name}"]`);
    return [
      found.tagName,
      ["may", "pale", "other", "picked", "later"].filter((kind) => found.classList.contains(kind)).join(" "),
    ];
  };
  const pair = { do: "lay 7H 8H", label: "Lay", tokens: ["7H", "8H"] };

  it("are legal or pale in the viewer's turn", () => {
    draw(turn(1, ["7H", "8H"], ["7H"]), { live: true });
    assert.deepEqual(
      [look("7H"), look("8H")],
      [
        ["BUTTON", "may"],
        ["BUTTON", "pale"],
      ],
    );
    assert.deepEqual(labels(".hand button, button.card"), ["seven of hearts, legal", "eight of hearts, not legal now"]);
  });

  it("are neither in another's turn, and nothing in a picture", () => {
    draw(turn(1, ["7H"]), {});
    assert.deepEqual([look("7H"), labels("button.card")], [["BUTTON", ""], ["seven of hearts"]]);
    draw(turn(1, ["7H"]), { still: true, live: true });
    assert.deepEqual(look("7H"), ["SPAN", ""]);
  });

  it("show what is picked, what goes with it, and what would go instead", () => {
    const shown = turn(1, ["7H", "8H", "9C"], [], {
      choices: [pair, { do: "lay 9C", label: "Lay", tokens: ["9C"] }],
      legal: ["lay 7H 8H", "lay 9C"],
    });
    const selection = new Selection();
    selection.start(shown.choices);
    selection.pick("7H");
    draw(shown, { live: true, selection });
    assert.deepEqual(
      ["7H", "8H", "9C"].map((name) => look(name)[1]),
      ["may picked", "may", "other"],
    );
    const pressed = ["7H", "8H"].map((name) =>
      body.querySelector(`[data-card="${name}"]`).getAttribute("aria-pressed"),
    );
    assert.deepEqual(pressed, ["true", "false"]);
  });

  it("show what is chosen in advance", () => {
    draw(turn(1, ["7H", "8H"], []), { planned: { tokens: new Set(["7H"]), open: true } });
    assert.deepEqual(
      [look("7H")[1], labels("button.card")],
      ["later", [`seven of hearts, ${t("planned")}`, "eight of hearts"]],
    );
    assert.equal(texts(".later-sign").length, 1);
  });

  it("are marked less where most are legal", () => {
    draw(turn(1, ["7H", "8H", "9H"], ["7H", "8H"]), { live: true });
    assert.deepEqual([board.classList.contains("quiet"), hand.classList.contains("quiet")], [true, true]);
    draw(turn(1, ["7H", "8H"], ["7H"]), { live: true });
    assert.equal(hand.classList.contains("quiet"), false);
  });
});

describe("a row", () => {
  it("that is a slot has its cards, or its name without any", () => {
    draw(ofRows(row("slot 1", "slot", [seen("7H"), seen("8H")]), row("slot 2", "slot")));
    assert.deepEqual(labels(".place"), ["slot 1: seven of hearts, eight of hearts", `slot 2: ${t("empty")}`]);
    assert.deepEqual(texts(".place-name"), ["slot 2"]);
  });

  it("that is a pile has its top card and its number", () => {
    const piles = [
      row("one", "pile", [seen("7H")]),
      row("two", "pile", [seen("7H"), seen("8H")]),
      row("back", "pile", [], { hidden: 1 }),
      row("stack", "pile", [], { hidden: 5 }),
      row("gone", "pile"),
      row("known", "pile", [seen("9C", null, { face_up: false })]),
    ];
    draw(ofRows(...piles));
    assert.deepEqual(labels(".pile"), [
      "one: seven of hearts",
      "two: eight of hearts",
      "back: 1 card",
      "stack: 5 cards",
      "gone: 0 cards",
      "known: nine of clubs, face down",
    ]);
    assert.deepEqual(texts(".count"), ["2", "1", "5"]);
  });

  it("that is a pile can be looked through if it has several cards that are known", () => {
    const known = row("known", "pile", [seen("7H"), seen("8H")]);
    draw(ofRows(known, row("one", "pile", [seen("7H")]), row("stack", "pile", [], { hidden: 5 })));
    assert.deepEqual(
      body.querySelectorAll("[data-show]").map(({ dataset }) => dataset.show),
      ["known"],
    );
    draw(ofRows(known), { still: true });
    assert.equal(body.querySelector("[data-show]"), null);
  });

  it("that is a life pile has its backs and its opened cards", () => {
    draw(ofRows(row("life", "life", [seen("7H")], { hidden: 3 }), row("none", "life")));
    assert.deepEqual(labels(".life"), ["life: 3 cards, opened: seven of hearts", "none: 0 cards"]);
    assert.deepEqual([texts(".life .count"), texts(".life .slot").length, texts(".place-name")], [["3"], 3, ["none"]]);
  });

  it("that is a meld has its cards side by side", () => {
    draw(ofRows(row("meld", "meld", [seen("7H"), seen("8H")]), row("none", "meld")));
    assert.deepEqual(labels(".meld"), ["meld: seven of hearts, eight of hearts", `none: ${t("empty")}`]);
    assert.deepEqual(cardsIn(".row-meld"), ["7H", "8H"]);
  });

  it("can be chosen as a whole, or asked about", () => {
    const shown = ofRows(row("slot 1", "slot", [], { token: "s1" }), row("slot 2", "slot", [], { token: "s2" }));
    const choices = [{ do: "put 1", label: "Put", tokens: ["s1"] }];
    draw({ ...shown, choices, legal: ["put 1"] }, { live: true });
    const looks = body
      .querySelectorAll("button.place")
      .map((one) => [one.dataset.token, one.classList.contains("may"), one.classList.contains("ask")]);
    assert.deepEqual(looks, [
      ["s1", true, false],
      ["s2", false, true],
    ]);
    draw(shown, {});
    assert.equal(body.querySelector("button.place"), null);
  });

  it("has numbers of its cards and backs, from which cards fly", () => {
    draw(ofRows(row("pile", "pile", [seen("7H"), seen("8H", null, { face_up: false })], { hidden: 3 })));
    const { many, backs } = body.querySelector("[data-row=pile]").dataset;
    assert.deepEqual([many, backs], ["5", "4"]);
  });
});

describe("an area", () => {
  const head = (more, rows = []) => {
    draw(scene(1, { areas: [area("you", 0, []), area("Bo", 1, rows, more)], sides: SIDES }));
    return [labels("[data-area=Bo]")[0], texts("[data-area=Bo] .area-head")[0]];
  };

  it("has its title, side, turn and points in words and in short", () => {
    assert.deepEqual(head({}), ["Bo", "Bo"]);
    assert.deepEqual(head({ points: 0 }), ["Bo, 0 points", "Bo0"]);
    assert.deepEqual(head({ side: "red", points: 1 }), ["Bo, north, 1 point", "Bo+1"]);
    assert.deepEqual(head({ side: "red", points: 2, points_for: "black" }), [
      "Bo, north, 2 points to the south",
      "Bosouth +2",
    ]);
    assert.deepEqual(head({ active: true, subtitle: "deals", notes: ["out"] }), [
      "Bo, deals, to play",
      "Boto playdealsout",
    ]);
  });

  it("has the number of another's hand, with up to nine small backs", () => {
    const hidden = (number) => head({}, [row("hand", "hand", [seen("7H")], { hidden: number })]);
    assert.equal(hidden(2)[1], "Bo3");
    assert.equal(labels(".backs")[0], "3 cards in hand");
    assert.equal(body.querySelectorAll(".tiny-back").length, 3);
    hidden(12);
    assert.equal(body.querySelectorAll(".tiny-back").length, 9);
  });

  it("with a side has open cards above face-down ones, which can be turned up", () => {
    const rows = [row("wall", "wall", [seen("7H")]), row("down", "buried", [seen("8H", null, { face_up: false })])];
    const sided = scene(1, { areas: [area("you", 0, rows, { side: "red" })] });
    draw(sided);
    assert.deepEqual([cardsIn(".tier-up"), cardsIn(".tier-down")], [["7H"], ["8H"]]);
    const turned = body.querySelector("[data-peek]");
    assert.deepEqual([turned.getAttribute("aria-pressed"), turned.title], ["false", "down: eight of hearts"]);
    draw(sided, { peeked: new Set(["down"]) });
    assert.equal(body.querySelector("[data-peek]").getAttribute("aria-pressed"), "true");
  });
});

describe("the trick in the middle", () => {
  const trick = (id, ...cards) =>
    row(
      id,
      "trick",
      cards.map((card, at) =>
        seen(card, null, { area: ["you", "Bo"][at], by: ["you", "Bo"][at], mark: at ? "wins" : "" }),
      ),
    );
  const shown = (more, ...tricks) =>
    scene(1, { areas: [area("middle", null, tricks, { subtitle: "hearts" }), area("you", 0), area("Bo", 1)], ...more });
  const inMiddle = () => cardsIn(".trick");

  it("is the present one, or the finished one until it is gathered", () => {
    draw(shown({}, trick("now", "7H", "8H")));
    assert.deepEqual(
      [inMiddle(), labels(".trick .card")],
      [
        ["7H", "8H"],
        ["you: seven of hearts", "Bo: eight of hearts, wins"],
      ],
    );
    const rest = shown({ rest: true }, trick("next", "2C"), trick("done", "7H", "8H"));
    draw(rest);
    assert.deepEqual(
      [inMiddle(), body.querySelector(".middle").classList.contains("complete"), texts(".suit-word")],
      [["7H", "8H"], true, ["hearts"]],
    );
    draw(rest, { gathered: true });
    assert.deepEqual(
      [inMiddle(), body.querySelector(".middle").classList.contains("complete"), texts(".suit-word")],
      [["2C"], false, []],
    );
  });

  it("may be lacking, and the subtitle of the middle is still displayed", () => {
    draw(shown({}, row("pile", "pile", [seen("7H")])));
    assert.deepEqual([body.querySelectorAll(".middle .trick").length, texts(".suit-word")], [0, ["hearts"]]);
  });

  it("lies towards the areas that played it", () => {
    draw(shown({}, trick("now", "7H", "8H")));
    const ways = body
      .querySelectorAll(".played")
      .map(({ style }) => [style.getPropertyValue("--x"), style.getPropertyValue("--y")]);
    assert.deepEqual(ways, [
      ["0.0000", "1.0000"],
      ["-0.0000", "-1.0000"],
    ]);
  });

  it("takes its cards out of the rows that they lie in", () => {
    const wall = area("Bo", 1, [row("wall", "wall", [seen("7H"), seen("9C")])]);
    draw(scene(1, { areas: [area("middle", null, [trick("now", "7H")]), area("you", 0), wall] }));
    assert.deepEqual(cardsIn("[data-area=Bo]"), ["9C"]);
  });
});

describe("the hand", () => {
  const cards = ["2C", "3C", "4C", "5C", "6D", "7D", "8D", "9D"];
  const lines = () => body.querySelectorAll(".fan-line").map((line) => line.children.length);

  it("is named with its cards by suit", () => {
    draw(turn(1, ["7H", "8H"]));
    assert.deepEqual(labels(".fan-row"), ["hand: seven and eight of hearts"]);
  });

  it("takes several lines where one has no space, and as many as it says", () => {
    draw(turn(1, cards));
    assert.deepEqual([lines(), hand.style.getPropertyValue("--lines")], [[8], "1"]);
    hand.box = { left: 0, top: 0, width: 200, height: 100 };
    const make = document.createElement;
    document.createElement = (tag) => Object.assign(make(tag), { box: { left: 0, top: 0, width: 60, height: 80 } });
    draw(turn(1, cards));
    assert.deepEqual(
      [lines(), hand.style.getPropertyValue("--lines"), hand.style.getPropertyValue("--n")],
      [[4, 4], "2", "6"],
    );
    draw(turn(1, cards.slice(0, 7)));
    assert.deepEqual(lines(), [7]);
  });

  it("is not that of another seat, nor shown to onlookers", () => {
    draw(turn(1, ["7H"], ["7H"], { seat: -1 }));
    assert.deepEqual(texts(".fan-row"), []);
  });
});

describe("sheets with cards on demand", () => {
  const last = (more = {}) => row("last trick", "last", [seen("7H", null, more)]);
  const of = (rows, more = {}) => scene(1, { areas: [area("middle", null, rows), area("you", 0)], ...more });
  const sheet = () => body.querySelector("dialog");

  it("have the last trick, or the rows that are shown on demand", () => {
    assert.equal(openLastTrick(null), false);
    assert.equal(openLastTrick(of([row("now", "trick", [seen("7H")])])), false);
    assert.equal(openLastTrick(of([last({ area: "you" })])), true);
    assert.deepEqual([sheet().querySelector("h2").textContent, texts(".last-trick").length], ["last trick", 1]);
    openLastTrick(of([last()]));
    assert.deepEqual([sheet().querySelector("h2").textContent, texts(".looked-through h3")], ["last trick", []]);
    openLastTrick(of([last(), row("others", "last", [seen("8H")])]));
    assert.deepEqual(
      [sheet().querySelector("h2").textContent, texts(".looked-through h3")],
      [t("seenBefore"), ["last trick", "others"]],
    );
    assert.deepEqual(
      rowsOnDemand(of([last(), row("empty", "last")])).map(({ id }) => id),
      ["last trick"],
    );
  });

  it("have the finished trick while it rests", () => {
    const tricks = [row("next", "trick"), row("done", "trick", [seen("9C", null, { area: "you" })])];
    assert.equal(openLastTrick(of(tricks)), false);
    assert.equal(openLastTrick(of(tricks, { rest: true })), true);
    assert.deepEqual(cardsIn("dialog"), ["9C"]);
  });

  it("have all cards of a row", () => {
    openRow(of([row("pile", "pile", [seen("7H")], { hidden: 1 })]), "pile");
    assert.deepEqual(
      [sheet().querySelector("h2").textContent, cardsIn("dialog"), texts("dialog .fine-print")],
      ["pile", ["7H"], ["and 1 card face down"]],
    );
  });
});

describe("a stage", () => {
  let stage;
  beforeEach(() => {
    stage = new Stage(body, "Whist", { game: "whist", beside: h("aside", {}), home: "/table/one" });
  });

  it("has the focus on its title, and a way back", () => {
    assert.deepEqual(
      [document.activeElement.textContent, body.querySelector(".tool-home").href],
      ["Whist", "/table/one"],
    );
  });

  it("draws a scene, and marks whose turn it is and that one only watches", () => {
    stage.draw(turn(1, ["7H"]), { live: true });
    const kinds = () => ["my-turn", "watching"].filter((kind) => stage.room.classList.contains(kind));
    assert.deepEqual([stage.heading.textContent, kinds(), stage.board.hidden], ["Trick 1", ["my-turn"], false]);
    stage.draw(turn(2, ["7H"], [], { seat: -1 }));
    assert.deepEqual(kinds(), ["watching"]);
  });

  it("draws the same scene again when the settings change", () => {
    remember({ back: "bricks" });
    assert.equal(stage.board.children.length, 0);
    stage.draw(turn(1, ["7H"]));
    const [before] = stage.hand.children;
    remember({ back: "waves" });
    assert.notEqual(stage.hand.children[0], before);
  });

  it("gives reasons with their clauses in a note, and takes it away", () => {
    const asked = [];
    stage.explain([{ reason: "Follow suit.", clause: "W-7" }], (clause) => asked.push(clause));
    stage.note.querySelector("button").click();
    assert.deepEqual([stage.note.hidden, stage.note.textContent, asked], [false, "Follow suit.Rule 7", ["W-7"]]);
    stage.say("");
    assert.deepEqual([stage.note.hidden, stage.note.textContent], [true, ""]);
  });

  it("is dealt once cards lie in the ring", () => {
    assert.equal(isDealt(turn(1, [])), false);
    assert.equal(isDealt(turn(1, ["7H"])), true);
    assert.equal(isDealt(scene(1, { areas: [area("middle", null, [row("pile", "pile", [seen("7H")])])] })), false);
  });
});

describe("a change of the window's width", () => {
  it("draws again, and one of its height does not", () => {
    let drawn = 0;
    globalThis.innerWidth = 800;
    onResize(() => (drawn += 1));
    for (const [width, times] of [
      [800, 0],
      [700, 1],
      [700, 1],
      [800, 2],
    ]) {
      globalThis.innerWidth = width;
      dispatchEvent(new Event("resize"));
      assert.equal(drawn, times);
    }
  });
});
