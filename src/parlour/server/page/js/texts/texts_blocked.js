// Texts about a browser that cannot connect to the table, although the room answers.

import "../common/more_messages.js";
import { gettext } from "../common/language.js";

export const BLOCKED_TEXTS = {
  sockets: gettext(
    "The room answers, but something between it and this browser blocks the connection to the table (a WebSocket), " +
      "perhaps the proxy of a school or company, or an extension. Try another network. Trying again …",
  ),
  missing: gettext("This browser has no WebSockets, which the table needs. Try another browser."),
};
