// Sheets over a table, the bar above it, the help, and what screen readers are told.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, press, pressKey, settle, texts } from "./elements.js";
import { late } from "./server.js";
import { makeBar, nameTool, tool } from "../../../src/parlour/server/page/js/common/bar.js";
import { announce, button, clear, h, liveRegion } from "../../../src/parlour/server/page/js/common/dom.js";
import { showFailure } from "../../../src/parlour/server/page/js/common/failure.js";
import { helpSheet, replayKeysSheet } from "../../../src/parlour/server/page/js/common/help_sheet.js";
import { remember, settings } from "../../../src/parlour/server/page/js/common/settings.js";
import * as sheets from "../../../src/parlour/server/page/js/common/sheets.js";
import { rowsContent } from "../../../src/parlour/server/page/js/scene/card_sheets.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

let body;
const open = () => body.querySelectorAll("dialog").map(({ dataset }) => dataset.sheet);
const sheet = (name) => body.querySelector(`[data-sheet=${name}]`);

beforeEach(() => {
  emptyStorage();
  body = emptyDocument();
});

describe("an element", () => {
  it("has its attributes except those that are null, undefined or false, and its listeners and variables", () => {
    let pressed = 0;
    const on = { click: () => (pressed += 1) };
    const made = h("a", {
      class: "b",
      title: null,
      href: undefined,
      hidden: false,
      download: true,
      vars: { "--n": 2 },
      on,
    });
    made.click();
    assert.deepEqual(
      [...made.attributes],
      [
        ["class", "b"],
        ["download", ""],
      ],
    );
    assert.deepEqual([made.style.getPropertyValue("--n"), pressed], ["2", 1]);
  });

  it("has nested children without null, undefined and false, but with 0", () => {
    const made = h("p", {}, ["a", [null, ["b"]]], undefined, false, 0);
    assert.equal(made.textContent, "ab0");
    assert.equal(clear(made, "", "c", null).textContent, "c");
  });

  it("that is a button keeps its own class and has its icon before the label", () => {
    const made = button("Go", () => {}, { class: "primary", "data-go": "x" }, h("i", {}, "*"));
    assert.deepEqual([made.className, made.dataset.go, made.textContent], ["button primary", "x", "*Go"]);
    assert.equal(button("Go", () => {}).className, "button");
  });
});

describe("an announcement", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());
  const read = (region) => {
    mock.timers.tick(1000);
    return texts("p", region);
  };

  it("is joined with others of the same moment, in words, and not repeated by later ones", () => {
    const region = Object.assign(liveRegion(), { id: "live" });
    body.append(region);
    for (const text of ["7♥ is played.\n\nYour turn.", null, "", "It is late."]) announce(text);
    assert.deepEqual(read(region), ["seven of hearts is played.", "Your turn.", "It is late."]);
    announce("Next.");
    assert.deepEqual(read(region), ["Next."]);
  });

  it("is read in the top sheet, which makes the rest inert", () => {
    body.append(Object.assign(liveRegion(), { id: "live" }));
    sheets.openSheet("one", "", []);
    sheets.openSheet("two", "", [], { over: true });
    announce("Hello.");
    assert.deepEqual(read(sheet("two")), ["Hello."]);
    assert.deepEqual([texts("p", sheet("one")), texts("p", document.getElementById("live"))], [[], []]);
  });
});

