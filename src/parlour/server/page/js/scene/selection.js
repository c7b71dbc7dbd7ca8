// Selection of several things on the table that together are one action.

import { isCard } from "../common/speech.js";
import { t } from "../common/texts.js";

/** @import { Choice, Scene } from "../protocol.d.ts" */

/** The picked tokens, and the choices that contain them. */
export class Selection {
  constructor() {
    /** @type {Set<string>} */
    this.picked = new Set();
    /** @type {Choice[]} */
    this.choices = [];
  }

  /**
   * Begin with the choices of a scene. Tokens stay picked only if the same scene is shown again.
   *
   * @param {Choice[]} choices
   * @param {boolean} [same]
   */
  start(choices, same = false) {
    this.choices = choices ?? [];
    if (!same || !this.possible.length) this.picked.clear();
  }

  /**
   * Pick exactly these tokens.
   *
   * @param {string[]} tokens
   */
  choose(tokens) {
    this.picked = new Set(tokens);
  }

  /** Unpick everything. Return whether a token was picked before. */
  clear() {
    const some = this.picked.size > 0;
    this.picked.clear();
    return some;
  }

  /** The choices that contain every picked token. */
  get possible() {
    return this.with([...this.picked]);
  }

  /**
   * The choices that contain these tokens.
   *
   * @param {string[]} tokens
   */
  with(tokens) {
    return this.choices.filter((choice) => tokens.every((token) => choice.tokens.includes(token)));
  }

  /** The tokens of all possible choices, picked ones included. */
  get tokens() {
    return new Set(this.possible.flatMap((choice) => choice.tokens));
  }

  /**
   * Whether any choice contains the token, with or without the picked ones.
   *
   * @param {string | null | undefined} token
   */
  knows(token) {
    return this.choices.some((choice) => choice.tokens.includes(/** @type {string} */ (token)));
  }

  /** The possible choices that need no further token. */
  get complete() {
    return this.picked.size ? this.possible.filter((choice) => choice.tokens.length === this.picked.size) : [];
  }

  /** The next step of a selection that has begun, as a sentence. */
  get onward() {
    if (!this.picked.size) return "";
    const labels = t("either", [...new Set(this.complete.map((choice) => choice.label))]);
    if (this.tokens.size === this.picked.size) return t("chooseWhich", labels);
    return this.complete.length ? t("chooseMore", labels) : t("chooseOn");
  }

  /**
   * Keep exactly the tokens of an action picked.
   *
   * @param {string} action
   */
  keep(action) {
    const choice = this.choices.find(
      (one) => one.do === action && [...this.picked].some((token) => one.tokens.includes(token)),
    );
    this.picked = new Set(choice?.tokens);
  }

  /**
   * The label of an action with its cards; its notation if it has no choice.
   *
   * @param {string} action
   */
  nameOf(action) {
    const choice = this.choices.find((one) => one.do === action);
    if (!choice) return action;
    const cards = choice.tokens.filter(isCard).map((token) => t("card", token));
    return t("actionOf", choice.label, cards);
  }

  /** The only possible choice, if it is complete. */
  get only() {
    return this.picked.size && this.possible.length === 1 ? this.complete[0] : undefined;
  }

  /** Whether some of the picked tokens were a complete choice, so that a button has to confirm all of them. */
  get grown() {
    return this.choices.some(({ tokens }) => {
      const isPart = tokens.length > 0 && tokens.length < this.picked.size;
      return isPart && tokens.every((token) => this.picked.has(token));
    });
  }

  /**
   * The action that is done at once when its last token has been picked; undefined if a button has to decide.
   *
   * @param {string} token
   */
  decidedBy(token) {
    return isCard(token) && this.grown ? undefined : this.only;
  }

  /** The choices without tokens. */
  get plain() {
    return this.choices.filter((choice) => !choice.tokens.length);
  }

  /**
   * The choices that have a button: complete ones, those without tokens, and while nothing is picked those of a pile
   * alone.
   *
   * @param {Pick<Scene, "areas">} scene
   */
  offered(scene) {
    const rows = scene.areas.flatMap((area) => area.rows);
    const piles = new Set(rows.filter((row) => row.style === "pile").map((row) => row.token));
    const ofPile = this.choices.filter((choice) => choice.tokens.length === 1 && piles.has(choice.tokens[0]));
    return [...this.complete, ...(this.picked.size ? [] : ofPile), ...this.plain];
  }

  /**
   * Pick or unpick a token. Return false if it fits neither the picked tokens nor exactly one largest part of them.
   *
   * @param {string} token
   */
  pick(token) {
    if (this.picked.delete(token)) return true;
    const kept = this.tokens.has(token) ? [[...this.picked]] : this.largestParts(token);
    if (kept.length !== 1) return false;
    this.picked = new Set([...kept[0], token]);
    return true;
  }

  /**
   * The largest parts of the picked tokens that some choice has together with this token.
   *
   * @param {string} token
   */
  largestParts(token) {
    const parts = this.with([token]).map((choice) => [...this.picked].filter((one) => choice.tokens.includes(one)));
    const most = Math.max(...parts.map((part) => part.length));
    const largest = new Map(parts.filter((part) => part.length === most).map((part) => [part.join(" "), part]));
    return [...largest.values()];
  }
}
