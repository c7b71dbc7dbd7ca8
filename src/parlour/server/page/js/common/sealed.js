// Games of daily deals and club nights: whether others still have to play them, and whether they still count.

import { t } from "./texts.js";

/**
 * The seal of a game: the reason in words, and the address of the page that waits for its end. Null without a seal.
 *
 * @param {object} game
 * @param {{ day: string, sealed: boolean } | null} [game.daily]
 * @param {{ id: string, sealed: boolean } | null} [game.club]
 */
export function sealOf({ daily, club }) {
  if (daily?.sealed) return { words: t("dailySealed"), address: `/daily/${daily.day}` };
  if (club?.sealed) return { words: t("clubSealed"), address: `/club/${club.id}` };
  return null;
}

/**
 * Whether the host of a club night has closed the round of a game before its end, so that the game does not count.
 *
 * @param {{ club: { counts: boolean } | null }} game
 */
export const isCutOff = ({ club }) => club?.counts === false;
