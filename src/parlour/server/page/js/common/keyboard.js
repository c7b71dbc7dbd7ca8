// Play by keyboard. Tab reaches one thing of the table, arrows lead to the others, digits to the parts of the table.

import { centerOf, find, findAll, focusedElement } from "./dom.js";
import { isMuted } from "./settings.js";
import { sheetOpen } from "./sheets.js";

/**
 * Actions by key; `escape` is that of Esc without an open sheet.
 *
 * @typedef {Record<string, () => unknown> & { close: () => unknown, escape: () => unknown }} KeyActions
 */

/**
 * The focus before a redraw: face-down cards that can be turned up (`peek`), an area, or a thing with its index.
 *
 * @typedef {object} HeldFocus
 * @property {string} [peek]
 * @property {string} [area]
 * @property {{ do?: string, token?: string, button?: string, index: number }} [thing]
 */

/** Pixels by which a thing must lie lower or higher to be in another line. */
const LINE_DISTANCE = 12;

/** The keys of sheets that their first letter does not open; the key that has opened a sheet closes it. */
const SHEET_KEYS = /** @type {Record<string, string>} */ ({ talk: "c", help: "?" });

/** @param {EventTarget | null} target */
const isTextField = (target) =>
  target instanceof Element && target.matches("input, select, textarea, [contenteditable]");

export class Keyboard {
  /**
   * @param {() => HTMLElement} root the element with all things that can be chosen
   * @param {KeyActions} actions
   * @param {() => boolean} space takes the space bar; false leaves it to the browser
   */
  constructor(root, actions, space) {
    this.root = root;
    this.actions = actions;
    this.space = space;
    /** The index among `things` of the thing that Tab reaches. */
    this.index = 0;
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** Everything that can be chosen: the hand, the buttons beside it, the board. */
  things() {
    const root = this.root();
    return [".hand", ".actions", ".board"].flatMap((part) => findAll(root, `${part} :is([data-do], [data-button])`));
  }

  /** The parts of the table: the hand, the viewer's area, the middle, the other areas clockwise. */
  zones() {
    const root = this.root();
    const areas = findAll(root, ".board .area").sort((one, other) => Number(one.dataset.at) - Number(other.dataset.at));
    return [find(root, ".hand"), areas[0], find(root, ".board .middle"), ...areas.slice(1)].filter(Boolean);
  }

  /**
   * Focus the first thing of a part, a legal one if there is one, or else the part itself.
   *
   * @param {HTMLElement | null | undefined} zone
   */
  enter(zone) {
    if (!zone) return;
    const things = this.things();
    const inside = things.filter((thing) => zone.contains(thing));
    const goal = inside.find((thing) => thing.matches(".may")) ?? inside[0];
    if (goal) {
      this.index = things.indexOf(goal);
      this.refresh();
    }
    (goal ?? zone).focus();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isTextField(event.target) || isMuted(event.key)) return;
    if (!this.root().isConnected) return; // a failure has taken the place of the table
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const sheet = sheetOpen();
    if (sheet) {
      if (this.actions[key] && key === (SHEET_KEYS[sheet] ?? sheet[0])) this.take(event, this.actions.close);
      return;
    }
    if (key === "ArrowRight") this.take(event, () => this.move(1));
    else if (key === "ArrowLeft") this.take(event, () => this.move(-1));
    else if (key === "ArrowDown") this.take(event, () => this.across(1));
    else if (key === "ArrowUp") this.take(event, () => this.across(-1));
    else if (/^[1-9]$/.test(key)) this.take(event, () => this.enter(this.zones()[Number(key) - 1]));
    else if (key === "b") this.take(event, () => this.enter(find(this.root(), ".actions")));
    else if (key === "Escape") this.actions.escape();
    else if (key === " " && this.space()) event.preventDefault();
    else if (this.actions[key]) this.take(event, this.actions[key]);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {() => unknown} action
   */
  take(event, action) {
    event.preventDefault();
    action();
  }

  /**
   * Focus the next or the previous thing.
   *
   * @param {1 | -1} step
   */
  move(step) {
    const things = this.things();
    if (!things.length) return;
    const focused = things.findIndex((thing) => thing === document.activeElement);
    const next = (focused + step + things.length) % things.length;
    this.focus(things, focused < 0 ? Math.min(this.index, things.length - 1) : next);
  }

  /**
   * Focus the nearest thing below (1) or above (−1).
   *
   * @param {1 | -1} way
   */
  across(way) {
    const things = this.things();
    const current = things[this.index];
    if (!current || current !== document.activeElement) {
      this.move(1);
      return;
    }
    const [x, y] = centerOf(current.getBoundingClientRect());
    const candidates = things
      .map((thing, index) => {
        const [left, top] = centerOf(thing.getBoundingClientRect());
        const down = (top - y) * way;
        return { index, down, cost: 2 * down + Math.abs(left - x) };
      })
      .filter(({ down }) => down > LINE_DISTANCE)
      .sort((one, other) => one.cost - other.cost);
    if (candidates.length) this.focus(things, candidates[0].index);
  }

  /**
   * @param {HTMLElement[]} things
   * @param {number} index
   */
  focus(things, index) {
    this.index = index;
    this.refresh();
    things[index].focus();
  }

  /**
   * The focus before a redraw, for `restore`.
   *
   * @returns {HeldFocus | null}
   */
  hold() {
    const focused = focusedElement();
    if (!focused) return null;
    const { peek, area, do: action, token, button } = focused.dataset;
    if (peek) return { peek };
    const index = this.things().indexOf(focused);
    if (index >= 0) return { thing: { do: action, token, button, index } };
    return this.root().contains(focused) && area ? { area } : null;
  }

  /**
   * Focus the same thing after a redraw, or the one that has its place.
   *
   * @param {HeldFocus | null | undefined} held
   */
  restore(held) {
    this.refresh();
    if (!held) return;
    if (held.peek) find(this.root(), `[data-peek="${held.peek}"]`)?.focus();
    if (held.area) find(this.root(), `[data-area="${held.area}"]`)?.focus();
    if (!held.thing) return;
    const { do: action, token, button, index } = held.thing;
    const things = this.things();
    const same = things.findIndex(
      ({ dataset }) => dataset.do === action && dataset.token === token && dataset.button === button,
    );
    if (things.length) this.focus(things, same >= 0 ? same : Math.min(index, things.length - 1));
  }

  /** Let Tab reach the current thing, or the first legal one if the current one is not legal. */
  refresh() {
    const things = this.things();
    const isPale = things[this.index]?.classList.contains("pale");
    const hasFocus = things.some((thing) => thing === document.activeElement);
    const current = isPale && !hasFocus ? things.findIndex((thing) => thing.classList.contains("may")) : this.index;
    this.index = Math.max(0, Math.min(current, things.length - 1));
    things.forEach((thing, index) => {
      thing.tabIndex = index === this.index ? 0 : -1;
    });
  }
}
