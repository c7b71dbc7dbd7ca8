// The panel beside a table: its log follows the game unless the viewer reads earlier lines.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import "./browser.js";
import { emptyDocument, observers, texts } from "./elements.js";
import { SidePanel } from "../../../src/parlour/server/page/js/scene/side_panel.js";

const SCENE = { standings: [], score: [], areas: [], counted: "points" };

describe("the log beside a table", () => {
  let panel;
  const draw = (log) => {
    const { scrolled } = panel;
    panel.draw(SCENE, log);
    panel.scroll(scrolled);
  };
  const scroll = (scrollTop) => {
    Object.defineProperty(panel.log, "clientHeight", { value: 100, configurable: true });
    Object.assign(panel.log, { scrollTop, scrollHeight: 500 });
  };

  beforeEach(() => {
    const body = emptyDocument();
    panel = new SidePanel(
      () => () => [],
      () => {},
    );
    body.append(panel.element);
    draw(["one"]);
  });

  it("is scrolled to a new line", () => {
    scroll(400);
    draw(["one", "two"]);
    assert.deepEqual([texts(".log li"), panel.log.scrollTop], [["one", "two"], 500]);
  });

  it("stays where earlier lines are read", () => {
    scroll(200);
    draw(["one", "two"]);
    assert.deepEqual([texts(".log li"), panel.log.scrollTop], [["one", "two"], 200]);
  });

  it("is at its end when a wider window shows it, and stays where it is read when the window changes then", () => {
    const resize = (height) => observers.at(-1).call([{ contentRect: { height } }]);
    resize(0);
    scroll(0);
    resize(100);
    assert.equal(panel.log.scrollTop, 500);
    scroll(200);
    resize(90);
    assert.equal(panel.log.scrollTop, 200);
  });

  it("begins at its end if it is another one", () => {
    scroll(200);
    const [before] = [panel.log];
    draw(["another"]);
    assert.notEqual(panel.log, before);
    assert.equal(panel.log.scrollTop, panel.log.scrollHeight);
  });
});
