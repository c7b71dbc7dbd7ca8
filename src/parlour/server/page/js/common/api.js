// Requests to the HTTP interface of the server.

import { noteAnswer } from "./offline.js";
import { t } from "./texts.js";

/** @import * as Answers from "../answers.d.ts" */

const NO_ANSWER = 0;
const NOT_FOUND = 404;
const CONFLICT = 409;
const MISDIRECTED = 421;
/** Milliseconds. */
const RETRY_TIME = 1000;
const MAX_TRIES = 6;
/**
 * Milliseconds until a request without a complete answer counts as lost: a connection may fail silently. A long answer
 * over a slow network needs many seconds.
 */
const REQUEST_PATIENCE = 60_000;

/** @param {number} time milliseconds before another request */
export const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** A request without the wanted answer: the sentence of the error, and its HTTP status (0: no answer). */
export class AnswerError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * The HTTP status of an error, or 0 where the server did not answer.
 *
 * @param {unknown} error
 */
export const statusOf = (error) => (error instanceof AnswerError ? error.status : NO_ANSWER);

/**
 * The sentence of an error.
 *
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Whether the server answered that there is no such thing.
 *
 * @param {unknown} error
 */
export const isNotFound = (error) => statusOf(error) === NOT_FOUND;

/**
 * Whether the server refused because of the present state: a seat is taken, a key is used.
 *
 * @param {unknown} error
 */
export const isConflict = (error) => statusOf(error) === CONFLICT;

/**
 * The sentence of an error of a request for a table.
 *
 * @param {unknown} error
 */
export const tableErrorText = (error) => (isNotFound(error) ? t("unknownTable") : messageOf(error));

/**
 * Send a GET request and return its answer.
 *
 * @param {string} path
 * @param {string | null} [key] the key of a seat or of the player
 * @returns {Promise<any>}
 */
const get = (path, key = null) => exchange(path, { headers: bearer(key) });

/**
 * Send a POST request and return its answer.
 *
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
const post = (path, body) => exchange(path, { method: "POST", ...jsonBody(body) });

/**
 * The headers and the text of a body.
 *
 * @param {object} body
 */
const jsonBody = (body) => ({ headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/**
 * Send a request and return its answer, or throw an `AnswerError`. A table that moves to another server is requested
 * again.
 *
 * @param {string} path
 * @param {RequestInit} options
 * @param {number} [tries]
 * @returns {Promise<any>}
 */
async function exchange(path, options, tries = MAX_TRIES) {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(REQUEST_PATIENCE) }).catch(() => null);
  noteAnswer(response);
  if (!response) throw unanswered();
  if (response.status === MISDIRECTED && response.headers.has("Retry-After") && tries > 1) {
    await pause(RETRY_TIME);
    return exchange(path, options, tries - 1);
  }
  const answer = await response.json().catch(() => null); // cut off, or written by a proxy
  if (!response.ok) throw new AnswerError(answer?.error ?? t("failed"), response.status);
  if (answer === null) throw unanswered();
  return answer;
}

/** The error of a request without a complete answer. */
export const unanswered = () => new AnswerError(t(navigator.onLine === false ? "offline" : "unreachable"), NO_ANSWER);

/**
 * The headers of a request with a key.
 *
 * @param {string | null} key
 * @returns {Record<string, string>}
 */
function bearer(key) {
  return key ? { Authorization: `Bearer ${key}` } : {};
}

/** @returns {Promise<Answers.Catalogue>} */
export const games = () => get("/api/games");

/**
 * Check the options of a game.
 *
 * @param {string} game
 * @param {number} players
 * @param {Answers.OptionValues} options
 * @returns {Promise<Answers.OptionCheck>}
 */
export const check = (game, players, options) => post("/api/check", { game, players, options });

/** @type {(game: string) => Promise<Answers.Rules>} */
export const rules = (game) => get(`/api/games/${game}/rules`);

/** @type {(game: string) => Promise<Answers.Primer>} */
export const primer = (game) => get(`/api/games/${game}/primer`);

/** @type {(game: string) => Promise<{ scenes: import("../protocol.d.ts").Scene[] }>} */
export const showcase = (game) => get(`/api/games/${game}/show`);

/** @type {(game: string) => Promise<Answers.Lesson>} */
export const lesson = (game) => get(`/api/games/${game}/lesson`);

