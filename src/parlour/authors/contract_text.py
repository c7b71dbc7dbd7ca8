"""Prose of the reference for authors of games (:mod:`parlour.authors.contract_page`)."""

INTRODUCTION = """
# The contract of a game

*Made from the code by `make docs`; a test holds this page to it. [How to add a game](add-a-game.md) is the tutorial.*

A game is a set of functions, the *hooks*. `Game.made_of` takes them from the game's modules by their names; a hook that
no module has gets its default. A game that lacks a hook without a default, or whose compiled hook takes other
arguments, is refused when it is loaded; the error names the hook. A game with hidden cards needs `hidden_slots`,
`assign` and `hides`, although each has a default.

## The course of a game

1. `setup` writes the options into a new state. `state.actor` is `CHANCE`.
2. While `state.actor` is `CHANCE`: if `choices` is not 0, one of its outcomes is drawn and given to `play`; if it is 0,
   the cards `wanted` are shuffled and given to `deal`.
3. While `state.actor` is a seat: `legal` lists its actions, and `play` carries one out.
4. `play` and `deal` set `state.actor` to the next actor: a seat, `CHANCE` (a second deal), or `OVER`.
5. `score` may be called at any time; when the game is over it gives the result.

## The state

`STATE = state_type([...])` declares the fields of a game. They follow those of the engine:

- `actor`: the next actor: a seat, `CHANCE` or `OVER`. The game sets it.
- `seats`: the number of players. The engine sets it.
- `result_only`: 0 outside of playouts. In playouts only the result counts: in those at random (`RESULT_AT_RANDOM`) a
  game may leave `public`, `private` and its own memory of what seats know as they are, in those by the heuristic
  (`RESULT_BY_HEURISTIC`) only if its heuristic does not read them.
- `public`: the set of cards whose places everyone may know. The game updates it; in a game without hidden cards the
  engine sets it to the whole deck.
- `private[seat]`: the set of cards whose places a seat may know besides; they may have become public
  since. The game updates it, in determinizations by `sample_rest`, which must put the same public cards into it as the
  rules do.

An *observed* state lacks everything that its viewer may not know. The engine creates it with `hidden_slots` and
`assign` (which take unknown cards out) and `hide_rest`. A *determinization* is an observed state whose unknown cards
are drawn again, with `assign`, `is_consistent` and `sample_rest`.
"""

GAME_ABOUT = """
## The game itself

`GAME = Game.made_of(heuristic, knowledge, rules, words, id="my-game", players=range(2, 5), …)` in the game's
`__init__.py` takes the hooks from these modules. The other arguments describe the game; only `id` and `players` are
required.
"""

DESCRIPTIONS = {
    "id": "The name in commands, addresses and records: small letters, digits and hyphens.",
    "players": "The possible numbers of players, a `range`.",
    "title": "The displayed name.",
    "prefix": "The letters before the numbers of clauses: `FT` for FT-2.",
    "summary": "The game in a sentence.",
    "credit": "The game's author and source, in a sentence.",
    "options": "A sequence of `Option`.",
}
"""Arguments of ``Game.made_of`` whose fields have no docstring."""

TYPES_ABOUT = """
## What the plain hooks return

The types come from `parlour.engine.game`. No hook returns an `Option`: `Game.made_of(…, options=…)` lists them.
"""

HOOKS_ABOUT = """
## Hooks in compiled Python

Each is decorated with `@rule` (from `parlour.engine.compiled`). It runs interpreted and compiled, so it works only on
its arguments (the state, integers and arrays): no lists, no dicts, no arrays of its own, no recursion, no `try`. It may
call other functions that are decorated with `@rule`. `state` is one record; its fields are 64-bit integers and arrays
of them. An `IntVector` is such an array with one axis, a `Stream` a random stream. An `action` is a move: the integer
by which the game's rules encode an action. The engine's class for it is `Move`; an index in the list that `actions`
returns is an `Action`.
"""

FAST_ABOUT = """
## Hooks for speed: `fast.py`

These hooks change nothing but the speed: their defaults are combinations of the hooks above. A game that has some of
them defines them in a module of their own and names it in `Game.made_of(…, fast=fast)`; in another module they are
refused. Like the other compiled hooks they are decorated with `@rule`. Write one only if `parlour bench` shows a gain;
`parlour check` compares it with the hooks above.
"""

REBUILD = """
## `rebuild.py`, which few games need

`parlour check` replays determinizations. By default it takes the events of the game and, from the last event that
shuffled all cards whose places differ, replaces each card by the determinization's card in its place; it restores the
notation's order of several cards in one action. A game needs a `rebuild.py` in its folder if different events can
lead to the same places of cards, for example if a card was drawn later, or exchanged unseen in a hand, or if
discarded cards are shuffled again in the middle of a deal; and if `hides` returns `WHOLE` for an action, such as a
secret bid, which no place of a card shows ([an example](add-a-game.md#try-it)).

- `rebuild(match, state)` returns the events that lead to the determinization `state`: a list with an item for each
  event of `match.events`, such as `{"by": 0, "do": "7H"}` (`event.to_json()` makes one), with `"chance"` for chance.
  `match.state` is the true state. `relabel_events(match, state)` (from `parlour.authors.histories`) returns the
  default, in which the function may change what differs. `match.game.zones(state)` gives the cards of either state zone
  by zone; `CARD_TEXT` (from `parlour.cards`) matches the cards of a text.
- `may_become_uncertain(match, viewer)`, optional: the set of cards whose places the last event may have made uncertain
  to a viewer that knew them. Default: 0.
"""

