// How people sit at a table, whatever is played there: clocks, patience with who has gone, talk. Chosen before it is opened.

import { h } from "./dom.js";
import { remember, settings } from "./settings.js";
import { t } from "./texts.js";

const CLOCKS = {
  none: null,
  quick: { seconds: 120, increment: 3 },
  calm: { seconds: 600, increment: 10 },
  long: { seconds: 3600, increment: 30 },
};
const PATIENCE = { short: 30, usual: 120, endless: null };
const USUAL = { clock: "none", patience: "usual", talk: "words", hints: "no", take_over: "no" };

/** What was chosen last. Talk with friends is one thing, and talk with whoever finds a listed table another. */
function chosen(listed) {
  const { manners } = settings();
  return { ...USUAL, ...manners, talk: listed ? (manners.talkListed ?? "none") : (manners.talk ?? USUAL.talk) };
}

function choose(name, value, listed) {
  remember({ manners: { ...settings().manners, [listed && name === "talk" ? "talkListed" : name]: value } });
}

/** The fields, for a form in which a table is set up for several people, and for `bots` or without any. */
export function mannersFields(listed, bots) {
  const timeOver = h("p", { class: "hint" }, t("mannersTimeOver"));
  const see = () => {
    timeOver.hidden = chosen(listed).clock === "none";
  };
  const change = (name) => (event) => {
    choose(name, event.target.value, listed);
    see();
  };
  const line = (name, label, texts) =>
    h(
      "label",
      { class: "seat-line" },
      h("span", {}, label),
      h(
        "select",
        { class: "field", name, id: `manners-${name}`, on: { change: change(name) } },
        Object.entries(texts).map(([value, text]) =>
          h("option", { value, selected: value === chosen(listed)[name] }, text),
        ),
      ),
    );
  see();
  return h(
    "fieldset",
    { class: "seats manners" },
    h("legend", {}, t("manners")),
    line("clock", t("mannersClock"), t("mannersClocks")),
    timeOver,
    line("patience", t("mannersPatience"), t("mannersPatiences")),
    line("talk", t("talk"), t("mannersTalks")),
    line("hints", t("hints"), t("mannersHints")),
    bots ? line("take_over", t("mannersTakeOver"), t("mannersTakeOvers")) : null,
  );
}

/** What was agreed on at a table, for those who think of sitting down. */
export function mannersList({ manners: { clock, patience, talk, hints, take_over: takeOver }, seats }) {
  const lines = [
    [
      t("mannersClock"),
      clock ? `${t("clockOf", clock.seconds, clock.increment)} ${t("mannersTimeOver")}` : t("mannersClocks").none,
    ],
    [t("mannersPatience"), patience === null ? t("mannersPatiences").endless : t("patienceOf", patience)],
    [t("talk"), t("mannersTalks")[talk]],
    [t("hints"), t("mannersHints")[hints ? "yes" : "no"]],
  ];
  if (seats.some((seat) => seat.kind === "bot"))
    lines.push([t("mannersTakeOver"), t("mannersTakeOvers")[takeOver ? "yes" : "no"]]);
  return h(
    "section",
    { class: "agreed" },
    h("h3", {}, t("manners")),
    h(
      "dl",
      {},
      lines.map(([what, how]) => h("div", {}, h("dt", {}, what), h("dd", {}, how))),
    ),
  );
}

/** As the server wants it. */
export function mannersWanted(listed) {
  const { clock, patience, talk, hints, take_over: takeOver } = chosen(listed);
  return {
    clock: CLOCKS[clock],
    patience: PATIENCE[patience],
    talk,
    hints: hints === "yes",
    take_over: takeOver === "yes",
  };
}
