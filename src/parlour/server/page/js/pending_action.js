// What was pressed and is not answered yet. Without a connection it waits, and is sent once when there is one again:
// the server knows an action that was carried out already, if it is sent with the same number of events seen.

export class Presses {
  /** `send(message)` tells whether it could be sent. */
  constructor(send) {
    this.send = send;
    this.one = null;
  }

  /** An action, decided in the scene with so many events. */
  press(action, seen) {
    this.one = { type: "do", do: action, seen };
    this.sent = this.send(this.one);
  }

  /** Whether something is on its way, or waits for the connection. */
  get open() {
    return this.one !== null;
  }

  /** Not sent yet: it can still be put back. */
  get waits() {
    return this.open && !this.sent;
  }

  /** It was answered, or is put back. */
  settle() {
    this.one = null;
  }

  /**
   * The connection is back, at a table where so much has happened. What was sent and not answered is sent again: it may
   * have been carried out. False if something had not been sent, and now comes too late.
   */
  again(seen) {
    if (!this.open) return true;
    if (this.waits && this.one.seen !== seen) {
      this.settle();
      return false;
    }
    this.sent = this.send(this.one);
    return true;
  }
}
