// Motion between two drawings of a table, the pictures of the landing, and the sounds that go with motion.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { emptyStorage } from "./browser.js";
import { emptyDocument, observers, settle } from "./elements.js";
import { area, row, seen, turn } from "./scenes.js";
import { serve } from "./server.js";
import { h } from "../../../src/parlour/server/page/js/common/dom.js";
import { remember, settings } from "../../../src/parlour/server/page/js/common/settings.js";
import { t } from "../../../src/parlour/server/page/js/common/texts.js";
import { deal, places, showFates, travel } from "../../../src/parlour/server/page/js/scene/motion.js";
import { livePicture, pictureSwitch } from "../../../src/parlour/server/page/js/scene/picture.js";

const usualMedia = globalThis.matchMedia;
const preferCalm = () => {
  globalThis.matchMedia = () => ({ matches: true, addEventListener() {} });
};

let body;

beforeEach(() => {
  emptyStorage();
  body = emptyDocument();
  globalThis.matchMedia = usualMedia;
});

const boxAt = (left, top = 0, width = 40, height = 60) => ({ left, top, width, height });
const at = (element, ...where) => Object.assign(element, { box: boxAt(...where) });
const card = (name, left, more = {}) =>
  at(h("span", { class: "card", "data-card": name, "data-up": "true", ...more }), left);
const place = (id, left, many, backs, ...cards) =>
  at(h("div", { "data-row": id, "data-many": many, "data-backs": backs }, cards), left, 0, 80, 70);
const table = (...rows) => h("main", {}, h("section", { "data-area": "you" }, rows));
const ghosts = () => body.querySelectorAll(".leaving");
const motions = (root, name) => root.querySelector(`[data-card="${name}"]`).motions;

/** Move from one drawing to another. Return the sound, and the latter. */
function move(before, after) {
  const was = places(before);
  return [was && travel(after, was), after];
}

describe("a card that has moved", () => {
  it("glides from its place before, in the time of the pace", () => {
    for (const [pace, duration] of [
      ["slow", 460],
      ["normal", 320],
      ["fast", 180],
    ]) {
      remember({ pace });
      const [sound, root] = move(
        table(place("hand", 0, 1, 0, card("7H", 0))),
        table(place("slot", 200, 1, 0, card("7H", 200))),
      );
      assert.equal(sound, "card");
      const [{ frames, timing }] = motions(root, "7H");
      assert.deepEqual(
        [frames[0].transform, frames[0].opacity, timing.duration],
        ["translate(-200px, 0px) scale(1)", 1, duration],
      );
    }
  });

  it("by less than three pixels stays", () => {
    const [sound, root] = move(
      table(place("hand", 0, 1, 0, card("7H", 0))),
      table(place("hand", 0, 1, 0, card("7H", 2))),
    );
    assert.deepEqual([sound, motions(root, "7H")], ["", []]);
  });

  it("comes faintly from the row that has lost a card, where it was not shown", () => {
    const [sound, root] = move(
      table(place("stack", 300, 3, 3)),
      table(place("stack", 300, 2, 2), place("hand", 0, 1, 0, card("7H", 0))),
    );
    assert.equal(sound, "card");
    assert.equal(motions(root, "7H")[0].frames[0].opacity, 0.2);
    assert.match(motions(root, "7H")[0].frames[0].transform, /scale\(0\.6\)$/);
  });

  it("is turned up where it was face down", () => {
    const [sound, root] = move(
      table(place("slot", 0, 1, 1, card("7H", 0, { "data-up": "false" }))),
      table(place("slot", 0, 1, 0, card("7H", 0))),
    );
    assert.deepEqual([sound, root.querySelectorAll(".turning").length], ["flip", 1]);
  });

  it("sounds as turned up, whichever of several comes first", () => {
    const down = { "data-up": "false" };
    for (const turned of ["7H", "8H"]) {
      const was = (name) => card(name, 0, name === turned ? down : {});
      const now = (name) => card(name, name === turned ? 0 : 200);
      const rows = (one) => table(place("a", 0, 1, 0, one("7H")), place("b", 0, 1, 0, one("8H")));
      assert.equal(move(rows(was), rows(now))[0], "flip");
    }
  });

  for (const [what, prepare] of [
    ["the player wants none", () => remember({ pace: "instant" })],
    ["the browser asks for calm", preferCalm],
  ]) {
    it(`does not move where ${what}, but sounds`, () => {
      prepare();
      const [sound, root] = move(
        table(place("hand", 0, 1, 0, card("7H", 0))),
        table(place("slot", 200, 1, 0, card("7H", 200))),
      );
      assert.deepEqual([sound, motions(root, "7H"), ghosts()], ["card", [], []]);
      remember({ sound: false });
      assert.equal(places(root), null);
    });
  }

  it("comes from nowhere at the first drawing", () => {
    const [sound] = move(h("main", {}), table(place("hand", 0, 1, 0, card("7H", 0))));
    assert.equal(sound, "");
  });
});

