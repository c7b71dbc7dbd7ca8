// The scenes of a game as one viewer sees them, fetched in slices.

import * as api from "../common/api.js";

/** @import { Scene } from "../protocol.d.ts" */

/** The number of scenes of a slice. */
const SLICE = 50;

export class ReplayScenes {
  /**
   * @param {string} id the table
   * @param {string} view
   * @param {string | null} key the key of the viewer's seat while the game goes on, else null
   */
  constructor(id, view, key) {
    this.id = id;
    this.view = view;
    this.key = key;
    this.total = 0;
    /** @type {Scene[]} by number of events, with gaps */
    this.found = [];
    /** @type {Map<number, Promise<void>>} requests by their first event */
    this.requests = new Map();
  }

  /**
   * The scene after a number of events.
   *
   * @param {number} number
   */
  async at(number) {
    if (!this.found[number]) await this.fetch(number);
    return this.found[number];
  }

  /**
   * Fetch the slice with an event, once. A failed request is repeated at the next call.
   *
   * @param {number} number
   */
  fetch(number) {
    const first = number - (number % SLICE);
    const request =
      this.requests.get(first) ??
      this.fetchSlice(first).catch((error) => {
        this.requests.delete(first);
        throw error;
      });
    this.requests.set(first, request);
    return request;
  }

  /**
   * Fetch the slice after the one with an event.
   *
   * @param {number} number
   */
  prefetch(number) {
    this.fetch(Math.min(this.total, number + SLICE)).catch(() => {});
  }

  /** @param {number} first */
  async fetchSlice(first) {
    const { scenes, seen } = await api.replay(this.id, this.view, first, this.key);
    this.total = seen;
    for (const scene of scenes) this.found[scene.seen] = scene;
  }

  /**
   * The log lines until an event, each with its number of events, as far as their scenes have been fetched.
   *
   * @param {number} number
   */
  log(number) {
    const scenes = this.found.slice(0, number + 1);
    return scenes.flatMap((scene, event) => scene.log.filter(Boolean).map((line) => ({ line, event })));
  }
}