/** @type {(game: string, hand: number, step: number) => Promise<Answers.LessonStep>} */
export const lessonStep = (game, hand, step) => get(`/api/games/${game}/lesson/${hand}/${step}`);

/**
 * Answer a step of a lesson with an action.
 *
 * @param {string} game
 * @param {number} hand
 * @param {number} step
 * @param {string} action
 * @returns {Promise<Answers.LessonAnswer>}
 */
export const answerStep = (game, hand, step, action) =>
  post(`/api/games/${game}/lesson/${hand}/${step}`, { do: action });

/**
 * The reasons why a selection on the table of a lesson's step is not legal.
 *
 * @param {string} game
 * @param {number} hand
 * @param {number} step
 * @param {string[]} tokens
 * @returns {Promise<Answers.Reasons>}
 */
export const whyNotInLesson = (game, hand, step, tokens) =>
  post(`/api/games/${game}/lesson/${hand}/${step}/why`, { tokens });

/** @returns {Promise<{ games: Answers.PuzzleGame[] }>} */
export const puzzleGames = () => get("/api/puzzles");

/** @type {(game: string) => Promise<Answers.Puzzles>} */
export const puzzles = (game) => get(`/api/puzzles/${game}`);

/** @type {(game: string, id: string) => Promise<Answers.Puzzle>} */
export const puzzle = (game, id) => get(`/api/puzzles/${game}/${id}`);

/**
 * Try an action in a puzzle.
 *
 * @param {string} game
 * @param {string} id
 * @param {string} action
 * @param {Answers.PuzzleStanding | null} standing the player's standing before; null without results
 * @param {boolean} counts whether the try changes the standing
 * @returns {Promise<Answers.PuzzleVerdict>}
 */
export const tryPuzzle = (game, id, action, standing, counts) =>
  post(`/api/puzzles/${game}/${id}`, { do: action, standing, counts });

/**
 * The reasons why a selection on the table of a puzzle is not legal.
 *
 * @type {(game: string, id: string, tokens: string[]) => Promise<Answers.Reasons>}
 */
export const whyNotInPuzzle = (game, id, tokens) => post(`/api/puzzles/${game}/${id}/why`, { tokens });

/** @returns {Promise<{ tables: Answers.LobbyTable[] }>} */
export const openTables = () => get("/api/tables");

/** @returns {Promise<Answers.Addresses>} */
export const addresses = () => get("/api/addresses");

/** An address as a QR code. @type {(address: string) => Promise<{ svg: string }>} */
export const linkCode = (address) => post("/api/link", { address });

/**
 * Scenes of a game, from that after `first` events on.
 *
 * @param {string} id
 * @param {string} view "all", "spectator" or a seat
 * @param {number} first
 * @param {string | null} key the seat's, which its view needs while the game goes on
 * @returns {Promise<Answers.ReplaySlice>}
 */
export function replay(id, view, first, key) {
  const query = new URLSearchParams({ view, first: String(first), number: "50" });
  return get(`/api/tables/${id}/replay?${query}`, key);
}

/** @type {(path: string, body: object) => Promise<Answers.OwnSeat>} */
export const openTable = (path, body) => post(path, body);

/**
 * A table. A sealed table is complete only with the key of one of its seats.
 *
 * @type {(id: string, key?: string | null) => Promise<import("../protocol.d.ts").TableInfo>}
 */
export const table = (id, key = null) => get(`/api/tables/${id}`, key);

/** @type {(id: string, seat: number, name: string, key: string) => Promise<Answers.SeatAnswer>} */
export const takeSeat = (id, seat, name, key) => post(`/api/tables/${id}/seats`, { seat, name, key });

/** @type {(id: string, key: string | null) => Promise<Answers.RematchAnswer>} */
export const rematch = (id, key) => post(`/api/tables/${id}/rematch`, { key });

/**
 * The levels of the bots in a new game one level up and down; null where there is none.
 *
 * @type {(id: string, key: string | null) => Promise<{ level: string | null, lower: string | null }>}
 */
export const levelsBeside = (id, key) => get(`/api/tables/${id}/again`, key);

/** @type {(id: string) => Promise<Answers.Review | Answers.ReviewProgress>} */
export const review = (id) => get(`/api/tables/${id}/review`);

