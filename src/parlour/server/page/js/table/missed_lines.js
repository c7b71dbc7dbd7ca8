// The log lines that are new to a viewer who returns to a table.

/**
 * The lines after those that this page has shown, or if it has shown none, after those that an earlier page has shown.
 * If this page has shown none and there are no such lines, the lines on a bot's actions for the viewer.
 *
 * @param {string[]} log all lines of the table; empty lines separate tricks and rounds
 * @param {number} shown the number of lines that this page has shown
 * @param {number} read the number of lines that an earlier page has shown
 * @param {string[]} byBot
 */
export function missedLines(log, shown, read, byBot) {
  const fresh = log.slice(shown || read).filter(Boolean);
  if (fresh.length) return fresh;
  return shown ? [] : byBot;
}
