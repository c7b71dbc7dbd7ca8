// The form with the manners of a new table, independent of its game: clock, patience with absent players, talk, hints,
// bots, studies.

import { h } from "../common/dom.js";
import { remember, settings } from "../common/settings.js";
import { t } from "../common/texts.js";

/** @typedef {"clock" | "patience" | "talk" | "hints" | "take_over" | "fill" | "fillBot"} MannersOfMany */
/** @typedef {MannersOfMany | "rated" | "studied"} MannersField */
/**
 * The key of a stored choice. Listed tables have their own choices of talk and of bots for free seats.
 *
 * @typedef {MannersField | "talkListed" | "fillListed"} MannersKey
 */
/**
 * The titles of the bots that may fill seats, by id, and the id of the usual one.
 *
 * @typedef {{ titles: Record<string, string>, usual: string }} FillBots
 */

/** @type {Record<string, { seconds: number, increment: number } | null>} */
const CLOCKS = {
  none: null,
  quick: { seconds: 120, increment: 3 },
  calm: { seconds: 600, increment: 10 },
  long: { seconds: 3600, increment: 30 },
};

/** Days for each action, at tables that are played over days and have no clock. @type {Record<string, number>} */
const DAYS = { oneDay: 1, threeDays: 3, oneWeek: 7 };

/**
 * Seconds until a bot plays for an absent player; null is never.
 *
 * @type {Record<string, number | null>}
 */
const PATIENCE = { short: 30, usual: 120, endless: null };

/**
 * Seconds until bots take seats that stay free; null is never.
 *
 * @type {Record<string, number | null>}
 */
const FILL = { never: null, one: 60, three: 180, five: 300 };

/** @type {Record<MannersField, string>} */
const USUAL = {
  clock: "none",
  patience: "usual",
  talk: "words",
  hints: "no",
  take_over: "no",
  fill: "never",
  fillBot: "",
  rated: "no",
  studied: "no",
};

/**
 * The latest choices. Until others are made for listed tables, where strangers sit down, these have no talk, and bots
 * take free seats after three minutes.
 *
 * @param {boolean} listed
 * @returns {Record<MannersField, string>}
 */
function latestChoices(listed) {
  const { talkListed = "none", fillListed = "three", ...manners } = settings().manners;
  const all = { ...USUAL, ...manners };
  return listed ? { ...all, talk: talkListed, fill: fillListed } : all;
}

/**
 * @param {MannersField} name
 * @param {string} value
 * @param {boolean} listed
 */
function choose(name, value, listed) {
  const own = listed && (name === "talk" || name === "fill") ? `${name}Listed` : name;
  remember({ manners: { ...settings().manners, [own]: value } });
}

/**
 * The line of a form with the values of a field.
 *
 * @param {MannersField} name
 * @param {string} label
 * @param {Record<string, string>} texts the texts of the values
 * @param {boolean} listed
 * @param {() => void} changed called after a choice
 */
function fieldLine(name, label, texts, listed, changed) {
  /** @param {Event} event */
  const change = (event) => {
    choose(name, /** @type {HTMLSelectElement} */ (event.target).value, listed);
    changed();
  };
  return h(
    "label",
    { class: "seat-line" },
    h("span", {}, label),
    h(
      "select",
      { class: "field", name, id: `manners-${name}`, on: { change } },
      Object.entries(texts).map(([value, text]) =>
        h("option", { value, selected: value === latestChoices(listed)[name] }, text),
      ),
    ),
  );
}

/** The fields of a form that sets up a table for a person alone with bots. */
export const fieldsAlone = () =>
  h(
    "fieldset",
    { class: "seats manners" },
    h("legend", {}, t("mannersStudiedGame")),
    fieldLine("rated", t("mannersRated"), t("mannersRatings"), false, () => {}),
    fieldLine("studied", t("mannersStudied"), t("mannersStudies"), false, () => {}),
  );

/**
 * The fields of a form that sets up a table for several people.
 *
 * @param {boolean} listed whether everyone may see the table
 * @param {boolean} bots whether bots play
 * @param {FillBots} fillBots
 */
export function mannersFields(listed, bots, fillBots) {
  const timeOver = h("p", { class: "fine-print" });
  /** @type {(name: MannersField, label: string, texts: Record<string, string>) => HTMLElement} */
  const line = (name, label, texts) => fieldLine(name, label, texts, listed, () => showMore());
  if (!(latestChoices(false).fillBot in fillBots.titles)) choose("fillBot", fillBots.usual, false);
  const fillBot = line("fillBot", t("mannersFillBot"), fillBots.titles);
  const hints = line("hints", t("hints"), t("mannersHints"));
  const takeOver = line("take_over", t("mannersTakeOver"), t("mannersTakeOvers"));
  const patience = line("patience", t("mannersPatience"), t("mannersPatiences"));
  const showMore = () => {
    hints.hidden = latestChoices(listed).rated === "yes";
    takeOver.hidden = !mayTakeOver(listed, bots);
    const { clock } = latestChoices(listed);
    timeOver.hidden = clock === "none";
    timeOver.textContent = clock in DAYS ? t("mannersDaysOver") : t("mannersTimeOver");
    patience.hidden = clock in DAYS;
    fillBot.hidden = latestChoices(listed).fill === "never";
  };
  showMore();
  return h(
    "fieldset",
    { class: "seats manners" },
    h("legend", {}, t("manners")),
    line("fill", t("mannersFill"), t("mannersFills")),
    fillBot,
    line("clock", t("mannersClock"), t("mannersClocks")),
    timeOver,
    patience,
    line("talk", t("talk"), t("mannersTalks")),
    line("rated", t("mannersRated"), t("mannersRatings")),
    hints,
    takeOver,
    line("studied", t("mannersStudied"), t("mannersStudies")),
  );
}

/**
 * Whether people may be allowed to take over bots' seats.
 *
 * @param {boolean} listed
 * @param {boolean} bots whether bots play from the beginning
 */
function mayTakeOver(listed, bots) {
  const { rated, fill } = latestChoices(listed);
  return rated !== "yes" && (bots || fill !== "never");
}

/**
 * The latest choices as the server takes them.
 *
 * @param {boolean} listed
 * @param {boolean} bots whether bots play
 */
export function chosenManners(listed, bots) {
  const { clock, patience, talk, hints, take_over: takeOver, fill, fillBot, rated, studied } = latestChoices(listed);
  const seconds = FILL[fill];
  const days = DAYS[clock] ?? null;
  return {
    clock: CLOCKS[clock] ?? null,
    patience: days === null ? PATIENCE[patience] : null,
    days,
    talk,
    hints: hints === "yes" && rated !== "yes",
    take_over: takeOver === "yes" && mayTakeOver(listed, bots),
    fill: seconds === null ? null : { seconds, bot: fillBot },
    rated: rated === "yes",
    studied: studied === "yes",
  };
}

/** The latest choices of a person alone with bots as the server takes them. */
export function chosenAlone() {
  const { rated, studied } = latestChoices(false);
  return { rated: rated === "yes", studied: studied === "yes" };
}
