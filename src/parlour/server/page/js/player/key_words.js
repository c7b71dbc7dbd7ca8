// A player's key as eight words, which can be read out and typed on another device.

import { t } from "../common/texts.js";
import { PLAYER_TEXTS } from "./player_texts.js";

/** Number of words of a key. */
export const WORDS = 8;
/** Bits of a word: the list has 2048. */
const BITS = 11n;
/** Hexadecimal digits of a key. */
const DIGITS = 22;
const KEY = /^[0-9a-f]{22}$/;
/** Number of first letters in which any two words of the list differ. */
const SHORTEST = 4;
/** Maximum number of letters of an unknown word that the sentence about it repeats. */
const LONGEST_SHOWN = 20;

/** The list of words, in the order of their numbers. */
export async function wordList() {
  const answer = await fetch(new URL("../../words/english.txt", import.meta.url)).catch(() => null);
  if (!answer?.ok) throw new Error(t("unreachable"));
  return (await answer.text()).trim().split("\n");
}

/**
 * A key as words; null for a key of another form, which has none.
 *
 * @param {string} key
 * @param {string[]} list
 */
export function wordsOf(key, list) {
  if (!KEY.test(key)) return null;
  const number = BigInt(`0x${key}`);
  return [...Array(WORDS).keys()].map((at) => list[Number((number >> (BITS * BigInt(WORDS - 1 - at))) & 2047n)]);
}

/**
 * The key of typed words. Four letters of a word suffice.
 *
 * @param {string} text
 * @param {string[]} list
 * @returns {{ key: string, problem: "" } | { key: "", problem: string }} `problem` is the sentence on what is wrong
 */
export function keyOf(text, list) {
  const typed = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const numbers = typed.map((word) => numberOf(word, list));
  const unknown = typed.find((_, at) => numbers[at] < 0);
  if (unknown !== undefined) return { key: "", problem: unknownWord(unknown, list) };
  if (typed.length !== WORDS) return { key: "", problem: PLAYER_TEXTS.wordsNumber(WORDS, typed.length) };
  const number = numbers.reduce((sum, each) => (sum << BITS) | BigInt(each), 0n);
  return { key: number.toString(16).padStart(DIGITS, "0"), problem: "" };
}

/**
 * The number of a word or of its beginning; −1 if it is not in the list.
 *
 * @param {string} word
 * @param {string[]} list
 */
function numberOf(word, list) {
  const exact = list.indexOf(word);
  return exact >= 0 || word.length < SHORTEST ? exact : list.findIndex((each) => each.startsWith(word));
}

/**
 * @param {string} word
 * @param {string[]} list
 */
function unknownWord(word, list) {
  const similar = word.length < LONGEST_SHOWN ? list.filter((each) => isOneStepFrom(word, each)) : [];
  return PLAYER_TEXTS.wordUnknown(word.slice(0, LONGEST_SHOWN), similar);
}

/**
 * Whether two words differ by at most one letter that is changed, missing or added, or by two neighbouring letters in
 * the wrong order.
 *
 * @param {string} one
 * @param {string} other
 */
function isOneStepFrom(one, other) {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  const at = [...short].findIndex((letter, place) => letter !== long[place]);
  if (at < 0) return true;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return short.slice(at + 1) === long.slice(at + 1) || (swapped && short.slice(at + 2) === long.slice(at + 2));
}
