// The task in the words of a lesson's step, which stays visible on small screens while the rest is scrolled away.

import { h } from "../common/dom.js";

/** The boundary before a sentence that follows another one. */
const SENTENCE_START = /[.!?…]\)?\s+(?=[\p{Lu}“„«”¿¡])/gu;
/** The end of a sentence at the end of a text. */
const SENTENCE_END = /[.!?…]\)?\s+$/gu;
/** The end of a sentence at the end of an element, as of a cited clause with its punctuation: "(rule 11).". */
const LAST_WORDS = /[.!?…]\)?$/u;
/** The beginning of a sentence after such an element. */
const FIRST_WORDS = /^\s+[\p{Lu}“„«”¿¡]/u;

/**
 * Put the task into an element of its own: from the sentence with the last bold words of the last paragraph on. Return
 * true if there are other words; false also without bold words.
 *
 * @param {DocumentFragment} words
 */
export function setTaskApart(words) {
  const last = words.lastElementChild;
  const bold = last?.querySelectorAll(":scope > strong") ?? [];
  if (!last || !bold.length) return false;
  const start = sentenceStart(bold[bold.length - 1]);
  const task = h("span", { class: "task" });
  const rest = h("span", { class: "before-task" });
  while (last.firstChild && last.firstChild !== start) rest.append(last.firstChild);
  task.append(...last.childNodes);
  last.append(rest, task);
  return words.children.length > 1 || rest.textContent.trim() !== "";
}

/**
 * The first node of the sentence around a node. A text that contains its beginning is split there.
 *
 * @param {ChildNode} node
 * @returns {ChildNode}
 */
function sentenceStart(node) {
  let start = node;
  let after = node.textContent ?? "";
  while (start.previousSibling) {
    const previous = /** @type {ChildNode} */ (start.previousSibling);
    if (previous instanceof Text) {
      const end = [...previous.data.matchAll(SENTENCE_START), ...previous.data.matchAll(SENTENCE_END)].at(-1);
      if (end) return previous.splitText(end.index + end[0].length);
    } else if (LAST_WORDS.test(previous.textContent ?? "") && FIRST_WORDS.test(after)) return start;
    after = `${previous.textContent}${after}`;
    start = previous;
  }
  return start;
}
