import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./browser.js";
import { decides } from "../../../src/parlour/server/page/js/table/turn_notice.js";

const scene = (legal, more) => ({ legal, over: false, seat: 0, ...more });

describe("the player has to decide", () => {
  it("in the own turn, also among people with one action", () => {
    assert.equal(decides(scene(["7H", "8H"]), true), true);
    assert.equal(decides(scene(["7H"]), false), true);
  });

  it("not in another's turn, at the end, without a seat, or where the page acts by itself", () => {
    assert.equal(decides(scene([]), false), false);
    assert.equal(decides(scene(["7H"], { over: true }), false), false);
    assert.equal(decides(scene(["7H"], { seat: -1 }), false), false);
    assert.equal(decides(scene(["7H"]), true), false);
  });
});
