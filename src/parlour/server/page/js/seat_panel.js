// What stands at the door of a table: a free seat to take, a bot's to take over, or the waiting for others.

import * as api from "./api.js";
import { button, h } from "./dom.js";
import { invitationHead } from "./invitation.js";
import { mannersList } from "./manners.js";
import { newKey } from "./seat_key.js";
import { keepSeat, remember, seatAt, settings } from "./settings.js";
import { openSheet } from "./sheets.js";
import { t } from "./texts.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 4000;
const ASK_AGAIN = 2500;

let watching = false;
const keys = new Map();
const keyFor = (seat) => keys.get(seat) ?? keys.set(seat, newKey()).get(seat);
const pause = (time) =>
  new Promise((resolve) => {
    setTimeout(resolve, time);
  });

/** Keeps a seat of the table that this page shows: where storage refuses it, the page's entry in the history has it when it is loaded again. */
export function keepSeatHere(id, seat, key) {
  history.replaceState(keepSeat(id, seat, key) ? null : { seat, key }, "", location.pathname);
}

/**
 * A link may bring a seat along, from another device or past a storage that is blocked; the key does not stay in the
 * address. Who has a seat here keeps it: its key could not be had again.
 */
export function takeSeatFromLink(id) {
  const link = new URLSearchParams(location.hash.slice(1));
  const { seat, key } = link.has("key")
    ? { seat: Number(link.get("seat") ?? -1), key: link.get("key") }
    : (history.state ?? {});
  if (!key || !Number.isInteger(seat) || seat < 0) return;
  if (seatAt(id).seat < 0) keepSeatHere(id, seat, key);
  else history.replaceState(null, "", location.pathname);
}

const seatsList = (about) =>
  h(
    "ul",
    { class: "seats-now" },
    about.seats.map((seat, index) =>
      h(
        "li",
        { class: seat.taken ? "taken" : "free" },
        h("span", {}, seat.taken ? seat.name : t("seat", index + 1)),
        h("i", {}, seat.taken ? (index === about.seat ? t("you") : "") : t("open")),
      ),
    ),
  );

const botsOf = (about) =>
  about.seats.map((seat, number) => ({ ...seat, number })).filter((seat) => seat.kind === "bot");

/**
 * The panel for this state of the table, or null when the game is simply on.
 * `invitation` is the table's link: the same node each time, so that a code that is shown stays when somebody sits down.
 */
export function doorFor(about, id, invitation, sat, redraw) {
  const free = about.seats.flatMap((seat, number) =>
    seat.taken ? [] : [{ ...seat, number, name: t("seat", number + 1) }],
  );
  if (about.seat < 0 && free.length && !watching) {
    return h(
      "div",
      { class: "panel join" },
      invitationHead(about),
      seatsList(about),
      mannersList(about),
      joinForm(
        id,
        free,
        t("join"),
        sat,
        button(t("watch"), () => {
          watching = true;
          redraw();
        }),
      ),
    );
  }
  if (!about.begun) {
    return h(
      "div",
      { class: "panel" },
      h("h2", {}, t("waiting")),
      seatsList(about),
      h("p", {}, t("waitingHint")),
      invitation,
    );
  }
  if (about.seat < 0 && about.take_over) return takeOver(about, id, sat);
  return null;
}

/** A line for those who look on where bots play: they may play instead, if those who play agree. */
function takeOver(about, id, sat) {
  const open = () => {
    const bots = botsOf(about);
    const asked = (seats) =>
      t(
        "takeAsked",
        seats.map((seat) => about.seats[seat].name),
      );
    const form = joinForm(
      id,
      bots,
      bots.length === 1 ? t("takeSeatOf", bots[0].name) : t("takeBotSeat"),
      (seat, key) => {
        document.querySelector("[data-sheet=take]")?.close();
        sat(seat, key);
      },
      null,
      asked,
    );
    openSheet("take", t("takeBotSeat"), [h("p", {}, t("takeBotHint")), mannersList(about), form], { kind: "center" });
  };
  return h("div", { class: "door-line" }, button(t("takeBotSeat"), open, { "data-go": "take" }));
}

/** Sit down. Where the answer gets lost it is asked for again, with the same key, and so it is the same seat. */
async function sitDown(id, seat, name) {
  for (let wait = FIRST_WAIT; ; wait *= 2) {
    try {
      return await api.sitDown(id, seat, name, keyFor(seat));
    } catch (error) {
      if ((error.status && error.status < 500) || wait > LONGEST_WAIT) throw error;
      await pause(wait);
    }
  }
}

/** A name, and a seat where there are several. `asked` says of whom one waits for, where others must agree. */
function joinForm(id, seats, label, sat, otherwise = null, asked = null) {
  const name = h("input", {
    class: "field",
    name: "name",
    maxlength: "24",
    autocomplete: "nickname",
    value: settings().name,
    placeholder: t("defaultName"),
    "aria-label": t("yourName"),
    on: { input: () => remember({ name: name.value.trim() }) },
  }); // at once: the door is drawn anew when somebody else sits down
  const failure = h("p", { class: "failure", role: "alert" });
  const waiting = h("p", { class: "hint", role: "status" });
  const choice =
    seats.length > 1
      ? h(
          "fieldset",
          { class: "chooser" },
          h("legend", { class: "unseen" }, t("seats")),
          h(
            "div",
            { class: "segments" },
            seats.map((seat, index) =>
              h(
                "label",
                { class: "segment" },
                h("input", { type: "radio", name: "seat", value: seat.number, checked: index === 0 }),
                h("span", {}, seat.name),
              ),
            ),
          ),
        )
      : null;
  const join = async (event) => {
    event.preventDefault();
    const chosen = name.value.trim() || t("defaultName");
    submit.disabled = true;
    failure.textContent = "";
    const seat = Number(choice ? form.elements.seat.value : seats[0].number);
    try {
      let answer = await sitDown(id, seat, chosen);
      while (answer.waiting) {
        waiting.textContent = asked(answer.waiting);
        await pause(ASK_AGAIN);
        if (!form.isConnected) return;
        answer = await sitDown(id, seat, chosen);
      }
      sat(answer.seat, answer.key);
    } catch (error) {
      failure.textContent = error.message;
      waiting.textContent = "";
    } finally {
      submit.disabled = false;
    }
  };
  const submit = h("button", { type: "submit", class: "button primary" }, label);
  const form = h(
    "form",
    { class: "join-form", on: { submit: join } },
    choice,
    h("label", { class: "labelled" }, t("yourName"), name),
    waiting,
    failure,
    h("div", { class: "row" }, submit, otherwise),
  );
  return form;
}