describe("a card that has vanished", () => {
  const path = (ghost) => ghost.motions[0].frames.map(({ transform }) => transform);

  it("moves to the row that took it, and is removed", async () => {
    const [sound] = move(
      table(place("slot", 0, 1, 0, card("7H", 0)), place("pile", 200, 2, 2)),
      table(place("slot", 0, 0, 0), place("pile", 200, 3, 3)),
    );
    assert.equal(sound, "gone");
    assert.deepEqual(path(ghosts()[0])[1], "translate(220px, 5px) scale(.7)");
    await settle();
    assert.deepEqual(ghosts(), []);
  });

  it("shakes where no row took it, or where it was out of play", () => {
    move(table(place("slot", 0, 1, 0, card("7H", 0))), table(place("slot", 0, 0, 0)));
    assert.match(path(ghosts()[0])[1], /^rotate/);
    ghosts()[0].remove();
    const out = h("div", { class: "fate-out" }, card("8H", 0));
    move(
      table(place("slot", 0, 1, 0, out), place("pile", 200, 2, 2)),
      table(place("slot", 0, 0, 0), place("pile", 200, 3, 3)),
    );
    assert.match(path(ghosts()[0])[1], /^rotate/);
  });

  it("from a hand sounds like a card", () => {
    const [sound] = move(
      table(place("hand", 0, 1, 0, card("7H", 0)), place("pile", 200, 0, 0)),
      table(place("hand", 0, 0, 0), place("pile", 200, 1, 1)),
    );
    assert.equal(sound, "card");
  });
});

describe("cards that leave or fly", () => {
  it("do not where the browser asks for calm", () => {
    preferCalm();
    const gone = place("slot", 0, 1, 0, card("7H", 0));
    move(
      table(gone, place("stack", 0, 2, 2)),
      table(place("slot", 0, 0, 0), place("stack", 0, 1, 1), place("hand", 300, 1, 1)),
    );
    const fates = h("main", {}, h("div", { class: "fate-wins" }, h("span", { class: "lift" })));
    showFates(fates);
    assert.deepEqual([ghosts(), fates.querySelector(".lift").motions], [[], []]);
  });
});

describe("face-down cards", () => {
  it("fly from row to row, at most four at once", () => {
    const [sound] = move(
      table(place("stack", 0, 20, 20), place("hand", 300, 0, 0)),
      table(place("stack", 0, 13, 13), place("hand", 300, 7, 7)),
    );
    assert.deepEqual([sound, ghosts().length], ["card", 4]);
    assert.deepEqual(
      ghosts().map(({ motions: [{ timing }] }) => timing.delay),
      [0, 60, 120, 180],
    );
    assert.equal(ghosts()[0].querySelector(".of-back") !== null, true);
  });
});

describe("a deal", () => {
  it("moves the cards from the middle to their places, one after another", () => {
    const middle = at(h("div", { class: "middle" }), 100, 100, 0, 0);
    const root = h("main", {}, middle, h("div", { class: "hand" }, card("7H", 0), card("8H", 40)));
    deal(root);
    const [first, second] = ["7H", "8H"].map((name) => motions(root, name)[0]);
    assert.deepEqual(
      [first.frames[0].transform, first.timing.delay, second.timing.delay],
      ["translate(80px, 70px) scale(.7) rotate(-8deg)", 0, 45],
    );
    preferCalm();
    deal(root);
    assert.equal(motions(root, "7H").length, 1);
  });
});

