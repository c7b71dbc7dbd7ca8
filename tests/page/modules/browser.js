// A browser for the page's modules in Node: storage, media queries, a root element. Import it before them.

const kept = new Map();

/** Storage with its names as keys; `refuses` makes it throw like a blocked or full one. */
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
  documentElement: { classList: { toggle() {} }, dataset: {} },
  querySelectorAll: () => [],
  getElementById: () => null,
};
globalThis.dispatchEvent = () => true;
globalThis.addEventListener ??= () => {};
