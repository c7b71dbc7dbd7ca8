// Position in a lesson: a hand, and a step in it.

/** @typedef {readonly [hand: number, step: number]} Position */
/** @typedef {readonly { steps: number }[]} Hands a lesson's hands with their numbers of steps */

/** @type {Position} */
export const BEGINNING = Object.freeze([0, 0]);

/**
 * The first position of a visit: the stored one, if the lesson still has it.
 *
 * @param {Hands} hands
 * @param {Position} [kept]
 * @returns {Position}
 */
export function startOf(hands, kept = BEGINNING) {
  const [hand, step] = kept;
  return hands[hand]?.steps > step ? [hand, step] : BEGINNING;
}

/**
 * The next position; null after the last step.
 *
 * @param {Hands} hands
 * @param {Position} position
 * @returns {Position | null}
 */
export function after(hands, [hand, step]) {
  if (step + 1 < hands[hand].steps) return [hand, step + 1];
  return hand + 1 < hands.length ? [hand + 1, 0] : null;
}

/**
 * The previous position; null at the beginning.
 *
 * @param {Hands} hands
 * @param {Position} position
 * @returns {Position | null}
 */
export function before(hands, [hand, step]) {
  if (step) return [hand, step - 1];
  return hand ? [hand - 1, hands[hand - 1].steps - 1] : null;
}