describe("the result of a trick", () => {
  it("moves the cards that are out, win or are kept", () => {
    const fates = ["out", "wins", "kept", "none"].map((fate) =>
      h("div", { class: `fate-${fate}` }, h("span", { class: "lift" })),
    );
    const root = h("main", {}, fates);
    showFates(root);
    assert.deepEqual(
      root.querySelectorAll(".lift").map((lift) => lift.motions.length),
      [1, 1, 1, 0],
    );
  });
});

describe("the picture of a game", () => {
  const scenes = [0, 1, 2].map((number) => ({
    ...turn(number, ["7H"]),
    areas: [area("you", 0, [row("hand", "hand", [seen(["7H", "8H", "9H"][number])])])],
  }));
  let picture;
  const shown = () => picture.querySelectorAll(".hand [data-card]").map(({ dataset }) => dataset.card);
  const tick = () => mock.timers.tick(2600);

  beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
  afterEach(() => {
    for (const one of body.querySelectorAll(".picture")) one.remove();
    tick();
    mock.timers.reset();
  });

  const open = async (answer = { scenes }) => {
    serve({ "/api/games/whist/show": answer });
    picture = livePicture({ id: "whist" });
    body.append(picture);
    await settle();
  };
  const sight = (isIntersecting) => observers.at(-1).call([{ isIntersecting }]);

  it("plays twice while it is in sight", async () => {
    await open();
    assert.deepEqual(shown(), ["7H"]);
    tick();
    assert.deepEqual(shown(), ["7H"]);
    sight(true);
    for (const name of ["8H", "9H", "7H", "8H", "9H", "7H", "7H", "7H"]) {
      tick();
      assert.deepEqual(shown(), [name]);
    }
  });

  it("plays twice again by the button, which lets all run that have ended", async () => {
    await open();
    sight(true);
    const button = pictureSwitch();
    for (let step = 0; step < 5; step += 1) tick();
    assert.equal(button.textContent, t("stillPictures"));
    for (let step = 0; step < 3; step += 1) tick();
    assert.deepEqual([shown(), button.textContent], [["7H"], t("runPictures")]);
    button.click();
    assert.equal(button.textContent, t("stillPictures"));
    for (const name of ["8H", "9H", "7H", "8H", "9H", "7H", "7H"]) {
      tick();
      assert.deepEqual(shown(), [name]);
    }
  });

  it("changes in turn with the others in sight", async () => {
    await open();
    sight(true);
    const pictures = [picture];
    await open();
    sight(true);
    pictures.push(picture);
    const hands = () => pictures.map((one) => one.querySelectorAll(".hand [data-card]")[0].dataset.card);
    for (const names of [
      ["8H", "7H"],
      ["8H", "8H"],
      ["9H", "8H"],
    ]) {
      tick();
      assert.deepEqual(hands(), names);
    }
  });

  it("waits out of sight, in a hidden page, and where the player has stopped all", async () => {
    await open();
    sight(true);
    document.hidden = true;
    tick();
    document.hidden = false;
    remember({ still: true });
    tick();
    remember({ still: false });
    sight(false);
    tick();
    assert.deepEqual(shown(), ["7H"]);
    sight(true);
    tick();
    assert.deepEqual(shown(), ["8H"]);
  });

  it("does not move where the browser asks for calm, and has some cards without scenes", async () => {
    preferCalm();
    await open();
    const before = observers.length;
    tick();
    assert.deepEqual([shown(), before], [["7H"], 1]);
    assert.equal(pictureSwitch(), null);
    await open(503);
    assert.equal(picture.querySelectorAll(".fan .card").length, 5);
  });

  it("has a table of full size, as large as its place allows", async () => {
    await open();
    picture.box = { left: 0, top: 0, width: 300, height: 200 };
    const [stage] = picture.querySelectorAll(".stage");
    stage.box = { left: 0, top: 0, width: 600, height: 800 };
    observers[0].call();
    assert.deepEqual(
      ["scale", "translate"].map((name) => stage.style.getPropertyValue(name)),
      ["0.25", "75px 0px"],
    );
  });

  it("is stopped and started by the button, which says what it does", () => {
    const button = pictureSwitch();
    for (const [still, text] of [
      [true, "runPictures"],
      [false, "stillPictures"],
    ]) {
      button.click();
      assert.deepEqual([settings().still, button.textContent], [still, t(text)]);
    }
  });
});
