// A document for the page's modules in Node: elements that can be made, found, pressed and read. It lays nothing out.

import "./browser.js";

const SIMPLE = /^([a-z]\w*)|\.([\w-]+)|\[([\w-]+)(?:="?([^"\]]*)"?)?\]|:not\(([^)]*)\)|:(\w+)/g;
const PSEUDO = { modal: (element) => element.modal === true, scope: () => true };

/** Whether an element fits a selector without spaces, such as "dialog.sheet:not([hidden])". */
function fits(element, compound) {
  return [...compound.matchAll(SIMPLE)].every(([, tag, kind, name, value, other, pseudo]) => {
    if (tag) return element.tagName === tag.toUpperCase();
    if (kind) return element.className.split(" ").includes(kind);
    if (name) return value === undefined ? element.attributes.has(name) : element.getAttribute(name) === value;
    return other ? !fits(element, other) : PSEUDO[pseudo](element);
  });
}

/** Whether an element fits one of the selectors, with its ancestors. */
const matches = (element, selectors) =>
  selectors.split(/,\s*(?![^(]*\))/).some((selector) => {
    const [own, ...above] = selector.split(/[ >]+/).reverse();
    let around = element.parent;
    return (
      fits(element, own) &&
      above.every((compound) => {
        while (around && !fits(around, compound)) around = around.parent;
        return around !== null;
      })
    );
  });

const dashed = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Attributes as properties: the part of an element that the page calls `dataset`. */
const datasetOf = (element) =>
  new Proxy(
    {},
    {
      get: (_, name) => element.getAttribute(dashed(name)) ?? undefined,
      set: (_, name, value) => (element.setAttribute(dashed(name), value), true),
      deleteProperty: (_, name) => (element.attributes.delete(dashed(name)), true),
    },
  );

class FakeElement extends EventTarget {
  constructor(tag) {
    super();
    Object.assign(this, { tagName: tag.toUpperCase(), parent: null, nodes: [], attributes: new Map(), selected: 0 });
    const vars = new Map();
    this.style = { setProperty: (name, value) => vars.set(name, value), getPropertyValue: (name) => vars.get(name) };
    this.dataset = datasetOf(this);
    this.classList = { toggle: (name, on) => this.toggle(name, on), contains: (name) => fits(this, `.${name}`) };
  }

  toggle(name, on = !fits(this, `.${name}`)) {
    const others = this.className.split(" ").filter((each) => each && each !== name);
    this.setAttribute("class", [...others, ...(on ? [name] : [])].join(" "));
  }

  get className() {
    return this.getAttribute("class") ?? "";
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  append(...nodes) {
    for (const node of nodes) {
      node.remove?.();
      this.nodes.push(node);
      if (node instanceof FakeElement) node.parent = this;
    }
  }

  prepend(...nodes) {
    this.replaceChildren(...nodes, ...this.nodes);
  }

  replaceChildren(...nodes) {
    for (const child of this.children) child.parent = null;
    this.nodes = [];
    this.append(...nodes);
  }

  remove() {
    if (this.parent) this.parent.nodes = this.parent.nodes.filter((node) => node !== this);
    this.parent = null;
  }

  get children() {
    return this.nodes.filter((node) => node instanceof FakeElement);
  }

  get isConnected() {
    return this === document.body || Boolean(this.parent?.isConnected);
  }

  get textContent() {
    return this.nodes.map((node) => node.textContent ?? String(node)).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text ? [text] : []));
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

  get content() {
    return { firstElementChild: this.children[0] };
  }

  /** Markup is not read: one element has it as its `source`. */
  set innerHTML(source) {
    this.replaceChildren(Object.assign(new FakeElement("svg"), { source }));
  }

  querySelectorAll(selector) {
    const inside = this.children.flatMap((child) => [child, ...child.querySelectorAll("*")]);
    return selector === "*" ? inside : inside.filter((element) => matches(element, selector));
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  closest(selector) {
    return matches(this, selector) ? this : (this.parent?.closest(selector) ?? null);
  }

  cloneNode() {
    return Object.assign(new FakeElement(this.tagName), { source: this.source });
  }

  focus() {
    document.activeElement = this;
  }

  click() {
    this.dispatchEvent(new Event("click"));
  }

  show() {
    this.setAttribute("open", "");
  }

  showModal() {
    this.modal = true;
    this.show();
  }

  close() {
    this.dispatchEvent(new Event("close"));
  }
}

for (const name of ["hidden", "open", "id", "title", "value"]) {
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

/** Begin with an empty document. Return its body. */
export function emptyDocument() {
  const body = new FakeElement("body");
  Object.assign(document, {
    body,
    title: "",
    cookie: "",
    hidden: false,
    activeElement: null,
    createElement: (tag) => new FakeElement(tag),
    querySelector: (selector) => body.querySelector(selector),
    querySelectorAll: (selector) => body.querySelectorAll(selector),
    getElementById: (id) => body.querySelector(`[id="${id}"]`),
  });
  return body;
}

/** Give a field a value as a user does, and tell its listeners. */
export function enter(field, value, event = "change") {
  Object.assign(field, typeof value === "boolean" ? { checked: value } : { value });
  field.dispatchEvent(new Event(event));
}

/** Press a button, or send a form. */
export function press(element, event = "click") {
  element.dispatchEvent(new Event(event, { cancelable: true }));
  return settle();
}

/** Let everything happen that needs no further answer. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

globalThis.addEventListener = () => {};
globalThis.ResizeObserver = class {
  observe() {}
};
emptyDocument();
