// The page of a table: its keys, sheets and hints, the end of rounds and games, explained words.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { press, pressKey, settle, texts } from "./elements.js";
import { COMPANY, area, row, scene, seen, turn } from "./scenes.js";
import { begin, end, body, heard, note, prompt, sent, say, scenes, sheet, key, told, open } from "./table_room.js";
import * as settings from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

beforeEach(begin);
afterEach(end);

describe("the keys of a table", () => {
  it("open its sheets, and say what may be played", async () => {
    await open(turn(3, ["7H", "8H"]), { log: ["one"] });
    for (const [name, opened] of [
      ["s", "score"],
      ["r", "rules"],
      ["c", "talk"],
    ]) {
      await key(name);
      assert.equal(sheet(), opened);
      await key(name);
      assert.equal(sheet(), null);
    }
    await key("m");
    assert.equal(note(), "You may play: seven and eight of hearts.");
    await key("l");
    assert.equal(note(), t("noLastTrick"));
  });

  it("switch sound and the table as text", async () => {
    await open(turn(3, ["7H", "8H"]));
    await key("v");
    assert.equal(settings.settings().sound, false);
    await key("t");
    assert.deepEqual(
      [settings.settings().text, body.querySelector(".board").hidden, sent("text").length],
      [true, true, 1],
    );
    await say({ type: "text", text: "The table." });
    assert.deepEqual(
      [texts(".as-text"), texts(".text-actions li")],
      [["The table."], ["Play: seven of hearts play 7H", "Play: eight of hearts play 8H"]],
    );
    await key("t");
    assert.equal(body.querySelector(".board").hidden, false);
  });

  it("have a field for actions as text, as long as one plays", async () => {
    settings.remember({ text: true });
    const hidden = () => body.querySelector(".text-line").hidden;
    await open(turn(3, ["7H"], []));
    assert.equal(hidden(), false);
    await scenes(turn(4, [], [], { over: true, outcome: "Ann wins." }));
    assert.equal(hidden(), true);
    await open(turn(3, ["7H"], [], { seat: -1 }), { seat: -1 });
    assert.equal(hidden(), true);
  });

  it("have no hint where there are none, in another's turn, or at the end", async () => {
    await open(turn(3, ["7H", "8H"]), { table: { hints: false } });
    await key("h");
    assert.equal(sheet(), "help");
    await open(turn(3, ["7H"], []));
    await key("h");
    assert.equal(note(), "It is not your turn.");
    await open(turn(3, ["7H"], [], { over: true, outcome: "Ann wins." }));
    await key("Escape");
    await key("h");
    assert.deepEqual([note(), sent("hint")], ["Ann wins.", []]);
  });
});

describe("a hint", () => {
  const estimate = { value: 0.6, low: 0.5, high: 0.7 };
  const candidate = (name) => ({
    do: `play ${name}`,
    phrase: `play ${name}`,
    win: estimate,
    behind: estimate,
    texts: { chance: "60 %", interval: "50–70 %", verdict: "" },
  });
  const HINT = {
    type: "hint",
    seen: 3,
    candidates: [candidate("7H"), candidate("8H")],
    others: 1,
    words: ["It is 10 % better."],
  };
  const lit = () => body.querySelectorAll(".lit").map(({ dataset }) => dataset.card);

  it("waits, and lights the cards of the best action, then of the one that is pointed at", async () => {
    await open(turn(3, ["7H", "8H"]));
    await key("h");
    assert.deepEqual(texts(".hint-sheet"), [t("hintThinking")]);
    await say({ ...COMPANY, readying: true });
    assert.deepEqual(texts(".hint-sheet"), [t("readying")]);
    await say(HINT);
    assert.deepEqual([lit(), document.activeElement.dataset.hint], [["7H"], "play 7H"]);
    assert.ok(texts(".hint-sheet")[0].includes("1 other action seemed worse."));
    body.querySelectorAll(".hint-list li")[1].dispatchEvent(new Event("pointerenter"));
    assert.deepEqual(lit(), ["8H"]);
    body.querySelector("dialog").close();
    await settle();
    assert.deepEqual(lit(), []);
  });

  it("stays as it is when a second request is answered", async () => {
    await open(turn(3, ["7H", "8H"]));
    for (const name of ["h", "h", "h"]) await key(name); // opened, closed, opened again
    await say(HINT);
    const second = body.querySelectorAll("[data-hint]")[1];
    second.focus();
    await say(HINT);
    assert.deepEqual([sent("hint").length, document.activeElement], [2, second]);
  });

  it("is done by one press, and is gone", async () => {
    await open(turn(3, ["7H", "8H"]));
    await key("h");
    await say(HINT);
    assert.deepEqual([pressKey("Enter"), pressKey(" ")], [true, true]); // meant for the button to close the sheet
    await press(body.querySelectorAll("[data-hint]")[1]);
    assert.deepEqual([sent("act").map((message) => message.do), sheet()], [["play 8H"], null]);
  });

  it("of an earlier position is not shown, nor done", async () => {
    await open(turn(3, ["7H", "8H"]));
    await key("h");
    await say({ ...HINT, seen: 2 });
    assert.equal(sheet(), null);
    await key("h");
    await say(HINT);
    const [go] = body.querySelectorAll("[data-hint]");
    await scenes(turn(5, ["7H", "8H"]));
    await press(go);
    assert.deepEqual([sent("act"), sheet()], [[], null]);
  });

  it("that comes after its sheet was closed lights nothing", async () => {
    await open(turn(3, ["7H", "8H"]));
    await key("h");
    body.querySelector("dialog").close();
    await settle();
    told();
    await say(HINT);
    assert.deepEqual([lit(), told()], [[], []]);
  });

  it("of another player is told", async () => {
    await open(turn(3, ["7H", "8H"]));
    await say({ type: "hinted", by: 1 });
    assert.equal(note(), "Bo took a hint.");
  });
});

