// Requests for seats. A request without an answer is repeated with the same key, so that it is the same seat.

import * as api from "../common/api.js";
import { retry } from "../common/retry.js";
import { newKey } from "./seat_key.js";

/** The keys with which this page requests seats, where the browser stores none. @type {Map<string, string>} */
const keys = new Map();

/**
 * The key for requests of a seat in this tab. It outlasts the page: the lobby leads to the table where players have
 * been asked, and only the key of their answer takes the seat.
 *
 * @type {(id: string, seat: number) => string}
 */
function keyFor(id, seat) {
  const name = `parlour-request:${id} ${seat}`;
  try {
    const key = sessionStorage.getItem(name) ?? newKey();
    sessionStorage.setItem(name, key);
    return key;
  } catch {
    const key = keys.get(name) ?? newKey();
    keys.set(name, key);
    return key;
  }
}

/**
 * Request a seat. A request without an answer is repeated.
 *
 * @param {string} id
 * @param {number} seat
 * @param {string} name
 */
export function requestSeat(id, seat, name) {
  return retry(() => api.takeSeat(id, seat, name, keyFor(id, seat)));
}
