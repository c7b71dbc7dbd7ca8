// Pictures of games on the landing: small tables that play a recorded game while they are in sight.

import * as api from "../common/api.js";
import { fan } from "./cards.js";
import { button, clear, find, h } from "../common/dom.js";
import { wearFace } from "./face.js";
import { drawScene } from "./scene_view.js";
import { calm, remember, settings } from "../common/settings.js";
import { t } from "../common/texts.js";

/** @import { Game } from "../answers.d.ts" */
/** @import { Scene } from "../protocol.d.ts" */

/** Cards that are shown until the scenes have loaded. */
const CARDS = ["KH", "AS", "7D", "QC", "TH"];
/** Milliseconds between two changes of pictures. */
const STEP_TIME = 2600;
/** Number of times that a picture plays its game. */
const ROUNDS = 2;
const CONTEXT = {
  still: true,
  live: false,
  gathered: false,
  peeked: new Set(),
  selection: { tokens: new Set(), picked: new Set(), knows: () => false },
};

/**
 * The picture of a game.
 *
 * @param {Game} game
 */
export function livePicture(game) {
  const board = h("div", { class: "board" });
  const hand = h("div", { class: "hand" });
  const stage = h("div", { class: "stage" }, board, hand);
  const picture = h("div", { class: "picture", "aria-hidden": "true", inert: true }, fan(CARDS));
  wearFace(picture, game.id);
  const begin = async () => {
    const { scenes } = await api.showcase(game.id);
    clear(picture, stage);
    fit(picture, stage);
    new Show(picture, board, hand, scenes).start();
  };
  begin().catch(() => {}); // the cards stay
  return picture;
}

/** Whether no picture moves: the viewer has stopped them, or all have played to the end. */
const areStill = () => settings().still || (shows.length > 0 && shows.every(({ ended }) => ended));

/** The button that stops and starts all pictures; null where they do not move. */
export function pictureSwitch() {
  if (calm()) return null;
  const label = () => t(areStill() ? "runPictures" : "stillPictures");
  const toggle = () => {
    const still = !areStill();
    remember({ still });
    if (!still) playAgain();
    nameSwitch();
  };
  const flip = button(label(), toggle, { class: "quiet", "data-go": "still" });
  nameSwitch = () => clear(/** @type {HTMLElement} */ (find(flip, ".label")), label());
  return flip;
}

/**
 * Scale a table of full size to its picture.
 *
 * @param {HTMLElement} picture
 * @param {HTMLElement} stage
 */
function fit(picture, stage) {
  const scale = () => {
    const factor = Math.min(picture.clientWidth / stage.offsetWidth, picture.clientHeight / stage.offsetHeight);
    const x = (picture.clientWidth - stage.offsetWidth * factor) / 2;
    const y = (picture.clientHeight - stage.offsetHeight * factor) / 2;
    stage.style.setProperty("scale", String(factor));
    stage.style.setProperty("translate", `${x}px ${y}px`);
  };
  const observer = new ResizeObserver(scale);
  observer.observe(picture);
  observer.observe(stage);
}

/** The pictures on the page, the one that changes next first. @type {Show[]} */
let shows = [];
/** @type {number | undefined} */
let timer;
/** Name the button of the pictures by what it does now. @type {() => unknown} */
let nameSwitch = () => {};

/** Run the clock of the pictures until all have played to the end. */
function run() {
  timer ??= setInterval(changeNext, STEP_TIME);
}

/** Let the pictures play again that have played to the end. */
function playAgain() {
  for (const show of shows) if (show.ended) show.steps = 0;
  run();
}

/** Let the next picture in sight change: all at once would keep a phone's processor busy. */
function changeNext() {
  shows = shows.filter(({ picture }) => picture.isConnected);
  const show = shows.find(({ visible, ended }) => visible && !ended);
  if (show && !document.hidden && !settings().still) {
    show.next();
    shows = [...shows.filter((other) => other !== show), show];
  }
  if (shows.some(({ ended }) => !ended)) return;
  clearInterval(timer);
  timer = undefined;
  nameSwitch();
}

/** A picture that shows the scenes of a game one after another while it is in sight. */
class Show {
  /**
   * @param {HTMLElement} picture
   * @param {HTMLElement} board
   * @param {HTMLElement} hand
   * @param {Scene[]} scenes
   */
  constructor(picture, board, hand, scenes) {
    this.picture = picture;
    this.board = board;
    this.hand = hand;
    this.scenes = scenes;
    this.steps = 0;
    this.visible = false;
  }

  start() {
    this.draw();
    if (calm()) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        this.visible = entry.isIntersecting;
      },
      { threshold: 0.3 },
    );
    observer.observe(this.picture);
    shows.push(this);
    run();
  }

  /** Whether the picture has played to the end. */
  get ended() {
    return this.steps >= ROUNDS * this.scenes.length;
  }

  next() {
    this.steps += 1;
    this.draw();
  }

  draw() {
    drawScene(this.board, this.hand, this.scenes[this.steps % this.scenes.length], CONTEXT);
  }
}
