// Presses that a redraw interrupts: the counterpart of the pressed thing is clicked, and nothing else.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyDocument } from "./elements.js";
import { clear, h } from "../../../src/parlour/server/page/js/common/dom.js";
import { afterPress, keepInterruptedPresses } from "../../../src/parlour/server/page/js/common/presses.js";

let hand;
let clicked;
beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  hand = h("div");
  emptyDocument().append(hand);
  keepInterruptedPresses();
  clicked = [];
});
afterEach(() => {
  mock.timers.tick(1000);
  mock.timers.reset();
});

const card = (name, text = name) =>
  h("button", { class: "may", "data-card": name, on: { click: () => clicked.push(name) } }, text);

/** Send an event with further properties. */
function send(type, target, more) {
  const event = new Event(type, { bubbles: true, cancelable: true });
  for (const [name, value] of Object.entries(more)) Object.defineProperty(event, name, { value });
  target.dispatchEvent(event);
  return event;
}
const point = (type, target, more = {}) =>
  send(type, target, { pointerType: "mouse", button: 0, clientX: 40, clientY: 50, timeStamp: 0, ...more });
const key = (type, target, more = {}) => send(type, target, { key: " ", ...more });

/** Press a card, draw the hand again, and release the pointer on a card of the new hand. */
function pressThrough(released, down = {}, up = {}) {
  const pressed = card("7H");
  clear(hand, pressed);
  point("pointerdown", pressed, down);
  clear(hand, released);
  point("pointerup", released, up);
  mock.timers.tick(1);
  return clicked;
}

describe("a press that a redraw interrupts", () => {
  it("clicks the counterpart", () => assert.deepEqual(pressThrough(card("7H")), ["7H"]));

  for (const [what, released, down, up] of [
    ["another card", card("8H")],
    ["another card with the same label", card("8H", "7H")],
    ["the same card with another label", card("7H", "ace")],
    ["no thing", h("div", { class: "board" })],
    ["the counterpart, nine pixels further", card("7H"), {}, { clientX: 46, clientY: 58 }],
    ["the counterpart, with another button", card("7H"), { button: 2 }, { button: 2 }],
    ["the counterpart, with the other button", card("7H"), {}, { button: 2 }],
  ]) {
    it(`clicks nothing if it ends on ${what}`, () => assert.deepEqual(pressThrough(released, down, up), []));
  }

  it("clicks the same thing where it has only been moved", () => {
    const pressed = card("7H");
    clear(hand, pressed);
    point("pointerdown", pressed);
    clear(hand, h("p"), pressed);
    point("pointerup", pressed);
    mock.timers.tick(1);
    assert.deepEqual(clicked, ["7H"]);
  });

  it("clicks no button of another line of a list", () => {
    const line = (table) => {
      const close = h("button", { "aria-label": "Forget it", on: { click: () => clicked.push(table) } });
      return h("li", { "data-table": table }, close);
    };
    clear(hand, line("one"));
    point("pointerdown", hand.querySelector("button"));
    clear(hand, line("two"));
    point("pointerup", hand.querySelector("button"));
    mock.timers.tick(1);
    assert.deepEqual(clicked, []);
  });

  it("clicks the thing on the table whose state alone has changed", () => {
    const pile = (number) =>
      h(
        "button",
        { "data-do": "draw", "data-token": "pile", "data-many": number, on: { click: () => clicked.push(number) } },
        `${number}`,
      );
    clear(hand, pile(9));
    point("pointerdown", hand.querySelector("button"));
    clear(hand, pile(8));
    point("pointerup", hand.querySelector("button"));
    mock.timers.tick(1);
    assert.deepEqual(clicked, [8]);
  });

  it("is left to the browser if nothing was drawn", () => {
    const pressed = card("7H");
    clear(hand, pressed);
    point("pointerdown", pressed);
    point("pointerup", pressed);
    pressed.click();
    mock.timers.tick(1);
    assert.deepEqual(clicked, ["7H"]);
  });

  it("is left to the browser where the click draws the inside of the thing anew", () => {
    const run = h("button", { on: { click: () => (clear(run, h("span")), clicked.push("run")) } }, h("span"));
    clear(hand, run);
    const [sign] = run.children;
    point("pointerdown", sign);
    point("pointerup", sign);
    send("click", sign, {});
    mock.timers.tick(1);
    assert.deepEqual(clicked, ["run"]);
  });

  it("is left to the browser on a label, which clicks its field as well", () => {
    const label = h("label", { for: "field", on: { click: () => clicked.push("label") } }, "Long run");
    const field = h("input", { id: "field" });
    clear(hand, label, field);
    point("pointerdown", label);
    point("pointerup", label);
    label.click();
    field.click();
    mock.timers.tick(1);
    assert.deepEqual(clicked, ["label"]);
  });

  it("is forgotten when the system cancels it", () => {
    const [pressed, released] = [card("7H"), card("7H")];
    clear(hand, pressed);
    point("pointerdown", pressed);
    clear(hand, released);
    point("pointercancel", released);
    point("pointerup", released);
    mock.timers.tick(1);
    assert.deepEqual(clicked, []);
  });
});

