// The texts of the pages of club nights, which load them; those of other pages are in texts.js.

const CLUB_TEXTS = {
  clubTitle: "Open a club night",
  clubWords:
    "Everyone plays two deals in each round, one from each seat. All boards have the same cards, and your results " +
    "are compared with those of the others who held yours.",
  clubSystem: "Who plays whom",
  clubSystems: { swiss: "Swiss: equals meet", all: "Everyone with everyone (up to 16)" },
  clubRounds: "Rounds",
  clubBot: "Bot for an odd player",
  clubGo: "Open the evening",
  clubNone: "No game here is for two players.",
  /** @type {(title: string) => string} */
  clubOf: (title) => `Club night: ${title}`,
  clubInvite: "Send this link to everyone who plays.",
  clubCopy: "Copy the link",
  clubJoin: "Play along",
  clubRename: "Change your name",
  /** @type {(name: string) => string} */
  clubJoined: (name) => `You play as ${name}. The first round begins when the host says so; keep this page open.`,
  clubBegin: "Begin the first round",
  /** @type {(number: number) => string} */
  clubPlayers: (number) => `${number} ${number === 1 ? "player" : "players"}`,
  clubNobodyYet: "The players appear here as they come.",
  /** @type {(round: number, rounds: number) => string} */
  clubRound: (round, rounds) => `Round ${round} of ${rounds}`,
  /** @type {(over: number, all: number) => string} */
  clubGamesOver: (over, all) => `${over} of ${all} games are over. Results are shown when the round is.`,
  clubYours: "Your games in this round",
  /** @type {(deal: number, name: string) => string} */
  clubDeal: (deal, name) => `Deal ${deal} against ${name}`,
  clubPlay: "Play",
  clubPlayed: "over",
  clubWait: "You have played both deals. The next round begins when the others have, too.",
  clubFree: "You do not play in this round.",
  clubClose: "Close the round …",
  clubCloseQuestion: "Close this round now?",
  clubCloseWords: "Games that are not over count for neither player, and the next round begins. That is final.",
  clubCloseYes: "Close the round",
  clubCloseNo: "Wait for the others",
  clubStandings: "Standings",
  /** @type {(rounds: number) => string} */
  clubAfter: (rounds) => `After ${rounds} ${rounds === 1 ? "round" : "rounds"}`,
  clubBefore: "They begin with the end of the first round.",
  clubResults: "Results",
  clubOverTitle: "The evening is over",
  clubKeep: "This page stays as it is: keep its address.",
  clubPrint: "Print or save it",
  /** @type {(score: number) => string} */
  clubScore: (score) => (Math.round(100 * score) / 100).toFixed(2),
  /** @type {(won: number, played: number) => string} */
  clubWon: (won, played) => `${won} of ${played} won`,
  clubScoring:
    "A game scores the share of the other results with the same cards that are lower; equal ones count half. With " +
    "one board, a win scores 1. Wins decide between equal scores.",
  clubHeads: { deal: "Deal", first: "First seat", second: "Second seat", replay: "Replay" },
  clubUnfinished: "not finished",
  clubNameless: "a player",
  clubTheBot: "a bot",
};

/** @typedef {typeof CLUB_TEXTS} ClubTexts */

/**
 * Return the text of this name, like `t` of texts.js.
 *
 * @template {keyof ClubTexts} Name
 * @param {Name} name
 * @param {ClubTexts[Name] extends (...values: infer Values) => string ? Values : []} values
 * @returns {ClubTexts[Name] extends (...values: never[]) => string ? string : ClubTexts[Name]}
 */
export function clubText(name, ...values) {
  const text = /** @type {any} */ (CLUB_TEXTS[name]);
  return typeof text === "function" ? text(...values) : text;
}