describe("the end of a game", () => {
  const END = turn(9, [], [], { over: true, outcome: "Ann wins.", log: ["The end."] });

  it("opens its sheet once, and again by its button or after it was taken back", async () => {
    await open(turn(8, ["7H"], []));
    await scenes(END);
    assert.equal(sheet(), "end");
    body.querySelector("dialog").close();
    await say(COMPANY);
    assert.equal(sheet(), null);
    await press(body.querySelector("[data-go=end]"));
    assert.equal(sheet(), "end");
    await scenes(turn(8, ["7H"], []));
    assert.equal(sheet(), null);
    await scenes(END);
    assert.equal(sheet(), "end");
  });

  it("has its outcome as the prompt, or that of the scene without one", async () => {
    await open(END);
    assert.equal(prompt(), "Ann wins.");
    await open({ ...END, outcome: "" });
    assert.equal(prompt(), "Play a card.");
  });

  it("is told with the outcome", async () => {
    await open(turn(8, ["7H"], []));
    told();
    await scenes(END);
    assert.deepEqual(told(), ["The end.", "Ann wins."]);
    await scenes(turn(8, ["7H"], []));
    told();
    await scenes({ ...END, log: ["The end.", "", "Ann wins."] });
    assert.deepEqual(told(), ["The end.", "Ann wins."]);
    await open({ ...END, log: ["Ann wins."] });
    assert.ok(told().includes("Ann wins.")); // after the page was loaded anew, without the log
  });

  it("is told once, though its sheet is drawn again for a rematch that others propose", async () => {
    await open(turn(8, ["7H"], []));
    await scenes(END);
    told();
    await say({ type: "rematch", table: "two", seat: 0, by: [1] });
    const offer = body.querySelector(".offer").textContent;
    assert.match(offer, / wants to play again\.$/);
    assert.deepEqual(told(), [offer]);
  });

  it("waits for an open sheet", async () => {
    await open(turn(8, ["7H"], []));
    await key("s");
    await scenes(END);
    assert.equal(sheet(), "score");
    await key("s");
    assert.equal(sheet(), "end");
  });

  it("sounds when it happens, and not for those who come later", async () => {
    const ends = () => heard.filter((frequency) => frequency === 783.99).length;
    await open(END, { log: ["The end."] });
    assert.deepEqual([ends(), sheet()], [0, "end"]);
    await open(turn(8, ["7H"], []));
    await scenes(END);
    assert.equal(ends(), 1);
  });

  it("leads to the rematch by N, which others are asked about", async () => {
    const answer = { table: "two", seat: 1, by: [0] };
    await open(turn(8, ["7H"], []), { answers: { "/api/tables/one/rematch": answer } });
    await scenes(END);
    await key("n");
    await settle();
    assert.deepEqual([location.visited, settings.seatAt("two").proposed], [["/table/two"], true]);
    location.visited.length = 0;
    await open(END);
    told();
    await say({ type: "rematch", table: "three", seat: 0, by: [1] });
    assert.deepEqual([location.visited, sheet(), told().at(-1)], [[], "end", t("rematchOffered", ["Bo"])]);
  });

  it("says that another player wants to play again to those who come later, without a word aloud", async () => {
    await open(END, { company: null });
    await say({ type: "rematch", table: "two", seat: 0, by: [1] });
    told();
    await say(COMPANY);
    assert.deepEqual([location.visited, texts(".offer").length, texts("[data-go=again]")], [[], 1, [t("again")]]);
    assert.equal(
      told().some((line) => line.includes("play again")),
      false,
    );
  });
});

