"""3 Tricks: the layout, two rows of tricks with both stocks between them."""

from collections.abc import Sequence
from dataclasses import replace

from parlour.cards import CARD_NUMBERS, card_name
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE, NOBODY
from parlour.languages import fill, gettext, ngettext, pgettext
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Layout,
    Row,
    Scene,
    Term,
    cards_gained,
    cards_held,
    cards_lying,
    last_event,
    option_number,
    scene_of,
    score_of,
    standings_of,
)
from parlour.render.words import in_signs, name_of, sentence_about, the_cards, to_play

PLACE = "place"
"""Token of the place for the viewer's next trick."""


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """Return the scene: the viewer's row of tricks below, the other's above, the stocks between."""
    own = max(observation.seat, 0)
    return scene_of(
        observation,
        "3 Tricks",
        heading=_heading(observation),
        prompt=_prompt(observation, names),
        areas=[
            _middle(observation),
            *(_player(observation, names, seat, at) for at, seat in enumerate((own, 1 - own))),
        ],
        score=score_of(observation, "seat"),
        standings=standings_of(observation, names, [len(tricks) for tricks in observation.facts["tricks"]]),
        counted=gettext("Tricks laid"),
        log=_log(observation, names, before),
        choices=[choice for action in observation.legal for choice in _choices(action)],
        outcome=_outcome(observation, names),
    )


def _heading(observation: Observation) -> str:
    """Return the number of the turn; the scores have the tricks. Drawing cards belongs to the turn before it."""
    turn = sum(event.by != CHANCE for event in observation.events) + (observation.actor >= 0)
    return gettext("Turn {number}", number=turn) if turn else gettext("Before the deal")


def _prompt(observation: Observation, names: Sequence[str]) -> str:
    if observation.over:
        return gettext("The game is over.")
    if observation.actor == CHANCE:
        if observation.facts["stage"] == "shuffle":
            return gettext("The second stock is about to be shuffled.")
        return gettext("The cards are about to be dealt.")
    if observation.actor != observation.seat:
        return gettext("{name} is to play.", name=names[observation.actor])
    lays = any(action.startswith("lay") for action in observation.legal)
    if observation.facts["to_block"]:
        trick = in_signs(" ".join(observation.facts["to_block"]))
        if lays:
            # Translators: {trick} is cards in signs, as in "7♦ 8♦"
            return gettext("Your turn: block {trick}, swap or pass.", trick=trick)
        return gettext("Your turn: you have nothing that blocks {trick}; swap or pass.", trick=trick)
    tricks = option_number(observation, "tricks")
    if len(observation.facts["tricks"][observation.seat]) + 1 == tricks:
        return _prompt_for_last(tricks, lays)
    return _prompt_for_two(option_number(observation, "swap_limit"), lays)


def _prompt_for_last(tricks: int, lays: bool) -> str:
    """Return the prompt before the trick that wins, the second or the third; ``lays``: whether one can be laid."""
    if tricks == 2:
        if lays:
            return gettext("Your turn: lay your second trick and win!")
        return gettext("Your turn: you have no second trick yet; swap or pass.")
    if lays:
        return gettext("Your turn: lay your third trick and win!")
    return gettext("Your turn: you have no third trick yet; swap or pass.")


def _prompt_for_two(most: int, lays: bool) -> str:
    """Return the prompt before another trick; ``most``: the cards that may be swapped."""
    if lays:
        return {
            1: gettext("Your turn: lay a trick of two cards, swap a card, or pass."),
            2: gettext("Your turn: lay a trick of two cards, swap one to two cards, or pass."),
            3: gettext("Your turn: lay a trick of two cards, swap one to three cards, or pass."),
        }[most]
    return {
        1: gettext("Your turn: you have no trick of two cards; swap a card, or pass."),
        2: gettext("Your turn: you have no trick of two cards; swap one to two cards, or pass."),
        3: gettext("Your turn: you have no trick of two cards; swap one to three cards, or pass."),
    }[most]


def _middle(observation: Observation) -> Area:
    second, stock = observation.zone("second stock"), observation.zone("stock")
    if second is None or stock is None:
        return Area("middle", "", None, [])
    rows = [
        Row("stock", gettext("Stock"), "pile", cards_lying(stock.known, False), stock.hidden),
        Row("second", gettext("Second stock"), "buried", cards_lying(second.known, False), second.hidden),
    ]
    left = observation.facts["idle_left"]
    note = ngettext(
        "the game ends after {number} more turn without a new trick",
        "the game ends after {number} more turns without a new trick",
        left,
    )
    notes = [note] if left <= 10 and not observation.over else []
    return Area("middle", gettext("Stocks"), None, rows, notes=notes)


