// The talk at a table: messages of all seats, own messages without an answer, muted seats, the number of unread
// messages.

/** @import { Say, ChatMessageInfo } from "../protocol.d.ts" */

/** @typedef {Say & { id: string }} OwnMessage a message with an id, so that the server takes it once */

export class Conversation {
  constructor() {
    /** @type {ChatMessageInfo[]} */
    this.said = [];
    /** @type {Map<string, OwnMessage>} own messages that the server has not repeated yet, by id */
    this.unconfirmed = new Map();
    /** @type {Set<number>} */
    this.muted = new Set();
    this.unread = 0;
  }

  /**
   * Keep an own message until the server repeats it.
   *
   * @param {OwnMessage} message
   */
  say(message) {
    this.unconfirmed.set(message.id, message);
  }

  /**
   * Drop and return the own message with this id that the server has refused.
   *
   * @param {string} id
   */
  refused(id) {
    const refused = this.unconfirmed.get(id);
    this.unconfirmed.delete(id);
    return refused;
  }

  /**
   * Take messages from the server, which may repeat earlier ones. Return those that the viewer has to learn of: new
   * ones except those of muted seats; none if they were said before the viewer came (`history`).
   *
   * @param {ChatMessageInfo[]} messages
   * @param {{ history?: boolean }} [how]
   */
  receive(messages, { history = false } = {}) {
    const fresh = messages.filter((one) => !this.said.some((other) => other.by === one.by && other.id === one.id));
    for (const { id } of messages) this.unconfirmed.delete(id);
    this.said.push(...fresh);
    return history ? [] : fresh.filter((one) => !this.muted.has(one.by));
  }

  /** The messages of the list: all except those of muted seats. */
  get listed() {
    return this.said.filter((one) => !this.muted.has(one.by));
  }

  /**
   * @param {number} seat
   * @param {boolean} muted
   */
  mute(seat, muted) {
    if (muted) this.muted.add(seat);
    else this.muted.delete(seat);
  }
}
