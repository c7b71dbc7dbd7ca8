// Layout faults of the page that is open, in words. layout_faults.py evaluates the function in the page.

export default () => {
  const found = [];
  const seen = (thing) => {
    const { width, height } = thing.getBoundingClientRect();
    return width > 1 && height > 1 && getComputedStyle(thing).visibility !== "hidden";
  };
  const all = (selector) =>
    [...document.querySelectorAll(selector)].filter((thing) => !thing.closest(".picture, .unseen") && seen(thing));
  const name = (thing) => {
    const text = thing.textContent || thing.getAttribute("aria-label") || "";
    return `${thing.tagName.toLowerCase()}.${[...thing.classList].join(".")} "${text.trim().slice(0, 24)}"`;
  };
  const box = (thing) => thing.getBoundingClientRect();
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;

  // no part is wider than the screen or than its parent
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the screen");
  for (const part of all(".room, .board, .dock, .side-panel, .coach, .bar, .strip")) {
    if (part.scrollWidth > part.clientWidth + 1) found.push(`${name(part)} is wider than its place`);
    for (const thing of part.querySelectorAll("button, .card, h2, p, .points, .total"))
      if (
        seen(thing) &&
        !thing.closest(".unseen") &&
        (box(thing).right > box(part).right + 1 || box(thing).left < box(part).left - 1)
      )
        found.push(`${name(thing)} leaves ${part.className}`);
  }

  // a player sees the whole table without scrolling
  const room = document.querySelector(".room:not(.waiting)");
  if (room && !document.querySelector(".coach")) {
    for (const part of [room, ...room.querySelectorAll(".board, .dock")])
      if (part.scrollHeight > part.clientHeight + 2)
        found.push(`${part.className} has to be scrolled: ${part.scrollHeight} in ${part.clientHeight}`);
    const dock = box(document.querySelector(".dock"));
    for (const thing of all(".board .area, .board .area :is(.card, .place, .meld, .face-down), .commons .card"))
      if (meet(box(thing), dock) || box(thing).bottom > innerHeight + 1)
        found.push(`${name(thing)} lies under the hand`);
  }

  // areas do not overlap, and words do not cover cards
  const areas = all(".board .area");
  areas.forEach((one, at) =>
    areas.slice(at + 1).forEach((other) => {
      for (const mine of one.querySelectorAll(".area-head, .tiers, .laid, .held"))
        for (const its of other.querySelectorAll(".area-head, .tiers, .laid, .held"))
          if (seen(mine) && seen(its) && meet(box(mine), box(its))) found.push(`${name(mine)} lies over ${name(its)}`);
    }),
  );
  for (const area of areas) {
    const parts = [
      ...area.querySelectorAll(".life, .opened .card, .place, .meld, .held .card, .area-cards > .pile"),
    ].filter(seen);
    parts.forEach((one, at) =>
      parts.slice(at + 1).forEach((other) => {
        const siblings =
          one.closest(".opened, .held") && one.closest(".opened, .held") === other.closest(".opened, .held");
        if (!siblings && meet(box(one), box(other))) found.push(`${name(one)} lies over ${name(other)}`);
      }),
    );
  }
  const words = all(".suit-word, .middle-notes > *, .banner, .bubble, .notices");
  for (const one of words)
    for (const thing of [...all(".board .card, .hand .card, .area-head"), ...words])
      if (one !== thing && meet(box(one), box(thing))) found.push(`${name(one)} lies over ${name(thing)}`);
  const dock = all(".dock-line > *, .notices, .hand");
  dock.forEach((one, at) =>
    dock.slice(at + 1).forEach((other) => {
      if (meet(box(one), box(other))) found.push(`${name(one)} lies over ${name(other)}`);
    }),
  );

  // notes of the middle do not break within a word
  for (const note of all(".middle-notes p"))
    for (const word of note.textContent.matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(note.firstChild, word.index);
      range.setEnd(note.firstChild, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1)
        found.push(`${name(note)} breaks within ${word[0]}`);
    }

  // names and numbers are not cut off
  for (const thing of all(".area-name, .points, .heading, .table-title, .prompt, .button, .total, .strip .who, .clock"))
    if (thing.scrollWidth > thing.clientWidth + 1 && getComputedStyle(thing).overflow !== "visible")
      found.push(`${name(thing)} is cut off`);
  const bar = document.querySelector(".bar");
  if (bar) {
    const parts = all(".bar > *");
    parts.forEach((one, at) =>
      parts.slice(at + 1).forEach((other) => {
        if (meet(box(one), box(other))) found.push(`${name(one)} lies over ${name(other)}`);
      }),
    );
    if (box(bar).height > Math.max(60, innerHeight * 0.14))
      found.push(`the bar is ${Math.round(box(bar).height)} pixels high`);
  }

  // cards of the hand show their signs, and targets are large enough for a finger
  for (const card of room && !document.querySelector(".coach") ? all(".hand .card") : []) {
    const { left, top } = box(card);
    if (
      ![
        [4, 4],
        [26, 4],
        [4, 42],
        [26, 42],
      ].every(([x, y]) => card.contains(document.elementFromPoint(left + x, top + y)))
    )
      found.push(`the sign of ${card.dataset.card} is covered`);
  }
  const lines = all(".fan-line").map((line) => [...line.querySelectorAll(".card")].map((card) => box(card).left));
  if (lines.some((lefts) => lefts.some((left, at) => at && left <= lefts[at - 1])))
    found.push("a line of the hand does not go to the right");
  for (const thing of all("button, a[href], select, input")) {
    const { width, height } = box(thing);
    if (!thing.disabled && !thing.closest("label, .score-lines") && (width < 43.5 || height < 43.5))
      found.push(`${name(thing)} is ${Math.round(width)} × ${Math.round(height)}`);
  }
  return [...new Set(found)];
};
