// Dragging with one finger or the mouse: what is dragged is chosen, and then what it is let go upon.

const FAR = 9;
const THING = "[data-do]:is(.may, .other, .pale, .ask, .picked)";

/**
 * Lets cards of `room` be dragged. `may()` tells whether now; `goals(thing)` are the tokens of what it may be let go
 * upon; `dropped(thing, target)` gets what was dragged and the thing below it, `null` for anywhere else on the table.
 */
export function makeDraggable(room, { may, goals, dropped }) {
  let held = null;
  let ended = -Infinity;

  const start = (event) => {
    ended = -Infinity;
    const thing = event.isPrimary && event.button === 0 ? event.target.closest(THING) : null;
    if (thing && thing.dataset.card && may())
      held = { thing, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
  };

  const lift = () => {
    const box = held.thing.getBoundingClientRect();
    const ghost = held.thing.cloneNode(true);
    ghost.classList.add("dragged");
    ghost.removeAttribute("data-card");
    ghost.setAttribute("aria-hidden", "true");
    ghost.tabIndex = -1;
    ghost.style.setProperty("--card-w", `${box.width}px`);
    ghost.style.left = `${box.left}px`;
    ghost.style.top = `${box.top}px`;
    document.body.append(ghost);
    held.thing.classList.add("lifted");
    held.ghost = ghost;
    const fitting = goals(held.thing);
    for (const goal of room.querySelectorAll(".board [data-token]"))
      goal.classList.toggle("goal", goal !== held.thing && fitting.has(goal.dataset.token));
    held.thing.setPointerCapture?.(held.id);
  };

  const below = (event) => {
    const found = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((one) => room.contains(one) && one !== held.thing && !held.thing.contains(one));
    const thing = found?.closest(THING);
    return thing === held.thing ? null : (thing ?? null);
  };

  const mark = (target) => {
    room.querySelectorAll(".under").forEach((one) => one.classList.remove("under"));
    target?.classList.add("under");
  };

  const move = (event) => {
    if (!held || event.pointerId !== held.id) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost && Math.hypot(x, y) > FAR) lift();
    if (!held.ghost) return;
    event.preventDefault();
    held.ghost.style.transform = `translate(${x}px, ${y}px) scale(1.06)`;
    mark(below(event));
  };

  const letGo = () => {
    const was = held;
    held = null;
    mark(null);
    room.querySelectorAll(".goal").forEach((one) => one.classList.remove("goal"));
    was?.ghost?.remove();
    was?.thing.classList.remove("lifted");
    return was;
  };

  const end = (event) => {
    if (!held || event.pointerId !== held.id) return;
    const target = held.ghost ? below(event) : null;
    const inHand = document.elementFromPoint(event.clientX, event.clientY)?.closest(".hand");
    const was = letGo();
    if (!was.ghost) return;
    ended = performance.now();
    if (target && target.closest(".hand") === null) dropped(was.thing, target);
    else if (!inHand) dropped(was.thing, null);
  };

  room.addEventListener("pointerdown", start);
  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", end);
  addEventListener("pointercancel", letGo);
  // The click that a browser makes of the same gesture means nothing more.
  room.addEventListener("click", (event) => performance.now() - ended < 60 && event.stopPropagation(), {
    capture: true,
  });
  room.addEventListener("dragstart", (event) => event.preventDefault());
}
