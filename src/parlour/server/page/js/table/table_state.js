// State of a table's page. It is computed from its sources at each use, never stored.

/** @import { CompanyMessage, Scene, SeatInfo } from "../protocol.d.ts" */

export const State = Object.freeze({
  /** No scene has arrived. */
  LOADING: "loading",
  /** Scenes of past events are being shown. */
  SHOWING: "showing",
  /** The viewer may act. */
  TURN: "turn",
  /** An action has been sent. */
  SENT: "sent",
  /** An action waits for the connection; it can be cancelled. */
  HELD: "held",
  /** Another seat acts, or the viewer is a spectator. */
  OTHERS: "others",
  /** The game is over. */
  OVER: "over",
});

/** @typedef {typeof State[keyof typeof State]} PageState */

/** What holds until the first message about the people at the table. @type {Readonly<CompanyMessage>} */
export const NO_COMPANY = Object.freeze({
  type: "company",
  there: [],
  away: [],
  out: [],
  resigned: [],
  undoable: null,
  undo_request: null,
  undo_declined: null,
  seat_request: null,
  clocks: null,
  deadline: null,
  talk: "none",
  opener: null,
  readying: false,
});

/**
 * Whether a viewer may choose things for the next turn in advance.
 *
 * @param {Pick<Scene, "legal" | "over" | "seat"> | null} scene
 * @param {PageState} state
 */
export function mayPlan(scene, state) {
  const waits = state === State.OTHERS || state === State.SHOWING;
  return waits && scene !== null && scene.seat >= 0 && !scene.over && !scene.legal.length;
}

/**
 * Whether the viewer plays with bots alone.
 *
 * @param {{ seats: Pick<SeatInfo, "kind">[], seat: number }} table `seat` is the viewer's, −1 for a spectator
 */
export const isAlone = ({ seats, seat }) =>
  seat >= 0 && seats.every(({ kind }, number) => number === seat || kind === "bot");

/** The decision when the end of a game opens its sheet: once at each end, since an end can be taken back. */
export class EndNotice {
  constructor() {
    this.over = false;
  }

  /**
   * Note the state of the game; return true if the sheet is to be opened now.
   *
   * @param {boolean} over whether the game is over in the scene that is shown
   */
  isDue(over) {
    const due = over && !this.over;
    this.over = over;
    return due;
  }
}

/**
 * The state of a page.
 *
 * @param {Pick<Scene, "legal" | "over"> | null} scene the scene that is shown
 * @param {boolean} busy whether scenes are being shown one after another
 * @param {{ open: boolean, waits: boolean }} pending the action without an answer
 * @param {boolean} isPlayedOut whether a bot plays the viewer's seat to the end
 * @returns {PageState}
 */
export function stateOf(scene, busy, pending, isPlayedOut) {
  if (!scene) return State.LOADING;
  if (busy) return State.SHOWING;
  if (pending.open) return pending.waits ? State.HELD : State.SENT;
  if (scene.over) return State.OVER;
  return scene.legal.length && !isPlayedOut ? State.TURN : State.OTHERS;
}
