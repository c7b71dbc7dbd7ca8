// The texts of puzzles. Only their pages load them. The server writes the sentences of a verdict and rounds its
// numbers.

import "../common/more_messages.js";
import { gettext, ngettext, pgettext } from "../common/language.js";
import { signed } from "../common/phrases.js";

export const PUZZLE_TEXTS = {
  /** @type {(title: string) => string} */
  puzzlesOf: (title) => gettext("Puzzles: {title}", { title }),
  puzzlesWhere: gettext(
    "The positions are from games of strong bots. Each was checked with twenty times the effort of a review, and " +
      "solved exactly where the end is near enough. Your rating starts in the middle, and moves with every first try.",
  ),
  puzzlesNone: gettext("This room has no puzzles yet."),
  /** @type {(number: number) => string} */
  puzzlesNumber: (number) => ngettext("{number} puzzle", "{number} puzzles", number),
  /** @type {(rating: number, provisional: boolean) => string} */
  puzzleRating: (rating, provisional) => gettext("Rating {rating}", { rating: `${rating}${provisional ? "?" : ""}` }),
  /** @type {(streak: number) => string} */
  // Translators: puzzles that were solved one after another
  puzzleStreak: (streak) => ngettext("{number} in a row", "{number} in a row", streak),
  /** @type {(tried: number, solved: number) => string} */
  puzzleTried: (tried, solved) => gettext("{solved} of {tried} solved", { tried, solved }),
  /** @type {(title: string) => string} */
  puzzleStartOf: (title) => gettext("Solve puzzles of {title}", { title }),
  puzzleTask: gettext("What is best? Choose it on the table. There is one try."),
  puzzleWords: gettext("The task and the verdict"),
  puzzleBefore: gettext("What happened before"),
  puzzleTheme: gettext("Theme"),
  puzzleAllThemes: gettext("All themes"),
  puzzleSkip: gettext("Another one"),
  puzzleNext: gettext("Next puzzle"),
  puzzleRight: gettext("Right!"),
  puzzleWrong: gettext("Not the best"),
  puzzleBest: pgettext("action", "best"),
  puzzleYours: pgettext("action", "yours"),
  /** @type {(number: number) => string} */
  puzzleOthers: (number) =>
    ngettext("{number} other action is worse, too.", "{number} other actions are worse, too.", number),
  /** @type {(puzzle: number, now: number, change: number) => string} */
  puzzleChange: (puzzle, now, change) =>
    gettext("The puzzle has {puzzle}. You have {rating} ({change}).", {
      puzzle,
      rating: now,
      change: signed(change),
    }),
  puzzleAgain: gettext("You have tried this one before, so it does not count."),
  puzzleOther: pgettext("puzzles", "Other games"),
  puzzleUnstored: gettext("This browser keeps nothing, so your rating lasts until you leave the page."),
};
