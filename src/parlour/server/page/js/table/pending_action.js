// The player's action until the server answers it. The server recognizes an action that it receives twice by the number
// of events that its player had seen.

/** @import { Act } from "../protocol.d.ts" */

export class PendingAction {
  /** @param {(message: Act) => boolean} send sends a message and returns false without a connection */
  constructor(send) {
    this.send = send;
    /** @type {Act | null} */
    this.message = null;
    /** @type {Act | null} the latest action, also after its answer */
    this.latest = null;
    this.sent = false;
  }

  /**
   * Send an action that was chosen after `seen` events, or keep it for the next connection.
   *
   * @param {string} action
   * @param {number} seen
   */
  start(action, seen) {
    this.latest = this.message = { type: "act", do: action, seen };
    this.sent = this.send(this.message);
  }

  /** Whether there is an action without an answer. */
  get open() {
    return this.message !== null;
  }

  /** Whether the action waits for the connection, so that it can be cancelled. */
  get waits() {
    return this.open && !this.sent;
  }

  /**
   * Whether an action was refused since the table had moved on, also if another tab's action has answered it before.
   *
   * @param {{ do: string, seen: number }} refused the action, and the number of events at its refusal
   */
  wasLate({ do: action, seen }) {
    return this.latest !== null && this.latest.do === action && seen > this.latest.seen;
  }

  /** Forget the action: it has been answered or cancelled. */
  settle() {
    this.message = null;
  }

  /**
   * Continue on a new connection to a table with `seen` events. A sent action is sent again, since the server may not
   * have received it. An unsent one is dropped if the table has moved on. Return false if it was dropped.
   *
   * @param {number} seen
   */
  resume(seen) {
    if (!this.message) return true;
    if (this.waits && this.message.seen !== seen) {
      this.settle();
      return false;
    }
    this.sent = this.send(this.message);
    return true;
  }
}
