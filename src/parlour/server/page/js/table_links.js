// A table's link: to copy, to send, to show to the camera of another device.

import * as api from "./api.js";
import { button, clear, h, svg } from "./dom.js";
import { keepSeat, seatAt } from "./settings.js";
import { t } from "./texts.js";

const HERE_ONLY = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** A link with its buttons; `elsewhere` says whether it can be opened on another device. */
function linkNode(address, hint, name, elsewhere = true) {
  const said = h("p", { class: "hint", role: "status" }, hint);
  const field = h("input", {
    class: "field",
    readonly: true,
    value: address,
    "aria-label": name,
    on: { focus: (event) => event.target.select() },
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = t(elsewhere ? "copied" : "copiedHere");
    } catch {
      field.select();
    }
  };
  const code = h("div", { class: "link-code", role: "img", "aria-label": t("codeOf"), hidden: true });
  const draw = async () => {
    code.hidden = !code.hidden;
    if (!code.hidden && !code.children.length) code.append(svg((await api.link(address)).svg));
  };
  const others = elsewhere
    ? [
        navigator.share ? button(t("send"), () => navigator.share({ url: address }).catch(() => {})) : null,
        button(t("code"), draw, { class: "show-code" }),
      ]
    : null;
  return h(
    "div",
    { class: "share" },
    said,
    h(
      "div",
      { class: "share-line" },
      field,
      button(name, copy, { class: elsewhere ? "primary copy" : "copy" }),
      others,
    ),
    code,
  );
}

/**
 * Links to a place of this room for others. A name of this machine's own leads nowhere else: the machine's addresses are
 * offered instead, and where the room listens to this machine alone that is said, and to the opener what to do about it.
 */
function linksTo(path, hint, name, opened = false) {
  if (!HERE_ONLY.test(location.hostname)) return linkNode(location.origin + path, hint, name);
  const place = h("div", { class: "share" });
  const offer = ({ addresses }) =>
    clear(
      place,
      addresses.map((base, index) => linkNode(base + path, index ? t("otherAddress") : hint, name)),
      addresses.length ? h("p", { class: "hint" }, t("inNetwork")) : hereOnly(path, name, opened),
    );
  api.addresses().then(offer, () => offer({ addresses: [] }));
  return place;
}

/** What only the opener can change is said to the opener: how the room is opened to others. */
const hereOnly = (path, name, opened) => [
  h("p", { class: "here-only" }, t("hereOnly")),
  opened ? h("p", { class: "hint" }, t("openToNetwork"), h("code", {}, t("openCommand"))) : null,
  linkNode(location.origin + path, t("copyHere"), name, false),
];

/** The link that invites to a table. */
export const shareNode = (id) => linksTo(`/table/${id}`, t("copyThis"), t("copyLinkLong"), seatAt(id).opened);

/** Where a table is found by whoever brings a seat along. */
const seatPath = (id, seat, key) => `/table/${id}#${new URLSearchParams({ seat, key })}`;

/** Keeps the seat of a table that was opened here and goes there; the key goes along where it cannot be kept. */
export function goToSeat(id, seat, key) {
  location.assign(keepSeat(id, seat, key, true) ? `/table/${id}` : seatPath(id, seat, key));
}

/** The link with which one's own seat is had on another device; nothing for those who look on. */
export function deviceNode(id) {
  const { seat, key } = seatAt(id);
  if (seat < 0 || !key) return null;
  return h(
    "details",
    { class: "other-device" },
    h("summary", {}, t("otherDevice")),
    linksTo(seatPath(id, seat, key), t("otherDeviceHint"), t("copyOwnLink")),
  );
}
