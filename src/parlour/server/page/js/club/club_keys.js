// The keys of a viewer at a club night: the host's, and the player's where storage refuses it.

import { hostKey, isPlayerKeyUnstored, keepHostKey } from "../common/settings.js";
import { ownKey, takeKey } from "../player/player_key.js";

/**
 * The address of a club night with the host's key, where storage refuses the key.
 *
 * @type {(club: string, key: string) => string}
 */
export const hostPath = (club, key) => `/club/${club}#${new URLSearchParams({ host: key })}`;

/**
 * Keep the keys that are in the address, and remove them from there: the host may send the address to the players.
 * Where storage refuses a key, the page's entry in the history keeps it. A host's key that this browser has already is
 * kept, because it cannot be restored. A player's key is taken only where storage refuses that of this browser: the
 * author of a link would see the cards of the viewer's seats.
 *
 * @param {string} club
 */
export function takeKeysFromLink(club) {
  const link = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const { host, player } = { ...history.state, ...link };
  const isHostKept = !host || hostKey(club) || keepHostKey(club, host);
  const own = ownKey();
  const isPlayerKept = !isPlayerKeyUnstored();
  if (player && !isPlayerKept) takeKey(player);
  const unstored = { ...(isHostKept ? null : { host }), ...(isPlayerKept ? null : { player: player ?? own }) };
  history.replaceState(Object.keys(unstored).length ? unstored : null, "", location.pathname);
}
