// A lost connection and its return: the banner, and the log lines of the time without a connection.

import { announce, button, clear, h } from "../common/dom.js";
import { missedLines } from "./missed_lines.js";
import { lastRead } from "../common/settings.js";
import { t } from "../common/texts.js";

/** Maximum number of missed lines that are shown. */
const MAX_LINES = 10;

/** Milliseconds for which the banner shows that the connection is back. */
const BACK_TIME = 2000;

/** A line about the connection, while it is lost and for a moment afterwards. */
export class ConnectionBanner {
  constructor() {
    this.element = h("p", { class: "banner", role: "status", hidden: true });
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** @param {boolean} connected */
  show(connected) {
    clearTimeout(this.timer);
    this.element.hidden = false;
    this.element.textContent = t(connected ? "connectedAgain" : "lost");
    if (!connected) return;
    this.timer = setTimeout(() => {
      this.element.hidden = true;
    }, BACK_TIME);
  }

  /**
   * Show why there is no connection, unless it has come meanwhile.
   *
   * @param {"sockets" | "crowded"} why
   */
  async explain(why) {
    const texts = await import("../texts/texts_blocked.js").catch(() => null); // the network may block it, too
    if (texts && this.element.textContent === t("lost")) this.element.textContent = texts.BLOCKED_TEXTS[why];
  }
}

/** Fail with a sentence in a browser without WebSockets. */
export async function requireSockets() {
  if (!("WebSocket" in globalThis)) throw new Error((await import("../texts/texts_blocked.js")).BLOCKED_TEXTS.missing);
}

/** The log lines that a returning viewer has missed, shown until the viewer acts. */
export class MissedLog {
  /**
   * @param {string} id the table
   * @param {(change: () => unknown) => unknown} keepFocus makes a change that may take the element with the focus away
   */
  constructor(id, keepFocus) {
    this.id = id;
    this.keepFocus = keepFocus;
    this.element = h("section", { class: "missed", "aria-label": t("missed"), hidden: true });
  }

  /**
   * The lines that are new to the viewer.
   *
   * @param {string[]} log
   * @param {number} shown the number of lines that this page has shown
   * @param {string[]} byBot the lines of a bot's actions for the viewer
   */
  since(log, shown, byBot) {
    return missedLines(log, shown, lastRead(this.id, log.length), byBot);
  }

  /**
   * @param {string[]} lines
   * @param {string} [late] the first sentence, about an action that came too late
   */
  show(lines, late = "") {
    if (!lines.length && !late) return;
    const last = lines.slice(-MAX_LINES);
    clear(
      this.element,
      h("h2", {}, t("missed")),
      h(
        "div",
        { class: "missed-lines", tabindex: "0", role: "group", "aria-label": t("missed") },
        late ? h("p", { class: "late" }, late) : null,
        lines.length > MAX_LINES ? h("p", { class: "fine-print" }, t("missedMore", lines.length - MAX_LINES)) : null,
        h(
          "ol",
          { class: "log" },
          last.map((line) => h("li", {}, line)),
        ),
      ),
      button(t("missedRead"), () => this.hide(), { class: "primary" }),
    );
    this.element.hidden = false;
    announce([late, t("missedBegin"), ...last].join("\n"));
  }

  hide() {
    this.element.hidden = true;
    this.keepFocus(() => clear(this.element));
  }
}
