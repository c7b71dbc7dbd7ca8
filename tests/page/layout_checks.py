"""Scripts that find faults of a page's layout: small targets, horizontal scrolling, and parts beyond its edge."""

TARGETS = """() => [...document.querySelectorAll('button, a[href], select, input')].filter(thing => {
    const box = thing.getBoundingClientRect();
    return box.width && !thing.disabled && getComputedStyle(thing).visibility !== 'hidden';
}).map(thing => {
    const box = thing.getBoundingClientRect();
    return [thing.className || thing.id, Math.round(box.width), Math.round(box.height)];
}).filter(([, width, height]) => width < 44 || height < 44)"""

SIDEWAYS = """() => Math.max(document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll('.room')].map(room => room.scrollWidth - room.clientWidth))"""

DOWNWARDS = "() => document.scrollingElement.scrollHeight - innerHeight"

WIDER_THAN_PARENT = """selector => [...document.querySelectorAll(selector)].filter(
    thing => thing.getBoundingClientRect().width > thing.parentElement.getBoundingClientRect().width
).map(thing => thing.textContent)"""

SPILLED = """() => [...document.querySelectorAll('.room *')].filter(thing => {
    const box = thing.getBoundingClientRect();
    return box.width > 2 && !thing.closest('svg') && (box.right > innerWidth + 1 || box.left < -1);
}).map(thing => thing.className)"""
