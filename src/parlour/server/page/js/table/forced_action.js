// The only legal action, done by itself where the viewer plays with bots alone, who learn nothing by it.

import { settings } from "../common/settings.js";
import { sheetOpen } from "../common/sheets.js";
import { State } from "./table_state.js";

/** @import { ClientMessage, Scene, TableInfo } from "../protocol.d.ts" */

/**
 * Milliseconds by the pace of the page, in which a forced action is seen before it is done.
 *
 * @type {Record<string, number>}
 */
const PAUSES = { slow: 1800, normal: 1100, fast: 600, instant: 250 };

/**
 * The action of a scene that is done by itself, or null. Among people a forced action is left to be pressed: the time
 * that it takes would tell them that there was no choice.
 *
 * @param {Pick<Scene, "legal" | "over">} scene
 * @param {Pick<TableInfo, "seats">} table
 * @param {number} seat the viewer's seat
 */
export function forcedAction({ legal, over }, { seats }, seat) {
  const alone = seats.every(({ kind }, number) => (number === seat ? kind === "person" : kind === "bot"));
  return settings().forced && seat >= 0 && alone && !over && legal.length === 1 ? legal[0] : null;
}

/** Does forced actions after a pause, unless the viewer chooses something meanwhile. */
export class ForcedActions {
  /** Whether the viewer has asked to take an action back, after which everything is left to be pressed once. */
  held = false;

  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Notice that the viewer asks to take an action back. Return the message.
   *
   * @param {ClientMessage} message
   */
  note(message) {
    this.held ||= message.type === "undo";
    return message;
  }

  /**
   * Wait in a scene in which the viewer is to act, and act if that is forced.
   *
   * @param {Scene} scene
   */
  begin(scene) {
    const { page } = this;
    const action = forcedAction(scene, page.table, page.table.seat);
    if (action === null || this.held) return;
    const still = () =>
      page.scene === scene && page.state === State.TURN && !page.selection.picked.size && !sheetOpen();
    setTimeout(() => still() && page.input.act(action), PAUSES[settings().pace] ?? PAUSES.normal);
  }
}
