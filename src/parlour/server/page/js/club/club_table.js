// The parts of a table's page that only tables of club nights need.

import * as api from "../common/api.js";
import { clear, find, h } from "../common/dom.js";
import { t } from "../common/texts.js";
import { ownKey } from "../player/player_key.js";
import { keepSeatHere } from "../table/seat_panel.js";
import { clubOfTable } from "./club_address.js";
import { CLUB_TEXTS } from "./club_texts.js";

/** @typedef {Pick<import("../protocol.d.ts").TableInfo, "table" | "club">} ClubTable */

/** @param {ClubTable} table */
const wayBack = ({ table, club }) => (club ? clubOfTable(club.id, table) : "/");

/**
 * Take the seat of this browser's player at a table of an open round, if there is one: the club night knows it also
 * where the player's key came from another device.
 *
 * @param {string} club
 * @param {string} id the table
 */
export async function takeSeat(club, id) {
  const { you, games } = await api.club(club, ownKey());
  const game = games.find(({ table }) => table === id); // the room names the tables of this player only
  if (game) keepSeatHere(id, game.seats.indexOf(you), ownKey());
}

/** The sentence at a table of an open round, which is seen by its players only. */
export const sealedWords = CLUB_TEXTS.clubSealedTable;

/**
 * Describe a game that the host has cut off, once, with the way to its club night.
 *
 * @param {HTMLElement} line
 * @param {ClubTable} table
 */
export function describeCutOff(line, table) {
  if (find(line, "a")) return;
  clear(line, h("p", {}, CLUB_TEXTS.clubCutOff), h("a", { class: "button", href: wayBack(table) }, t("clubBack")));
}
