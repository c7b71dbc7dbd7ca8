// The times in which the player has answered at this table. The pause before an action that was chosen in advance is
// drawn from them, so that the others hardly tell it from one that was chosen in the turn.

/** The number of latest times that are kept. */
const KEPT = 12;
/** Milliseconds of times that are kept and drawn: a shorter pause is not seen, a longer one makes the others wait. */
const SHORTEST = 900;
const LONGEST = 10_000;
/** Milliseconds before the player has answered; they give way to the player's own. */
const FIRST = [1600, 2600, 4200];
/** The share by which a drawn time differs from a kept one at most: no time is seen twice. */
const SPREAD = 0.25;

export class AnswerTimes {
  /** @param {() => number} [random] a number from 0 to 1 */
  constructor(random = Math.random) {
    this.random = random;
    this.kept = FIRST;
  }

  /** @param {number} time milliseconds from the turn to the player's action */
  note(time) {
    if (time >= SHORTEST && time <= LONGEST) this.kept = [...this.kept, time].slice(-KEPT);
  }

  /** A pause in milliseconds. */
  draw() {
    const time = this.kept[Math.floor(this.random() * this.kept.length)];
    const spread = 1 + SPREAD * (2 * this.random() - 1);
    return Math.min(LONGEST, Math.max(SHORTEST, time * spread));
  }
}
