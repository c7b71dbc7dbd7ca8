// Requests for new tables. Repeated requests with the same key open one table.

import * as api from "../common/api.js";
import { isRefusal, retry } from "../common/retry.js";
import { RequestKey } from "../table/seat_key.js";
import { keepSeat, keepTableRequest, tableRequest } from "../common/settings.js";

/** @typedef {import("../common/settings.js").TableRequest} TableRequest */

/** Milliseconds until a request without an answer is given up. */
const REQUEST_LIFE = 10 * 60_000;

/** The key of the latest request without an answer, which pressing the same button again repeats. */
const latest = new RequestKey();

/** @param {TableRequest} request */
const send = ({ path, body, key }) => api.openTable(path, { ...body, key });

/**
 * Open a table. The request is kept, in case this page is closed before the answer.
 *
 * @param {object} body
 * @param {string} [path] the path of the request; others than the usual one continue or repeat an earlier game
 */
export async function requestTable(body, path = "/api/tables") {
  const request = { path, body, key: latest.of([path, body]), at: Date.now() };
  keepTableRequest(request);
  try {
    const opened = await retry(() => send(request));
    latest.settle();
    return opened;
  } catch (error) {
    if (isRefusal(error)) latest.settle();
    throw error;
  } finally {
    forgetRequest(request.key);
  }
}

/** Repeat the request of a page that was closed before the answer, and keep the seat. */
export async function resumeTableRequest() {
  const { path, body, key, at } = tableRequest();
  if (!path || !body || !key || !at) return;
  try {
    if (Date.now() - at < REQUEST_LIFE) {
      const opened = await send({ path, body, key, at });
      keepSeat(opened.table, opened.seat, opened.key, true);
    }
  } catch (error) {
    if (!isRefusal(error)) return;
  }
  forgetRequest(key);
}

/**
 * Forget the kept request, unless another page has kept its own meanwhile.
 *
 * @param {string} key
 */
function forgetRequest(key) {
  if (tableRequest().key === key) keepTableRequest({});
}
