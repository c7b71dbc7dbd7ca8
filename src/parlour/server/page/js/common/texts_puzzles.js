// The texts of puzzles: a part of texts.js. The server writes the sentences of a verdict and rounds its numbers.

export const PUZZLE_TEXTS = {
  puzzles: "Puzzles",
  puzzlesHint: "One decision, and one action that is best beyond doubt. Find it.",
  puzzlesWhere:
    "The positions are from games of strong bots. Each was checked with twenty times the effort of a review, and " +
    "solved exactly where the end is near enough. Your rating starts in the middle, and moves with every first try.",
  puzzlesNone: "This room has no puzzles yet.",
  /** @type {(number: number) => string} */
  puzzlesNumber: (number) => `${number} ${number === 1 ? "puzzle" : "puzzles"}`,
  /** @type {(rating: number, provisional: boolean) => string} */
  puzzleRating: (rating, provisional) => `Rating ${rating}${provisional ? "?" : ""}`,
  /** @type {(streak: number) => string} */
  puzzleStreak: (streak) => `${streak} in a row`,
  /** @type {(tried: number, solved: number) => string} */
  puzzleTried: (tried, solved) => `${solved} of ${tried} solved`,
  puzzleStart: "Solve",
  /** @type {(title: string) => string} */
  puzzleStartOf: (title) => `Solve puzzles of ${title}`,
  puzzleTask: "What is best? Choose it on the table. There is one try.",
  puzzleWords: "The task and the verdict",
  puzzleBefore: "What happened before",
  puzzleTheme: "Theme",
  puzzleAllThemes: "All themes",
  puzzleSkip: "Another one",
  puzzleNext: "Next puzzle",
  puzzleRight: "Right!",
  puzzleWrong: "Not the best",
  puzzleBest: "best",
  puzzleYours: "yours",
  /** @type {(number: number) => string} */
  puzzleOthers: (number) => `${number} other ${number === 1 ? "action is" : "actions are"} worse, too.`,
  /** @type {(puzzle: number, now: number, change: number) => string} */
  puzzleChange: (puzzle, now, change) =>
    `The puzzle has ${puzzle}. You have ${now} (${change < 0 ? "−" : "+"}${Math.abs(change)}).`,
  puzzleAgain: "You have tried this one before, so it does not count.",
  puzzleDone: "You have tried all of these puzzles. You may try them again; that does not count.",
  puzzleOther: "Other games",
  puzzleUnstored: "This browser keeps nothing, so your rating lasts until you leave the page.",
};
