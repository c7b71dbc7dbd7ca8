// Small helpers for building elements. No markup is parsed from text except our own drawings.

import { spoken } from "./speech.js";

/** An element: properties, then children (elements, texts, or nothing). */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "vars") for (const [key, number] of Object.entries(value)) element.style.setProperty(key, number);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** A drawing of our own, from SVG source. */
export function svg(source) {
  const holder = document.createElement("template");
  holder.innerHTML = source;
  return holder.content.firstElementChild;
}

/** A button; an icon may stand before its label. */
export function button(label, onClick, properties = {}, icon = null) {
  return h(
    "button",
    { type: "button", ...properties, class: `button ${properties.class ?? ""}`.trim(), on: { click: onClick } },
    icon,
    h("span", { class: "label" }, label),
  );
}

export function clear(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return element;
}

/** Where screen readers listen. Outside an open sheet everything is inert, so each sheet has such a place of its own. */
export const livePlace = () => h("div", { class: "unseen", role: "status", "aria-live": "polite", "data-live": true });
const live = () =>
  [...document.querySelectorAll("dialog[open] > [data-live]")].at(-1) ?? document.getElementById("live");

const TOGETHER = 60;
let saying = [];

/** Said by screen readers. What comes almost at once is said together: a place that changes again is not heard to its end. */
export function announce(text) {
  const lines = spoken(text ?? "")
    .split("\n")
    .filter(Boolean);
  if (lines.length && !saying.length) setTimeout(speak, TOGETHER);
  saying.push(...lines);
}

function speak() {
  live()?.replaceChildren(...saying.map((line) => h("p", {}, line)));
  saying = [];
}