describe("a sheet", () => {
  it("takes the place of others, unless it lies over them", () => {
    sheets.openSheet("one", "", []);
    sheets.openSheet("two", "", []);
    assert.deepEqual(open(), ["two"]);
    sheets.openSheet("three", "", [], { over: true });
    assert.deepEqual([open(), sheets.sheetOpen()], [["two", "three"], "three"]);
    sheets.closeTopSheet();
    assert.equal(sheets.sheetOpen(), "two");
    sheets.closeTopSheet();
    assert.deepEqual([open(), sheets.sheetOpen(), sheets.closeTopSheet()], [[], null, undefined]);
  });

  it("has a title, a button that closes it, and the focus, which its main button takes", async () => {
    const closed = sheets.openSheet("one", "Title", "words");
    const [close] = sheet("one").querySelectorAll(".icon-button");
    assert.deepEqual([texts("h2", body), document.activeElement === close], [["Title"], true]);
    await press(close);
    await closed;
    const go = (end) => button("Go", end, { class: "primary" });
    sheets.openSheet("two", "", [], { actions: [(end) => button("No", end), go] });
    assert.equal(document.activeElement.textContent, "Go");
    await press(document.activeElement);
    assert.deepEqual(open(), []);
  });

  for (const [kind, stays] of [
    ["side", false],
    ["center", true],
  ]) {
    it(`of the kind ${kind} ${stays ? "stays" : "is closed"} at a press beside it, and stays at one in it`, () => {
      sheets.openSheet("one", "", h("p", {}, "words"), { kind });
      const words = sheet("one").querySelector("p");
      const pressOn = (down, up) => {
        down.dispatchEvent(new Event("pointerdown", { bubbles: true }));
        up.click();
      };
      pressOn(words, words);
      pressOn(words, sheet("one")); // a selection of text that ends beside it
      assert.deepEqual(open(), ["one"]);
      pressOn(sheet("one"), sheet("one"));
      assert.deepEqual(open(), stays ? ["one"] : []);
    });
  }

  it("beside the table blocks nothing, and is closed by itself", () => {
    assert.equal(sheets.closeSheetBeside(), false);
    const app = h("div", {});
    body.append(app);
    sheets.openSheet("end", "", [], { beside: app });
    assert.deepEqual([sheet("end").parent, sheets.sheetOpen()], [app, null]);
    sheets.openSheet("rules", "", []);
    assert.deepEqual(open(), ["end", "rules"]);
    assert.deepEqual([sheets.closeSheetBeside(), open()], [true, ["rules"]]);
    sheets.openSheet("end", "", [], { beside: app });
    assert.deepEqual(open(), ["end", "rules"]);
  });

  it("is waited for by others that the viewer did not ask for, however many follow", async () => {
    let free = false;
    sheets.openSheet("one", "", []).then(() => sheets.openSheet("two", "", []));
    sheets.noSheetOpen().then(() => (free = true));
    for (const expected of [false, false, true]) {
      await settle();
      assert.equal(free, expected);
      sheets.closeTopSheet();
      await settle();
    }
    await sheets.noSheetOpen();
  });
});

describe("the sheet of the rules", () => {
  const HTML = '<p><b data-clause="TW-1">1</b> One.</p><ul><li><b data-clause="TW-2">2</b> Two.</li></ul>';

  it("waits for them, and shows the clause that was asked for", async () => {
    const rules = late();
    sheets.openSheet("score", "", []);
    sheets.rulesSheet("Whist", () => rules.body, "TW-2");
    assert.deepEqual([open(), sheet("rules").textContent.includes(t("loading"))], [["score", "rules"], true]);
    rules.give({ html: HTML });
    await settle();
    assert.ok(!sheet("rules").textContent.includes(t("loading")));
    const [asked] = sheet("rules").querySelectorAll(".asked-for");
    assert.deepEqual([asked.textContent, document.activeElement === asked], ["2 Two.", true]);
    assert.deepEqual(asked.scrolls, [{ block: "center" }]);
  });

  for (const clause of ["", "TW-9"]) {
    it(`begins at the beginning without a known clause: "${clause}"`, async () => {
      sheets.rulesSheet("Whist", () => Promise.resolve({ html: HTML }), clause);
      await settle();
      assert.equal(sheet("rules").querySelector(".asked-for"), null);
      assert.equal(sheet("rules").querySelector(".rules").textContent, "1 One.2 Two.");
    });
  }

  it("says why there are none", async () => {
    sheets.rulesSheet("Whist", () => Promise.reject(new Error("away")));
    await settle();
    assert.deepEqual(texts(".rules [role=alert]", sheet("rules")), ["away"]);
  });

  it("is opened at its clause by the button of a clause", () => {
    const asked = [];
    const made = sheets.clauseButton("TW-7", (clause) => asked.push(clause));
    made.click();
    assert.deepEqual([made.textContent, made.title, asked], ["rule\u00a07", "Rule 7", ["TW-7"]]);
  });
});

const standing = (label, now, more = {}) => ({ label, now, before: 0, side: "", own: false, ...more });
const line = (area, points, more = {}) => ({ area, what: "won", points, side: "", clause: "", ...more });
const area = (id, more = {}) => ({ id, title: id, side: "", points: null, points_for: "", rows: [], ...more });
const scene = (more) => ({ standings: [], score: [], areas: [], counted: "tricks", pause: "", ...more });

