// The field for a player's name.

import { h } from "./dom.js";
import { t } from "./texts.js";

/** @import { Properties } from "./dom.js" */

/** The longest name that can be typed, in characters. The server accepts 30. */
const MOST_CHARACTERS = 24;

/**
 * A field for a name, with further attributes.
 *
 * @param {Properties} attributes
 */
export const nameInput = (attributes) =>
  h("input", {
    class: "field",
    name: "name",
    maxlength: MOST_CHARACTERS,
    autocomplete: "nickname",
    placeholder: t("defaultName"),
    ...attributes,
  });
