// The note that the browser does not keep the player's key, so that the room cannot list the player's games.

import "../common/more_messages.js";
import { h } from "../common/dom.js";
import { gettext } from "../common/language.js";
import { isPlayerKeyUnstored } from "../common/settings.js";

const UNSTORED = gettext(
  "This browser keeps nothing (storage full or blocked): your games and results are not added to a list.",
);

/** The note; null if the browser keeps the key, or has not been asked to keep one. */
export const unstoredNote = () => (isPlayerKeyUnstored() ? h("p", { class: "failure" }, UNSTORED) : null);
