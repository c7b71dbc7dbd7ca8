// Cards and actions as they are spoken: in words, a hand suit by suit.

import { t } from "./texts.js";

const CARD = /^([2-9TJQKA][CDHS]|X[BR])$/;
const SUITS = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };
const SIGNS = /(10|[2-9JQKA])([♣♦♥♠])/g;

/** Whether a token names a card. */
export const isCard = (token) => CARD.test(token);

/** The cards of each suit together, in the order in which the suits first appear: "nine and ten of clubs, ace of hearts". */
export function cardsBySuit(cards) {
  const suits = new Map();
  for (const card of cards) {
    const suit = card[0] === "X" ? card : card[1];
    suits.set(suit, [...(suits.get(suit) ?? []), card]);
  }
  return [...suits.values()].map((of) => t("cardsOfSuit", of)).join(", ");
}

const ORDER = "CDSHX";
const RANKS = "23456789TJQKA";
const place = (card) =>
  card[0] === "X" ? ORDER.length * RANKS.length : ORDER.indexOf(card[1]) * RANKS.length + RANKS.indexOf(card[0]);

/** Cards by suit, and by rank within a suit. */
export const sortedCards = (cards) => [...cards].sort((one, other) => place(one) - place(other));

/** A sentence whose card signs ("7♥") are words, for screen readers. */
export const spoken = (text) =>
  text.replace(SIGNS, (_, rank, suit) => t("card", `${rank === "10" ? "T" : rank}${SUITS[suit]}`));

/** The labels of the rows of a scene by their tokens. */
const rowLabels = (scene) =>
  new Map(
    scene.areas
      .flatMap((area) => area.rows)
      .filter((row) => row.token)
      .map((row) => [row.token, row.label]),
  );

/** Each legal action in words: its label, then its cards and places. An action without a choice keeps its notation. */
export function actionsInWords(scene) {
  const labels = rowLabels(scene);
  return scene.legal.map((action) => {
    const choice = scene.choices.find((one) => one.do === action);
    if (!choice) return action;
    const cards = cardsBySuit(choice.tokens.filter(isCard));
    const places = choice.tokens.filter((token) => labels.has(token)).map((token) => labels.get(token));
    const things = [cards, ...places].filter(Boolean);
    return things.length ? `${choice.label}: ${things.join(", ")}` : choice.label;
  });
}

/** What may be done, for the M key: each label once, with its cards by suit. */
export function mayDo(choices) {
  const ways = new Map();
  for (const { label, tokens } of choices)
    ways.set(label, new Set([...(ways.get(label) ?? []), ...tokens.filter(isCard)]));
  return t(
    "mayPlay",
    [...ways].map(([label, cards]) => t("mayDo", label, cardsBySuit(sortedCards(cards)))),
  );
}
