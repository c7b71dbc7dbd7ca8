// The sizes of a window that a table is drawn differently for; all else is the style sheets' business.

/** A telephone held upright. */
export const upright = matchMedia("(max-width: 760px)");
/** A telephone on its side: the hand stands beside the table. */
export const lying = matchMedia("(min-width: 540px) and (max-height: 520px) and (orientation: landscape)");
/** Little room for the cards on the table: they are drawn with large signs. */
export const cramped = matchMedia("(max-width: 760px), (max-height: 700px)");
/** The same in the middle, where there is less. */
export const crampedMiddle = matchMedia("(max-width: 760px), (max-height: 860px)");

/** A large screen: the hands of the others are drawn, not only counted. */
export const spacious = matchMedia("(min-width: 1600px) and (min-height: 900px)");

/** Calls back when the table has to be drawn anew. */
export function onResize(redraw) {
  for (const query of [upright, lying, cramped, crampedMiddle, spacious]) query.addEventListener("change", redraw);
}
