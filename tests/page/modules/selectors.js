// Selectors as the page uses them, for the elements of elements.js.

const SIMPLE =
  /([a-z][\w-]*|\*)|\.([\w-]+)|\[([\w-]+)(?:="?([^"\]]*)"?)?\]|:([\w-]+)(?:\(((?:[^()]|\([^()]*\))*)\))?/gy;

const PSEUDO = {
  not: (element, inside) => !matches(element, inside),
  is: (element, inside) => matches(element, inside),
  modal: (element) => element.modal === true,
  checked: (element) => element.checked,
  scope: (element, _, root) => element === root,
};

/** The parts of a selector between separators outside brackets. */
function partsOf(selector, separator) {
  const parts = [""];
  let depth = 0;
  for (const sign of selector) {
    depth += "([".includes(sign) ? 1 : ")]".includes(sign) ? -1 : 0;
    if (sign === separator && !depth) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The conditions of a selector of one element, such as "dialog.sheet:not([hidden])". */
function conditionsOf(compound) {
  const simple = [...compound.matchAll(SIMPLE)];
  if (simple.map(([text]) => text).join("") !== compound) throw new Error(`unknown selector: ${compound}`);
  return simple.map(([, tag, kind, name, value, pseudo, inside]) => {
    if (tag) return (element) => tag === "*" || element.tagName === tag.toUpperCase();
    if (kind) return (element) => element.className.split(" ").includes(kind);
    if (name && value === undefined) return (element) => element.getAttribute(name) !== null;
    if (name) return (element) => element.getAttribute(name) === value;
    return (element, root) => PSEUDO[pseudo](element, inside, root);
  });
}

/** The paths of a selector, each with its steps; `child`: the step is directly below the one before. */
const pathsOf = (selectors) =>
  partsOf(selectors, ",").map((path) =>
    partsOf(path.replace(/\s*>\s*/g, " >"), " ").map((step) => ({
      child: step.startsWith(">"),
      conditions: conditionsOf(step.replace(/^>/, "")),
    })),
  );

/** Whether an element fits the step of a path, and elements around it the steps before. */
function fitsPath(element, path, at, root) {
  const { child, conditions } = path[at];
  if (!conditions.every((condition) => condition(element, root))) return false;
  for (let around = element.parent; at > 0; around = around.parent) {
    if (!around?.tagName) return false;
    if (fitsPath(around, path, at - 1, root)) return true;
    if (child) return false;
  }
  return true;
}

/** The paths by selector, since the page uses a few selectors many times. @type {Map<string, object[][]>} */
const known = new Map();

/** Whether an element matches one of the selectors; `root` is the element that is searched. */
export function matches(element, selectors, root = null) {
  if (!known.has(selectors)) known.set(selectors, pathsOf(selectors));
  return known.get(selectors).some((path) => fitsPath(element, path, path.length - 1, root));
}
