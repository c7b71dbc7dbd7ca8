// What of a table's log is new to the viewer.

/**
 * Of everything told, what is new to a viewer who was shown `shown` sentences here, or read `read` of them earlier; where
 * neither is known, what a bot did for the viewer `meanwhile`.
 */
export function missedLines(told, shown, read, meanwhile) {
  const fresh = told.slice(shown || read).filter(Boolean);
  if (fresh.length) return fresh;
  return shown ? [] : meanwhile;
}
