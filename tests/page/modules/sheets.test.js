// Sheets over a table, the bar above it, the help, and what screen readers are told.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, press, settle, texts } from "./elements.js";
import { late } from "./server.js";
import { makeBar, nameTool, tool } from "../../../src/parlour/server/page/js/common/bar.js";
import { announce, button, clear, h, liveRegion } from "../../../src/parlour/server/page/js/common/dom.js";
import { showFailure } from "../../../src/parlour/server/page/js/common/failure.js";
import { helpSheet, replayKeysSheet } from "../../../src/parlour/server/page/js/common/help_sheet.js";
import { remember, settings } from "../../../src/parlour/server/page/js/common/settings.js";
import * as sheets from "../../../src/parlour/server/page/js/common/sheets.js";
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

  it("lists the tools of its page only, and at a table also those that another table has", () => {
    body.append(
      h(
        "nav",
        { class: "tools" },
        tool("rules", "Rules", () => {}),
      ),
    );
    helpSheet("lesson");
    assert.equal(sheet("help").querySelectorAll(".tool-list li").length, 1);
    helpSheet("table");
    assert.ok(sheet("help").querySelectorAll(".tool-list li").length > 5);
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

  it("has no letters, digits and signs where they are switched off", () => {
    remember({ letters: false });
    helpSheet("table");
    assert.deepEqual(texts("kbd", sheet("help")), ["← →", "↑ ↓", "Enter", "Space", "Esc"]);
  });
});

describe("a page that cannot be opened", () => {
  it("says why, and leads to the landing", () => {
    showFailure(body, "No such table.");
    assert.deepEqual([document.title, texts("[role=alert]", body)], [t("parlour"), ["No such table."]]);
    assert.equal(body.querySelector("a").href, "/");
  });
});
