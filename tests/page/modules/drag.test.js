// Dragging cards: what lifts a card, where it may be dropped, and what the end of a drag leaves behind.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyDocument } from "./elements.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { makeDraggable } from "../../../src/parlour/server/page/js/scene/drag.js";

let body;
let room;
let card;
let slot;
let below;
let dropped;
let may;
let clicks;
let now;

beforeEach(() => {
  body = emptyDocument();
  card = h("button", { class: "may", "data-do": "", "data-card": "7H", "data-token": "7H" });
  card.box = { left: 5, top: 6, width: 40, height: 60 };
  slot = h("button", { class: "may", "data-do": "", "data-token": "slot-1" });
  room = h("main", {}, h("div", { class: "board" }, slot), h("div", { class: "hand" }, card));
  body.append(room);
  [below, dropped, may, clicks, now] = [[], [], true, 0, 1000];
  makeDraggable(room, {
    may: () => may,
    goals: () => new Set(["slot-1"]),
    dropped: (thing, target) => dropped.push([thing, target]),
  });
  room.addEventListener("click", () => (clicks += 1));
  document.elementsFromPoint = () => below;
  document.elementFromPoint = () => below[0] ?? null;
});

const USUAL = { isPrimary: true, button: 0, pointerId: 1, clientX: 0, clientY: 0 };

/** Send an event of the pointer. Return whether the page has used it. */
function point(type, more = {}, target = card) {
  const event = new Event(type, { bubbles: true, cancelable: true });
  for (const [name, value] of Object.entries({ ...USUAL, ...more })) Object.defineProperty(event, name, { value });
  return !target.dispatchEvent(event);
}
const ghost = () => body.querySelector(".dragged");
const marks = () => [".dragged", ".lifted", ".goal", ".under"].filter((mark) => body.querySelector(mark));

describe("a press on a card", () => {
  it("lifts it after more than nine pixels of movement", () => {
    point("pointerdown");
    assert.equal(point("pointermove", { clientX: 9 }), false);
    assert.equal(ghost(), null);
    assert.equal(point("pointermove", { clientX: 8, clientY: 6 }), true);
    assert.deepEqual([ghost().getAttribute("data-card"), card.classList.contains("lifted")], [null, true]);
    assert.equal(ghost().style.transform, "translate(8px, 6px) scale(1.06)");
    assert.deepEqual([ghost().getAttribute("aria-hidden"), ghost().tabIndex], ["true", -1]);
    assert.deepEqual(
      [ghost().style.left, ghost().style.top, ghost().style.getPropertyValue("--card-w")],
      ["5px", "6px", "40px"],
    );
  });

  for (const [what, prepare] of [
    ["while cards may not be dragged", () => (may = false)],
    ["with another button", () => ({ button: 2 })],
    ["with a second finger", () => ({ isPrimary: false })],
  ]) {
    it(`lifts nothing ${what}`, () => {
      point("pointerdown", Object(prepare()));
      point("pointermove", { clientX: 50 });
      assert.deepEqual(marks(), []);
    });
  }

  it("lifts nothing after a redraw has replaced the card", () => {
    point("pointerdown");
    card.remove();
    point("pointermove", { clientX: 50 }, room);
    assert.deepEqual([marks(), card.classList.contains("lifted")], [[], false]);
  });

  it("follows its own pointer only", () => {
    point("pointerdown");
    point("pointermove", { clientX: 50, pointerId: 2 });
    assert.equal(ghost(), null);
    point("pointermove", { clientX: 50 });
    point("pointerup", { pointerId: 2 });
    assert.ok(ghost());
  });

  it("on a thing without a card lifts nothing", () => {
    point("pointerdown", {}, slot);
    point("pointermove", { clientX: 50 });
    assert.deepEqual(marks(), []);
  });
});

describe("a dragged card", () => {
  beforeEach(() => {
    point("pointerdown");
    point("pointermove", { clientX: 50 });
  });

  it("has its goals marked, and the thing below it", () => {
    assert.deepEqual([slot.classList.contains("goal"), slot.classList.contains("under")], [true, false]);
    below = [slot];
    point("pointermove", { clientX: 51 });
    assert.equal(slot.classList.contains("under"), true);
    below = [];
    point("pointermove", { clientX: 52 });
    assert.equal(slot.classList.contains("under"), false);
  });

  it("is dropped on the thing below it, and leaves no mark", () => {
    below = [slot];
    point("pointermove", { clientX: 51 });
    assert.deepEqual(marks(), [".dragged", ".lifted", ".goal", ".under"]);
    point("pointerup");
    assert.deepEqual([dropped, marks()], [[[card, slot]], []]);
  });

  it("is dropped on the table elsewhere, and not at all over the hand", () => {
    below = [room.querySelector(".board")];
    point("pointerup");
    assert.deepEqual(dropped, [[card, null]]);
    point("pointerdown");
    point("pointermove", { clientX: 50 });
    below = [room.querySelector(".hand")];
    point("pointerup");
    assert.equal(dropped.length, 1);
    assert.deepEqual(marks(), []);
  });

  it("lies again where it was after the gesture has been cancelled", () => {
    point("pointercancel");
    assert.deepEqual(marks(), []);
    below = [slot];
    point("pointermove", { clientX: 90 });
    point("pointerup");
    assert.deepEqual([dropped, marks()], [[], []]);
  });
});

describe("a click", () => {
  const clickAfter = (wait) => {
    now += wait;
    point("click", { timeStamp: now });
    return clicks;
  };

  it("right after a drag belongs to it, and a later one does not", () => {
    point("pointerdown");
    point("pointermove", { clientX: 50 });
    point("pointerup", { timeStamp: now });
    assert.equal(clickAfter(59), 0);
    assert.equal(clickAfter(1), 1);
  });

  it("after a press without a drag counts", () => {
    point("pointerdown");
    point("pointerup");
    assert.deepEqual([clickAfter(0), dropped], [1, []]);
  });
});
