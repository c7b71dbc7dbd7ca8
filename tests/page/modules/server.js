// The server of the page's modules in Node: answers by path, which may be missing, refusals, or late.

import "./browser.js";

/** An answer as `fetch` gives it. */
export const answer = (status, body = {}) => ({
  ok: status < 400,
  status,
  headers: new Headers(),
  json: () => Promise.resolve(body),
});

/**
 * Answer requests by the beginning of their path, or of their method and path ("POST /api/club"): with a body, with a
 * refusal of this status, or not at all (null). Of a list of answers each is given once, the last one to all further
 * requests. Return the requests that were sent.
 */
export function serve(answers) {
  const sent = [];
  globalThis.fetch = async (path, { method = "GET", body } = {}) => {
    sent.push({ path, method, body: body && JSON.parse(body) });
    const start = Object.keys(answers).find((each) => path.startsWith(each) || `${method} ${path}`.startsWith(each));
    const found = start === undefined ? 404 : answers[start];
    const next = await (Array.isArray(found) && found.length > 1 ? found.shift() : [found].flat()[0]);
    if (next === null) throw new TypeError("no network");
    return typeof next === "number" ? answer(next, { error: `refused: ${next}` }) : answer(200, next);
  };
  return sent;
}

/** A body that is given later, by `give`. */
export function late() {
  let give;
  const body = new Promise((resolve) => {
    give = resolve;
  });
  return { body, give };
}
