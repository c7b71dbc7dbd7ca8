// For whoever is new to a game: what it is in short, the way to its lesson, and its own words where they first come up.

import * as api from "./api.js";
import { clear, h } from "./dom.js";
import { rememberQuietly, settings } from "./settings.js";
import { openSheet } from "./sheets.js";
import { t } from "./texts.js";

/** A clause as a small sign that opens the rules there. */
const sign = (clause, rules) =>
  h(
    "button",
    {
      type: "button",
      class: "cited",
      "aria-label": t("clause", clause),
      title: t("clause", clause),
      on: { click: () => rules(clause) },
    },
    t("clauseSign", clause),
  );

const explained = ({ word, means, clause }, rules) => [
  h("span", {}, t("gloss", word, means)),
  " ",
  clause ? sign(clause, rules) : null,
];

/** The words of a game that have not been explained in this browser yet. */
export class Terms {
  /** `rules(clause)` opens the rules. */
  constructor(rules) {
    this.rules = rules;
    this.fresh = [];
  }

  async load(game) {
    this.game = game;
    const { terms } = await api.primer(game);
    const known = settings().glossed[game] ?? [];
    this.fresh = terms
      .filter(({ word }) => !known.includes(word))
      .map((term) => ({ ...term, pattern: new RegExp(`\\b${term.word}s?\\b`, "i") }));
    return this.fresh.length > 0;
  }

  /** Explains the words of one sentence after another, each word once. */
  reader() {
    const left = new Set(this.fresh);
    return (sentence) => {
      const met = [...left].filter(({ pattern }) => pattern.test(sentence));
      for (const term of met) left.delete(term);
      if (met.length) this.keep(met);
      return met.map((term) => h("li", { class: "gloss" }, explained(term, this.rules)));
    };
  }

  /** At the next table they are not explained again. */
  keep(met) {
    const { glossed } = settings();
    const known = glossed[this.game] ?? [];
    const more = met.map(({ word }) => word).filter((word) => !known.includes(word));
    if (more.length) rememberQuietly({ glossed: { ...glossed, [this.game]: [...known, ...more] } });
  }
}

/** How a game is played, in a minute. */
export async function primerSheet(game, rules) {
  const body = h("article", { class: "rules" }, t("loading"));
  const closed = openSheet("primer", t("primer"), body);
  try {
    const { short, lesson, terms } = await api.primer(game);
    const holder = document.createElement("template");
    holder.innerHTML = short;
    clear(
      body,
      holder.content,
      h(
        "div",
        { class: "ways" },
        lesson === null
          ? null
          : h(
              "a",
              { class: "button primary", href: `/learn/${game}`, target: "_blank", "data-go": "lesson" },
              t("primerLesson", lesson),
            ),
        lesson === null ? null : h("p", { class: "hint" }, t("primerLessonHint")),
        h("button", { type: "button", class: "button", on: { click: () => rules() } }, t("primerRules")),
      ),
      terms.length ? h("h3", {}, t("primerTerms")) : null,
      h(
        "ul",
        { class: "terms" },
        terms.map((term) => h("li", {}, explained(term, rules))),
      ),
    );
  } catch (error) {
    body.replaceChildren(error.message);
  }
  return closed;
}