/** @type {(key: string) => Promise<Answers.DailyToday>} */
export const daily = (key) => get("/api/daily", key);

/** @type {(key: string, before?: string) => Promise<{ days: Answers.DailyPast[] }>} */
export const dailyDays = (key, before = "") => get(`/api/daily/days?${new URLSearchParams({ before })}`, key);

/** @type {(day: string, key: string) => Promise<Answers.DailyDay>} */
export const dailyDay = (day, key) => get(`/api/daily/${day}`, key);

/** @type {(id: string, key: string) => Promise<Answers.DailyResult>} */
export const dailyResult = (id, key) => get(`/api/tables/${id}/daily`, key);

/** @type {(day: string, game: string, body: Answers.DailyRequest) => Promise<Answers.DailySeat>} */
export const playDaily = (day, game, body) => post(`/api/daily/${day}/${game}`, body);

/**
 * Link a seat with a player.
 *
 * @type {(id: string, key: string, player: string) => Promise<{ table: string, seat: number }>}
 */
export const linkPlayer = (id, key, player) => post(`/api/tables/${id}/player`, { key, player });

/**
 * A part of a player's list: the games that go on, then the finished ones, each the newest first.
 *
 * @param {string} key
 * @param {number} number
 * @param {string} [before] the `next` of the previous part
 * @returns {Promise<Answers.PlayerGames>}
 */
export const playerGames = (key, number, before = "") =>
  get(`/api/player?${new URLSearchParams({ number: String(number), before })}`, key);

/**
 * Open a club night. Repeated requests with one key open one night.
 *
 * @type {(body: Answers.ClubRequest) => Promise<{ club: string }>}
 */
export const openClub = (body) => post("/api/club", body);

/**
 * A club night, with the games after the first `known` rounds.
 *
 * @type {(id: string, key: string, known?: number) => Promise<Answers.ClubNight>}
 */
export const club = (id, key, known = 0) => get(`/api/club/${id}?known=${known}`, key);

/** @type {(id: string, name: string, key: string) => Promise<{ club: string, number: number }>} */
export const joinClub = (id, name, key) => post(`/api/club/${id}/players`, { name, key });

/** @type {(id: string, key: string, player: { number: number, name: string }) => Promise<{ club: string }>} */
export const removeClubPlayer = (id, key, { number, name }) => post(`/api/club/${id}/remove`, { key, number, name });

/** @type {(id: string, key: string) => Promise<{ club: string }>} */
export const beginClub = (id, key) => post(`/api/club/${id}/begin`, { key });

/** @type {(id: string, key: string, round: number) => Promise<{ club: string }>} */
export const closeClubRound = (id, key, round) => post(`/api/club/${id}/close`, { key, round });

/** @type {(key: string) => Promise<{ ratings: Answers.PlayedRating[] }>} */
export const playerRatings = (key) => get("/api/player/ratings", key);

/** @type {(key: string, before: string) => Promise<{ records: object[], next: string | null }>} */
export const playerRecords = (key, before) => get(`/api/player/records?${new URLSearchParams({ before })}`, key);

/** @type {(key: string) => Promise<{ games: number }>} */
export const forgetPlayer = (key) => exchange("/api/player", { method: "DELETE", headers: bearer(key) });

/** @type {(key: string, id: string) => Promise<{ table: string }>} */
export const forgetGame = (key, id) => exchange(`/api/player/games/${id}`, { method: "DELETE", headers: bearer(key) });

/** @returns {Promise<{ key: string | null }>} the key by which this browser subscribes to notices for closed pages */
export const pushKey = () => get("/api/push");

/** @typedef {{ key: string, endpoint: string, keys: Record<string, string> }} SeatSubscription */

/** @type {(id: string, subscription: SeatSubscription) => Promise<{ table: string, seat: number }>} */
export const subscribeSeat = (id, subscription) => post(`/api/tables/${id}/push`, subscription);

/**
 * End notices to a browser: all, or those about one table.
 *
 * @type {(endpoint: string, id?: string) => Promise<{ removed: number }>}
 */
export const unsubscribe = (endpoint, id) =>
  exchange("/api/push", { method: "DELETE", ...jsonBody({ endpoint, table: id }) });

/** @type {(id: string) => string} */
export const recordAddress = (id) => `/api/tables/${id}/record`;
