// What stands at the door of a table: a free seat to take, or the waiting for others.

import * as api from "./api.js";
import { button, h } from "./dom.js";
import { remember, settings } from "./settings.js";
import { t } from "./texts.js";

let watching = false;

/** The link to this table, with a button that copies it. */
export function shareNode() {
  const address = location.origin + location.pathname;
  const said = h("p", { class: "hint", role: "status" }, t("copyThis"));
  const field = h("input", { class: "field", readonly: true, value: address, "aria-label": t("copyLinkLong"), on: { focus: (event) => event.target.select() } });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = t("copied");
    } catch {
      field.select();
    }
  };
  return h("div", { class: "share" }, said, h("div", { class: "share-line" }, field, button(t("copyLinkLong"), copy, { class: "primary copy" })));
}

const seatsList = (about) => h("ul", { class: "seats-now" }, about.seats.map((seat, index) =>
  h("li", { class: seat.taken ? "taken" : "free" }, h("span", {}, seat.taken ? seat.name : t("seat", index + 1)),
    h("i", {}, seat.taken ? (index === about.seat ? t("you") : "") : t("open")))));

/** The panel for this state of the table, or null when the game is simply on. */
export function doorFor(about, id, sat, redraw) {
  const free = about.seats.findIndex((seat) => !seat.taken);
  if (about.seat < 0 && free >= 0 && !watching) return joinForm(about, id, free, sat, redraw);
  if (!about.begun) {
    return h("div", { class: "panel" }, h("h2", {}, t("waiting")), seatsList(about), h("p", {}, t("waitingHint")), shareNode());
  }
  return null;
}

function joinForm(about, id, free, sat, redraw) {
  const name = h("input", { class: "field", name: "name", maxlength: "24", value: settings().name, placeholder: t("defaultName"), "aria-label": t("yourName") });
  const failure = h("p", { class: "failure", role: "alert" });
  const join = async (event) => {
    event.preventDefault();
    const chosen = name.value.trim() || t("defaultName");
    remember({ name: chosen });
    try {
      const answer = await api.sitDown(id, free, chosen);
      sat(answer.seat, answer.key);
    } catch (error) {
      failure.textContent = error.message;
    }
  };
  return h("form", { class: "panel join", on: { submit: join } },
    h("h2", {}, t("joinTitle")), seatsList(about), h("p", {}, t("joinHint")),
    h("label", { class: "labelled" }, t("yourName"), name), failure,
    h("div", { class: "row" }, h("button", { type: "submit", class: "button primary" }, t("join")),
      button(t("watch"), () => { watching = true; redraw(); })));
}
