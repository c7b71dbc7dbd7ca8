// Texts about a browser that cannot connect to the table, or watch it, although the room answers.

import "../common/more_messages.js";
import { gettext } from "../common/language.js";

export const BLOCKED_TEXTS = {
  sockets: gettext(
    "The room answers, but the connection to the table (a WebSocket) does not open. Perhaps the proxy of a school or " +
      "company or an extension blocks it, or too many people of your network are in the room: try another network. " +
      "Trying again …",
  ),
  crowded: gettext(
    "Many people of your network watch this table already. You see it as soon as there is room again; you can sit " +
      "down at a free seat at once.",
  ),
  missing: gettext("This browser has no WebSockets, which the table needs. Try another browser."),
};
