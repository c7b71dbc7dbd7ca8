// The viewer's area of a table that is higher than its window.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import "./browser.js";
import { emptyPage, observers } from "./elements.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { keepOwnAbove } from "../../../src/parlour/server/page/js/scene/own_area.js";

describe("the viewer's area above the dock", () => {
  let [own, other, dock, room] = [];
  const box = (top, bottom) => ({ left: 0, width: 360, top, bottom, height: bottom - top });

  /** Give the dock this top; its bottom stays. */
  function grow(top) {
    dock.box = box(top, 640);
    for (const { call } of observers) call();
  }

  beforeEach(() => {
    const { body } = emptyPage();
    own = h("div", { class: "area own" });
    other = h("button", { class: "place" });
    own.box = box(370, 450);
    other.box = box(110, 180);
    dock = h("section", { class: "dock" });
    room = h("main", { class: "room" }, h("div", { class: "board" }, other, own), dock);
    Object.assign(room, { box: box(80, 640), scrollTop: 0 });
    body.replaceChildren(room);
    keepOwnAbove(room, dock);
  });

  it("is scrolled into view when the dock appears over it, and when it grows", () => {
    grow(400);
    assert.equal(room.scrollTop, 54);
    own.box = box(316, 396);
    grow(350);
    assert.equal(room.scrollTop, 54 + 50);
  });

  it("is scrolled into view by the first scene, before which the dock is at the top", () => {
    own.remove();
    grow(80);
    room.querySelector(".board").append(own);
    grow(400);
    assert.equal(room.scrollTop, 54);
  });

  it("stays where the viewer has scrolled it while the dock does not grow", () => {
    grow(400);
    room.scrollTop = 0;
    grow(400);
    grow(420);
    assert.equal(room.scrollTop, 0);
  });

  it("stays where the dock does not cover it", () => {
    grow(460);
    assert.equal(room.scrollTop, 0);
  });

  it("gives way to a picked thing, which is not hidden either", () => {
    other.className = "place picked";
    grow(400);
    assert.equal(room.scrollTop, 0);
    grow(150);
    assert.equal(room.scrollTop, 30, "its upper edge stays in the room");
  });
});