def _player(observation: Observation, names: Sequence[str], seat: int, at: int) -> Area:
    facts = observation.facts
    notes = []
    if observation.actor >= 0 and facts["to_block"] and facts["to_block"] in facts["tricks"][seat]:
        trick = in_signs(" ".join(facts["to_block"]))
        # Translators: {trick} is cards in signs, as in "7♦ 8♦"
        notes.append(gettext("{trick} can still be blocked", trick=trick))
    if seat == facts["dealer"]:
        notes.append(gettext("dealer"))
    return Area(
        id=f"seat-{seat}",
        title=name_of(observation, names, seat),
        at=at,
        rows=_rows(observation, seat),
        seat=seat,
        active=observation.actor == seat,
        turn=to_play(seat == observation.seat),
        notes=notes,
    )


def _rows(observation: Observation, seat: int) -> list[Row]:
    """Return a player's rows: the tricks laid, the blocked ones, the hand."""
    hand, blocked = observation.zone("hand", seat), observation.zone("blocked", seat)
    if hand is None or blocked is None:
        return []
    tricks = observation.facts["tricks"][seat]
    rows = [
        Row(
            f"trick-{seat}-{index}",
            gettext("Trick {number}", number=index + 1),
            "meld",
            [CardSeen(card) for card in trick],
            token=PLACE if seat == observation.seat and index == len(tricks) else None,
        )
        for index, trick in enumerate([*tricks, [], [], []][: option_number(observation, "tricks")])
    ]
    if blocked.cards:
        # Translators: the label of the tricks that were blocked
        label = pgettext("tricks", "Blocked")
        rows.append(Row(f"blocked-{seat}", label, "buried", cards_lying(blocked.known, False)))
    return [*rows, Row(f"hand-{seat}", gettext("Hand"), "hand", cards_held(observation, seat, hand.known), hand.hidden)]


def _choices(action: str) -> list[Choice]:
    """Return the choices for an action; a trick may be laid by its cards alone, or with its place."""
    verb, _, cards = action.partition(" ")
    label = {"lay": pgettext("button", "Lay"), "swap": pgettext("button", "Swap"), "pass": pgettext("button", "Pass")}
    choice = Choice(action, label[verb], cards.split())
    return [choice, replace(choice, tokens=[*choice.tokens, PLACE])] if verb == "lay" else [choice]


def phrase(observation: Observation, action: str) -> str:
    """Return a legal action of the viewer as a phrase, to follow words like "It seems best to"."""
    verb, _, cards = action.partition(" ")
    if verb == "lay":
        # Translators: the phrases of the context "action" follow words like "It seems best to": infinitives
        return pgettext("action", "lay {cards}", cards=the_cards(cards.split()))
    if verb == "swap":
        return pgettext("action", "swap {cards}", cards=the_cards(cards.split()))
    return pgettext("action", "pass")


def interpret(observation: Observation, tokens: Sequence[str]) -> list[str]:
    """Return the action for the chosen cards: laying them with the next trick's place, else swapping them."""
    cards = [card_name(card) for card in sorted(CARD_NUMBERS[token] for token in tokens if token != PLACE)]
    return [" ".join(["lay" if PLACE in tokens else "swap", *cards])]


def _outcome(observation: Observation, names: Sequence[str]) -> str:
    if not observation.over:
        return ""
    scores, winners = observation.standing.scores, observation.standing.winners
    if len(winners) == 2:
        return ngettext(
            "A draw, with {number} blocked trick each.", "A draw, with {number} blocked tricks each.", scores[0]
        )
    winner, name = winners[0], names[winners[0]]
    if observation.facts["winner"] == NOBODY:
        return _won_by_blocked(observation, name)
    third = option_number(observation, "tricks") == 3
    if observation.seat == 1 - winner:
        lose = gettext("You lose: {name} wins with a second trick.")
        return fill(gettext("You lose: {name} wins with a third trick.") if third else lose, name=name)
    you = gettext("You win with a third trick.") if third else gettext("You win with a second trick.")
    other = gettext("{name} wins with a third trick.") if third else gettext("{name} wins with a second trick.")
    return sentence_about(observation, names, winner, you, other)


def _won_by_blocked(observation: Observation, name: str) -> str:
    """3T-20: return the outcome if blocked tricks decide for the player with this name."""
    scores, winner = observation.standing.scores, observation.standing.winners[0]
    values = {"name": name, "other": scores[1 - winner]}
    if observation.seat == winner:
        return ngettext(
            "You win with {number} blocked trick to {other}.",
            "You win with {number} blocked tricks to {other}.",
            scores[winner],
            **values,
        )
    if observation.seat == 1 - winner:
        return ngettext(
            "You lose: {name} wins with {number} blocked trick to {other}.",
            "You lose: {name} wins with {number} blocked tricks to {other}.",
            scores[winner],
            **values,
        )
    return ngettext(
        "{name} wins with {number} blocked trick to {other}.",
        "{name} wins with {number} blocked tricks to {other}.",
        scores[winner],
        **values,
    )


# Log lines


