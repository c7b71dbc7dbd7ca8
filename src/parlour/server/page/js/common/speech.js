// Cards and actions in words, for screen readers.

import { listed } from "./language.js";
import { labelled } from "./phrases.js";
import { t } from "./texts.js";

/** @import { Area, Choice, Scene } from "../protocol.d.ts" */

const CARD = /^([2-9TJQKA][CDHS]|X[BR])$/;
/** @type {Record<string, string>} */
const SUIT_LETTERS = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };
const CARD_SIGN = /(10|[2-9JQKA])([♣♦♥♠])/g;
/** Card signs with spaces between them, as in the name of a trick. */
const CARD_SIGNS = new RegExp(`${CARD_SIGN.source}(?: ${CARD_SIGN.source})*`, "g");

const SUIT_ORDER = "CDSHX";
const RANK_ORDER = "23456789TJQKA";

/**
 * Whether a token is the notation of a card.
 *
 * @param {string} token
 */
export const isCard = (token) => CARD.test(token);

/**
 * Cards in words, suit by suit in the order of the suits' first cards: "nine and ten of clubs, ace of hearts".
 *
 * @param {string[]} cards
 */
export function cardsBySuit(cards) {
  /** @type {Map<string, string[]>} */
  const suits = new Map();
  for (const card of cards) {
    const suit = card[0] === "X" ? card : card[1];
    suits.set(suit, [...(suits.get(suit) ?? []), card]);
  }
  return [...suits.values()].map((suit) => t("cardsOfSuit", suit)).join(", ");
}

/** @param {string} card */
function rankInDeck(card) {
  if (card[0] === "X") return SUIT_ORDER.length * RANK_ORDER.length;
  return SUIT_ORDER.indexOf(card[1]) * RANK_ORDER.length + RANK_ORDER.indexOf(card[0]);
}

/**
 * Cards sorted by suit, then by rank.
 *
 * @param {string[]} cards
 */
export const sortedCards = (cards) => [...cards].sort((one, other) => rankInDeck(one) - rankInDeck(other));

/**
 * A text with card signs ("7♥") as words. Signs with only spaces between them ("7♥ 7♣") are a list.
 *
 * @param {string} text
 */
export const inWords = (text) =>
  text.replace(CARD_SIGNS, (signs) =>
    listed(
      [...signs.matchAll(CARD_SIGN)].map(([, rank, suit]) =>
        t("card", `${rank === "10" ? "T" : rank}${SUIT_LETTERS[suit]}`),
      ),
    ),
  );

/**
 * The outcome of a scene without the whole sentences at its beginning that are lines of the log.
 *
 * @param {Pick<Scene, "log" | "outcome">} scene
 */
export const unsaidOutcome = ({ log, outcome }) =>
  log.reduce((rest, line) => {
    const isSaid = rest === line || (/[.!?]$/.test(line) && rest.startsWith(`${line} `));
    return isSaid ? rest.slice(line.length).trim() : rest;
  }, outcome);

/**
 * The side of a colour, if the scene has it.
 *
 * @param {Pick<Scene, "sides">} scene
 * @param {Area["side"]} colour
 */
export const sideOf = (scene, colour) => (scene.sides ?? []).find((side) => side.colour === colour);

/**
 * Points in a side's favour in short: "red +3".
 *
 * @param {Pick<Scene, "sides">} scene
 * @param {Area["side"]} colour
 * @param {number} points
 */
export const pointsFor = (scene, colour, points) =>
  points ? `${sideOf(scene, colour)?.word ?? colour} +${points}` : "0";

/**
 * The labels of the rows that have a token.
 *
 * @param {Pick<Scene, "areas">} scene
 * @returns {Map<string, string>}
 */
function rowLabels(scene) {
  const labels = new Map();
  for (const row of scene.areas.flatMap((area) => area.rows)) if (row.token) labels.set(row.token, row.label);
  return labels;
}

/**
 * Things of a scene in words: cards by suit, then the labels of rows.
 *
 * @param {Pick<Scene, "areas">} scene
 * @param {string[]} tokens
 */
export function thingsInWords(scene, tokens) {
  const labels = rowLabels(scene);
  const rows = tokens.map((token) => labels.get(token) ?? "");
  return [cardsBySuit(tokens.filter(isCard)), ...rows].filter(Boolean).join(", ");
}

/**
 * The legal actions in words: label, cards, rows. An action without a choice keeps its notation.
 *
 * @param {Pick<Scene, "areas" | "choices" | "legal">} scene
 */
export function actionsInWords(scene) {
  return scene.legal.map((action) => {
    const choice = scene.choices.find((one) => one.do === action);
    if (!choice) return action;
    const things = thingsInWords(scene, choice.tokens);
    return things ? labelled(choice.label, things) : choice.label;
  });
}

/**
 * The legal actions in one sentence: each label once, with its cards by suit.
 *
 * @param {Choice[]} choices
 */
export function legalActions(choices) {
  /** @type {Map<string, Set<string>>} */
  const ways = new Map();
  for (const { label, tokens } of choices) {
    ways.set(label, new Set([...(ways.get(label) ?? []), ...tokens.filter(isCard)]));
  }
  return t(
    "legalActions",
    [...ways].map(([label, cards]) => t("legalAction", label, cardsBySuit(sortedCards([...cards])))),
  );
}
