// The tables that this browser has a seat at, and how a new one is opened.

import * as api from "./api.js";
import { button, h, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { finishOpening, open } from "./table_request.js";
import { lookUp } from "./table_lookup.js";
import { forgetSeat, ownSeats, seatAt, settings } from "./settings.js";
import { goToSeat } from "./table_links.js";
import { t } from "./texts.js";

const SHOWN = 6;

/** Opens a table, keeps the seat and goes there. */
export async function openTable(request) {
  const { table, seat, key } = await open(request);
  goToSeat(table, seat, key);
}

/** The bot of this id, or the usual one where there is none of it. */
export const botOr = (offer, id) => (offer.bots.some((bot) => bot.id === id) ? id : offer.usual_bot);

/** A game against bots with nothing asked: the usual number of players, the bots played against last. */
export function quickGame(game, offer) {
  const { name, seats } = settings();
  const kind = botOr(offer, seats[0]);
  const others = [...Array(game.usual - 1)].map((_, index) => ({ kind: "bot", bot: kind, name: t("names")[index] }));
  return openTable({
    game: game.id,
    players: game.usual,
    options: {},
    seats: [{ kind: "you", name: name.trim() || t("defaultName") }, ...others],
  });
}

/** How a table stands, for somebody at a seat (or at none). */
function standing(about, seat) {
  if (!about.begun) return t("seatsOpen", about.seats.filter((one) => !one.taken).length);
  if (about.over) return t("isOver");
  if (about.actor === seat) return t("yourTurn");
  return Number.isInteger(about.actor) ? t("turnOf", about.seats[about.actor].name) : t("goesOn");
}

/** One table in a list. */
export function tableLine(about, seat, extra = null) {
  const others = about.seats.filter((one, number) => one.taken && number !== seat).map((one) => one.name);
  const mine = !about.over && about.begun && about.actor === seat;
  return h(
    "li",
    { class: `table-line ${mine ? "mine" : ""}`, "data-table": about.table },
    h(
      "a",
      { href: about.over ? `/game/${about.table}` : `/table/${about.table}` },
      h("b", {}, about.title),
      h("span", { class: "with" }, others.length ? t("with", others) : ""),
      h("span", { class: "how" }, standing(about, seat)),
    ),
    extra,
  );
}

/** The list of own tables, the latest first; nothing where there is none. */
export async function ownTables() {
  await finishOpening();
  const seats = ownSeats();
  if (!seats.length) return null;
  const list = h("ul", { class: "table-list" });
  const section = h(
    "section",
    { class: "own-tables", "aria-labelledby": "own-title" },
    h("h2", { id: "own-title" }, t("ownTables")),
    list,
  );
  const add = async (ids) => {
    list.append(...(await lookUp(ids, api.table, forgetSeat)).map(line));
  };
  const line = (about) => {
    const forget = () => {
      forgetSeat(about.table);
      entry.remove();
      if (!list.children.length) section.remove();
    };
    const entry = tableLine(
      about,
      seatAt(about.table).seat,
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": t("forget", about.title),
          title: t("forgetShort"),
          on: { click: forget },
        },
        svg(icon("close")),
      ),
    );
    return entry;
  };
  await add(seats.slice(0, SHOWN));
  if (seats.length > SHOWN) {
    const more = button(
      t("moreTables", seats.length - SHOWN),
      async () => {
        more.remove();
        await add(seats.slice(SHOWN));
      },
      { class: "quiet" },
    );
    section.append(more);
  }
  return list.children.length ? section : null;
}
