// The links of this browser's seats with the player, by which the room keeps the list of the player's games.

import * as api from "../common/api.js";
import { forgetSeat, keepSeat, markLinked, ownSeats, seatAt } from "../common/settings.js";
import { lookUp } from "../landing/table_lookup.js";
import { ownKey } from "./player_key.js";

/** @import { PlayerGame } from "../answers.d.ts" */

/** Maximum number of seats that are linked at one visit, within the limits of a room. */
const MOST_AT_ONCE = 50;

/**
 * Link this browser's seat at a table with the player, unless the room has answered before. A failure is thrown, except
 * the room's answers that there is no such table or that the seat has another player.
 *
 * @param {string} table
 */
export async function linkSeat(table) {
  const { seat, key, fromLink } = seatAt(table);
  if (!isToLink(table) || seat < 0 || !key) return;
  try {
    if (await isDropped(table)) return;
    if (fromLink && (await isUnclaimed(table, seat))) return;
    await api.linkPlayer(table, key, ownKey());
    markLinked(table, "yes");
  } catch (error) {
    if (api.isNotFound(error)) forgetSeat(table);
    else if (api.isConflict(error)) markLinked(table, "refused");
    else throw error;
  }
}

/** Whether the room has to be asked to link a seat. @param {string} table */
const isToLink = (table) => [undefined, "left"].includes(seatAt(table).linked);

/**
 * Whether a seat was left with its player (`leavePlayer`), and is forgotten now because its game is over.
 *
 * @param {string} table
 */
async function isDropped(table) {
  const { key, linked } = seatAt(table);
  if (linked !== "left") return false;
  const { over } = await api.table(table, key);
  if (over) forgetSeat(table);
  else markLinked(table, undefined);
  return over;
}

/**
 * Whether a seat of a rated table has no player yet. By a link with such a seat its author could lose a game that
 * changes the rating of the player who opens the link.
 *
 * @param {string} table
 * @param {number} seat
 */
async function isUnclaimed(table, seat) {
  const { manners, seats } = await api.table(table);
  return manners.rated && !seats[seat].rating;
}

/** Link the latest seats of this browser that are not linked yet. */
export async function linkSeats() {
  const unlinked = ownSeats().filter(isToLink);
  try {
    for (const table of unlinked.slice(0, MOST_AT_ONCE)) await linkSeat(table);
  } catch {
    // the room does not answer, or refuses: the next visit tries again
  }
}

/** Mark all seats of this browser as not linked, so that they are linked with the player of another key. */
export function unlinkSeats() {
  for (const table of ownSeats()) if (seatAt(table).linked !== "left") markLinked(table, undefined);
}

/**
 * Keep the seats of listed games that this browser does not have, with the player's key, which opens them.
 *
 * @param {PlayerGame[]} games
 */
export function keepListedSeats(games) {
  for (const { table, seat, kept } of games) {
    if (!kept || seatAt(table).seat >= 0) continue;
    keepSeat(table, seat, ownKey());
    markLinked(table, "yes");
  }
}

/**
 * The first games of the player's list, and the tables of this browser that are not in it. Without an answer there are
 * only the latter.
 *
 * @param {number} number
 */
export async function firstGames(number) {
  await linkSeats();
  try {
    const { name, games, next } = await answerTo(number);
    return { name, games, next, others: unlisted(games) };
  } catch (error) {
    return { name: null, games: [], next: null, others: ownSeats(), failure: api.messageOf(error) };
  }
}

/**
 * The room's answer. A browser whose player has been forgotten on another device forgets, too, and begins a new list.
 *
 * @param {number} number
 */
async function answerTo(number) {
  const answer = await api.playerGames(ownKey(), number);
  if (!isForgotten(answer.name)) return answer;
  await leavePlayer(ownKey());
  await linkSeats();
  return api.playerGames(ownKey(), number);
}

/** The tables of this browser that are not in the player's list. @param {PlayerGame[]} games */
function unlisted(games) {
  const listed = new Set(games.map(({ table }) => table));
  return ownSeats().filter((table) => seatAt(table).linked !== "yes" && !listed.has(table));
}

/**
 * Leave a player that the room has forgotten: this browser keeps its own seats in games that go on, and no others. A
 * seat about which the room does not answer is asked for again before it is linked.
 *
 * @param {string} key the player's key, which opens no seat any more
 */
export async function leavePlayer(key) {
  for (const table of ownSeats()) {
    if (seatAt(table).key === key) forgetSeat(table);
    else markLinked(table, "left");
  }
  await lookUp(ownSeats(), isDropped, forgetSeat);
}

/**
 * Whether the room has forgotten the player: it knows no player with the key, and has linked seats before.
 *
 * @param {string | null} name
 */
const isForgotten = (name) => name === null && ownSeats().some((table) => seatAt(table).linked === "yes");
