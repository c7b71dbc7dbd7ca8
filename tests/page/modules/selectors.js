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

/** Whether an element fits a selector of one element, such as "dialog.sheet:not([hidden])". */
function fits(element, compound, root) {
  const simple = [...compound.matchAll(SIMPLE)];
  if (simple.map(([text]) => text).join("") !== compound) throw new Error(`unknown selector: ${compound}`);
  return simple.every(([, tag, kind, name, value, pseudo, inside]) => {
    if (tag) return tag === "*" || element.tagName === tag.toUpperCase();
    if (kind) return element.className.split(" ").includes(kind);
    if (name) return value === undefined ? element.getAttribute(name) !== null : element.getAttribute(name) === value;
    return PSEUDO[pseudo](element, inside, root);
  });
}

/** Whether an element fits the last step of a path, and elements around it the steps before. */
function fitsPath(element, steps, root) {
  const [own, above] = [steps.at(-1), steps.slice(0, -1)];
  if (!fits(element, own.replace(/^>/, ""), root)) return false;
  for (let around = element.parent; above.length; around = around.parent) {
    if (!around?.tagName) return false;
    if (fitsPath(around, above, root)) return true;
    if (own.startsWith(">")) return false;
  }
  return true;
}

/** Whether an element matches one of the selectors; `root` is the element that is searched. */
export function matches(element, selectors, root = null) {
  const paths = partsOf(selectors, ",").map((one) => partsOf(one.replace(/\s*>\s*/g, " >"), " "));
  return paths.some((steps) => fitsPath(element, steps, root));
}
