// Requests for seats. A request without an answer is repeated with the same key, so that it is the same seat.

import * as api from "../common/api.js";
import { newKey } from "./seat_key.js";

/** Milliseconds before a lost request is repeated; each wait is twice as long as the previous one. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 4000;

/** The keys with which this page requests seats, by table and seat. @type {Map<string, string>} */
const keys = new Map();

/** @type {(id: string, seat: number) => string} */
function keyFor(id, seat) {
  const name = `${id} ${seat}`;
  const key = keys.get(name) ?? newKey();
  keys.set(name, key);
  return key;
}

/**
 * Request a seat. A request without an answer is repeated.
 *
 * @param {string} id
 * @param {number} seat
 * @param {string} name
 */
export async function requestSeat(id, seat, name) {
  for (let wait = FIRST_WAIT; ; wait *= 2) {
    try {
      return await api.takeSeat(id, seat, name, keyFor(id, seat));
    } catch (error) {
      const status = api.statusOf(error);
      if ((status && status < 500) || wait > LONGEST_WAIT) throw error;
      await api.pause(wait);
    }
  }
}
