// Pacing: the server sends a scene for every event at once; people are shown them one after another.

import { settings } from "./settings.js";

const STEP = { slow: 1100, normal: 600, fast: 250, instant: 0 };
const REST = { slow: 2600, normal: 1600, fast: 1500, instant: 0 };
const GATHER = { slow: 600, normal: 450, fast: 300, instant: 0 };

export class Queue {
  /**
   * `show(scene, gathered, passing)` shows a scene, which need not be drawn if another follows at once or `drained(scene)`
   * does; `pause(scene)` resolves when the viewer wants to go on.
   */
  constructor({ show, pause, drained }) {
    Object.assign(this, { show, pause, drained });
    this.waiting = [];
    this.running = false;
    this.resting = false;
  }

  push(scenes) {
    this.waiting.push(...scenes);
    if (!this.running) this.run();
  }

  /** Forget what has not been shown: a fresh scene follows. */
  reset() {
    this.waiting = [];
    this.goOn();
  }

  get busy() {
    return this.running;
  }

  async run() {
    this.running = true;
    let scene = null;
    while (this.waiting.length) {
      scene = this.waiting.shift();
      await this.one(scene);
    }
    this.running = false;
    if (scene) this.drained(scene);
  }

  async one(scene) {
    const { pace, rest } = settings();
    const at = (times) => times[pace] ?? times.normal;
    const pauses = scene.pause && !scene.over;
    if (scene.rest) {
      this.resting = true; // a finished trick is looked at: for so long, twice as long, or until the viewer goes on
      await this.stay(scene, false, rest === "click" ? Infinity : at(REST) * (rest === "long" ? 2 : 1));
      this.resting = false;
    }
    const last = !this.waiting.length && (scene.legal.length || scene.over);
    await this.stay(scene, scene.rest, scene.rest ? at(GATHER) : last ? 0 : at(STEP), pauses);
    if (pauses) await this.pause(scene);
  }

  /** Shows a scene for so long. */
  async stay(scene, gathered, time, pauses = false) {
    this.show(scene, gathered, !time && !pauses);
    await this.sleep(time);
  }

  sleep(time) {
    if (!time) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = time === Infinity ? null : setTimeout(resolve, time);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The viewer does not want to wait any longer. */
  goOn() {
    this.wake?.();
  }
}
