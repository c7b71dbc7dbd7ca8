// Playing by keyboard alone. One thing is reachable by Tab; the arrows move among all that can be chosen, digits go to a
// part of the table.

import { sheetOpen } from "./sheets.js";

const typing = (target) => target.matches?.("input, select, textarea, [contenteditable]");

/** `root()` holds the things with data-do; `does` maps keys to functions; `space()` tells whether it used the key. */
export class Keys {
  constructor(root, does, space) {
    Object.assign(this, { root, does, space });
    this.at = 0;
    this.listener = (event) => this.press(event);
    document.addEventListener("keydown", this.listener);
  }

  stop() {
    document.removeEventListener("keydown", this.listener);
  }

  /** The hand first, then the buttons beside it, then what lies on the table. */
  things() {
    const inside = (place) => [...this.root().querySelectorAll(`${place} :is([data-do], [data-button])`)];
    return [...inside(".hand"), ...inside(".actions"), ...inside(".board")];
  }

  /** The parts of the table: the hand, the own place, the middle, the others clockwise. */
  zones() {
    const root = this.root();
    const places = [...root.querySelectorAll(".board .area")].sort((one, other) => one.dataset.at - other.dataset.at);
    return [root.querySelector(".hand"), places[0], root.querySelector(".board .middle"), ...places.slice(1)].filter(
      Boolean,
    );
  }

  /** To what can be chosen there; where nothing can, to the part itself, which says what lies there. */
  enter(zone) {
    if (!zone) return;
    const things = this.things();
    const inside = things.filter((thing) => zone.contains(thing));
    const goal = inside.find((thing) => thing.matches(".may")) ?? inside[0];
    if (goal) {
      this.at = things.indexOf(goal);
      this.refresh();
    }
    (goal ?? zone).focus();
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (sheetOpen()) {
      if (this.does[key] && key === sheetOpen()[0]) this.take(event, this.does.close);
      return;
    }
    if (key === "ArrowRight") this.take(event, () => this.move(1));
    else if (key === "ArrowLeft") this.take(event, () => this.move(-1));
    else if (key === "ArrowDown") this.take(event, () => this.across(1));
    else if (key === "ArrowUp") this.take(event, () => this.across(-1));
    else if (/^[1-9]$/.test(key)) this.take(event, () => this.enter(this.zones()[Number(key) - 1]));
    else if (key === "b") this.take(event, () => this.enter(this.root().querySelector(".actions")));
    else if (key === "Escape") this.does.escape();
    else if (key === " " && this.space()) event.preventDefault();
    else if (this.does[key]) this.take(event, this.does[key]);
  }

  take(event, action) {
    event.preventDefault();
    action();
  }

  move(step) {
    const things = this.things();
    if (!things.length) return;
    const inside = things.indexOf(document.activeElement);
    this.at = inside < 0 ? Math.min(this.at, things.length - 1) : (inside + step + things.length) % things.length;
    this.refresh();
    things[this.at].focus();
  }

  /** To the nearest thing below or above. */
  across(way) {
    const things = this.things();
    const from = things[this.at]?.getBoundingClientRect();
    if (!from || things[this.at] !== document.activeElement) {
      this.move(1);
      return;
    }
    const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
    const [x, y] = middle(from);
    const far = things
      .map((thing, index) => {
        const [left, top] = middle(thing.getBoundingClientRect());
        return { index, down: (top - y) * way, cost: 2 * (top - y) * way + Math.abs(left - x) };
      })
      .filter(({ down }) => down > 12)
      .sort((one, other) => one.cost - other.cost);
    if (!far.length) return;
    this.at = far[0].index;
    this.refresh();
    things[this.at].focus();
  }

  /** Before a redraw: what has the focus. */
  hold() {
    const focused = document.activeElement;
    if (focused?.dataset?.peek) return { peek: focused.dataset.peek };
    const at = this.things().indexOf(focused);
    if (at >= 0) return { do: focused.dataset.do, token: focused.dataset.token, button: focused.dataset.button, at };
    return this.root().contains(focused) && focused.dataset.area ? { area: focused.dataset.area } : null;
  }

  /** After it: the same thing again, or what lies in its place now. */
  restore(held) {
    this.refresh();
    if (!held) return;
    if (held.peek) {
      this.root().querySelector(`[data-peek="${held.peek}"]`)?.focus();
      return;
    }
    if (held.area) {
      this.root().querySelector(`[data-area="${held.area}"]`)?.focus();
      return;
    }
    const things = this.things();
    const same = things.find(
      (thing) =>
        thing.dataset.do === held.do && thing.dataset.token === held.token && thing.dataset.button === held.button,
    );
    const thing = same ?? things[Math.min(held.at, things.length - 1)];
    if (thing) {
      this.at = things.indexOf(thing);
      this.refresh();
      thing.focus();
    }
  }

  /** Tab reaches the remembered thing, or the first that may be chosen. */
  refresh() {
    const things = this.things();
    const current =
      things[this.at]?.classList.contains("pale") && !things.includes(document.activeElement)
        ? things.findIndex((thing) => thing.classList.contains("may"))
        : this.at;
    this.at = Math.max(0, Math.min(current, things.length - 1));
    things.forEach((thing, index) => {
      thing.tabIndex = index === this.at ? 0 : -1;
    });
  }
}
