// The times that the player has needed to act at this table. The pause before an action that was chosen in advance is
// drawn from them, so that other players can hardly distinguish it from an action that was chosen in the turn.

/** The number of latest times that are kept. */
const KEPT = 12;
/** Bounds in milliseconds: a shorter pause is not noticed, a longer one makes the others wait. */
const SHORTEST = 900;
const LONGEST = 10_000;
/** Initial times in milliseconds, until the player has acted often enough. */
const FIRST = [1600, 2600, 4200];
/** Maximum relative difference of a drawn time from a stored one, so that no time occurs twice. */
const SPREAD = 0.25;

export class AnswerTimes {
  /** @param {() => number} [random] returns a number from 0 to less than 1 */
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
