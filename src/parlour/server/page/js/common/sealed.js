// Finished games that others still have to play, in a daily deal or in a round of a club night.

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
