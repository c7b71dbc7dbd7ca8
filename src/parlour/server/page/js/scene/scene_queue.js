// Pace of scenes. The server sends a scene for every event at once; the queue shows them one after another.

import { settings } from "../common/settings.js";

/** @import { Scene } from "../protocol.d.ts" */

/** @typedef {Record<string, number>} Times milliseconds by the setting of the pace */

// The time of a scene, of a finished trick, and of the table after it has been cleared.

/** @type {Times} */
const STEP_TIME = { slow: 1100, normal: 600, fast: 250, instant: 0 };
/** @type {Times} */
const REST_TIME = { slow: 2600, normal: 1600, fast: 1500, instant: 0 };
/** @type {Times} */
const GATHER_TIME = { slow: 600, normal: 450, fast: 300, instant: 0 };

export class SceneQueue {
  /**
   * @param {object} actions
   * @param {(scene: Scene, gathered: boolean, passing: boolean) => void} actions.show shows a scene. `gathered`: its
   *     finished trick has been cleared. `passing`: it need not be drawn, because another scene or `drained` follows.
   * @param {(scene: Scene) => Promise<unknown>} actions.pause resolves when the viewer goes on after a round
   * @param {(scene: Scene) => void} actions.drained is called with the last scene
   */
  constructor({ show, pause, drained }) {
    this.show = show;
    this.pause = pause;
    this.drained = drained;
    /** @type {Scene[]} */
    this.waiting = [];
    this.running = false;
    this.resting = false;
    /** @type {(() => void) | null} */
    this.wake = null;
  }

  /** @param {Scene[]} scenes */
  push(scenes) {
    this.waiting.push(...scenes);
    if (!this.running) this.run();
  }

  /** Drop the scenes that have not been shown. */
  reset() {
    this.waiting = [];
    this.goOn();
  }

  /** End the queue: no further scene is shown, and the last one is not drained. */
  stop() {
    this.show = this.pause = this.drained = async () => {};
    this.reset();
  }

  get busy() {
    return this.running;
  }

  async run() {
    this.running = true;
    let scene = this.waiting.shift();
    let last = scene;
    while (scene) {
      await this.present(scene);
      last = scene;
      scene = this.waiting.shift();
    }
    this.running = false;
    if (last) this.drained(last);
  }

  /**
   * Show one scene, first with its finished trick if it has one, and wait.
   *
   * @param {Scene} scene
   */
  async present(scene) {
    const { pace, rest } = settings();
    /** @param {Times} times */
    const timeOf = (times) => times[pace] ?? times.normal;
    const pauses = Boolean(scene.pause) && !scene.over;
    if (scene.rest) {
      this.resting = true;
      const time = timeOf(REST_TIME) * (rest === "long" ? 2 : 1);
      await this.showFor(scene, false, rest === "click" ? Infinity : time);
      this.resting = false;
    }
    await this.showFor(scene, scene.rest && !scene.over, this.timeAfter(scene, timeOf), pauses);
    if (pauses) await this.pause(scene);
  }

  /**
   * Milliseconds after a scene. There are none before the viewer's turn and at the end, except after a finished trick.
   *
   * @param {Scene} scene
   * @param {(times: Times) => number} timeOf
   */
  timeAfter(scene, timeOf) {
    if (scene.rest) return timeOf(GATHER_TIME);
    const isLast = !this.waiting.length && (scene.legal.length > 0 || scene.over);
    return isLast ? 0 : timeOf(STEP_TIME);
  }

  /**
   * Show a scene for `time` milliseconds.
   *
   * @param {Scene} scene
   * @param {boolean} gathered
   * @param {number} time
   * @param {boolean} [pauses]
   */
  async showFor(scene, gathered, time, pauses = false) {
    this.show(scene, gathered, !time && !pauses);
    await this.sleep(time);
  }

  /**
   * Wait for `time` milliseconds or until `goOn`.
   *
   * @param {number} time
   * @returns {Promise<void>}
   */
  sleep(time) {
    if (!time) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = time === Infinity ? undefined : setTimeout(resolve, time);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** End the present wait, but not a `pause` after a round. */
  goOn() {
    this.wake?.();
  }
}
