// The texts of the pages of club nights. Only these pages load them.

import "../common/more_messages.js";
import { gettext, listed, locale, ngettext, pgettext } from "../common/language.js";

export const CLUB_TEXTS = {
  clubTitle: gettext("Open a club night"),
  clubWords: gettext(
    "Everyone plays two deals in each round, one from each seat. All boards have the same cards, and your results " +
      "are compared with those of the others who held yours.",
  ),
  clubRated: gettext("All games are rated: no hints, no undo."),
  clubSystem: gettext("Who plays whom"),
  clubSystems: { swiss: gettext("Swiss: equals meet"), all: gettext("Everyone with everyone (up to 16)") },
  clubRounds: pgettext("club night", "Rounds"),
  clubBot: gettext("Bot for an odd player"),
  clubGo: gettext("Open the evening"),
  clubNone: gettext("No game here is for two players."),
  /** @type {(title: string) => string} */
  clubOf: (title) => gettext("Club night: {title}", { title }),
  clubInvite: gettext("Send this link to everyone who plays."),
  clubCopy: gettext("Copy the link"),
  clubJoin: gettext("Play along"),
  clubRename: gettext("Change your name"),
  /** @type {(name: string) => string} */
  clubJoined: (name) =>
    gettext("You play as {name}. The first round begins when the host says so; keep this page open.", { name }),
  /** @type {(name: string) => string} */
  clubHostJoined: (name) =>
    gettext("You play as {name}, and you begin the first round when everyone has come.", { name }),
  clubRemoved: gettext("You are no longer in the list of players. You can join again."),
  clubUnstored: gettext(
    "This browser cannot keep your place here (storage full or blocked): return from your games to this page, and do " +
      "not close it.",
  ),
  clubBegin: gettext("Begin the first round"),
  clubTooFew: gettext("A round needs at least two players."),
  /** @type {(number: number) => string} */
  clubPlayers: (number) => ngettext("{number} player", "{number} players", number),
  clubRemove: gettext("Remove"),
  clubNobodyYet: gettext("The players appear here as they come."),
  /** @type {(round: number, rounds: number) => string} */
  clubRound: (round, rounds) => gettext("Round {round} of {rounds}", { round, rounds }),
  /** @type {(over: number, all: number) => string} */
  clubGamesOver: (over, all) =>
    gettext("{over} of {all} games are over. Results are shown when the round is over.", { over, all }),
  clubYours: gettext("Your games in this round"),
  /** @type {(deal: number, name: string) => string} */
  clubDeal: (deal, name) => gettext("Deal {deal} against {name}", { deal, name }),
  clubPlay: pgettext("button", "Play"),
  clubPlayed: pgettext("game", "over"),
  clubWait: gettext("You have played both deals. The next round begins when the others have, too."),
  clubFree: gettext("You do not play in this round."),
  clubBegun: gettext("This club night has begun and takes no more players. Results are shown here after each round."),
  clubPlaying: gettext("Still playing"),
  /** @type {(deals: number[]) => string} */
  clubDealsLeft: (deals) =>
    ngettext("deal {deals}", "deals {deals}", deals.length, { deals: listed(deals.map((deal) => String(deal))) }),
  clubClose: gettext("Close the round …"),
  clubCloseQuestion: gettext("Close this round now?"),
  clubCloseWords: gettext(
    "Games that are not over count for neither player, and the next round begins. That is final.",
  ),
  clubCloseYes: gettext("Close the round"),
  clubCloseNo: gettext("Wait for the others"),
  clubStandings: gettext("Standings"),
  /** @type {(rounds: number) => string} */
  clubAfter: (rounds) => ngettext("After {number} round", "After {number} rounds", rounds),
  clubBefore: gettext("They begin with the end of the first round."),
  clubResults: gettext("Results"),
  clubOverTitle: gettext("The evening is over"),
  clubKeep: gettext("This page stays as it is: keep its address."),
  clubPrint: gettext("Print or save it"),
  /** @type {(score: number) => string} */
  clubScore: (score) =>
    (Math.round(100 * score) / 100).toLocaleString(locale, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      useGrouping: false,
    }),
  /** @type {(won: number, played: number) => string} */
  clubWon: (won, played) => gettext("{won} of {played} won", { won, played }),
  clubScoring: gettext(
    "A game scores the share of the other results with the same cards that are lower; equal ones count half. With " +
      "one board, a win scores 1. Wins decide between equal scores.",
  ),
  clubHeads: {
    deal: pgettext("column", "Deal"),
    first: gettext("First seat"),
    second: gettext("Second seat"),
    result: pgettext("column", "Result"),
  },
  clubReading: gettext("The names of winners are bold. The number beside a name is the score of the game."),
  clubUnfinished: pgettext("game", "not finished"),
  clubDraw: pgettext("game", "draw"),
  clubResigned: pgettext("game", "resigned"),
  clubSealedTable: gettext("The round of the club night is not over yet. You may look when it is."),
  clubCutOff: gettext("The host has closed this round: this game no longer counts."),
  clubNameless: pgettext("player", "a player"),
  clubTheBot: pgettext("player", "a bot"),
};
