// The ways between a table and its club night.

import { isSeatUnstored, seatAt } from "../common/settings.js";

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
