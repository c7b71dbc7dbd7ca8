// What the page of a table is at. Everything that depends on it asks here, and nothing keeps it a second time.

export const State = Object.freeze({
  /** No scene has come yet. */
  LOADING: "loading",
  /** What happened is being shown, one scene after another. */
  SHOWING: "showing",
  /** The viewer may act. */
  TURN: "turn",
  /** An action is on its way to the server. */
  SENT: "sent",
  /** An action waits for the connection; it can still be put back. */
  HELD: "held",
  /** Others act, or the viewer only looks on. */
  OTHERS: "others",
  /** The game is over. */
  OVER: "over",
});

/** Tells when the end of a game is to be shown by itself: once for each time that the game comes to an end. */
export class EndNotice {
  constructor() {
    this.over = false;
  }

  /** A scene of a game that is over or not. True if the end is to be shown now. */
  isDue(over) {
    const due = over && !this.over;
    this.over = over;
    return due;
  }
}

/** The state of a page with this scene (or none), whose queue is `busy` or not, and these presses. */
export function stateOf(scene, busy, presses) {
  if (!scene) return State.LOADING;
  if (busy) return State.SHOWING;
  if (presses.open) return presses.waits ? State.HELD : State.SENT;
  if (scene.over) return State.OVER;
  return scene.legal.length ? State.TURN : State.OTHERS;
}
