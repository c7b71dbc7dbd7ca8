// A table's link: to copy, to send, to show to the camera of another device.

import * as api from "./api.js";
import { button, h, svg } from "./dom.js";
import { keepSeat, seatAt } from "./settings.js";
import { t } from "./texts.js";

function linkNode(address, hint, name) {
  const said = h("p", { class: "hint", role: "status" }, hint);
  const field = h("input", { class: "field", readonly: true, value: address, "aria-label": name, on: { focus: (event) => event.target.select() } });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = t("copied");
    } catch {
      field.select();
    }
  };
  const code = h("div", { class: "link-code", role: "img", "aria-label": t("codeOf"), hidden: true });
  const draw = async () => {
    code.hidden = !code.hidden;
    if (!code.hidden && !code.children.length) code.append(svg((await api.link(address)).svg));
  };
  return h("div", { class: "share" }, said,
    h("div", { class: "share-line" }, field,
      button(name, copy, { class: "primary copy" }),
      navigator.share ? button(t("send"), () => navigator.share({ url: address }).catch(() => {})) : null,
      button(t("code"), draw, { class: "show-code" })),
    code);
}

/** The link that invites to a table. */
export const shareNode = (id) => linkNode(`${location.origin}/table/${id}`, t("copyThis"), t("copyLinkLong"));

/** The address that brings a seat along. */
const seatAddress = (id, seat, key) => `${location.origin}/table/${id}#${new URLSearchParams({ seat, key })}`;

/** Keeps a seat and goes there; the key goes along where it cannot be kept. */
export function goToSeat(id, seat, key) {
  location.assign(keepSeat(id, seat, key) ? `/table/${id}` : seatAddress(id, seat, key));
}

/** The link with which one's own seat is had on another device; nothing for those who look on. */
export function deviceNode(id) {
  const { seat, key } = seatAt(id);
  if (seat < 0 || !key) return null;
  return h("details", { class: "other-device" }, h("summary", {}, t("otherDevice")), linkNode(seatAddress(id, seat, key), t("otherDeviceHint"), t("copyOwnLink")));
}
