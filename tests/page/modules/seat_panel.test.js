// The panel of a table while others sit down: a request that goes on, and the change from watching to playing.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyPage, press, settle, texts } from "./elements.js";
import { answer, late } from "./server.js";
import { person, TABLE } from "./table_room.js";
import { keepSeat } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { SeatPanel } from "../../../src/parlour/server/page/js/table/seat_panel.js";

const OPEN = { kind: "open", name: "", taken: false, rating: null };

let body;
let panel;
/** The failures that are shown at the table. */
let said;
/** The seats that the panel has used. */
let sat;
/** Draw the panel for these seats and the viewer's one. */
let draw;
const named = (label) => body.querySelectorAll("button").find(({ textContent }) => textContent === t(label));

beforeEach(() => {
  emptyStorage();
  ({ body } = emptyPage());
  globalThis.fetch = () => Promise.resolve(answer(503));
  let redraw = () => {};
  [said, sat] = [[], []];
  panel = new SeatPanel("one", "link", {
    sit: (...seat) => sat.push(seat),
    redraw: () => redraw(),
    say: (text) => said.push(text),
    absence: (seat) => (seat === 0 ? "not here" : ""),
  });
  draw = (seats, seat = -1, begun = false) => {
    redraw = () => body.replaceChildren(panel.draw({ ...TABLE, begun, seats, seat }) ?? "");
    redraw();
  };
});

describe("a request for a seat", () => {
  it("goes on while others sit down: it is the only one until its answer, which is shown", async () => {
    const refused = late();
    globalThis.fetch = () => refused.body;
    draw([person("Ann"), OPEN, OPEN]);
    press(body.querySelector("form"), "submit");
    draw([person("Ann"), person("Bo"), OPEN]);
    assert.equal(named("join").disabled, true);
    refused.give(answer(409, { error: "Seat 2 is taken." }));
    await settle();
    assert.deepEqual([texts(".failure"), named("join").disabled], [["Seat 2 is taken."], false]);
  });

  it("that is refused while the viewer only watches shows it there, and again with its form", async () => {
    const refused = late();
    globalThis.fetch = () => refused.body;
    draw([person("Ann"), OPEN]);
    press(body.querySelector("form"), "submit");
    await press(named("watch"));
    refused.give(answer(409, { error: "Seat 2 is taken." }));
    await settle();
    assert.deepEqual([texts(".failure"), said], [["Seat 2 is taken."], []]);
    await press(named("join"));
    assert.deepEqual(texts("form .failure"), ["Seat 2 is taken."]);
  });

  it("that is refused when the game has begun without its player shows it at the table", async () => {
    const refused = late();
    globalThis.fetch = () => refused.body;
    draw([person("Ann"), OPEN]);
    press(body.querySelector("form"), "submit");
    draw([person("Ann"), person("Bo")], -1, true);
    refused.give(answer(409, { error: "Seat 2 is taken." }));
    await settle();
    assert.deepEqual([texts(".failure"), said], [[], ["Seat 2 is taken."]]);
  });

  it("that was refused gives the focus back to its button", async () => {
    globalThis.fetch = () => Promise.resolve(answer(409, { error: "Seat 2 is taken." }));
    draw([person("Ann"), OPEN]);
    named("join").focus();
    press(body.querySelector("form"), "submit");
    document.activeElement = null; // as browsers do with a disabled button
    await settle();
    assert.equal(document.activeElement, named("join"));
  });
});

describe("the list of seats", () => {
  it("says who is not here, before and after the viewer sits down", () => {
    const notes = () => texts(".seats-now li i");
    draw([person("Ann"), person("Bo"), OPEN]);
    assert.deepEqual(notes(), ["not here", "", t("open")]);
    draw([person("Ann"), person("Bo"), OPEN], 1);
    assert.deepEqual(notes(), ["not here", t("you"), t("open")]);
  });
});

describe("an invitation in two tabs", () => {
  it("gives one seat: the second tab goes to the seat of the first one", async () => {
    draw([OPEN, OPEN]);
    keepSeat("one", 1, "the key");
    globalThis.fetch = () => Promise.reject(new Error("no seat is to be requested"));
    await press(body.querySelector("form"), "submit");
    assert.deepEqual([sat, texts(".failure")], [[[1, "the key"]], [""]]);
  });
});

describe("a game that begins", () => {
  const before = { begun: false, seat: -1 };
  /** What an invited viewer reads when the game begins. */
  const begins = (seat = -1, from = before, begun = true) => {
    panel.compare(from, { begun, seat });
    return said.splice(0);
  };

  it("passes an invited viewer over who has no seat then", () => {
    assert.deepEqual(begins(), [t("seatsGone")]);
    assert.deepEqual([begins(0), begins(-1, before, false), begins(-1, { ...before, begun: true })], [[], [], []]);
    assert.deepEqual(sat, []);
  });

  it("gives a viewer who has sat down in another tab that seat", () => {
    keepSeat("one", 1, "the key");
    assert.deepEqual([begins(), sat], [[], [[1, "the key"]]]);
  });

  it("does not pass over a viewer who has asked for a seat, or has chosen to watch", async () => {
    globalThis.fetch = () => new Promise(() => {});
    draw([person("Ann"), OPEN]);
    press(body.querySelector("form"), "submit");
    assert.deepEqual(begins(), []);
    panel.parts.submit.disabled = false;
    await press(named("watch"));
    assert.deepEqual(begins(), []);
  });
});

describe("a viewer who only watches", () => {
  it("can still sit down while a seat is open", async () => {
    draw([person("Ann"), OPEN]);
    await press(named("watch"));
    assert.equal(body.querySelector("form"), null);
    await press(named("join"));
    assert.ok(body.querySelector("form"));
  });

  it("is not one who has a seat", () => {
    draw([person("Ann"), OPEN], 0);
    assert.equal(named("join"), undefined);
  });
});
