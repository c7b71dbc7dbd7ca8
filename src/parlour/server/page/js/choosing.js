// Actions that are put together from several things on the table: what has been picked, and what it can become.

export class Choosing {
  constructor() {
    this.picked = new Set();
    this.choices = [];
  }

  /** A new scene: what was picked before means nothing any more. */
  start(choices) {
    this.picked.clear();
    this.choices = choices ?? [];
  }

  /** The choices that contain everything picked. */
  get possible() {
    return this.choices.filter((choice) => [...this.picked].every((token) => choice.tokens.includes(token)));
  }

  /** The tokens that can be picked now, and those that are. */
  get tokens() {
    return new Set(this.possible.filter((choice) => choice.tokens.length > 1 || this.picked.size).flatMap((choice) => choice.tokens));
  }

  /** The choices that are complete: a button for each. */
  get complete() {
    return this.picked.size ? this.possible.filter((choice) => choice.tokens.length === this.picked.size) : [];
  }

  /** False if this token means nothing now. */
  pick(token) {
    if (this.picked.delete(token)) return true;
    if (!this.tokens.has(token)) return false;
    this.picked.add(token);
    return true;
  }
}
