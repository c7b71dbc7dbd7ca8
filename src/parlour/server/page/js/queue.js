// Pacing: the server sends a scene for every event at once; people are shown them one after another.

import { settings } from "./settings.js";

const STEP = { slow: 1100, normal: 600, fast: 250, instant: 0 };
const REST = { slow: 2600, normal: 1600, fast: 1500, instant: 0 };
const GATHER = { slow: 600, normal: 450, fast: 300, instant: 0 };

export class Queue {
  /** `show(scene, gathered, last)` draws; `pause(scene)` resolves when the viewer wants to go on; `drained(scene)`. */
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
    const pace = settings().pace;
    this.show(scene, false);
    if (scene.rest) {
      await this.rest(REST[pace] ?? REST.normal);
      this.show(scene, true);
      await this.sleep(GATHER[pace] ?? GATHER.normal);
    } else if (this.waiting.length || !(scene.legal.length || scene.over)) await this.sleep(STEP[pace] ?? STEP.normal);
    if (scene.pause && !scene.over) await this.pause(scene, this.waiting.length > 0);
  }

  /** A finished trick is looked at: for so long, twice as long, or until the viewer goes on. */
  async rest(time) {
    this.resting = true;
    const wanted = settings().rest;
    await this.sleep(wanted === "click" ? Infinity : wanted === "long" ? 2 * time : time);
    this.resting = false;
  }

  sleep(time) {
    if (!time) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = time === Infinity ? null : setTimeout(resolve, time);
      this.wake = () => { clearTimeout(timer); resolve(); };
    });
  }

  /** The viewer does not want to wait any longer. */
  goOn() {
    this.wake?.();
  }
}
