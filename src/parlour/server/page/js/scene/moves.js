// Moves of cards between two drawings: which card goes where. Only what both drawings show is compared, so a move of
// face-down cards shows numbers of cards, never which one of a row it was.

/**
 * A card: its row and area, the area that played it, and whether its face is up. A played card that the viewer does not
 * know has the name of the area that played it (`backOf`).
 *
 * @typedef {{ row?: string, area?: string, from?: string, up: boolean }} CardSpot
 */

/** @typedef {{ many: number, backs: number, area?: string }} RowSpot a row with its numbers of cards and of backs */
/** @typedef {{ cards: Map<string, CardSpot>, rows: Map<string, RowSpot> }} Spots what one drawing shows */
/** @typedef {{ card?: string, row?: string, area?: string }} Source a card, row or area of the previous drawing */

/**
 * `arrivals`: cards of the new drawing that have moved or have been turned up; `leaves`: cards that have vanished, with
 * the row that took them; `flights`: face-down cards from row to row.
 *
 * @typedef {object} Moves
 * @property {{ card: string, kind: "move" | "flip", source: Source }[]} arrivals
 * @property {{ card: string, goal?: string }[]} leaves
 * @property {{ from: string, to: string }[]} flights
 */

/**
 * A row that has gained or lost cards: the number of those without a move (`left`), and the difference of its backs.
 *
 * @typedef {{ id: string, area?: string, left: number, backs: number }} Change
 */

/** The name of an unknown card that an area has played. */
export const backOf = (/** @type {string} */ area) => `back of ${area}`;

/** @param {string} card */
export const isBack = (card) => card.startsWith("back of ");

/**
 * The rows that have more cards in the drawing `more` than in the drawing `fewer`.
 *
 * @param {Spots} fewer
 * @param {Spots} more
 * @returns {Change[]}
 */
function changes(fewer, more) {
  return [...more.rows].flatMap(([id, { many, backs, area }]) => {
    const was = fewer.rows.get(id);
    const left = many - (was?.many ?? 0);
    return left > 0 ? [{ id, area, left, backs: backs - (was?.backs ?? 0) }] : [];
  });
}

/**
 * Take one card from the first of the rows that have some left and meet a condition; undefined if there is none.
 *
 * @param {Change[]} rows
 * @param {(row: Change) => boolean} condition
 */
function takeOne(rows, condition) {
  const found = rows.find((row) => row.left > 0 && condition(row));
  if (found) found.left -= 1;
  return found?.id;
}

/**
 * The moves from one drawing to the next.
 *
 * @param {Spots} before
 * @param {Spots} now
 * @returns {Moves}
 */
export function planMoves(before, now) {
  const [lost, gained] = [changes(now, before), changes(before, now)];
  /** @type {Moves} */
  const moves = { arrivals: [], leaves: [], flights: [] };
  const revealed = new Set();
  /** @type {[string, CardSpot][]} */
  const fresh = [];
  // cards in both drawings account for their rows first
  for (const [card, spot] of now.cards) {
    const played = spot.from && !spot.row ? backOf(spot.from) : "";
    const source = before.cards.has(card) ? card : before.cards.has(played) && !now.cards.has(played) ? played : "";
    const was = before.cards.get(source);
    if (!was) {
      fresh.push([card, spot]);
      continue;
    }
    if (source !== card) revealed.add(source);
    if (was.row !== spot.row) {
      takeOne(lost, ({ id }) => id === was.row);
      takeOne(gained, ({ id }) => id === spot.row);
    }
    const turned = !was.up && spot.up && was.row === spot.row && was.area === spot.area;
    moves.arrivals.push({ card, kind: turned ? "flip" : "move", source: { card: source } });
  }
  const gone = [...before.cards].filter(([card]) => !now.cards.has(card) && !revealed.has(card));
  for (const [, was] of gone) takeOne(lost, ({ id }) => id === was.row);
  for (const [card, spot] of fresh) moves.arrivals.push(arrivalOf(card, spot, { before, now, lost, gained }));
  for (const [card, was] of gone) {
    const goal = takeOne(gained, ({ id, backs }) => id !== was.row && backs > 0);
    moves.leaves.push({ card, goal: goal ?? takeOne(gained, ({ id }) => id !== was.row) });
  }
  for (const row of gained) {
    for (let { left } = row; left > 0 && row.backs > 0; left -= 1) {
      const from = takeOne(lost, ({ id }) => id !== row.id);
      if (from) moves.flights.push({ from, to: row.id });
    }
  }
  return moves;
}

/**
 * The arrival of a card that the previous drawing did not show: turned up in its row; or from a row that has lost a
 * card, one of the area that played it or has it now, or any if no area played it; or from the area that played it.
 *
 * @param {string} card
 * @param {CardSpot} spot
 * @param {{ before: Spots, now: Spots, lost: Change[], gained: Change[] }} drawings
 * @returns {Moves["arrivals"][number]}
 */
function arrivalOf(card, spot, { before, now, lost, gained }) {
  const [then, after] = [before.rows.get(spot.row ?? ""), now.rows.get(spot.row ?? "")];
  if (then && after && then.backs > after.backs && then.many === after.many) {
    return { card, kind: "flip", source: { row: spot.row } };
  }
  takeOne(gained, ({ id }) => id === spot.row);
  const area = spot.from ?? spot.area;
  const near = takeOne(lost, (row) => row.id !== spot.row && row.area === area);
  const row = near ?? (spot.from ? undefined : takeOne(lost, ({ id }) => id !== spot.row));
  return { card, kind: "move", source: row ? { row } : { area: spot.from } };
}
