// Automatic forced actions: the page does the only legal action where the viewer plays with bots alone.

import { settings } from "../common/settings.js";
import { sheetOpen } from "../common/sheets.js";
import { isAlone, State } from "./table_state.js";

/** @import { ClientMessage, Scene } from "../protocol.d.ts" */

/**
 * Milliseconds in which the table is seen before a forced action is done, by the setting of the pace.
 *
 * @type {Record<string, number>}
 */
const PAUSES = { slow: 1800, normal: 1100, fast: 600, instant: 250 };

export const forcedPause = () => PAUSES[settings().pace] ?? PAUSES.normal;

/**
 * The action that the page does by itself in a scene, or null. Among people there is none: its time would disclose that
 * there was no choice.
 *
 * @param {Pick<Scene, "legal" | "over">} scene
 * @param {Parameters<typeof isAlone>[0]} table
 */
export function forcedAction({ legal, over }, table) {
  return settings().forced && isAlone(table) && !over && legal.length === 1 ? legal[0] : null;
}

/** A timer that does a forced action after a pause, unless the viewer acts, picks a thing or opens a sheet before. */
export class ForcedActions {
  /** Whether the viewer has asked to take an action back. Until the viewer acts again, no action is automatic. */
  held = false;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Send a message, and record a request to take an action back. Return false without a connection.
   *
   * @param {ClientMessage} message
   */
  send(message) {
    const sent = this.page.connection.send(message);
    this.held ||= sent && message.type === "undo";
    return sent;
  }

  /**
   * Start the pause in a scene with a forced action of the viewer.
   *
   * @param {Scene} scene
   */
  begin(scene) {
    const { page } = this;
    const action = forcedAction(scene, page.table);
    if (action === null || this.held) return;
    const still = () =>
      page.scene === scene && page.state === State.TURN && !page.selection.picked.size && !sheetOpen();
    setTimeout(() => still() && page.input.act(action), forcedPause());
  }
}
