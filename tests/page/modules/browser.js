// What the page's modules need of a browser: storage, media queries and one root element. No document is drawn.

const kept = new Map();

/** Storage as a browser has it, with the names as its keys; `refuse` makes it throw as a blocked or full one does. */
export const storage = new Proxy(
  {},
  {
    get(_, name) {
      if (name === "getItem") return (key) => kept.get(key) ?? null;
      if (name === "setItem")
        return (key, value) => {
          if (storage.refuses) throw new Error("full");
          kept.set(key, String(value));
        };
      if (name === "removeItem")
        return (key) => {
          kept.delete(key);
        };
      if (name === "refuses") return refusing;
      return kept.get(name);
    },
    set(_, name, value) {
      if (name === "refuses") refusing = value;
      else kept.set(name, value);
      return true;
    },
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: (_, name) => ({ value: kept.get(name), enumerable: true, configurable: true }),
  },
);
let refusing = false;

export function emptyStorage() {
  kept.clear();
  refusing = false;
}

globalThis.localStorage = storage;
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.document = {
  documentElement: { classList: { toggle() {} } },
  querySelectorAll: () => [],
  getElementById: () => null,
};
globalThis.dispatchEvent = () => true;

/** The address of a module of the page. */
export const page = (name) => new URL(`../../../src/parlour/server/page/js/${name}.js`, import.meta.url).href;
