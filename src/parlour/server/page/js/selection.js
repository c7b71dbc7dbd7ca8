// Actions that are put together from several things on the table: what has been picked, and what it can become.

import { isCard } from "./speech.js";
import { t } from "./texts.js";

export class Choosing {
  constructor() {
    this.picked = new Set();
    this.choices = [];
  }

  /** A new scene: what was picked before means nothing any more. It stays where the scene is the `same`, shown again. */
  start(choices, same = false) {
    this.choices = choices ?? [];
    if (!same || !this.possible.length) this.picked.clear();
  }

  clear() {
    const some = this.picked.size > 0;
    this.picked.clear();
    return some;
  }

  /** The choices that contain everything picked. */
  get possible() {
    return this.with([...this.picked]);
  }

  with(tokens) {
    return this.choices.filter((choice) => tokens.every((token) => choice.tokens.includes(token)));
  }

  /** The tokens that can be picked beside what is picked, and those that are. */
  get tokens() {
    return new Set(this.possible.flatMap((choice) => choice.tokens));
  }

  /** Whether a token means anything now, perhaps instead of what is picked. */
  knows(token) {
    return this.choices.some((choice) => choice.tokens.includes(token));
  }

  /** The choices that are complete. */
  get complete() {
    return this.picked.size ? this.possible.filter((choice) => choice.tokens.length === this.picked.size) : [];
  }

  /** What to do now that something is picked, in a sentence. */
  get onward() {
    if (!this.picked.size) return "";
    const labels = t("either", [...new Set(this.complete.map((choice) => choice.label))]);
    if (this.tokens.size === this.picked.size) return t("chooseWhich", labels);
    return this.complete.length ? t("chooseMore", labels) : t("chooseOn");
  }

  /** Only what belongs to this action stays picked. */
  keep(action) {
    const tokens =
      this.choices.find((one) => one.do === action && [...this.picked].some((token) => one.tokens.includes(token)))
        ?.tokens ?? [];
    this.picked = new Set(tokens);
  }

  /** An action as it is called, with its cards. */
  nameOf(action) {
    const choice = this.choices.find((one) => one.do === action);
    return choice
      ? t(
          "actionOf",
          choice.label,
          choice.tokens.filter(isCard).map((token) => t("card", token)),
        )
      : action;
  }

  /** The one choice that is left, if it is complete. */
  get only() {
    return this.picked.size && this.possible.length === 1 ? this.complete[0] : undefined;
  }

  /** Whether less than what is picked was complete already, and had to be confirmed by a button. */
  get grown() {
    return this.choices.some(
      (choice) =>
        choice.tokens.length &&
        choice.tokens.length < this.picked.size &&
        choice.tokens.every((token) => this.picked.has(token)),
    );
  }

  /** The choices that nothing has to be picked for. */
  get plain() {
    return this.choices.filter((choice) => !choice.tokens.length);
  }

  /** The choices that are buttons now: what is complete, what needs nothing, and what needs only a pile of the scene. */
  offered(scene) {
    const piles = new Set(
      scene.areas
        .flatMap((area) => area.rows)
        .filter((row) => row.style === "pile")
        .map((row) => row.token),
    );
    const ofPile = this.choices.filter((choice) => choice.tokens.length === 1 && piles.has(choice.tokens[0]));
    return [...this.complete, ...(this.picked.size ? [] : ofPile), ...this.plain];
  }

  /** Takes a token, or puts it back; false if it goes neither with what is picked nor instead of a part of it. */
  pick(token) {
    if (this.picked.delete(token)) return true;
    const kept = this.tokens.has(token) ? [[...this.picked]] : this.instead(token);
    if (kept.length !== 1) return false;
    this.picked = new Set([...kept[0], token]);
    return true;
  }

  /** What can be kept of what is picked if this token is taken too: the largest parts. */
  instead(token) {
    const parts = this.with([token]).map((choice) => [...this.picked].filter((one) => choice.tokens.includes(one)));
    const most = Math.max(...parts.map((part) => part.length));
    const largest = new Map(parts.filter((part) => part.length === most).map((part) => [part.join(" "), part]));
    return [...largest.values()];
  }
}
