// Helpers that build, find, measure and describe elements. Only `svg` and `markup` parse text of the server.

import { inWords } from "./speech.js";

/** @typedef {{ [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => unknown }} Listeners */
/** @typedef {Node | string | number | boolean | null | undefined | readonly Child[]} Child */
/**
 * Attributes by name, with two exceptions: `on` has listeners, `vars` has CSS variables.
 *
 * @typedef {{ [name: string]: unknown, on?: Listeners, vars?: Record<string, string | number> }} Properties
 */

/** Names that are set as properties of the element, not as attributes. */
const PROPERTIES = ["value", "checked", "disabled"];

/**
 * The nodes of nested children.
 *
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
export function nodesOf(children) {
  const flat = /** @type {unknown[]} */ (children).flat(Infinity);
  const present = flat.filter((child) => child !== null && child !== undefined && child !== false);
  return /** @type {(Node | string)[]} */ (present);
}

/**
 * Create an element. Attributes that are null, undefined or false are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  const { on = {}, vars = {}, ...attributes } = properties;
  for (const [event, listener] of Object.entries(on)) {
    element.addEventListener(event, /** @type {EventListener} */ (listener));
  }
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, String(value));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (PROPERTIES.includes(name)) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodesOf(children));
  return element;
}

/**
 * Create a drawing from SVG text of the page or of the server.
 *
 * @param {string} source
 * @returns {SVGElement}
 */
export function svg(source) {
  const holder = document.createElement("template");
  holder.innerHTML = source;
  return /** @type {SVGElement} */ (holder.content.firstElementChild);
}

/**
 * Create the nodes of HTML text of the server.
 *
 * @param {string} source
 */
export function markup(source) {
  const holder = document.createElement("template");
  holder.innerHTML = source;
  return holder.content;
}

/**
 * Create a button with a label, and with an icon before it if there is one.
 *
 * @param {string} label
 * @param {(event: MouseEvent) => unknown} onClick
 * @param {Properties} [properties]
 * @param {SVGElement | null} [icon]
 */
export function button(label, onClick, properties = {}, icon = null) {
  return h(
    "button",
    { type: "button", ...properties, class: `button ${properties.class ?? ""}`.trim(), on: { click: onClick } },
    icon,
    h("span", { class: "label" }, label),
  );
}

/**
 * Replace the children of an element. The focus stays at the same child, or goes to its counterpart.
 *
 * @template {Element} Parent
 * @param {Parent} element
 * @param {...Child} children
 * @returns {Parent}
 */
export function clear(element, ...children) {
  const giveBack = holdFocus(element);
  element.replaceChildren(...nodesOf(children).filter((child) => child !== ""));
  giveBack();
  return element;
}

/**
 * The first element inside `root` that matches, or null.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const find = (root, selector) => root.querySelector(selector);

/**
 * The elements inside `root` that match, in document order.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export const findAll = (root, selector) => [
  .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector)),
];

/**
 * The element around the target of an event that matches, or null.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const targetOf = (event, selector) => /** @type {Element} */ (event.target).closest(selector);

/**
 * The form field that an event is about.
 *
 * @param {Event} event
 */
export const fieldOf = (event) => /** @type {HTMLInputElement} */ (event.target);

/**
 * The element that has the focus, or null.
 *
 * @returns {HTMLElement | null}
 */
export const focusedElement = () => /** @type {HTMLElement | null} */ (document.activeElement);

/** Whether no element has the focus, as after the one that had it has been disabled or replaced. */
export const isFocusLost = () => !document.activeElement || document.activeElement === document.body;

/** Pixels from the end of a list within which a reader counts as being there: less than a line. */
const AT_END = 16;

/**
 * Whether a list is scrolled to its end, or has no need to be. Lines that are added later are then scrolled into view.
 *
 * @param {HTMLElement} list
 */
export const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }) =>
  !(scrollHeight - scrollTop - clientHeight > AT_END);

// Counterparts: the elements that show the same things after a redraw. They take over the focus, and presses that have
// begun on the replaced elements.

/** @typedef {{ tag: string, name: string, index: number }} Mark finds an element again: its index among equal ones */

/** Elements whose text names them; the text of others may have their state. */
const NAMED_BY_TEXT = "button, a, label, summary";

/**
 * What an element shares with its counterpart: the thing on the table, or attributes, text and data. The state of the
 * thing, which its label may have, differs.
 *
 * @param {HTMLElement} element
 */
export function identity(element) {
  const { tagName, dataset } = element;
  if (dataset.token) return JSON.stringify([tagName, dataset.do, dataset.token]);
  const text = element.matches(NAMED_BY_TEXT) ? element.textContent : "";
  const data = { ...dataset };
  const attributes = ["id", "name", "href"].map((name) => element.getAttribute(name));
  const value = element.matches("[type=radio]") ? element.getAttribute("value") : null;
  const label = text || Object.keys(data).length ? null : element.getAttribute("aria-label");
  const table = element.closest("[data-table]")?.getAttribute("data-table") ?? null;
  return JSON.stringify([tagName, ...attributes, value, label, text, data, table]);
}

/** @type {(root: Element, tag: string, name: string) => HTMLElement[]} */
const equalIn = (root, tag, name) => findAll(root, tag).filter((one) => identity(one) === name);

/**
 * @param {Element} root
 * @param {HTMLElement} element
 * @returns {Mark}
 */
export function markOf(root, element) {
  const [tag, name] = [element.tagName.toLowerCase(), identity(element)];
  return { tag, name, index: equalIn(root, tag, name).indexOf(element) };
}

/**
 * The counterpart of a marked element, or null.
 *
 * @param {Element} root
 * @param {Mark} mark
 */
export function counterpart(root, { tag, name, index }) {
  const equal = equalIn(root, tag, name);
  return equal[index] ?? equal.at(-1) ?? null;
}

/**
 * Hold the focus inside an element during a redraw. The result gives it to the same element again, which may have been
 * moved, or to its counterpart, with the caret in a field.
 *
 * @param {Element} root
 * @returns {() => void}
 */
function holdFocus(root) {
  const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
  if (!focused || focused === root || !root.contains(focused)) return () => {};
  const mark = markOf(root, focused);
  const { selectionStart: start, selectionEnd: end } = focused;
  return () => {
    const goal = /** @type {HTMLInputElement | null} */ (focused.isConnected ? focused : counterpart(root, mark));
    if (!goal || goal === document.activeElement) return;
    goal.focus({ preventScroll: true });
    if (typeof start === "number") goal.setSelectionRange?.(start, end);
  };
}

// Places and announcements

/** @param {DOMRect} box */
export const centerOf = (box) => [box.left + box.width / 2, box.top + box.height / 2];

/** Create a live region for screen readers. Each sheet has one, since an open sheet makes the rest inert. */
export const liveRegion = () => h("div", { class: "unseen", role: "status", "aria-live": "polite", "data-live": true });

const activeLiveRegion = () =>
  findAll(document, "dialog[open] > [data-live]").at(-1) ?? document.getElementById("live");

/** Milliseconds in which announcements are joined. A live region that changes again is not read to its end. */
const JOIN_TIME = 60;
/** @type {string[]} */
let announced = [];

/**
 * Have screen readers read lines of text.
 *
 * @param {string | null} text
 */
export function announce(text) {
  const lines = inWords(text ?? "")
    .split("\n")
    .filter(Boolean);
  if (lines.length && !announced.length) setTimeout(readOut, JOIN_TIME);
  announced.push(...lines);
}

function readOut() {
  activeLiveRegion()?.replaceChildren(...announced.map((line) => h("p", {}, line)));
  announced = [];
}
