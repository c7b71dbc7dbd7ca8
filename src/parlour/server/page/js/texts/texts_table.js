// The texts of the sheet about a table, its people and its club night: a part of texts.js.

import { gettext, listed, ngettext, pgettext } from "../common/language.js";
import { signed } from "../common/phrases.js";

export const TABLE_TEXTS = {
  thisTable: gettext("This table"),
  seatUnstored: gettext(
    "This browser cannot keep your seat (storage full or blocked): copy the link to it under “This table”.",
  ),
  isBot: pgettext("player", "a bot"),
  isHere: pgettext("player", "here"),
  ratedTable: gettext("This game is rated."),
  ratedUnlinked: gettext(
    "This game is rated, and the room could not be asked to rate it for you. Load the page again.",
  ),
  ratedWaits: gettext("This game is rated. Until the room answers, you cannot act."),
  ratedFromLink: gettext(
    "This game is rated, and your seat came by a link. Open the table first where the seat was taken.",
  ),
  yourNameHere: gettext("Your name at this table"),
  changeName: gettext("Change"),
  onlookerName: gettext("Your name, for those who play"),
  lookOnAs: gettext("Look on by it"),
  /** @type {(name: string) => string} */
  looksOnAs: (name) => gettext("Those who play see that {name} looks on.", { name }),
  /** @type {(number: number, names: string[]) => string} */
  onlookers(number, names) {
    const more = number - names.length;
    const unnamed = names.length
      ? ngettext("{number} more", "{number} more", more)
      : ngettext("one person", "{number} people", more);
    return gettext("Looking on: {people}.", { people: listed(more ? [...names, unnamed] : names) });
  },
  /** @type {(number: number) => string} */
  thisTableWith: (number) => ngettext("This table; {number} looks on", "This table; {number} look on", number),
  yourTurnNow: gettext("Your turn"),
  gameBegins: gettext("The game begins"),
  seatsGone: gettext("The game has begun without you, since all seats are taken: you are watching."),
  waitingForRematch: gettext("The others are asked to play again. The game begins when every seat is taken."),
  /** @type {(names: string[]) => string} */
  rematchOffered: (names) =>
    ngettext("{names} wants to play again.", "{names} want to play again.", names.length, { names: listed(names) }),
  rematchBegun: gettext("The next game has begun."),
  rematchTaken: gettext("Another person has taken your seat in the next game."),
  resign: gettext("Resign …"),
  resignQuestion: gettext("Resign this game?"),
  resignAlone: gettext("The game ends at once, and you have lost it. That cannot be taken back."),
  /** @type {(name: string) => string} */
  resignTwo: (name) => gettext("The game ends at once, and {name} wins. That cannot be taken back.", { name }),
  resignMore: gettext(
    "If your side has nobody else who plays on, and only one side is left, it wins at once. Otherwise a bot plays " +
      "your cards to the end. That cannot be taken back.",
  ),
  /** @type {(rating: string, change: number) => string} */
  ratingChanged: (rating, change) =>
    // Translators: {change} is the difference to the rating before, as "+12"
    gettext("Your rating is now {rating} ({change}).", {
      rating,
      change: signed(change),
    }),
  resignYes: gettext("Yes, resign"),
  resignNo: gettext("No, play on"),
  club: gettext("Club night"),
  clubHint: gettext("An evening of one game for up to 64 people: the same cards at all boards, so that play decides."),
  clubOpen: gettext("Open a club night …"),
  clubBack: gettext("Back to the club night"),
  clubSealed: gettext("The round is not over yet: the replay, the review and the record open when it is."),
  clubCutOffShort: pgettext("game", "no longer counts"),
  /** @type {(club: { round: number, deal: number }) => string} */
  clubDealOf: ({ round, deal }) => gettext("club night, round {round}, deal {deal}", { round, deal: deal + 1 }),
};
