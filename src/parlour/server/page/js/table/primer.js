// Help for newcomers to a game: the primer, and explanations of the game's words where they first occur.

import * as api from "../common/api.js";
import { clear, h, markup } from "../common/dom.js";
import { language } from "../common/language.js";
import { rememberQuietly, settings } from "../common/settings.js";
import { clauseButton, textSheet } from "../common/sheets.js";
import { t } from "../common/texts.js";

/** @import { Term } from "../answers.d.ts" */
/** @import { OpenRules } from "../common/sheets.js" */

/** @typedef {Term & { pattern: RegExp }} Pattern */

/** The endings of a word in a sentence, as a regular expression. */
const ENDING = language === "en" ? "s?" : "\\p{L}{0,4}";

/**
 * @param {Term} term
 * @param {OpenRules} rules
 */
const explanation = ({ word, means, clause }, rules) => [
  h("span", {}, t("gloss", word, means)),
  " ",
  clause ? clauseButton(clause, rules) : null,
];

/** The words of a game that this browser has not explained yet. */
export class Glossary {
  /** @param {OpenRules} rules */
  constructor(rules) {
    this.rules = rules;
    this.game = "";
    /** @type {Pattern[]} */
    this.terms = [];
  }

  /**
   * Load the words of a game. Returns false if all have been explained.
   *
   * @param {string} game
   */
  async load(game) {
    this.game = game;
    const { terms } = await api.primer(game);
    const known = settings().glossed[game] ?? [];
    this.terms = terms
      .filter(({ word }) => !known.includes(word))
      .map((term) => ({ ...term, pattern: new RegExp(`(?<!\\p{L})${term.word}${ENDING}(?!\\p{L})`, "iu") }));
    return this.terms.length > 0;
  }

  /** A function that explains the words of successive sentences, each word once. */
  reader() {
    const left = new Set(this.terms);
    /** @param {string} line */
    return (line) => {
      const found = [...left].filter(({ pattern }) => pattern.test(line));
      for (const term of found) left.delete(term);
      if (found.length) this.remember(found);
      return found.map((term) => h("li", { class: "gloss" }, explanation(term, this.rules)));
    };
  }

  /**
   * Explain these words at no further table.
   *
   * @param {Pattern[]} terms
   */
  remember(terms) {
    const { glossed } = settings();
    const known = glossed[this.game] ?? [];
    const fresh = terms.map(({ word }) => word).filter((word) => !known.includes(word));
    if (fresh.length) rememberQuietly({ glossed: { ...glossed, [this.game]: [...known, ...fresh] } });
  }
}

/**
 * Open the primer of a game.
 *
 * @param {string} game
 * @param {OpenRules} rules
 */
export function primerSheet(game, rules) {
  const load = () => api.primer(game);
  return textSheet("primer", t("primer"), load, (body, { short, lesson, terms }) =>
    clear(
      body,
      markup(short),
      h(
        "div",
        { class: "ways" },
        lesson === null ? null : lessonWay(game, lesson),
        h("button", { type: "button", class: "button", on: { click: () => rules("") } }, t("primerRules")),
      ),
      terms.length ? h("h3", {}, t("primerTerms")) : null,
      h(
        "ul",
        { class: "terms" },
        terms.map((term) => h("li", {}, explanation(term, rules))),
      ),
    ),
  );
}

/**
 * @param {string} game
 * @param {number} minutes
 */
function lessonWay(game, minutes) {
  const address = { href: `/learn/${game}`, target: "_blank", "data-go": "lesson" };
  return [
    h("a", { class: "button primary", ...address }, t("primerLesson", minutes)),
    h("p", { class: "fine-print" }, t("primerLessonHint")),
  ];
}
