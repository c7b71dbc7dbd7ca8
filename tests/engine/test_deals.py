"""A committed deal can be checked by anyone from the record alone."""

import hashlib
import hmac
import json
from collections import Counter

import pytest
from click.testing import CliRunner

from parlour.cards import parse_card
from parlour.cli import main
from parlour.engine.errors import RecordError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.deals import DealRandomness, check_deal, commitment_of, deal_of, draw_committed, new_secret
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game

SECRET = "5e" * 32


def numbers(secret, event):
    """Return the numbers of one chance event, computed from the text of the protocol."""
    block = 0
    while True:
        digest = hmac.new(bytes.fromhex(secret), b"parlour-deal/1 event %d block %d" % (event, block), hashlib.sha256)
        yield from (int(digest.hexdigest()[start : start + 16], 16) for start in range(0, 64, 16))
        block += 1


def shuffle_deck(secret, event, cards):
    source, cards = numbers(secret, event), list(cards)
    for place in reversed(range(1, len(cards))):
        number = next(number for number in source if number < 2**64 // (place + 1) * (place + 1))
        cards[place], cards[number % (place + 1)] = cards[number % (place + 1)], cards[place]
    return cards


def committed_game(game, secret=SECRET, players=None, options=None):
    match = Match(Setup(game, players or game.players[0], options or {}))
    while not match.over:
        if match.actor == CHANCE:
            match.apply_chance(draw_committed(match, secret))
        else:
            match.act(match.legal()[0])
        if len(match.events) > 400:
            break
    return {**match.record(), "deal": deal_of(secret)}


@pytest.fixture
def record():
    return committed_game(find_game("trick-walls"), options={"rounds": 2})


class TestProtocol:
    @pytest.mark.parametrize("event", [0, 1, 7])
    def test_a_shuffle_follows_the_protocol(self, event):
        assert DealRandomness(SECRET, event).shuffled(list(range(52))[::-1]) == shuffle_deck(SECRET, event, range(52))

    def test_the_commitment_follows_the_protocol(self):
        assert commitment_of(SECRET) == hashlib.sha256(b"parlour-deal/1\n" + SECRET.encode()).hexdigest()

    def test_every_order_is_equally_likely(self):
        orders = Counter(tuple(DealRandomness(SECRET, event).shuffled([0, 1, 2, 3])) for event in range(24 * 200))
        assert len(orders) == 24
        assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 49.7  # chi-squared, 23 degrees, p = 0.001

    def test_the_last_incomplete_range_of_numbers_is_left_out(self):
        random = DealRandomness(SECRET, 0)
        random._words = iter([2**64 - 1, 2**64 - 2, 5])
        assert random.below(3) == 2  # 2**64 is 1 modulo 3: the greatest number alone is left out
        random._words = iter([2**64 - 1, 5])
        assert random.below(2**63 + 1) == 5

    def test_chance_events_are_numbered_independently_of_actions_between_them(self, record):
        drawn = [event["do"].split() for event in record["events"] if event["by"] == "chance"]
        decks = {number: cards for number, (word, *cards) in enumerate(drawn) if word == "deal"}
        assert len(decks) == 2
        for number, deck in decks.items():
            expected = shuffle_deck(SECRET, number, sorted(map(parse_card, deck)))
            assert [parse_card(card) for card in deck] == expected

    def test_secrets_differ(self):
        assert len({new_secret() for _ in range(100)}) == 100


class TestChecking:
    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_every_game_is_dealt_as_committed(self, game):
        assert check_deal(committed_game(game)).game is game

    def test_a_deck_in_another_order_is_noticed(self, record):
        number = next(n for n, event in enumerate(record["events"]) if event["do"].startswith("deal "))
        word, *cards = record["events"][number]["do"].split()
        cards[0], cards[1] = cards[1], cards[0]
        changed = [*record["events"][:number], {"by": "chance", "do": " ".join([word, *cards])}]
        with pytest.raises(RecordError, match=rf"event {number + 1}: chance is .* but the secret gives"):
            check_deal({**record, "events": changed, "result": None})

    def test_a_dealer_who_was_not_drawn_is_noticed(self, record):
        other = {"dealer A": "dealer B", "dealer B": "dealer A"}[record["events"][0]["do"]]
        changed = [{"by": "chance", "do": other}]
        with pytest.raises(RecordError, match="event 1: chance is"):
            check_deal({**record, "events": changed, "result": None})

    @pytest.mark.parametrize(
        ("deal", "message"),
        [
            (None, "the key 'deal' is missing"),
            ([], "'deal' must be an object"),
            ({"method": "dice"}, "only 'parlour-deal/1' is known"),
            ({"given": -1}, "'given' must be a whole number"),
            ({"given": True}, "'given' must be a whole number"),
            ({"secret": 7}, "'secret' must be 64 hexadecimal digits"),
            ({"commitment": "5E" * 32}, "'commitment' must be 64 hexadecimal digits"),
            ({"secret": "5f" * 32}, "the secret does not fit the commitment"),
            ({"commitment": "5f" * 32}, "the secret does not fit the commitment"),
        ],
    )
    def test_a_contradiction_is_described(self, record, deal, message):
        changed = {**record["deal"], **deal} if isinstance(deal, dict) else deal
        with pytest.raises(RecordError, match=message):
            check_deal({**record, "deal": changed})

    def test_another_secret_with_its_own_commitment_is_detected_by_the_cards(self, record):
        with pytest.raises(RecordError, match="but the secret gives"):
            check_deal({**record, "deal": deal_of("5f" * 32)})

    def test_inherited_events_are_not_checked_against_this_secret(self, record):
        game = find_game("trick-walls")
        second = [n for n, event in enumerate(record["events"]) if event["by"] == "chance"][2]
        match = Match(Setup(game, 2, {"rounds": 2}))
        for event in record["events"][:second]:
            match.apply_event(Event.from_json(event))
        match.apply_chance(draw_committed(match, "5f" * 32))
        other = {**match.record(), "deal": deal_of("5f" * 32, second)}
        assert check_deal(other).events == match.events
        with pytest.raises(RecordError, match="but the secret gives"):
            check_deal({**other, "deal": deal_of("5f" * 32)})

    def test_an_illegal_record_is_refused_as_illegal(self, record):
        illegal = {**record["events"][3], "do": "XB"}
        with pytest.raises(RecordError, match="event 4: 'XB' is not legal"):
            check_deal({**record, "events": [*record["events"][:3], illegal], "result": None})


def continued_game(game, given, secret):
    """Return a game that continues another one with another secret."""
    other = committed_game(game, "a1" * 32, options={"rounds": 2})
    match = Match(Setup(game, game.players[0], {"rounds": 2}))
    for event in other["events"][:given]:
        match.apply_event(Event.from_json(event))
    while not match.over:
        if match.actor == CHANCE:
            match.apply_chance(draw_committed(match, secret))
        else:
            match.act(match.legal()[-1])
    return {**match.record(), "deal": deal_of(secret, given)}


class TestAContinuedGame:
    @pytest.fixture
    def record(self):
        return continued_game(find_game("trick-walls"), 20, SECRET)

    def test_its_inherited_events_are_not_checked(self, record):
        assert check_deal(record, commitment=commitment_of(SECRET)).over

    def test_all_of_its_events_may_be_inherited(self, record):
        match = Match(Setup(find_game("trick-walls"), record["players"], {"rounds": 2}))
        for event in record["events"][:20]:
            match.apply_event(Event.from_json(event))
        assert len(check_deal({**match.record(), "deal": deal_of(SECRET, 20)}).events) == 20
        with pytest.raises(RecordError, match="'given' must be a whole number, not above the number of events"):
            check_deal({**match.record(), "deal": deal_of(SECRET, 21)})

    def test_a_commitment_may_be_typed_in_capitals(self, record):
        assert check_deal(record, commitment=commitment_of(SECRET).upper()).over

    def test_its_other_events_are_checked(self, record):
        number = max(n for n, event in enumerate(record["events"]) if event["do"].startswith("deal "))
        assert number > 20
        word, *cards = record["events"][number]["do"].split()
        changed = [*record["events"][:number], {"by": "chance", "do": " ".join([word, *reversed(cards)])}]
        with pytest.raises(RecordError, match="but the secret gives"):
            check_deal({**record, "events": changed, "result": None})

    def test_an_undeclared_continuation_is_detected(self, record):
        with pytest.raises(RecordError, match=r"event [12]: chance is"):
            check_deal({**record, "deal": deal_of(SECRET)})

    @pytest.mark.parametrize("given", [-1, 10_000, "3", True, 2.0, None])
    def test_the_number_of_inherited_events_is_validated(self, record, given):
        with pytest.raises(RecordError, match="'given' must be a whole number"):
            check_deal({**record, "deal": {**record["deal"], "given": given}})

    def test_the_command_reports_a_continued_game(self, tmp_path, record):
        path = tmp_path / "game.json"
        path.write_text(json.dumps(record))
        result = CliRunner().invoke(main, ["verify", str(path)])
        assert result.exit_code == 0, result.output
        assert "its first 20 events are not checked" in result.output
        checked = sum(event["by"] == "chance" for event in record["events"][20:])
        assert 0 < checked < sum(event["by"] == "chance" for event in record["events"])
        assert f"all its chance events after them ({checked}) follow" in result.output


class TestTheCommand:
    def run(self, tmp_path, record, *arguments):
        path = tmp_path / "game.json"
        path.write_text(json.dumps(record))
        return CliRunner().invoke(main, ["verify", str(path), *arguments])

    @pytest.mark.parametrize(("given", "text"), [(1, "event is"), (2, "2 events are")])
    def test_names_the_inherited_events_in_the_singular_or_the_plural(self, tmp_path, given, text):
        continued = continued_game(find_game("trick-walls"), given, SECRET)
        assert f"its first {text} not checked." in self.run(tmp_path, continued).output

    def test_accepts_a_game_that_follows_its_commitment(self, tmp_path, record):
        result = self.run(tmp_path, record, "--commitment", commitment_of(SECRET).upper())
        assert result.exit_code == 0, result.output
        assert commitment_of(SECRET) in result.output
        assert "all its chance events (4) follow" in result.output

    def test_refuses_a_game_that_violates_its_commitment(self, tmp_path, record):
        result = self.run(tmp_path, {**record, "deal": deal_of("5f" * 32)})
        assert result.exit_code == 1
        assert "this is not what was committed to" in result.output

    def test_refuses_a_commitment_other_than_the_published_one(self, tmp_path, record):
        result = self.run(tmp_path, record, "--commitment", "5f" * 32)
        assert result.exit_code == 1
        assert f"but {'5f' * 32} was shown" in result.output
