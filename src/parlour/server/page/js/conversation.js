// What is said at a table: the messages heard, those on their way, the muted seats, and the number of unread messages.

export class Conversation {
  constructor() {
    this.said = [];
    this.unheard = new Map();
    this.muted = new Set();
    this.unread = 0;
  }

  /** A message of our own: it is kept until the server repeats it. */
  say(message) {
    this.unheard.set(message.id, message);
  }

  /** The server took nothing of what is on its way. */
  refused() {
    this.unheard.clear();
  }

  /**
   * Messages from the server, some perhaps for the second time. Returns those to be shown and heard now: none of the
   * history that comes first, none of a muted seat, and none at all while `hear` is off.
   */
  listen(messages, { hear = true } = {}) {
    const history = messages.length > 1 && !this.said.length;
    const fresh = messages.filter((one) => !this.said.some((other) => other.by === one.by && other.id === one.id));
    for (const { id } of messages) this.unheard.delete(id);
    this.said.push(...fresh);
    return history || !hear ? [] : fresh.filter((one) => !this.muted.has(one.by));
  }

  /** The messages of the list: all but those of muted seats. */
  get heard() {
    return this.said.filter((one) => !this.muted.has(one.by));
  }

  mute(seat, muted) {
    if (muted) this.muted.add(seat);
    else this.muted.delete(seat);
  }
}
