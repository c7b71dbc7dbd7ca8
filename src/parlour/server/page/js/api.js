// The server's HTTP side. Every error becomes an Error with the server's own sentence.

import { t } from "./texts.js";

const ELSEWHERE = 421;
const AGAIN = 1000;
const TRIES = 6;

async function ask(path, body, headers = {}, tries = TRIES) {
  const request =
    body === undefined
      ? { headers }
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, request);
  if (response.status === ELSEWHERE && response.headers.has("Retry-After") && tries > 1) {
    // the table moves
    await new Promise((done) => setTimeout(done, AGAIN));
    return ask(path, body, headers, tries - 1);
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? t("failed")), { status: response.status });
  return answer;
}

export const games = () => ask("/api/games");
export const check = (game, players, options) => ask("/api/check", { game, players, options });
export const rules = (game) => ask(`/api/games/${game}/rules`);
export const primer = (game) => ask(`/api/games/${game}/primer`);
export const showcase = (game) => ask(`/api/games/${game}/show`);
export const lesson = (game) => ask(`/api/games/${game}/lesson`);
export const step = (game, hand, number) => ask(`/api/games/${game}/lesson/${hand}/${number}`);
export const answerStep = (game, hand, number, action) =>
  ask(`/api/games/${game}/lesson/${hand}/${number}`, { do: action });
export const openTables = () => ask("/api/tables");
export const addresses = () => ask("/api/addresses");
export const link = (address) => ask("/api/link", { address });
/** Scenes of a game from event `first` on; a seat's key is needed while the game goes on. */
export const replay = (id, view, first, key) =>
  ask(
    `/api/tables/${id}/replay?${new URLSearchParams({ view, first, number: 50 })}`,
    undefined,
    key ? { Authorization: `Bearer ${key}` } : {},
  );
export const openTable = (path, body) => ask(path, body);
export const table = (id) => ask(`/api/tables/${id}`);
export const sitDown = (id, seat, name, key) => ask(`/api/tables/${id}/seats`, { seat, name, key });
export const rematch = (id, key) => ask(`/api/tables/${id}/rematch`, { key });
export const review = (id) => ask(`/api/tables/${id}/review`);
export const recordAddress = (id) => `/api/tables/${id}/record`;