describe("the score", () => {
  const content = (more, asked = []) => {
    const made = h(
      "div",
      {},
      sheets.scoreContent(scene(more), (clause) => asked.push(clause)),
    );
    return (selector) => texts(selector, made);
  };

  it("has the points before the round where they have changed, signed where they are of a side", () => {
    const of = content({
      standings: [
        standing("Ann", 3, { before: 2 }),
        standing("Bo", 2, { before: 2 }),
        standing("Cy", 1, { side: "red" }),
      ],
    });
    assert.deepEqual(of(".total"), ["3", "2", "+1"]);
    assert.deepEqual(of(".before"), ["before this round 2"]);
  });

  it("names its unit, unless that is points or the score has points for sides", () => {
    const standings = [standing("Ann", 3)];
    assert.deepEqual(content({ standings })(".counted"), ["tricks"]);
    assert.deepEqual(content({})(".counted"), []);
    assert.deepEqual(content({ standings, counted: "points" })(".counted"), []);
    const sided = content({ standings, areas: [area("Ann")], score: [line("Ann", 1, { side: "red" })] });
    assert.deepEqual([sided(".counted"), sided(".number"), sided(".fine-print")], [[], ["red +1"], [t("scoreHint")]]);
  });

  it("has the lines of each area that has some, with their sum where there are several", () => {
    const of = content({
      areas: [area("Ann"), area("Bo"), area("Cy", { side: "black" })],
      score: [line("Ann", 2), line("Cy", 1), line("Ann", -5)],
    });
    assert.deepEqual(of(".score-of"), ["Ann−3", "Cy"]);
    assert.deepEqual(of(".number"), ["2", "−5", "+1"]);
    assert.deepEqual(of("h3")[0], t("countsNow"));
  });

  it("has the points of an area for the side that gains them as its sum", () => {
    const score = [line("Ann", 2, { side: "red" }), line("Ann", 1, { side: "black" })];
    const of = content({ areas: [area("Ann", { points: 1, points_for: "red" })], score });
    assert.deepEqual(of(".score-of b"), ["red +1"]);
  });

  it("marks the viewer's area as the standings do, and no area for onlookers", () => {
    const areas = [area("the middle", { seat: null }), area("Ann", { seat: 0 }), area("Bo", { seat: 1 })];
    const score = areas.map(({ id }) => line(id, 1));
    assert.deepEqual(content({ areas, score, seat: 1 })(".score-area.own .score-of"), ["Bo"]);
    assert.deepEqual(content({ areas, score, seat: -1 })(".score-area.own .score-of"), []);
  });

  it("opens the rules at the clause of a line", () => {
    const asked = [];
    const made = h(
      "div",
      {},
      sheets.scoreContent(scene({ areas: [area("Ann")], score: [line("Ann", 2, { clause: "TW-9" })] }), (clause) =>
        asked.push(clause),
      ),
    );
    made.querySelector("button.score-line").click();
    assert.deepEqual([asked, texts(".clause", made)], [["TW-9"], ["rule\u00a09"]]);
  });
});

describe("the log", () => {
  it("has a gap between rounds, and the explanation of a line after it", () => {
    const list = sheets.logList(["one", "", "two"], (text) => (text === "two" ? h("li", {}, "explained") : []));
    assert.deepEqual(texts("li", list), ["one", "", "two", "explained"]);
    assert.deepEqual(texts(".gap", list), [""]);
  });

  it("says that nothing has happened, also after an empty line", () => {
    for (const log of [[], [""]]) assert.equal(sheets.logList(log).textContent, t("logEmpty"));
  });
});

describe("the sheet at the end of a round", () => {
  it("goes on at a press of its button, which has the focus", async () => {
    const closed = sheets.pauseSheet(scene({ pause: "Round 1 is over." }), () => {});
    assert.deepEqual(texts("h2", sheet("pause")), ["Round 1 is over."]);
    assert.equal(document.activeElement.dataset.go, "next");
    await press(document.activeElement);
    await closed;
    assert.deepEqual(open(), []);
  });

  describe("ignores Enter and the space bar", () => {
    /** Open the sheet these milliseconds before the next key. Return whether each key is ignored. */
    function areIgnored(milliseconds, held = {}) {
      mock.method(performance, "now", () => new Event("keydown").timeStamp - milliseconds);
      sheets.pauseSheet(scene({ pause: "Round 1 is over." }), () => {});
      return ["Enter", " "].map((key) => pressKey(key, held));
    }
    afterEach(() => mock.restoreAll());

    it("that were pressed for the table before the player could see it", () => {
      assert.deepEqual(areIgnored(-1_000_000), [true, true]);
    });

    it("while they are held down, and no other key", () => {
      assert.deepEqual(areIgnored(1000, { repeat: true }), [true, true]);
      assert.equal(pressKey("Tab", { repeat: true }), false);
    });

    it("no longer once the player has seen it", () => {
      assert.deepEqual(areIgnored(1000), [false, false]);
    });
  });
});

describe("the button for another game", () => {
  const WAYS = {
    next: false,
    rating: null,
    record: "/r",
    replay: "/g",
    review: null,
    sealed: "",
    club: null,
    others: null,
  };
  const go = () => sheet("end").querySelector("[data-go=again]");
  const failure = () => sheet("end").querySelector(".failure").textContent;

  it("asks once while it waits, and can be pressed again after a failure", async () => {
    let asked = 0;
    const tries = [late(), late()];
    const again = () => tries[asked++].body;
    sheets.endSheet(scene({ outcome: "Ann wins." }), { ...WAYS, again }, () => {});
    press(go());
    assert.equal(go().disabled, true);
    tries[0].give(Promise.reject(new Error("away")));
    await settle();
    assert.deepEqual([failure(), go().disabled, go().textContent], ["away", false, t("again")]);
    press(go());
    assert.deepEqual([failure(), asked], ["", 2]);
  });

  it("leads to the next game where one exists", () => {
    sheets.endSheet(scene({ outcome: "" }), { ...WAYS, next: true, again: () => {} }, () => {});
    assert.equal(go().textContent, t("nextGame"));
  });
});