HELPERS_ABOUT = """
## Helpers

A card is a number, `13 * suit + rank`, with suits C D H S (0 to 3) and ranks 2 to A (0 to 12); a joker is 52 or 53.
A set of cards is one integer with bit *n* for card *n*: `a | b` is the union, `a & ~b` the difference. Functions
that take a number or a set work in rules and in plain Python; those that take or return text, lists or iterators only
in plain Python. `random` is a stream of chance from the engine.
"""

SCENE_ABOUT = """
## The scene of a layout

`layout.py` has `LAYOUT = Layout(lay_out, …)`. `lay_out(observation, names, before)` returns an observation's scene:
areas with rows of cards, and a choice for each legal action. The names come from `parlour.render.scene`.

```python
hand = Row("hand-0", "Hand", "hand", [CardSeen("7H", token="7H"), CardSeen("2C", token="2C")])
other = Row("hand-1", "Hand", "hand", hidden=2)
trick = Row("trick", "Trick", "trick", [CardSeen("9H", by="Bo", area="seat-1")], token="trick")
areas = [
    Area("middle", "Trick", None, [trick]),
    Area("seat-0", "You", 0, [hand], seat=0, active=True),
    Area("seat-1", "Bo", 1, [other], seat=1, notes=["dealer"]),
]
choices = [
    Choice("7H", "Play", ["7H"]),  # a card is tapped
    Choice("away 2C 7H", "Lay away", ["2C", "7H"]),  # two cards are tapped, then the button
    Choice("pass", "Pass", ["trick"]),  # the place of the trick is tapped
    Choice("go", "Go"),  # a button
]
```

A choice may only name tokens that some row or card of the scene has; `parlour check` reports others. A row that may be
empty (a `slot`) is drawn even without cards; leave an empty `meld` or `pile` out.

In a replay with all cards open the observation's `seat` is `EVERYTHING`: its zones and events have all cards, of a
stock and of `deal 7H 2C …`, too. Show `zone.known` of every zone, not only `zone.hidden`.

`rest` and `pause` are for moments after which cards are cleared away. `rest=True` shows a finished trick for a moment.
`pause="…"` stops the page before the next event until the viewer has read the text: at the end of a deal, in the
observation whose `actor` is `CHANCE`, while the cards of the deal still lie there.
"""

LESSON_ABOUT = """
## The script of a lesson

`lesson.toml` has the keys of a `Lesson`; each table `[[hands]]` has those of a `Hand`, each `[[hands.steps]]` those of
a `Step`. `options` is a table, too: `options = {hand_size = 4}`.
"""

CALLS = {
    "whole_deck": "every part that counts or shuffles cards; the same at all times of a game.",
    "choices": "matches, playouts and batches, whenever `state.actor` is `CHANCE`.",
    "wanted": "matches, playouts and batches, when `choices` is 0.",
    "deal": "matches, playouts and batches, with the shuffled cards `wanted`; again for each later deal.",
    "legal": "every match, batch and search, whenever a seat is to act.",
    "play": "every match, batch and search, with a legal action; with an outcome if `state.actor` is `CHANCE`.",
    "score": "observations, after every event; searches, at the end of a round or of the game; results.",
    "partners": "searches, rewards and reports; the same at all times of a game.",
    "chairs": "tensors, before the first event and for each observation.",
    "chair_from": "tensors, for each observation, which begins with the observer's chair.",
    "hides": "a match, before an action is played, once for each other seat and the spectator; searches.",
    "hidden_slots": "the engine, to create an observed state and before each determinization.",
    "assign": "the engine, with `number` 0 for each slot of an observed state, with cards for a determinization.",
    "is_consistent": "the engine, when the cards of a determinization lie in their slots; `False` draws another one.",
    "cards_of_unknown_origin": "the engine, before each determinization.",
    "hide_rest": "the engine, as the last step of creating an observed state.",
    "sample_rest": "the engine, as the last step of a determinization; also before the first deal.",
    "action_value": "bots and searches, for each legal action, in an observed state or a determinization; "
    "playouts of a batch, in the true state.",
    "likelihood": "searches, to weigh the determinizations of a seat.",
    "undo": "searches, in determinizations of a seat, again and again until it returns `NO_ACTION`.",
    "name": "a match, for each legal action, and for records, with the true state; bots and hints, with the observed "
    "state of the seat to act.",
    "setup": "the engine, once for each new state.",
    "zones": "observations, after every event; with all cards open at the end of a game and in `parlour check`.",
    "facts": "observations, after every event.",
    "chance_name": "a match, for chance events with `choices`; with the true state.",
    "refusal": "a match, when a player chooses an illegal action; with the seat's observed state.",
    "lines": "observations, after every event; studies, with the true state, before each deal of the whole deck and at "
    "the end.",
    "ending": "studies, for finished games; with the true state.",
    "tells_nothing": "the room, after each action of a person, to decide whether it may be taken back.",
    "actions": "environments, batches and tensors, once for each setup.",
    "longest_history": "tensors of histories, once for each setup.",
    "deck_word": "a match, for chance events that shuffle; with the true state.",
    "advice": "the page that sets up a table, when options are chosen.",
    "conflict": "the engine, for each setup.",
    "random_action": "random playouts, instead of `legal`.",
    "action_number": "batches and environments, for each legal action.",
    "heuristic_choice": "bots, contests, searches and batches, to choose among legal actions.",
    "heuristic_action": "playouts by the heuristic, instead of `legal`; searches, which check it once.",
}
"""Callers of each hook and the occasions, as the rest of a sentence."""
