// The ways between a table and its club night.

import { showFailure } from "../common/failure.js";
import { isSeatUnstored, seatAt } from "../common/settings.js";
import { t } from "../common/texts.js";

/**
 * The address of the club night of a table. It has the player's key, which is that of the seat, where storage refuses
 * the seat.
 *
 * @type {(club: string, table: string) => string}
 */
export function clubOfTable(club, table) {
  const { key } = seatAt(table);
  return isSeatUnstored(table) && key ? `/club/${club}#${new URLSearchParams({ player: key })}` : `/club/${club}`;
}

/** The parts of a table's page that only tables of club nights need. */
export const clubTable = () => import("./club_table.js");

/**
 * Show that a table of an open round is seen by its players only; if that text does not load, what its seal means.
 *
 * @param {HTMLElement} app
 * @param {string} table
 * @param {string} club
 */
export async function showSealed(app, table, club) {
  const words = await clubTable().then(
    (part) => part.sealedWords,
    () => t("clubSealed"),
  );
  showFailure(app, words, [t("clubBack"), clubOfTable(club, table)]);
}
