// The texts of lessons. Only their page loads them.

import "../common/more_messages.js";
import { gettext, pgettext } from "../common/language.js";

export const LESSON_TEXTS = {
  /** @type {(number: number, of: number, title: string) => string} */
  lessonHand: (number, of, title) => gettext("Part {number} of {all}: {title}", { number, all: of, title }),
  /** @type {(number: number, of: number) => string} */
  stepOf: (number, of) => gettext("Step {number} of {all}", { number, all: of }),
  readOn: pgettext("lesson", "Go on"),
  toTheTable: gettext("To the table"),
  wholeText: gettext("The whole text again"),
  showMe: gettext("Show me"),
  takeBack: gettext("Take it back"),
  asSuggested: gettext("Play it the lesson’s way"),
  otherWay: gettext("That is legal too. The lesson has something else to show, though."),
  lessonOver: gettext("That was the lesson"),
  lessonOverHint: gettext("You know the rules now; the rest is playing. They are always at hand beside the table."),
  playNowShort: gettext("Play a game"),
  toYourTable: gettext("To the table you are invited to"),
  lessonOffline: gettext("Without the card room only the suggested action can be judged: press “Show me”."),
};
