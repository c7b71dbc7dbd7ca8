// The marked decisions of a review in words, for the replay to which the review leads.

import * as api from "../common/api.js";
import { labelled, sentence } from "../common/phrases.js";
import { REVIEW_TEXTS } from "./review_texts.js";

/** @import { Decision } from "../answers.d.ts" */

/** @typedef {{ mark: string, text: string }} MarkedDecision */

/**
 * The marked decisions by the number of events before them: of an unfinished review those known so far.
 *
 * @param {string} id the table
 * @returns {Promise<Map<number, MarkedDecision>>}
 */
export async function markedDecisions(id) {
  const answer = await api.review(id).catch(() => ({ review: null }));
  const review = "courses" in answer ? answer : answer.review;
  const marked = (review?.courses ?? []).flatMap(({ decisions }) => decisions).filter(({ mark }) => mark);
  return new Map(marked.map((decision) => [decision.seen, { mark: decision.mark, text: inWords(decision) }]));
}

/** @param {Decision} decision */
function inWords({ mark, do: done, best, phrase, best_phrase: bestPhrase }) {
  const words = labelled(REVIEW_TEXTS.reviewMarks[mark], sentence(phrase));
  const isBest = mark === "find" || best === done;
  return isBest ? `${words}.` : `${words}. ${REVIEW_TEXTS.reviewBetter} ${sentence(bestPhrase)}.`;
}
