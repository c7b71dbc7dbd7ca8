// Parts of texts: sentences with capital letters, labels, quotations, and cards in words.

import { gettext, language, listed, locale, pgettext } from "./language.js";

/** Words with a capital first letter. @param {string} words */
export const capitalized = (words) => words.charAt(0).toLocaleUpperCase(locale) + words.slice(1);

/**
 * Words from the server as a complete sentence: with a capital first letter, and a full stop if no other mark ends it.
 *
 * @param {string} words
 */
export const asSentence = (words) => capitalized(words) + (/[.!?]$/.test(words) ? "" : ".");

/**
 * Words at the beginning of a sentence: with a capital first letter, and no line break before a number.
 *
 * @param {string} words
 */
export const sentence = (words) => capitalized(words).replace(/ (?=\d)/g, "\u00a0");

/**
 * A label within a sentence: in English its first letter is small, in other languages it is unchanged.
 *
 * @param {string} label
 */
export const withinSentence = (label) => (language === "en" ? label.charAt(0).toLowerCase() + label.slice(1) : label);

/** A number with its sign; 0 has none. @param {number} number */
export const signed = (number) => `${number > 0 ? "+" : number < 0 ? "−" : ""}${Math.abs(number)}`;

/**
 * A text after its label: "Hand: ace of spades".
 *
 * @param {string} label
 * @param {string} text
 */
export const labelled = (label, text) => gettext("{label}: {text}", { label, text });

/** Parts that may contain commas, in one line: "one deck; 12 rounds". @param {string[]} parts */
export const withSemicolons = (parts) => parts.join(pgettext("between parts with commas", "; "));

/** A text in quotation marks. @param {string} text */
export const quoted = (text) => gettext("“{text}”", { text });

/** A text without line breaks: every space becomes a no-break space. @param {string} text */
export const unbroken = (text) => text.replaceAll(" ", "\u00a0");

/** A text without a line break before "%". @param {string} text */
export const unbrokenPercents = (text) => text.replaceAll(" %", "\u00a0%");

/** @type {Record<string, string>} */
const RANKS = {
  A: pgettext("rank", "ace"),
  K: pgettext("rank", "king"),
  Q: pgettext("rank", "queen"),
  J: pgettext("rank", "jack"),
  T: pgettext("rank", "ten"),
  9: pgettext("rank", "nine"),
  8: pgettext("rank", "eight"),
  7: pgettext("rank", "seven"),
  6: pgettext("rank", "six"),
  5: pgettext("rank", "five"),
  4: pgettext("rank", "four"),
  3: pgettext("rank", "three"),
  2: pgettext("rank", "two"),
};

/** @type {Record<string, string>} */
const SUITS = {
  C: gettext("clubs"),
  D: gettext("diamonds"),
  H: gettext("hearts"),
  S: gettext("spades"),
};

/**
 * The names of cards by rank, with a field `{suit}`.
 *
 * @type {Record<string, string>}
 */
const CARDS = {
  A: gettext("ace of {suit}"),
  K: gettext("king of {suit}"),
  Q: gettext("queen of {suit}"),
  J: gettext("jack of {suit}"),
  T: gettext("ten of {suit}"),
  9: gettext("nine of {suit}"),
  8: gettext("eight of {suit}"),
  7: gettext("seven of {suit}"),
  6: gettext("six of {suit}"),
  5: gettext("five of {suit}"),
  4: gettext("four of {suit}"),
  3: gettext("three of {suit}"),
  2: gettext("two of {suit}"),
};

/** A card in words. @param {string} card its notation */
export function cardName(card) {
  if (card[0] === "X") return card === "XB" ? gettext("black joker") : gettext("red joker");
  return CARDS[card[0]].replace("{suit}", SUITS[card[1]]);
}

/** Cards in words. @param {string[]} cards cards of one suit, or one joker */
export function suitCards(cards) {
  if (cards.length === 1) return cardName(cards[0]);
  const [, suit] = cards[0];
  // Translators: several cards of a suit, as in "nine, ten and queen of clubs"
  return gettext("{ranks} of {suit}", { ranks: listed(cards.map(([rank]) => RANKS[rank])), suit: SUITS[suit] });
}
