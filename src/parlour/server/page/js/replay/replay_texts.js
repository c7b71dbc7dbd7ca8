// The texts of replays. Only their page loads them.

import "../common/more_messages.js";
import { gettext, pgettext } from "../common/language.js";

export const REPLAY_TEXTS = {
  moreOfGame: gettext("More …"),
  view: gettext("Seen by"),
  everyone: pgettext("view", "All cards"),
  spectator: pgettext("view", "Onlooker"),
  toStart: gettext("To the beginning"),
  toEnd: gettext("To the end"),
  stepOn: gettext("One event on"),
  run: gettext("Run by itself"),
  halt: pgettext("replay", "Stop"),
  /** @type {(number: number, of: number) => string} */
  eventOf: (number, of) => gettext("{number} of {all}", { number, all: of }),
  moment: gettext("Where in the game"),
  linkHere: gettext("Link to this moment"),
  linkCopied: gettext("The link to this moment is copied."),
  against: pgettext("field", "Against"),
  playOn: gettext("Play on from here"),
  /** @type {(number: number) => string} */
  playOnTitle: (number) => gettext("Play on after event {number}", { number }),
  playOnHint: gettext(
    "A new table begins with the game up to here; the cards still to come are drawn anew. Which seat do you take?",
  ),
  stillOn: gettext("The game is not over: you see what you saw at the table."),
  onlyOwnView: gettext("Others may still play these cards, so only your own view is shown."),
};
