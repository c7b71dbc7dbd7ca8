// The texts of reviews, loaded by the pages that show findings. The server writes the sentences with numbers and rounds
// them.

import "../common/more_messages.js";
import { gettext, ngettext } from "../common/language.js";
import { labelled, unbroken } from "../common/phrases.js";

export const REVIEW_TEXTS = {
  reviewWorking: gettext("The review is being computed …"),
  reviewSoon: gettext("Usually ready in ten seconds."),
  reviewWaits: gettext("It begins as soon as other reviews are done."),
  /** @type {(share: number) => string} */
  reviewShare: (share) => unbroken(gettext("{number} %", { number: Math.floor(100 * share) })),
  /** @type {(seconds: number) => string} */
  reviewLeft: (seconds) =>
    seconds > 1
      ? ngettext("About {number} second left.", "About {number} seconds left.", seconds)
      : gettext("Nearly done."),
  reviewWhose: gettext("Whose chances"),
  /** @type {(own: boolean, who: string) => string} */
  reviewGraph: (own, who) =>
    own
      ? gettext("Your chance to win, over the game")
      : gettext("The chance of {name} to win, over the game", { name: who }),
  reviewPress: gettext("Press the curve to see that moment in the replay. Dots are the decisions listed below."),
  /** @type {(own: boolean, who: string) => string} */
  reviewCurve: (own, who) =>
    own
      ? gettext(
          "Your chance to win, by what you could know at that moment, if everybody played on equally well from " +
            "there. It does not tell how well anybody really goes on.",
        )
      : gettext(
          "The chance of {name} to win, by what this player could know at that moment, if everybody played on " +
            "equally well from there. It does not tell how well anybody really goes on.",
          { name: who },
        ),
  reviewNotAddUp: gettext(
    "Each player knows other cards, so the chances of all players at one moment need not add up to 100\u00a0%.",
  ),
  reviewSums: gettext("Where the result came from, in points of the chance to win"),
  reviewMarked: gettext("Decisions to look at"),
  reviewNone: gettext("No decision stands out."),
  /** @type {(number: number) => string} */
  reviewAll: (number) => ngettext("All {number} decision", "All {number} decisions", number),
  reviewBetter: gettext("Better:"),
  /** @type {(seen: number, heading: string) => string} */
  reviewMoment: (seen, heading) => gettext("move {number}: {heading}", { number: seen, heading }),
  /** @type {(seen: number, heading: string, chance: string, mark: string) => string} */
  reviewPoint: (seen, heading, chance, mark) =>
    labelled(gettext("Move {number}, {heading}", { number: seen, heading }), [chance, mark].filter(Boolean).join(", ")),
  reviewAgain: gettext("The same deal, played by the strongest bot"),
  reviewAgainSoon: gettext(
    "The strongest bot is still playing it. This appears here when it is done; it takes longer than all the rest.",
  ),
  reviewMeans: gettext("What is judged, and how"),
  reviewMeaning: [
    gettext(
      "Each decision is judged by what its player could know, never by open cards: over many guesses of where " +
        "the unseen cards lie, it is compared with the best other action that was found.",
    ),
    gettext(
      "A decision is marked only if two ways of looking ahead agree, beyond what chance would explain: one " +
        "that lets everybody go on by a rule of thumb, and one that also looks for the best answers. The number " +
        "beside it is the smaller of the two, and the mark goes by that number.",
    ),
    gettext(
      "The strongest bot plays as the game went until it does something else for the first time; from then on " +
        "it plays for everybody, with the same luck where that is still possible.",
    ),
  ],
  toGame: gettext("To the replay"),
  /** @type {Record<string, string>} */
  reviewMarks: {
    blunder: gettext("Blunder"),
    mistake: gettext("Mistake"),
    slip: gettext("Slip"),
    find: gettext("Good find"),
  },
};
