// The server's HTTP side. Every error becomes an Error with the server's own sentence.

import { t } from "./texts.js";

async function ask(path, body) {
  const request = body === undefined
    ? {}
    : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, request);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? t("failed")), { status: response.status });
  return answer;
}

export const games = () => ask("/api/games");
export const check = (game, players, options) => ask("/api/check", { game, players, options });
export const rules = (game) => ask(`/api/games/${game}/rules`);
export const openTable = (body) => ask("/api/tables", body);
export const table = (id) => ask(`/api/tables/${id}`);
export const sitDown = (id, seat, name) => ask(`/api/tables/${id}/seats`, { seat, name });
export const rematch = (id, key) => ask(`/api/tables/${id}/rematch`, { key });
export const recordAddress = (id) => `/api/tables/${id}/record`;
