// Links to a table and to a seat: to copy, to send, or to show as a QR code.

import * as api from "../common/api.js";
import { button, clear, fieldOf, focusedElement, h, svg } from "../common/dom.js";
import { isSeatUnstored, keepSeat, seatAt } from "../common/settings.js";
import { t } from "../common/texts.js";

/** Host names that other machines cannot reach. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Copy a text. Return whether the browser did it. Pages of a home network have no clipboard, since their address is not
 * a secure one, but an older command, which copies what is selected.
 *
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = focusedElement();
    const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "unseen", readonly: true }, text));
    (before?.parentElement ?? document.body).append(field); // beside an open sheet it could not have the focus
    field.focus();
    field.select();
    const isCopied = document.execCommand?.("copy") ?? false;
    field.remove();
    before?.focus();
    return isCopied;
  }
}

/**
 * A link with its buttons.
 *
 * @param {string} address
 * @param {string} hint
 * @param {string} name the label of the field and of the copy button
 * @param {boolean} [reachable] whether other machines can open the link
 */
function linkNode(address, hint, name, reachable = true) {
  const note = h("p", { class: "fine-print", role: "status" }, hint);
  const field = h("input", {
    class: "field",
    readonly: true,
    value: address,
    "aria-label": name,
    on: { focus: (event) => fieldOf(event).select() },
  });
  const copy = async () => {
    const isCopied = await copyText(address);
    if (!isCopied) field.select();
    note.textContent = t(isCopied ? (reachable ? "copied" : "copiedHere") : "copySelected");
  };
  const code = h("div", { class: "link-code", role: "img", "aria-label": t("codeOf"), hidden: true });
  const toggleCode = async () => {
    code.hidden = !code.hidden;
    if (code.hidden || code.children.length) return;
    try {
      clear(code, svg((await api.linkCode(address)).svg));
    } catch (error) {
      code.hidden = true;
      note.textContent = api.messageOf(error);
    }
  };
  const send = () => navigator.share({ url: address }).catch(() => {});
  const others = reachable
    ? ["share" in navigator ? button(t("send"), send) : null, button(t("code"), toggleCode, { class: "show-code" })]
    : null;
  const copyButton = button(name, copy, { class: reachable ? "primary copy" : "copy" });
  return h("div", { class: "share" }, note, h("div", { class: "share-line" }, field, copyButton, others), code);
}

/**
 * Links to a path of this room for others. A page under a loopback name shows the machine's addresses in its network;
 * without any, it shows that the room listens to this machine only.
 *
 * @param {string} path
 * @param {string} hint
 * @param {string} name
 * @param {boolean} [opened] whether this browser opened the table or club night; its player is then shown the
 *     command that opens the room to the network
 */
export function linksTo(path, hint, name, opened = false) {
  if (!LOOPBACK.test(location.hostname)) return linkNode(location.origin + path, hint, name);
  const place = h("div", { class: "share" });
  /** @param {string[]} addresses */
  const show = (addresses) => {
    const links = addresses.map((base, index) => linkNode(base + path, index ? t("otherAddress") : hint, name));
    const note = h("p", { class: "fine-print" }, t("inNetwork"));
    clear(place, links, addresses.length ? note : unreachableLink(path, name, opened));
  };
  api.addresses().then(
    ({ addresses }) => show(addresses),
    () => show([]),
  );
  return place;
}

/** @type {(path: string, name: string, opened: boolean) => (HTMLElement | null)[]} */
const unreachableLink = (path, name, opened) => [
  h("p", { class: "here-only" }, t("hereOnly")),
  opened ? h("p", { class: "fine-print" }, t("openToNetwork"), " ", h("code", {}, t("openCommand"))) : null,
  linkNode(location.origin + path, t("copyHere"), name, false),
];

/**
 * The link that invites to a table.
 *
 * @param {string} id
 */
export const invitationLink = (id) =>
  linksTo(`/table/${id}`, t("copyThis"), t("copyLinkLong"), Boolean(seatAt(id).opened));

/** @type {(id: string, seat: number, key: string) => string} */
const seatPath = (id, seat, key) => `/table/${id}#${new URLSearchParams({ seat: String(seat), key })}`;

/**
 * Keep a seat, and go there. The address has the key where storage refuses it.
 *
 * @param {string} id
 * @param {number} seat
 * @param {string} key
 * @param {boolean} [opened] whether this browser opened the table
 */
export function goToSeat(id, seat, key, opened = true) {
  location.assign(keepSeat(id, seat, key, opened) ? `/table/${id}` : seatPath(id, seat, key));
}

/**
 * The link to the viewer's own seat, for another device or because storage refuses the seat; null without a seat.
 *
 * @param {string} id
 */
export function ownSeatLink(id) {
  const { seat, key } = seatAt(id);
  if (seat < 0 || !key) return null;
  const links = linksTo(seatPath(id, seat, key), t("otherDeviceHint"), t("copyOwnLink"));
  return h("details", { class: "other-device", open: isSeatUnstored(id) }, h("summary", {}, t("otherDevice")), links);
}
