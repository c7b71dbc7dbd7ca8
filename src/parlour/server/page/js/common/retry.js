// Repetition of requests that have a key, so that a repeated one changes nothing more.

import * as api from "./api.js";

/** The status of an answer beyond a rate limit. */
export const TOO_MANY_REQUESTS = 429;

/** Milliseconds between tries: together longer than the restart of a server. */
const WAITS = [500, 1000, 2000, 4000];

/**
 * Whether the server has answered that it does not carry the request out.
 *
 * @param {unknown} error
 */
export function isRefusal(error) {
  const status = api.statusOf(error);
  return status > 0 && status < 500;
}

/**
 * Whether a repetition may succeed later: the room did not answer, failed, or has had too many requests.
 *
 * @param {unknown} error
 */
export function mayPass(error) {
  return !isRefusal(error) || api.statusOf(error) === TOO_MANY_REQUESTS;
}

/**
 * Repeat a request until it is answered, refused, or the tries are used up.
 *
 * @template Answer
 * @param {() => Promise<Answer>} request
 * @returns {Promise<Answer>}
 */
export async function retry(request) {
  for (const wait of WAITS) {
    try {
      return await request();
    } catch (error) {
      if (isRefusal(error)) throw error;
      await api.pause(wait);
    }
  }
  return request();
}

/**
 * Repeat a request for what is shown already until it is answered or refused: a lost connection must not take the page
 * away.
 *
 * @template Answer
 * @param {() => Promise<Answer>} request
 * @param {number} time milliseconds between two tries
 * @param {(error: unknown) => boolean} [isBrief] whether a repetition after this error may succeed
 * @returns {Promise<Answer>}
 */
export async function persist(request, time, isBrief = mayPass) {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!isBrief(error)) throw error;
      await api.pause(time);
    }
  }
}
