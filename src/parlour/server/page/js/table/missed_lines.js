// The log lines that are new to a viewer who returns to a table.

/**
 * The lines after the `shown` ones that this page has shown, or after the `read` ones that an earlier page has. Without
 * new lines, and if this page has shown none, the lines of a bot's actions for the viewer.
 *
 * @param {string[]} log all lines of the table; empty lines separate tricks and rounds
 * @param {number} shown
 * @param {number} read
 * @param {string[]} byBot
 */
export function missedLines(log, shown, read, byBot) {
  const fresh = log.slice(shown || read).filter(Boolean);
  if (fresh.length) return fresh;
  return shown ? [] : byBot;
}
