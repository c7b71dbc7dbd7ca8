// Translation of messages by the catalogue that the server adds to the page. English is the source.

/**
 * The catalogue of the page's language.
 *
 * @typedef {object} Catalogue
 * @property {string} language a code such as "fi"
 * @property {Record<string, string>} languages the names of all languages by code
 * @property {string} plurals the plural form of each number from 0 to 199, a digit each
 * @property {Record<string, string[]>} messages the forms of each translated message
 */

/** @type {Catalogue} */
const ENGLISH = { language: "en", languages: { en: "English" }, plurals: "", messages: {} };

const catalogue = /** @type {{ parlourCatalogue?: Catalogue }} */ (globalThis).parlourCatalogue ?? ENGLISH;

/** The code of the page's language. */
export const language = catalogue.language;

/** The names of all languages by code. */
export const languages = catalogue.languages;

/** The language for dates, numbers and lists. */
export const locale = language === "en" ? "en-GB" : language;

/** @typedef {Record<string, string | number>} Values */

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * A text, such as a name, isolated from the text around it if it runs from right to left: otherwise a number beside it
 * changes sides (Unicode Standard Annex 9, FSI and PDI).
 *
 * @param {string} text
 */
export const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/**
 * Fill in the fields in braces, each isolated.
 *
 * @param {string} message
 * @param {Values} values
 */
const filled = (message, values) =>
  message.replace(/\{(\w+)\}/g, (field, name) => isolated(`${values[name] ?? field}`));

/**
 * The translation of a message, with the values of its fields in braces.
 *
 * @param {string} message
 * @param {Values} [values]
 */
export const gettext = (message, values = {}) => filled(catalogue.messages[message]?.[0] ?? message, values);

/**
 * The translation of a message with several meanings, in the one that the context names.
 *
 * @param {string} context
 * @param {string} message
 * @param {Values} [values]
 */
export const pgettext = (context, message, values = {}) =>
  filled(catalogue.messages[`${context}\u0004${message}`]?.[0] ?? message, values);

/**
 * The translation of a message in the singular or plural; its field {number} is the number.
 *
 * @param {string} one
 * @param {string} many
 * @param {number} number
 * @param {Values} [values]
 */
export const ngettext = (one, many, number, values = {}) =>
  inNumber(catalogue.messages[one], one, many, number, values);

/**
 * The translation of a message in the singular or plural that has several meanings, in the one that the context names.
 *
 * @param {string} context
 * @param {string} one
 * @param {string} many
 * @param {number} number
 * @param {Values} [values]
 */
export const npgettext = (context, one, many, number, values = {}) =>
  inNumber(catalogue.messages[`${context}\u0004${one}`], one, many, number, values);

/**
 * The form of a message for a number, with the values of its fields.
 *
 * @param {string[] | undefined} forms of the translation, if there is one
 * @param {string} one
 * @param {string} many
 * @param {number} number
 * @param {Values} values
 */
function inNumber(forms, one, many, number, values) {
  // all plural rules repeat after a hundred, but small numbers may differ
  const place = number < 200 ? number : 100 + (number % 100);
  const form = forms ? forms[Number(catalogue.plurals[place])] : number === 1 ? one : many;
  return filled(form, { number, ...values });
}

const lists = {
  and: new Intl.ListFormat(locale, { type: "conjunction" }),
  or: new Intl.ListFormat(locale, { type: "disjunction" }),
};

/** "a, b and c" @param {string[]} phrases */
export const listed = (phrases) => lists.and.format(phrases.map(isolated));

/** "a, b or c" @param {string[]} phrases */
export const listedChoice = (phrases) => lists.or.format(phrases.map(isolated));