describe("a touch that a redraw interrupts", () => {
  /** Touch a card, draw the hand again, and lift the finger over a card of the new hand. */
  function touchThrough(released, up = {}) {
    const pressed = card("7H");
    clear(hand, pressed);
    point("pointerdown", pressed, { pointerType: "touch" });
    clear(hand, released);
    document.elementFromPoint = () => released;
    const { timeStamp = 100, last = "pointerup", ...touch } = up;
    point(last, released, { pointerType: "touch" });
    const event = send("touchend", pressed, { changedTouches: [{ clientX: 40, clientY: 50, ...touch }], timeStamp });
    return [clicked, event.defaultPrevented];
  }

  it("clicks the counterpart, and the browser does not", () =>
    assert.deepEqual(touchThrough(card("7H")), [["7H"], true]));

  for (const [what, released, up] of [
    ["over another card", card("8H")],
    ["ten pixels further", card("7H"), { clientX: 50 }],
    ["after it has scrolled the page", card("7H"), { last: "pointercancel" }],
    ["after a menu of the browser has opened", card("7H"), { timeStamp: 600 }],
  ]) {
    it(`is left to the browser if it ends ${what}`, () => assert.deepEqual(touchThrough(released, up), [[], false]));
  }

  it("is left to the browser if nothing was drawn", () => {
    const pressed = card("7H");
    clear(hand, pressed);
    point("pointerdown", pressed, { pointerType: "touch" });
    const event = send("touchend", pressed, { changedTouches: [{ clientX: 40, clientY: 50 }], timeStamp: 100 });
    assert.deepEqual([clicked, event.defaultPrevented], [[], false]);
  });
});

describe("a press of the space bar that a redraw interrupts", () => {
  const spaceThrough = (released, more = {}) => {
    const pressed = card("7H");
    clear(hand, pressed);
    pressed.focus();
    key("keydown", pressed, more);
    clear(hand, released);
    released.focus();
    key("keyup", released);
    mock.timers.tick(1);
    return clicked;
  };

  it("clicks the counterpart with the focus", () => assert.deepEqual(spaceThrough(card("7H")), ["7H"]));

  it("clicks no other thing", () => assert.deepEqual(spaceThrough(card("8H")), []));

  it("clicks nothing if the page has used the key", () =>
    assert.deepEqual(spaceThrough(card("7H"), { defaultPrevented: true }), []));
});

describe("the Enter key", () => {
  const enter = (repeat, target) => key("keydown", target, { key: "Enter", repeat }).defaultPrevented;

  it("presses a thing once, however long it is held", () => {
    clear(hand, card("7H"), h("textarea"));
    const [thing, field] = hand.children;
    assert.deepEqual([enter(false, thing), enter(true, thing), enter(true, field)], [false, true, false]);
  });
});

describe("the second click of a double click", () => {
  const clickOn = (target, detail) => send("click", target, { detail });

  it("counts on the same thing, redrawn or not", () => {
    for (const number of [1, 2]) {
      clear(hand, card("7H"));
      clickOn(hand.querySelector("button"), number);
    }
    assert.deepEqual(clicked, ["7H", "7H"]);
  });

  it("is ignored on another thing", () => {
    clear(hand, card("7H"));
    clickOn(hand.querySelector("button"), 1);
    clear(hand, card("8H"));
    assert.equal(clickOn(hand.querySelector("button"), 2).defaultPrevented, true);
    assert.deepEqual(clicked, ["7H"]);
    clickOn(hand.querySelector("button"), 1);
    assert.deepEqual(clicked, ["7H", "8H"]);
  });

  it("is ignored at the end of a whole press", () => {
    clear(hand, card("7H"));
    clickOn(hand.querySelector("button"), 1);
    clear(hand, card("8H"));
    const other = hand.querySelector("button");
    point("pointerdown", other);
    point("pointerup", other);
    clickOn(other, 2);
    mock.timers.tick(1);
    assert.deepEqual(clicked, ["7H"]);
  });

  it("is ignored on what lay below a closed sheet", () => {
    const backdrop = h("dialog", {});
    clear(hand, backdrop, card("7H"));
    clickOn(backdrop, 1);
    clickOn(hand.querySelector("button"), 2);
    assert.deepEqual(clicked, []);
    clickOn(hand.querySelector("button"), 1);
    assert.equal(clickOn(backdrop, 2).defaultPrevented, true); // nor closes the sheet that the first has opened
  });
});

describe("what waits for the end of a press", () => {
  let done;
  const action = () => done.push("done");
  beforeEach(() => {
    done = [];
  });

  it("is done at once without one", () => {
    afterPress(action);
    assert.deepEqual(done, ["done"]);
  });

  it("is done once, after the click", () => {
    const pressed = card("7H");
    clear(hand, pressed);
    point("pointerdown", pressed);
    afterPress(action);
    afterPress(action);
    point("pointerup", pressed);
    assert.deepEqual(done, []);
    mock.timers.tick(1);
    assert.deepEqual(done, ["done"]);
  });

  it("is done after the mouse that a browser plays for a finger", () => {
    point("pointerdown", hand, { pointerType: "touch" });
    point("pointerup", hand, { pointerType: "touch" });
    mock.timers.tick(299);
    afterPress(action);
    assert.deepEqual(done, []);
    mock.timers.tick(1);
    assert.deepEqual(done, ["done"]);
  });

  it("waits also for a second press that begins in the time of the first one", () => {
    for (const [begin, end] of [
      [() => point("pointerdown", hand, { pointerType: "touch" }), () => point("pointerup", hand)],
      [() => key("keydown", hand), () => key("keyup", hand)],
    ]) {
      done = [];
      point("pointerdown", hand, { pointerType: "touch" });
      point("pointerup", hand, { pointerType: "touch" });
      mock.timers.tick(200);
      begin();
      afterPress(action);
      mock.timers.tick(1000);
      assert.deepEqual(done, []);
      end();
      mock.timers.tick(1);
      assert.deepEqual(done, ["done"]);
    }
  });

  it("is done when a key is released, or the window has lost it", () => {
    for (const end of [() => key("keyup", hand), () => dispatchEvent(new Event("blur"))]) {
      key("keydown", hand, { key: "Tab" });
      afterPress(action);
      assert.deepEqual(done, []);
      end();
      mock.timers.tick(1);
      assert.deepEqual(done, ["done"]);
      done = [];
    }
  });
});
