// Window sizes for which a table is drawn differently. The style sheets do the rest.

/** A phone in portrait. */
const portrait = matchMedia("(max-width: 760px)");
/** A phone in landscape, with the hand beside the table. */
export const landscape = matchMedia("(min-width: 540px) and (max-height: 700px) and (orientation: landscape)");
/** Windows in which the cards on the table have small faces. */
export const cramped = matchMedia("(max-width: 760px), (max-height: 700px)");
/** Windows in which the cards in the middle have small faces. */
export const crampedMiddle = matchMedia("(max-width: 760px), (max-height: 860px)");
/** Large windows, in which the hands of other players are drawn. */
export const spacious = matchMedia("(min-width: 1600px) and (min-height: 900px)");

/**
 * Call back when a change of the window's size may need another drawing.
 *
 * @param {() => void} redraw
 */
export function onResize(redraw) {
  for (const query of [portrait, landscape, cramped, crampedMiddle, spacious]) {
    query.addEventListener("change", redraw);
  }
  let width = innerWidth; // the number of lines of a hand depends on it
  addEventListener("resize", () => {
    if (innerWidth !== width) redraw();
    width = innerWidth;
  });
}
