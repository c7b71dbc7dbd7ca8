// A plan: the things that a player chooses for the next turn while another seat acts. It stays in this page, and is
// sent to the server only as the action that it becomes.

/** @import { CardSeen, Row, Scene } from "../protocol.d.ts" */

/**
 * A thing of a plan: its row as it was at the choice, and whether the thing is the whole row.
 *
 * @typedef {{ row: Row, whole: boolean }} Planned
 */

/** @param {CardSeen} seen */
const faceOf = ({ card, face_up: up }) => `${card}${up}`;

/**
 * The row that has a token, or has a card with it.
 *
 * @param {Pick<Scene, "areas">} scene
 * @param {string} token
 */
const rowOf = ({ areas }, token) =>
  areas
    .flatMap(({ rows }) => rows)
    .find((row) => row.token === token || row.cards.some((seen) => seen.token === token));

/**
 * Whether a thing has not changed since it was chosen. A row must have the same cards. A card must be in its row with
 * all cards that were there: the hand may have gained cards, but not lost any.
 *
 * @param {Planned} planned
 * @param {Row | undefined} now
 */
function isSame({ row, whole }, now) {
  if (!now || now.id !== row.id) return false;
  if (whole) return now.hidden === row.hidden && now.cards.map(faceOf).join() === row.cards.map(faceOf).join();
  const faces = now.cards.map(faceOf);
  return row.cards.every((seen) => faces.includes(faceOf(seen)));
}

export class Plan {
  /** @type {Map<string, Planned>} */
  #things = new Map();
  /** @type {number | null} the number of events at the beginning of the player's turn; null before it */
  #turn = null;

  /** The tokens in the order of their choice. */
  get tokens() {
    return [...this.#things.keys()];
  }

  get empty() {
    return !this.#things.size;
  }

  clear() {
    this.#things.clear();
    this.#turn = null;
  }

  /**
   * Choose a thing of a scene, or put it back.
   *
   * @param {string} token
   * @param {boolean} alone whether the thing by itself is an action; it then replaces the others
   * @param {Pick<Scene, "areas">} scene
   */
  press(token, alone, scene) {
    if (this.#things.delete(token)) return;
    const row = rowOf(scene, token);
    if (alone) this.clear();
    if (row) this.#things.set(token, { row, whole: row.token === token });
  }

  /**
   * Compare the plan with a new scene. Clear it and return false if one of its things lies differently, the turn has
   * passed or the game is over.
   *
   * @param {Pick<Scene, "areas" | "legal" | "over" | "seen">} scene
   */
  holds(scene) {
    if (this.empty) return true;
    const passed = this.#turn !== null && this.#turn !== scene.seen;
    const same = [...this.#things].every(([token, planned]) => isSame(planned, rowOf(scene, token)));
    if (scene.legal.length) this.#turn = scene.seen;
    if (same && !passed && !scene.over) return true;
    this.clear();
    return false;
  }
}
