// The place in a lesson: a hand and a step in it. `hands` are the lesson's hands, each with its number of steps.

export const BEGINNING = Object.freeze([0, 0]);

/** The place to begin at: the kept one, if the lesson has it. */
export function startOf(hands, kept = BEGINNING) {
  const [hand, step] = kept;
  return hands[hand]?.steps > step ? [hand, step] : [...BEGINNING];
}

/** The next place; null after the last step. */
export function after(hands, [hand, step]) {
  if (step + 1 < hands[hand].steps) return [hand, step + 1];
  return hand + 1 < hands.length ? [hand + 1, 0] : null;
}

/** The place before; null at the beginning. */
export function before(hands, [hand, step]) {
  if (step) return [hand, step - 1];
  return hand ? [hand - 1, hands[hand - 1].steps - 1] : null;
}
