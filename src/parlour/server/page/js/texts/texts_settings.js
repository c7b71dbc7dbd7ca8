// The texts of the settings. Only their sheet loads them.

import "../common/more_messages.js";
import { gettext, languages, pgettext } from "../common/language.js";

export const SETTINGS_TEXTS = {
  pace: gettext("Pace"),
  paces: {
    slow: gettext("Slow"),
    normal: pgettext("pace", "Normal"),
    fast: gettext("Fast"),
    instant: gettext("Instant"),
  },
  rest: gettext("A finished trick stays"),
  rests: { pace: gettext("normally"), long: gettext("twice as long"), click: gettext("until I go on") },
  forced: gettext("When only one thing can be done, against bots"),
  forcedWays: { no: gettext("I do it"), yes: gettext("It is done by itself") },
  confirm: gettext("Before a card is played"),
  confirms: { no: gettext("One tap plays it"), yes: gettext("Ask for a second tap") },
  letters: gettext("Letters and digits of the keyboard"),
  letterKinds: { yes: gettext("Are shortcuts"), no: gettext("Do nothing") },
  sounds: { yes: pgettext("sound", "On"), no: pgettext("sound", "Off") },
  notices: gettext("Your turn, while you look elsewhere"),
  noticesKinds: { no: gettext("Title and icon"), yes: gettext("A notice, too") },
  noticesHint: gettext("A notice of the system, and a phone vibrates, while this page is open."),
  noticesClosedHint: gettext(
    "A notice of the system, and a phone vibrates; at tables with other people also while this page is closed.",
  ),
  noticesRefused: gettext("This browser does not allow notices here."),
  print: pgettext("setting", "Print"),
  prints: { normal: pgettext("print", "Normal"), large: pgettext("print", "Large") },
  tableForm: gettext("The table"),
  tableForms: { table: gettext("As a table"), text: gettext("As text") },
  deck: gettext("Suits"),
  decks: { two: gettext("Two colours"), four: gettext("Four colours") },
  faces: gettext("Cards"),
  facesKinds: { usual: pgettext("cards", "Usual"), large: gettext("Large signs"), tinted: gettext("Tinted") },
  backs: gettext("Backs"),
  backKinds: { bricks: gettext("Bricks"), lattice: gettext("Lattice"), waves: gettext("Waves") },
  language: gettext("Language"),
  /** The name of each language in itself; first the choice of the browser. */
  languages: { "": gettext("As the browser"), ...languages },
  scheme: gettext("Appearance"),
  schemes: { auto: gettext("As the device"), light: pgettext("scheme", "Light"), dark: pgettext("scheme", "Dark") },
  yourNameHint: gettext("It is used at the tables you sit down at from now on."),
};
