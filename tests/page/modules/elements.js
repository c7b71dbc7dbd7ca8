// A document for the page's modules in Node: elements that can be made, found, pressed and read. It lays nothing out; a
// test may give an element a `box`.

import "./browser.js";
import { matches } from "./selectors.js";

const NO_BOX = { left: 0, top: 0, width: 0, height: 0 };
const TOKEN = /<(\/?)([\w-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g;

const dashed = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const dataNames = ({ attributes }) =>
  [...attributes.keys()]
    .filter((name) => name.startsWith("data-"))
    .map((name) => name.slice(5).replace(/-(.)/g, (_, letter) => letter.toUpperCase()));

/** Attributes as properties: the part of an element that the page calls `dataset`. */
const datasetOf = (element) =>
  new Proxy(
    {},
    {
      get: (_, name) => element.getAttribute(dashed(name)) ?? undefined,
      set: (_, name, value) => (element.setAttribute(dashed(name), value), true),
      deleteProperty: (_, name) => (element.attributes.delete(dashed(name)), true),
      ownKeys: () => dataNames(element),
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );

/** The style of an element: CSS variables by name, and other properties. */
const styleOf = (vars) => ({
  setProperty: (name, value) => vars.set(name, value),
  getPropertyValue: (name) => vars.get(name),
});

class FakeNode {
  parent = null;

  get previousSibling() {
    return this.parent?.nodes[this.parent.nodes.indexOf(this) - 1] ?? null;
  }

  replaceWith(...nodes) {
    const { parent } = this;
    const at = parent.nodes.indexOf(this);
    parent.replaceChildren(...parent.nodes.slice(0, at), ...nodes, ...parent.nodes.slice(at + 1));
  }

  remove() {
    if (this.parent) this.parent.nodes = this.parent.nodes.filter((node) => node !== this);
    this.parent = null;
  }
}

class FakeText extends FakeNode {
  constructor(data) {
    super();
    this.data = String(data);
  }

  get textContent() {
    return this.data;
  }

  splitText(at) {
    const rest = new FakeText(this.data.slice(at));
    this.replaceWith(new FakeText(this.data.slice(0, at)), rest);
    return rest;
  }
}

/** The parts of an element that hold other nodes. */
class FakeParent extends FakeNode {
  nodes = [];

  append(...nodes) {
    for (const one of nodes) {
      const node = one instanceof FakeNode ? one : new FakeText(one);
      if (node instanceof FakeFragment) this.append(...node.nodes);
      else {
        node.remove();
        this.nodes.push(node);
        node.parent = this;
      }
    }
  }

  prepend(...nodes) {
    this.replaceChildren(...nodes, ...this.nodes);
  }

  replaceChildren(...nodes) {
    for (const node of this.nodes) node.parent = null;
    this.nodes = [];
    this.append(...nodes);
  }

  get children() {
    return this.nodes.filter((node) => node instanceof FakeElement);
  }

  get childNodes() {
    return [...this.nodes];
  }

  get firstChild() {
    return this.nodes[0] ?? null;
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  get textContent() {
    return this.nodes.map((node) => node.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text ? [text] : []));
  }

  contains(node) {
    return node === this || Boolean(node?.parent && this.contains(node.parent));
  }

  querySelectorAll(selector) {
    const inside = (parent) => parent.children.flatMap((child) => [child, ...inside(child)]);
    return inside(this).filter((element) => matches(element, selector, this));
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

class FakeFragment extends FakeParent {}

class FakeElement extends FakeParent {
  constructor(tag) {
    super();
    Object.assign(this, { tagName: tag.toUpperCase(), attributes: new Map(), listeners: [], scrolls: [], motions: [] });
  }

  get dataset() {
    return (this.named ??= datasetOf(this));
  }

  get style() {
    return (this.looks ??= styleOf(new Map()));
  }

  get classList() {
    return {
      toggle: (name, on) => this.toggle(name, on),
      add: (name) => this.toggle(name, true),
      remove: (name) => this.toggle(name, false),
      contains: (name) => this.className.split(" ").includes(name),
    };
  }

  toggle(name, on = !this.classList.contains(name)) {
    const others = this.className.split(" ").filter((each) => each && each !== name);
    this.setAttribute("class", [...others, ...(on ? [name] : [])].join(" "));
  }

  get className() {
    return this.getAttribute("class") ?? "";
  }

  set className(names) {
    this.setAttribute("class", names);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name) {
    return this.attributes.has(name);
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  get isConnected() {
    return document.body.contains(this);
  }

  get checked() {
    return this.isChecked === true;
  }

  /** Of the radio buttons of one name at most one is checked. */
  set checked(on) {
    const name = this.getAttribute("name");
    const others = this.getAttribute("type") === "radio" && on ? document.querySelectorAll(`[name=${name}]`) : [];
    for (const other of others) other.isChecked = false;
    this.isChecked = on;
  }

  get value() {
    const given = this.getAttribute("value");
    if (given !== null || this.tagName !== "SELECT") return given ?? "";
    return (this.querySelector("option[selected]") ?? this.querySelector("option"))?.value ?? "";
  }

  set value(value) {
    this.setAttribute("value", value);
  }

  /** The nodes of a template. */
  set innerHTML(source) {
    this.content = new FakeFragment();
    const open = [this.content];
    for (const [, end, tag, attributes, empty, text] of source.matchAll(TOKEN)) {
      if (text) open.at(-1).append(text);
      else if (end) open.pop();
      else {
        const element = new FakeElement(tag);
        for (const [, name, value = ""] of attributes.matchAll(ATTRIBUTE)) element.setAttribute(name, value);
        open.at(-1).append(element);
        if (!empty) open.push(element);
      }
    }
    if (this.content.firstElementChild) this.content.firstElementChild.source = source;
  }

  matches(selector) {
    return matches(this, selector);
  }

  closest(selector) {
    if (this.matches(selector)) return this;
    return this.parent instanceof FakeElement ? this.parent.closest(selector) : null;
  }

  cloneNode(deep = false) {
    const copy = Object.assign(new FakeElement(this.tagName), { source: this.source });
    for (const [name, value] of this.attributes) copy.setAttribute(name, value);
    if (deep) copy.append(...this.nodes.map((node) => node.cloneNode?.(true) ?? node.data));
    return copy;
  }

  addEventListener(type, call, how = {}) {
    const { once = false, capture = how === true } = how;
    this.listeners.push({ type, call, once, capture });
  }

  hear(event, capture) {
    for (const listener of this.listeners.filter((one) => one.type === event.type && one.capture === capture)) {
      if (listener.once) this.listeners = this.listeners.filter((one) => one !== listener);
      Object.defineProperty(event, "currentTarget", { value: this, configurable: true });
      listener.call(event);
    }
  }

  /** Tell the listeners of this element and, if the event bubbles, those of the elements around it. */
  dispatchEvent(event) {
    let stopped = false;
    Object.defineProperty(event, "target", { value: this, configurable: true });
    for (const name of ["stopPropagation", "stopImmediatePropagation"]) {
      Object.defineProperty(event, name, { value: () => (stopped = true) });
    }
    const path = [];
    for (let one = this; one instanceof FakeElement; one = one.parent) path.push(one);
    const heard = event.bubbles ? path : [this];
    if (this.isConnected) windowEvents.hear(event, true);
    for (const one of [...path].reverse()) if (!stopped) one.hear(event, true);
    for (const one of heard) if (!stopped) one.hear(event, false);
    if (event.bubbles && !stopped && this.isConnected) {
      documentEvents.hear(event, false);
      windowEvents.hear(event, false);
    }
    return !event.defaultPrevented;
  }

  setCustomValidity(message) {
    this.validationMessage = message;
  }

  focus() {
    document.activeElement = this;
  }

  click() {
    if (!this.disabled) this.dispatchEvent(new Event("click", { bubbles: true, cancelable: true }));
  }

  show() {
    this.setAttribute("open", "");
  }

  showModal() {
    this.modal = true;
    this.show();
  }

  close() {
    if (!this.open) return;
    [this.modal, this.open] = [false, false];
    this.dispatchEvent(new Event("close"));
  }

  getBoundingClientRect() {
    return this.box ?? NO_BOX;
  }

  scrollIntoView(how) {
    this.scrolls.push(how);
  }

  scrollTo(_, top) {
    this.scrollTop = top;
  }

  animate(frames, timing) {
    this.motions.push({ frames, timing });
    return { finished: Promise.resolve() };
  }

  select() {
    this.isSelected = true;
  }

  setSelectionRange(start, end) {
    [this.selectionStart, this.selectionEnd] = [start, end];
  }
}

for (const name of ["hidden", "open", "id", "title", "href", "download"]) {
  const isFlag = name === "hidden" || name === "open";
  Object.defineProperty(FakeElement.prototype, name, {
    get() {
      return isFlag ? this.attributes.has(name) : (this.getAttribute(name) ?? "");
    },
    set(value) {
      if (value === false) this.attributes.delete(name);
      else this.setAttribute(name, value === true ? "" : value);
    },
  });
}
for (const [name, side] of Object.entries({ Width: "width", Height: "height" })) {
  const get = function () {
    return this.getBoundingClientRect()[side];
  };
  for (const kind of ["client", "offset"]) Object.defineProperty(FakeElement.prototype, kind + name, { get });
}

/** The listeners of the document and of the window, which each empty document begins without. */
const documentEvents = new FakeElement("document");
const windowEvents = new FakeElement("window");

/** Observers of sizes and of sight, each with its `call`, the latest last. */
export const observers = [];
class FakeObserver {
  constructor(call) {
    observers.push({ call });
  }

  observe() {}
}

/** Begin with an empty document. Return its body. */
export function emptyDocument() {
  const body = new FakeElement("body");
  [documentEvents.listeners, windowEvents.listeners, observers.length] = [[], [], 0];
  globalThis.innerWidth = 1000;
  Object.assign(document, {
    body,
    title: "",
    cookie: "",
    hidden: false,
    activeElement: null,
    createElement: (tag) => new FakeElement(tag),
    createElementNS: (_, tag) => new FakeElement(tag),
    querySelector: (selector) => body.querySelector(selector),
    querySelectorAll: (selector) => body.querySelectorAll(selector),
    getElementById: (id) => body.querySelector(`[id="${id}"]`),
    addEventListener: (...listener) => documentEvents.addEventListener(...listener),
    removeEventListener: (type, call) => forget(documentEvents, type, call),
    dispatchEvent: (event) => tellAll(documentEvents, event),
  });
  return body;
}

/**
 * Begin with an empty document at an address of a room, the first one in the history. Return its body, and the
 * addresses that the page goes to.
 */
export function emptyPage(more = {}) {
  const visited = [];
  const assign = (address) => visited.push(address);
  globalThis.location = { assign, origin: "http://h", hostname: "h", host: "h", pathname: "/", hash: "", ...more };
  const replaceState = (state, _, address) => {
    history.state = state;
    const [pathname, hash] = address.split("#");
    Object.assign(location, { pathname, hash: hash ? `#${hash}` : "" });
  };
  globalThis.history = { state: null, replaceState };
  return { body: emptyDocument(), visited };
}

function forget(events, type, call) {
  events.listeners = events.listeners.filter((one) => one.type !== type || one.call !== call);
}

/** The element with the focus: none once it is taken out of the page. */
let focused = null;
Object.defineProperty(document, "activeElement", {
  get: () => (focused instanceof FakeElement && !focused.isConnected ? null : focused),
  set: (element) => {
    focused = element;
  },
  configurable: true,
});

/** Give a field a value as a user does, and tell its listeners. */
export function enter(field, value, event = "change") {
  Object.assign(field, typeof value === "boolean" ? { checked: value } : { value });
  field.dispatchEvent(new Event(event, { bubbles: true }));
}

/** Press a button, or send a form, which must not load the page anew. */
export function press(element, event = "click") {
  const isUsed = !element.dispatchEvent(new Event(event, { bubbles: true, cancelable: true }));
  if (event === "submit" && !isUsed) throw new Error("the browser would send the form");
  return settle();
}

/** Press a key at the element with the focus. Return whether the page has used it. */
export function pressKey(key, held = {}) {
  const event = Object.assign(new Event("keydown", { bubbles: true, cancelable: true }), { key, ...held });
  return !(document.activeElement ?? document.body).dispatchEvent(event);
}

/** The texts of the elements that match a selector. */
export const texts = (selector, root = document.body) =>
  root.querySelectorAll(selector).map(({ textContent }) => textContent);

/** Tell the listeners of the window or the document; return whether none prevents the default. */
function tellAll(events, event) {
  events.hear(event, false);
  return !event.defaultPrevented;
}

/** Let everything happen that needs no further answer. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

Object.assign(globalThis, {
  addEventListener: (...listener) => windowEvents.addEventListener(...listener),
  removeEventListener: (type, call) => forget(windowEvents, type, call),
  dispatchEvent: (event) => tellAll(windowEvents, event),
  Element: FakeElement,
  HTMLElement: FakeElement,
  Text: FakeText,
  ResizeObserver: FakeObserver,
  IntersectionObserver: FakeObserver,
  DOMRect: class {
    constructor(left, top, width, height) {
      Object.assign(this, { left, top, width, height });
    }
  },
  FormData: class {
    constructor(form) {
      this.get = (name) => {
        const fields = form.querySelectorAll(`[name=${name}]`);
        return (fields.find((field) => field.getAttribute("type") !== "radio" || field.checked) ?? null)?.value ?? null;
      };
    }
  },
});
emptyDocument();