def _log(observation: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(observation, before)
    if event is None or before is None:
        return []
    word, _, cards = event.do.partition(" ")
    if event.by == CHANCE:
        log = [_log_chance(observation, names, word), *_log_interrupted(observation, names)]
    elif word == "lay":
        log = _log_trick(observation, names, event.by, before)
    elif word == "pass":
        log = [sentence_about(observation, names, event.by, gettext("You pass."), gettext("{name} passes."))]
    else:
        log = [_log_swap(observation, names, event.by, cards.split())]
    if event.by != CHANCE or word == "shuffle":
        log.extend(_log_draw(observation, before))
    if observation.over and observation.facts["winner"] == NOBODY:
        too_long = gettext("Nobody has laid a trick for too long.")
        log.append(gettext("The stock is used up.") if observation.facts["used_up"] else too_long)
    return log


def _log_chance(observation: Observation, names: Sequence[str], word: str) -> str:
    dealer = observation.facts["dealer"]
    if word == "dealer":
        return sentence_about(observation, names, dealer, gettext("You deal."), gettext("{name} deals."))
    if word == "deal":
        dealt = ngettext(
            "Each player gets {number} card.",
            "Each player gets {number} cards.",
            option_number(observation, "hand_cards"),
        )
        first = observation.facts["turn"]
        begins = sentence_about(observation, names, first, gettext("You begin."), gettext("{name} begins."))
        return f"{dealt} {begins}"
    return gettext("The stock is used up: the second stock is shuffled and takes its place.")


def _log_swap(observation: Observation, names: Sequence[str], by: int, cards: list[str]) -> str:
    if HIDDEN_CARD in cards:
        return ngettext("{name} swaps {number} card.", "{name} swaps {number} cards.", len(cards), name=names[by])
    you, other = gettext("You swap {cards}."), gettext("{name} swaps {cards}.")
    return sentence_about(observation, names, by, you, other, cards=the_cards(cards))


def _log_trick(observation: Observation, names: Sequence[str], by: int, before: Observation) -> list[str]:
    you = gettext("You lay {cards}: trick {number} of {tricks}.")
    other = gettext("{name} lays {cards}: trick {number} of {tricks}.")
    values = {
        "cards": the_cards(observation.events[-1].do.split()[1:]),
        "number": len(before.facts["tricks"][by]) + 1,
        "tricks": option_number(observation, "tricks"),
    }
    log = [sentence_about(observation, names, by, you, other, **values)]
    lost = len(before.facts["tricks"][1 - by]) - len(observation.facts["tricks"][1 - by])
    if lost:
        log.append(_blocked(observation, names, 1 - by, lost))
        if observation.actor == by:  # or the draw is interrupted: after the shuffle the game may be over
            log.append(_played_again(observation, names, by))
    return log


def _log_interrupted(observation: Observation, names: Sequence[str]) -> list[str]:
    """3T-14, 3T-15: return the line on a second turn, after the shuffle that interrupted the draw of a block."""
    last = next((event for event in reversed(observation.events) if event.by != CHANCE), None)
    again = last is not None and last.do.startswith("lay") and observation.actor == last.by
    return [_played_again(observation, names, observation.actor)] if again else []


def _blocked(observation: Observation, names: Sequence[str], loser: int, lost: int) -> str:
    """3T-13: describe the tricks that a player loses by a block."""
    if lost == 1:
        yours, theirs = gettext("That blocks your first trick."), gettext("That blocks {name}'s first trick.")
    else:
        yours = gettext("That blocks your second trick, and the first goes with it.")
        theirs = gettext("That blocks {name}'s second trick, and the first goes with it.")
    return sentence_about(observation, names, loser, yours, theirs)


def _played_again(observation: Observation, names: Sequence[str], by: int) -> str:
    """3T-14: describe that the other player's turn has passed with drawing new cards."""
    if by == observation.seat:
        return gettext("Drawing new cards is {name}'s turn, so you play again.", name=names[1 - by])
    if 1 - by == observation.seat:
        return gettext("Drawing new cards is your turn, so {name} plays again.", name=names[by])
    return gettext("Drawing new cards is {rival}'s turn, so {name} plays again.", rival=names[1 - by], name=names[by])


def _log_draw(observation: Observation, before: Observation) -> list[str]:
    """Describe the cards that the viewer has drawn."""
    drawn = [card_name(card) for card in cards_gained(observation, before, "hand", observation.seat)]
    return [gettext("You draw {cards}.", cards=the_cards(drawn))] if drawn else []


TERMS = (
    Term(
        "trick",
        "here a set of cards laid together: a pair, or consecutive cards of one suit. The last usually has three.",
        "3T-1",
    ),
    Term(
        "blocks",
        "a trick that shares a suit with the one just laid, or is a pair of one of its ranks, takes it away.",
        "3T-9",
    ),
    Term("swap", "put cards away, usually one to three, and draw as many; this is the whole turn.", "3T-7"),
    Term("second stock", "cards that were swapped; it is shuffled when the stock is used up.", "3T-22"),
)

LAYOUT = Layout(
    phrase=phrase,
    lay_out=lay_out,
    interpret=interpret,
    terms=TERMS,
    themes={"lay": "lay a trick"},
    unusual="You win with seven cards in three moves, and the other gets one turn to stop each.",
    fits="For two, in between: short, sharp, and over before the tea is cold.",
    minutes=(5, 10),
)
