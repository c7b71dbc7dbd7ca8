// The texts of hints and reviews: a part of texts.js. The server writes the sentences with numbers and rounds them.

export const REVIEW_TEXTS = {
  review: "Review the game",
  reviewHint: "how the chances changed, and which decisions cost the most",
  reviewTitle: "Review",
  reviewWorking: "The review is being computed …",
  reviewSoon: "Usually ready in ten seconds.",
  reviewWaits: "It begins as soon as other reviews are done.",
  /** @type {(share: number) => string} */
  reviewShare: (share) => `${Math.floor(100 * share)}\u00a0%`,
  /** @type {(seconds: number) => string} */
  reviewLeft: (seconds) => (seconds > 1 ? `About ${seconds} seconds left.` : "Nearly done."),
  reviewWhose: "Whose chances",
  /** @type {(who: string) => string} */
  reviewGraph: (who) => `The chance of ${who} to win, over the game`,
  reviewPress: "Press the curve to see that moment in the replay. Dots are the decisions listed below.",
  /** @type {(own: boolean, who: string) => string} */
  reviewCurve: (own, who) =>
    `${own ? "Your chance" : `The chance of ${who}`} to win, by what ${own ? "you" : "this player"} could know at ` +
    "that moment, if everybody played on equally well from there. It does not tell how well anybody really goes on.",
  reviewNotAddUp:
    "Each player knows other cards, so the chances of all players at one moment need not add up to 100\u00a0%.",
  reviewSums: "Where the result came from, in points of the chance to win",
  reviewMarked: "Decisions to look at",
  reviewNone: "No decision stands out.",
  /** @type {(number: number) => string} */
  reviewAll: (number) => `All ${number} decisions`,
  reviewBetter: "Better:",
  /** @type {(seen: number, heading: string) => string} */
  reviewMoment: (seen, heading) => `move ${seen}: ${heading}`,
  /** @type {(seen: number, heading: string, chance: string, mark: string) => string} */
  reviewPoint: (seen, heading, chance, mark) => `Move ${seen}, ${heading}: ${chance}${mark ? `, ${mark}` : ""}`,
  reviewAgain: "The same deal, played by the strongest bot",
  reviewAgainSoon:
    "The strongest bot is still playing it. This appears here when it is done; it takes longer than all the rest.",
  reviewMeans: "What is judged, and how",
  reviewMeaning: [
    "Each decision is judged by what its player could know, never by open cards: over many guesses of where " +
      "the unseen cards lie, it is compared with the best other action that was found.",
    "A decision is marked only if two ways of looking ahead agree, beyond what chance would explain: one " +
      "that lets everybody go on by a rule of thumb, and one that also looks for the best answers. The number " +
      "beside it is the smaller of the two, and the mark goes by that number.",
    "The strongest bot plays as the game went until it does something else for the first time; from then on " +
      "it plays for everybody, with the same luck where that is still possible.",
  ],
  toGame: "To the replay",
  /** @type {Record<string, string>} */
  reviewMarks: { blunder: "Blunder", mistake: "Mistake", slip: "Slip", find: "Good find" },

  hint: "A hint",
  hintTitle: "Hint",
  hintThinking: "Thinking it over …",
  hintDo: "Do it",
  /** @type {(phrase: string) => string} */
  hintDoThis: (phrase) => `Do it: ${phrase}`,
  /** @type {(number: number) => string} */
  hintOthers: (number) => `${number} other ${number === 1 ? "action" : "actions"} seemed worse.`,
  hintNote:
    "The percentages are your chances to win, by what you may know; the true number is most likely between " +
    "the two beside it.",
  /** @type {(name: string) => string} */
  hinted: (name) => `${name} took a hint.`,
};
