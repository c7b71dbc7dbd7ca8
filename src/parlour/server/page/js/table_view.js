// How the page of one table lies on the screen: its parts, and what they show. It decides nothing.

import { makeBar } from "./bar.js";
import { button, clear, h } from "./dom.js";
import { drawScene } from "./scene_view.js";
import { lookable } from "./card_sheets.js";
import { hasMet, settings } from "./settings.js";
import * as sheets from "./sheets.js";
import { State } from "./table_state.js";
import { TextView } from "./text_view.js";
import { t } from "./texts.js";

export class TableView {
  /**
   * `does` has what the buttons do: `act(action)`, `hurry()`, `end()`, `putBack()`, `primer()`, `rules(clause)` and
   * those of the bar. `company`, `banner` and `missed` bring parts of their own; `reader()` explains words.
   */
  constructor({ does, company, banner, missed, reader }) {
    Object.assign(this, { does, company, reader });
    this.board = h("div", { class: "board", hidden: true });
    this.hand = h("div", { class: "hand", tabindex: "-1" });
    this.prompt = h("p", { class: "prompt" });
    this.note = h("div", { class: "note", role: "alert", hidden: true });
    this.actions = h("div", { class: "actions" });
    this.side = h("aside", { class: "side-panel", "aria-label": t("score") });
    this.door = h("div", { class: "door", hidden: true });
    this.text = new TextView({ act: does.act, hurry: does.hurry });
    const dock = h(
      "section",
      { class: "dock", "aria-label": t("dock") },
      company.notices,
      h("div", { class: "dock-line" }, this.prompt, this.actions, company.helpers),
      this.note,
      this.hand,
    );
    this.room = h("main", { class: "room" }, missed.element, this.door, this.text.element, this.board, dock);
    Object.assign(this, { banner: banner.element, bubbles: company.bubbles });
    this.bar = makeBar({ ...does, rules: () => does.rules() });
    company.tool = this.bar.talkTool;
  }

  fill(app) {
    clear(app, this.bar.element, this.banner, this.bubbles, this.room, this.side);
    this.bar.title.focus(); // keys and screen readers begin here
  }

  /** What is known of the table beside the game; `door` is the panel at its door, if there is one. */
  describe(about, door) {
    this.bar.title.textContent = about.title;
    document.title = `${about.title} · ${t("house")}`;
    this.bar.hintTool.hidden = !about.hints || about.seat < 0 || !about.begun;
    this.bar.scoreTool.hidden = !about.begun;
    this.door.hidden = !door;
    const { activeElement: held } = document;
    const typing = this.door.contains(held) && held.matches(".field") && [held.selectionStart, held.selectionEnd];
    clear(this.door, door);
    if (typing) this.goOnTyping(typing);
    this.room.classList.toggle("waiting", !about.begun);
  }

  /** The door is drawn anew when somebody else sits down: who types a name there goes on typing where they were. */
  goOnTyping(selection) {
    const field = this.door.querySelector(".field");
    field?.focus();
    field?.setSelectionRange(...selection);
  }

  /** The connection is there, or lost: what cannot be asked for meanwhile is pale. */
  connect(yes) {
    this.room.classList.toggle("cut-off", !yes);
    this.bar.hintTool.classList.toggle("pale", !yes);
  }

  /**
   * Draws everything. `now` is what the page knows: state, scene, gathered, choosing, peeked, presses, connected, told
   * and game.
   */
  draw(now) {
    const asText = settings().text;
    this.board.hidden = asText;
    this.text.element.hidden = !asText;
    this.hand.hidden = asText;
    const { scene, gathered, peeked, choosing } = now;
    this.scrolled = this.side.querySelector(".score-lines")?.scrollTop ?? 0; // asked before anything changes, which costs no layout
    drawScene(this.board, this.hand, scene, { gathered, live: now.state === State.TURN, peeked, choosing });
    this.dress(now);
    this.company.decorate();
  }

  /** It is the viewer's turn, or no longer. */
  turn(yes) {
    this.room.classList.toggle("my-turn", yes);
  }

  /** Everything around the table. */
  dress(now) {
    const { scene, told } = now;
    this.bar.heading.textContent = scene.heading;
    this.expect(now);
    this.turn(now.state === State.TURN);
    this.room.classList.toggle("watching", scene.seat < 0);
    clear(this.actions, this.buttons(now));
    const looked = lookable(scene);
    this.bar.nameLast(looked.length === 1 ? looked[0].label : looked.length ? t("seenBefore") : "");
    clear(this.bar.strip, sheets.standingsList(scene));
    const log = sheets.logList(told, this.reader());
    clear(
      this.side,
      h("h2", {}, t("standings")),
      sheets.scoreContent(scene, this.does.rules),
      h("h3", {}, t("told")),
      log,
    );
    log.scrollTop = log.scrollHeight;
    this.side.querySelector(".score-lines")?.scrollTo(0, this.scrolled);
  }

  /** The buttons beside the prompt. */
  buttons({ state, scene, gathered, choosing, presses, game }) {
    const { does } = this;
    const acting = state === State.TURN;
    return [
      ...(acting ? choosing.offered(scene).map((choice) => this.actionButton(choice, scene)) : []),
      acting && !choosing.picked.size && !hasMet(game)
        ? button(t("howPlayed"), () => does.primer(), { class: "quiet", "data-go": "primer" })
        : null,
      presses.waits ? button(t("putBack"), () => does.putBack(), { "data-go": "put-back" }) : null,
      state === State.SHOWING && scene.rest && !gathered
        ? button(t("goOn"), () => does.hurry(), { class: "go-on" })
        : null,
      scene.over && state !== State.SHOWING
        ? button(t("end"), () => does.end(), { class: "primary", "data-go": "end" })
        : null,
    ];
  }

  actionButton(choice, scene) {
    const primary = choice.tokens.length || scene.choices.length === 1;
    return button(choice.label, () => this.does.act(choice.do), {
      class: primary ? "primary" : "",
      "data-button": choice.do,
    });
  }

  /** What is expected now; whatever is said after the first sentence is said more quietly. */
  expect({ state, scene, choosing, presses, connected }) {
    const waiting =
      !connected &&
      presses.open &&
      t(presses.waits ? "waitsToBeSent" : "waitsForAnswer", choosing.nameOf(presses.one.do));
    const text = scene.over
      ? scene.outcome || scene.prompt
      : waiting || (state === State.TURN && choosing.onward) || scene.prompt;
    const [first, ...more] = text.split(/(?<=[.!?]) (?=\p{Lu})/u);
    clear(
      this.prompt,
      scene.seat < 0 && !scene.over ? `${t("watching")} ` : "",
      first,
      more.length ? h("small", {}, ` ${more.join(" ")}`) : null,
    );
  }

  /** Reasons with their clauses in a small note above the hand; choosing a clause opens the rules there. Screen readers say it at once. */
  explain(reasons) {
    this.note.hidden = !reasons.length;
    clear(
      this.note,
      reasons.map(({ reason, clause }) =>
        h(
          "p",
          {},
          h("span", {}, reason),
          clause
            ? h(
                "button",
                { type: "button", class: "clause", on: { click: () => this.does.rules(clause) } },
                t("clause", clause),
              )
            : null,
        ),
      ),
    );
  }
}
