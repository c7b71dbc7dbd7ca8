// The texts of hints, and of the way to a review: a part of texts.js. The server writes the sentences with numbers.

import { gettext, ngettext } from "../common/language.js";

export const HINT_TEXTS = {
  review: gettext("Review the game"),
  reviewHint: gettext("how the chances changed, and which decisions cost the most"),
  reviewTitle: gettext("Review"),

  hint: gettext("A hint"),
  hintTitle: gettext("Hint"),
  hintThinking: gettext("Thinking it over …"),
  hintDo: gettext("Do it"),
  /** @type {(phrase: string) => string} */
  hintDoThis: (phrase) => gettext("Do it: {phrase}", { phrase }),
  /** @type {(number: number) => string} */
  hintOthers: (number) =>
    ngettext("{number} other action seemed worse.", "{number} other actions seemed worse.", number),
  hintNote: gettext(
    "The percentages are your chances to win, by what you may know; the true number is most likely between " +
      "the two beside it.",
  ),
  /** @type {(name: string) => string} */
  hinted: (name) => gettext("{name} took a hint.", { name }),
};
