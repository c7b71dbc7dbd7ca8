// Parts that have left the page, with a request or a timer under way: they ask for nothing more, and write nothing.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyPage, settle, texts } from "./elements.js";
import { late, serve } from "./server.js";
import { TABLE } from "./table_room.js";
import { resultPlace } from "../../../src/parlour/server/page/js/daily/daily_result.js";
import { SeatPanel } from "../../../src/parlour/server/page/js/table/seat_panel.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";

let body;

beforeEach(() => {
  emptyStorage();
  ({ body } = emptyPage());
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** Let a time pass second by second. */
async function wait(seconds) {
  for (let second = 0; second < seconds; second += 1) {
    mock.timers.tick(1000);
    await settle();
  }
}

describe("a result in a daily deal that has left the page", () => {
  const score = { won: true, points: 3, against: 2 };
  const result = { day: "2026-11-23", score, par: null, review: null, rank: 1, played: 2, streak: 0, closed: false };

  for (const [what, next] of [
    ["that is not whole yet", result],
    ["that the room cannot give now", 503],
    ["without a network", null],
  ]) {
    it(`is not requested again after an answer ${what}`, async () => {
      const sent = serve({ "/api/tables/one/daily": next });
      const place = resultPlace("one", "Whist");
      body.append(place);
      await wait(6);
      const { length } = sent;
      assert.ok(length > 1, String(length));
      place.remove();
      await wait(30);
      assert.equal(sent.length, length);
    });
  }

  it("is not requested again after an answer that comes later", async () => {
    const answer = late();
    const sent = serve({ "/api/tables/one/daily": [answer.body, result] });
    const place = resultPlace("one", "Whist");
    body.append(place);
    await settle();
    place.remove();
    answer.give(result);
    await wait(30);
    assert.equal(sent.length, 1);
  });
});

describe("the time until bots take the seats", () => {
  const OPEN = { kind: "open", name: "", taken: false, rating: null };
  let now;
  let panel;
  const tableWith = (fills_in) => ({ ...TABLE, begun: false, seats: [TABLE.seats[0], OPEN], seat: 0, fills_in });
  const drawAgain = (table) => body.replaceChildren(panel.draw(table) ?? "");
  const draw = (fills_in) => drawAgain(tableWith(fills_in));
  const pass = async (seconds) => {
    now += seconds * 1000;
    await wait(seconds);
  };

  beforeEach(() => {
    now = 0;
    mock.method(performance, "now", () => now);
    panel = new SeatPanel("one", "link", { sit() {}, redraw() {}, say() {}, absence: () => "" });
  });

  it("is counted down to none, and there is no line without such a time", async () => {
    draw(null);
    assert.deepEqual(texts(".fills"), []);
    draw(3);
    assert.deepEqual(texts(".fills"), [t("fillsAfter", 3)]);
    await pass(2);
    assert.deepEqual(texts(".fills"), [t("fillsAfter", 1)]);
    await pass(5);
    assert.deepEqual(texts(".fills"), [t("fillsAfter", 0)]);
  });

  it("goes on while a table is drawn again, and is new with the next message about it", async () => {
    const table = tableWith(60);
    drawAgain(table);
    await pass(40);
    drawAgain(table);
    assert.deepEqual(texts(".fills"), [t("fillsAfter", 20)]);
    draw(50);
    assert.deepEqual(texts(".fills"), [t("fillsAfter", 50)]);
  });

  it("has one clock, however often the panel is drawn", async () => {
    const stopped = mock.method(globalThis, "clearInterval");
    for (const seconds of [60, 59, 58]) draw(seconds);
    const [line] = body.querySelectorAll(".fills");
    await pass(1);
    assert.equal(stopped.mock.callCount(), 2);
    body.replaceChildren();
    const text = line.textContent;
    await pass(5);
    assert.deepEqual([line.textContent, stopped.mock.callCount()], [text, 3]);
  });
});