describe("rows that are looked through", () => {
  it("have all cards face up, and the number of those that are unknown", () => {
    const cards = [{ card: "7H", face_up: false, mark: "" }];
    const made = h(
      "div",
      {},
      rowsContent([
        { label: "Pile", cards, hidden: 2 },
        { label: "Wall", cards, hidden: 0 },
      ]),
    );
    assert.deepEqual(texts(".fine-print", made), ["and 2 cards face down"]);
    assert.equal(made.querySelector("[data-card]").getAttribute("aria-label"), "seven of hearts");
  });
});

describe("the bar above a table", () => {
  const bar = () => {
    const none = () => {};
    const made = makeBar({ talk: none, people: none, last: none, hint: none, score: none, rules: none });
    body.append(made.element);
    return made;
  };
  const soundTool = () => body.querySelector("[data-tool=sound]");

  it("hides the tools that a table may lack", () => {
    bar();
    const hidden = body.querySelectorAll("[data-tool][hidden]").map(({ dataset }) => dataset.tool);
    assert.deepEqual(hidden.sort(), ["hint", "last", "score", "talk"]);
  });

  it("names the tool of the last trick, and hides it without a name", () => {
    const { nameLastTool } = bar();
    const last = body.querySelector("[data-tool=last]");
    nameLastTool("Discards");
    assert.deepEqual(
      [last.hidden, last.title, last.getAttribute("aria-label"), last.textContent],
      [false, "Discards", "Discards", "Discards"],
    );
    nameLastTool("");
    assert.equal(last.hidden, true);
  });

  it("shows whether sound is on, also after a change in the settings or in another window", () => {
    bar();
    const state = () => [soundTool().getAttribute("aria-pressed"), soundTool().title];
    assert.deepEqual(state(), ["true", "Sound is on (V)"]);
    soundTool().click();
    assert.deepEqual([...state(), settings().sound], ["false", "Sound is off (V)", false]);
    remember({ sound: true });
    assert.deepEqual(state(), ["true", "Sound is on (V)"]);
    localStorage.setItem("parlour", JSON.stringify({ sound: false }));
    dispatchEvent(new Event("storage"));
    assert.deepEqual(state(), ["false", "Sound is off (V)"]);
  });

  it("keeps the icon of a tool that gets another name", () => {
    const made = tool("talk", "Talk", () => {});
    nameTool(made, "Talk, 2 new");
    assert.deepEqual(
      [made.title, made.querySelector("span").textContent, made.children.length],
      ["Talk, 2 new", "Talk, 2 new", 2],
    );
  });
});

describe("the help", () => {
  it("closes before it presses a tool, whose sheet stays", () => {
    const rules = tool("rules", "Rules", () => sheets.openSheet("rules", "", []));
    body.append(
      h(
        "nav",
        { class: "tools" },
        rules,
        Object.assign(
          tool("hint", "Hint", () => {}),
          { hidden: true },
        ),
      ),
    );
    helpSheet("table");
    const lines = body.querySelectorAll(".tool-line");
    assert.equal(lines.length, 1);
    lines[0].click();
    assert.deepEqual(open(), ["rules"]);
  });

  for (const [page, show, has, lacks] of [
    ["a table", () => helpSheet("table"), ["M", "V", "N"], ["Home End"]],
    ["a lesson", () => helpSheet("lesson"), ["B", "Space", "R"], ["S", "N", "M", "V", "L", "U"]],
    ["a puzzle", () => helpSheet("puzzle"), ["B", "S", "N"], ["Space", "M", "V", "L", "U"]],
    ["a replay", replayKeysSheet, ["Home End", "Space", "S"], ["B", "N", "M"]],
  ]) {
    it(`of ${page} has the keys that do something there`, () => {
      show();
      const keys = texts("kbd", sheet("help"));
      const found = [has, lacks].map((list) => list.filter((key) => keys.includes(key)));
      assert.deepEqual(found, [has, []]);
    });
  }
});

describe("a page that cannot be opened", () => {
  it("says why, and leads to the landing", () => {
    showFailure(body, "No such table.");
    assert.deepEqual([document.title, texts("[role=alert]", body)], [t("parlour"), ["No such table."]]);
    assert.equal(body.querySelector("a").href, "/");
  });
});