describe("a round that is over", () => {
  it("waits for the player, and for a sheet that is open", async () => {
    await open(turn(3, ["7H"], []));
    await key("s");
    await scenes(turn(4, [], [], { pause: "Round 1 is over." }), turn(5, ["8H"]));
    assert.equal(sheet(), "score");
    await key("s");
    assert.deepEqual([sheet(), texts(".heading")], ["pause", ["Trick 4"]]);
    await press(body.querySelector("[data-go=next]"));
    await settle();
    assert.deepEqual([sheet(), texts(".heading")], [null, ["Trick 5"]]);
  });
});

describe("a prompt of several sentences", () => {
  it("has the first in large print, also with a name that has a full stop", async () => {
    const areas = [area("you", 0), area("Dr. Bob", 1)];
    await open(scene(3, { areas, prompt: "Dr. Bob plays a card. You wait." }));
    assert.deepEqual(texts(".prompt small"), [" You wait."]);
  });
});

describe("the words of a game", () => {
  it("are explained where they first occur, once in this browser", async () => {
    await open(turn(3, ["7H"], []), { log: ["Trump is hearts.", "No trumps left."] });
    assert.deepEqual(texts(".side-panel .gloss"), ["Trump: the best suit rule\u00a04"]);
    assert.deepEqual(settings.settings().glossed, { whist: ["trump"] });
    await open(turn(3, ["7H"], []), { log: ["Trump is hearts."] });
    assert.deepEqual(texts(".side-panel .gloss"), []);
  });

  it("stay unexplained without the primer", async () => {
    await open(turn(3, ["7H"], []), { log: ["Trump is hearts."], answers: { "/api/games/whist/primer": 503 } });
    assert.deepEqual(texts(".side-panel .gloss"), []);
  });

  it("that do not come leave a primer that says so, for screen readers, too", async () => {
    settings.remember({ met: [] });
    await open(turn(3, ["7H", "8H"]), { answers: { "/api/games/whist/primer": 503 } });
    await press(body.querySelector("[data-go=primer]"));
    assert.deepEqual(texts("[data-sheet=primer] [role=alert]"), ["refused: 503"]);
  });

  it("are in the primer, with the lesson and the rules", async () => {
    settings.remember({ met: [] });
    await open(turn(3, ["7H", "8H"]));
    await press(body.querySelector("[data-go=primer]"));
    assert.deepEqual(
      [sheet(), texts(".terms li"), texts("[data-go=lesson]")],
      ["primer", ["Trump: the best suit rule\u00a04"], ["Take the lesson: 4 minutes"]],
    );
  });
});

describe("face-down cards of one's own", () => {
  const shown = () => {
    const rows = [row("wall", "wall", [seen("7H")]), row("down", "buried", [seen("8H", null, { face_up: false })])];
    return scene(3, { areas: [area("you", 0, rows, { side: "red" }), area("Bo", 1)] });
  };

  it("are turned up by a press, stay so when the table is drawn again, and are turned down", async () => {
    await open(shown());
    const state = () => [
      body.querySelector("[data-peek]").getAttribute("aria-pressed"),
      body.querySelector(".peeked") !== null,
    ];
    await press(body.querySelector("[data-peek]"));
    assert.deepEqual([state(), told().at(-1)], [["true", true], "down: eight of hearts"]);
    settings.remember({ back: "waves" });
    assert.deepEqual(state(), ["true", true]);
    await press(body.querySelector("[data-peek]"));
    assert.deepEqual(state(), ["false", false]);
  });
});
