// A game as one sees it played: a real table, small, that goes on by itself while it is in sight.

import * as api from "./api.js";
import { fan } from "./cards.js";
import { button, clear, h } from "./dom.js";
import { drawScene } from "./scene_view.js";
import { calm, remember, settings } from "./settings.js";
import { t } from "./texts.js";

const CARDS = ["KH", "AS", "7D", "QC", "TH"];
const STEP = 1900;
const ROUNDS = 2; // and then a picture stops by itself
const HOW = {
  still: true,
  live: false,
  gathered: false,
  peeked: new Set(),
  choosing: { tokens: new Set(), picked: new Set(), knows: () => false },
};

/** The picture of a game; a few cards until its scenes have come. */
export function livePicture(game) {
  const board = h("div", { class: "board" });
  const stage = h("div", { class: "stage" }, board, h("div", { class: "hand" }));
  const picture = h("div", { class: "picture", "aria-hidden": "true", inert: true }, fan(CARDS));
  const begin = async () => {
    const { scenes } = await api.showcase(game.id);
    clear(picture, stage);
    fit(picture, stage);
    new Show(picture, board, stage.lastChild, scenes).start();
  };
  begin().catch(() => {}); // the cards stay
  return picture;
}

/** Stops all pictures, or lets them run; nothing where they do not move anyway. */
export function pictureSwitch() {
  if (calm()) return null;
  const label = () => t(settings().still ? "runPictures" : "stillPictures");
  const press = () => {
    remember({ still: !settings().still });
    flip.querySelector(".label").textContent = label();
  };
  const flip = button(label(), press, { class: "quiet", "data-go": "still" });
  return flip;
}

/** The table is drawn in its own size and shown smaller. */
function fit(picture, stage) {
  const measure = () => {
    const scale = Math.min(picture.clientWidth / stage.offsetWidth, picture.clientHeight / stage.offsetHeight);
    stage.style.setProperty("scale", String(scale));
    stage.style.setProperty(
      "translate",
      `${(picture.clientWidth - stage.offsetWidth * scale) / 2}px ${(picture.clientHeight - stage.offsetHeight * scale) / 2}px`,
    );
  };
  const observer = new ResizeObserver(measure);
  observer.observe(picture);
  observer.observe(stage);
}

class Show {
  constructor(picture, board, hand, scenes) {
    Object.assign(this, { picture, board, hand, scenes, at: 0, steps: 0 });
  }

  start() {
    this.draw();
    if (calm()) return;
    new IntersectionObserver(
      ([entry]) => {
        this.seen = entry.isIntersecting;
      },
      { threshold: 0.3 },
    ).observe(this.picture);
    this.clock = setInterval(() => this.seen && !document.hidden && !settings().still && this.next(), STEP);
  }

  next() {
    this.steps += 1;
    this.at = this.steps % this.scenes.length;
    this.draw();
    if (this.steps === ROUNDS * this.scenes.length) clearInterval(this.clock);
  }

  draw() {
    drawScene(this.board, this.hand, this.scenes[this.at], HOW);
  }
}
