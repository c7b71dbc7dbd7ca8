// Playing by keyboard alone. One card is reachable by Tab; the arrows move among all that can be chosen.

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

  /** The hand first, then what lies on the table. */
  things() {
    const all = [...this.root().querySelectorAll("[data-do]")];
    const inHand = (thing) => thing.closest(".hand") !== null;
    return [...all.filter(inHand), ...all.filter((thing) => !inHand(thing))];
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
    else if (/^[1-9]$/.test(key)) this.take(event, () => this.does.button(Number(key)));
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
    const far = things.map((thing, index) => {
      const [left, top] = middle(thing.getBoundingClientRect());
      return { index, down: (top - y) * way, cost: 2 * (top - y) * way + Math.abs(left - x) };
    }).filter(({ down }) => down > 12).sort((one, other) => one.cost - other.cost);
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
    return at < 0 ? null : { do: focused.dataset.do, token: focused.dataset.token, at };
  }

  /** After it: the same thing again, or what lies in its place now. */
  restore(held) {
    this.refresh();
    if (!held) return;
    if (held.peek) {
      this.root().querySelector(`[data-peek="${held.peek}"]`)?.focus();
      return;
    }
    const things = this.things();
    const same = things.find((thing) => thing.dataset.do === held.do && thing.dataset.token === held.token);
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
    const current = things[this.at]?.classList.contains("pale") && !things.includes(document.activeElement)
      ? things.findIndex((thing) => thing.classList.contains("may"))
      : this.at;
    this.at = Math.max(0, Math.min(current, things.length - 1));
    things.forEach((thing, index) => { thing.tabIndex = index === this.at ? 0 : -1; });
  }
}
