// What a finished game shows of its review: the graph of the chances, once somebody has had it worked out.

import * as api from "./api.js";
import { button, clear, h } from "./dom.js";
import { t } from "./texts.js";

const AGAIN = 2000;

/** Looks again until the review is there, or nobody is `looking` any more; says which. Rejects if it cannot be worked out. */
async function worked(id, told, looking) {
  for (;;) {
    const found = await api.review(id);
    if (found.courses) return true;
    if (!looking()) return false;
    if (found.total) told(found.done / found.total);
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/** The part of a page about the review of a game. Working one out takes a while, so it is begun on request. */
export function reviewPart(id) {
  const place = h("section", { class: "review", "data-place": "review" });
  const show = async () => {
    const line = h("progress", { max: 1, "aria-label": t("reviewWorking") });
    clear(place, h("p", { class: "hint", role: "status" }, t("reviewWorking")), line);
    try {
      if (!await worked(id, (share) => { line.value = share; }, () => place.isConnected)) {
        offer();
        return;
      }
    } catch (error) {
      clear(place, h("p", { class: "failure", role: "alert" }, error.message));
      return;
    }
    clear(place,
      h("img", { class: "review-graph", src: api.reviewGraphAddress(id), alt: t("reviewGraph") }),
      h("p", { class: "hint" }, t("reviewGraphHint")),
      h("a", { class: "button", href: `/game/${id}/review`, "data-go": "review" }, t("reviewWhole")));
  };
  const offer = () => clear(place, h("p", { class: "hint" }, t("reviewHint")), button(t("review"), show));
  offer();
  return place;
}
