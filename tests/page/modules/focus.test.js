// The focus through redraws: it stays at the same thing, also where that is a new element.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, settle } from "./elements.js";
import { late } from "./server.js";
import { AnswerError } from "../../../src/parlour/server/page/js/common/api.js";
import { button, clear, h } from "../../../src/parlour/server/page/js/common/dom.js";
import * as sheets from "../../../src/parlour/server/page/js/common/sheets.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

let body;
let place;
beforeEach(() => {
  emptyStorage();
  body = emptyDocument();
  place = h("div");
  body.append(place);
});

const go = (words) => button(words, () => {});
const focusOn = (element) => element.focus();
const focused = () => document.activeElement;

describe("the focus in an element with new children", () => {
  it("goes to the child that shows the same thing", () => {
    clear(place, go("one"), go("two"));
    focusOn(place.children[1]);
    clear(place, go("zero"), go("two"), go("one"));
    assert.equal(focused(), place.children[1]);
  });

  it("stays at a child that has only been moved", () => {
    const link = h("input", { "aria-label": "Link" });
    clear(place, link);
    focusOn(link);
    clear(place, go("one"), link);
    assert.equal(focused(), link);
  });

  it("keeps its place among equal things", () => {
    clear(place, go("again"), go("again"));
    focusOn(place.children[1]);
    clear(place, go("again"), go("again"), go("again"));
    assert.equal(focused(), place.children[1]);
  });

  it("keeps the caret in a field", () => {
    const field = () => h("input", { name: "name" });
    clear(place, field());
    focusOn(place.children[0]);
    place.children[0].setSelectionRange(2, 4);
    clear(place, field());
    const { selectionStart, selectionEnd } = focused();
    assert.deepEqual([focused(), selectionStart, selectionEnd], [place.children[0], 2, 4]);
  });

  it("goes nowhere if the thing is gone", () => {
    clear(place, go("one"));
    focusOn(place.children[0]);
    clear(place, go("two"));
    assert.equal(focused(), null);
  });

  it("stays outside", () => {
    const outside = go("one");
    body.append(outside);
    clear(place, go("one"));
    focusOn(outside);
    clear(place, go("one"));
    assert.equal(focused(), outside);
  });
});

describe("the focus after a sheet", () => {
  it("goes to the thing that has replaced the one before", () => {
    clear(place, go("one"), go("two"));
    focusOn(place.children[1]);
    sheets.openSheet("score", "Score", "words");
    clear(place, go("one"), go("two"));
    body.querySelector("dialog").close();
    assert.equal(focused(), place.children[1]);
  });
});

describe("a sheet that has to be loaded", () => {
  const open = () => body.querySelectorAll("dialog").map(({ dataset }) => dataset.sheet);
  const sheet = (name) => () => sheets.openSheet(name, name, "words");
  const load = (request) => sheets.openLoaded("help", "Help", () => request.body);

  it("is opened once by two quick presses", async () => {
    const [first, second] = [late(), late()];
    load(first);
    load(second);
    first.give(sheet("help"));
    await settle();
    const [opened] = body.querySelectorAll("dialog");
    second.give(sheet("help"));
    await settle();
    assert.deepEqual([open(), body.querySelector("dialog")], [["help"], opened]);
  });

  it("does not take the place of one that was opened meanwhile", async () => {
    const request = late();
    load(request);
    sheet("score")();
    request.give(sheet("help"));
    await settle();
    assert.deepEqual(open(), ["score"]);
  });

  it("says why it cannot be opened", async () => {
    for (const [error, text] of [
      [new TypeError("Failed to fetch dynamically imported module"), t("unreachable")],
      [new AnswerError("too many requests", 429), "too many requests"],
    ]) {
      await sheets.openLoaded("help", "Help", () => Promise.reject(error));
      assert.equal(body.querySelector("[data-sheet=help] .failure").textContent, text);
    }
  });
});
