// Requests for new tables. Repeated requests with the same key open one table.

import * as api from "../common/api.js";
import { isRefusal, retry } from "../common/retry.js";
import { newKey } from "../table/seat_key.js";
import { keepSeat, keepTableRequest, tableRequest } from "../common/settings.js";

/** @typedef {import("../common/settings.js").TableRequest} TableRequest */

/** Milliseconds until a request without an answer is given up. */
const REQUEST_LIFE = 10 * 60_000;

/**
 * The latest request without an answer, which pressing the same button again repeats.
 *
 * @type {TableRequest | null}
 */
let unanswered = null;

/** @param {TableRequest} request */
const send = ({ path, body, key }) => api.openTable(path, { ...body, key });

/**
 * Open a table. The request is kept, in case this page is closed before the answer.
 *
 * @param {object} body
 * @param {string} [path] the path of the request; others than the usual one continue or repeat an earlier game
 */
export async function requestTable(body, path = "/api/tables") {
  const isRepeated = JSON.stringify([unanswered?.path, unanswered?.body]) === JSON.stringify([path, body]);
  const request = { path, body, key: isRepeated && unanswered ? unanswered.key : newKey(), at: Date.now() };
  unanswered = request;
  keepTableRequest(request);
  try {
    const opened = await retry(() => send(request));
    unanswered = null;
    return opened;
  } catch (error) {
    if (isRefusal(error)) unanswered = null;
    throw error;
  } finally {
    keepTableRequest({});
  }
}

/** Repeat the request of a page that was closed before the answer, and keep the seat. */
export async function resumeTableRequest() {
  const { path, body, key, at } = tableRequest();
  if (!path || !body || !key || !at) return;
  try {
    if (Date.now() - at < REQUEST_LIFE) {
      const opened = await send({ path, body, key, at });
      keepSeat(opened.table, opened.seat, opened.key);
    }
  } catch (error) {
    if (!isRefusal(error)) return;
  }
  if (tableRequest().key === key) keepTableRequest({});
}
