"""Records: reading, writing, and the errors of wrong ones."""

import gzip
import io
import json
import sys

import pytest

from parlour.engine.errors import RecordError
from parlour.engine.matches import legal_moves
from parlour.engine.matches.notation import spelling_key
from parlour.engine.matches.records import RecordWriter, begin_replay, read_records, record_text, replay, trace
from parlour.engine.matches.steps import COMPILED, INTERPRETED
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import random_game


@pytest.fixture(scope="module")
def whole():
    """Return a record of 36 decisions after dealer, colour and deal, as text."""
    return record_text(random_game(Setup(find_game("trick-walls"), 4, {"rounds": 1}), 9).record())


@pytest.fixture
def record(whole):
    return json.loads(whole)


def refusal_of(record, place="games.jsonl, line 3"):
    """Return the error for a record; it is the same for interpreted and compiled rules."""
    messages = set()
    for steps in (INTERPRETED, COMPILED):
        with pytest.raises(RecordError) as caught:
            replay(record, place, steps)
        messages.add(str(caught.value))
    assert len(messages) == 1
    (message,) = messages
    assert message.startswith(f"{place}")
    return message.removeprefix(place).lstrip(",: ")


def read(path):
    return list(read_records(str(path)))


def unreadable(path):
    with pytest.raises(RecordError) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path)).lstrip(",: ")


class TestReading:
    def test_a_file_may_have_one_record_a_line(self, tmp_path, whole):
        path = tmp_path / "games.jsonl"
        path.write_text(f"{whole}\n\n{whole}\n")
        assert read(path) == [(f"{path}, line 1", json.loads(whole)), (f"{path}, line 3", json.loads(whole))]

    def test_the_last_line_needs_no_newline(self, tmp_path, whole):
        path = tmp_path / "games.jsonl"
        path.write_text(f"{whole}\n{whole}")
        assert len(read(path)) == 2

    @pytest.mark.parametrize("indent", [1, 4, "\t"])
    def test_a_file_may_be_one_record_on_many_lines(self, tmp_path, record, indent):
        path = tmp_path / "game.json"
        path.write_text(json.dumps(record, indent=indent))
        assert read(path) == [(str(path), record)]

    def test_a_record_on_many_lines_may_follow_a_blank_line(self, tmp_path, record):
        path = tmp_path / "game.json"
        path.write_text("\n" + json.dumps(record, indent=1))
        assert read(path) == [(str(path), record)]

    @pytest.mark.parametrize("name", ["games.jsonl.gz", "games"])
    def test_a_gzipped_file_needs_no_special_name(self, tmp_path, whole, name):
        path = tmp_path / name
        path.write_bytes(gzip.compress(f"{whole}\n".encode()) * 2)
        assert [found for _, found in read(path)] == [json.loads(whole)] * 2

    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_standard_input_is_read_packed_or_not(self, monkeypatch, whole, pack):
        given = io.TextIOWrapper(io.BufferedReader(io.BytesIO(pack(whole.encode()))))
        monkeypatch.setattr(sys, "stdin", given)
        assert list(read_records("-")) == [("standard input, line 1", json.loads(whole))]

    def test_unknown_keys_are_ignored(self, record):
        record["clock"] = {"seconds": [1, 2]}
        record["events"][3]["thought"] = "hm"
        assert replay(record).over

    def test_options_may_be_left_out_and_defaults_spelled_out(self, record):
        record["options"] = {"rounds": 1, "long_run": False, "pure_bonuses": True, "exchange": True}
        assert replay(record).record()["options"] == {"rounds": 1}
        del record["options"], record["result"]
        assert begin_replay(record).options["rounds"] == 4

    def test_an_unfinished_game_has_no_result(self, record):
        del record["result"]
        record["events"] = record["events"][:20]
        assert not replay(record).over
        assert trace(record)["result"] is None


class TestWriting:
    @pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
    def test_written_records_can_be_read(self, tmp_path, record, name):
        path = tmp_path / name
        other = {**record, "players": 3}
        with RecordWriter(str(path)) as writer:
            writer.write(record)
            writer.write(other)
        assert writer.written == 2
        assert [found for _, found in read(path)] == [record, other]
        assert (path.read_bytes()[:2] == b"\x1f\x8b") is name.endswith(".gz")

    def test_a_record_is_one_line(self, tmp_path, record, whole):
        path = tmp_path / "games.jsonl"
        with RecordWriter(str(path)) as writer:
            writer.write(record)
            assert path.read_text() == f"{whole}\n", "it is there at once, not only at the end"

    def test_standard_output_stays_open(self, capfdbinary, record, whole):
        with RecordWriter("-") as writer:
            writer.write(record)
        print("after")
        sys.stdout.flush()
        assert capfdbinary.readouterr().out == f"{whole}\nafter\n".encode()

    def test_a_full_disk_is_reported(self, record):
        message = "^/dev/full: cannot be written: No space left on device; it holds 0 records$"
        with pytest.raises(RecordError, match=message), RecordWriter("/dev/full") as writer:
            writer.write(record)

    def test_a_missing_folder_is_reported(self, tmp_path):
        name = str(tmp_path / "nowhere" / "games.jsonl")
        with pytest.raises(RecordError, match=r"nowhere/games\.jsonl: cannot be written: No such file"):
            RecordWriter(name).__enter__()

    def test_after_a_failure_the_file_ends_with_a_whole_record(self, tmp_path, record, whole):
        """The disk becomes full in the middle of a record."""
        import resource
        import signal

        path, limit = tmp_path / "games.jsonl", len(whole) + 100
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            with RecordWriter(str(path)) as writer:
                writer.write(record)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
                with pytest.raises(RecordError, match=r"cannot be written: File too large; it holds 1 record$"):
                    writer.write(record)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, handler)
        assert [found for _, found in read(path)] == [record]


class TestAByteOrderMark:
    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_at_the_beginning_is_skipped(self, tmp_path, whole, pack):
        path = tmp_path / "games.jsonl"
        path.write_bytes(pack(f"{whole}\n{whole}\n".encode("utf-8-sig")))
        assert [found for _, found in read(path)] == [json.loads(whole)] * 2


class TestFilesThatCannotBeRead:
    def test_a_missing_file_is_named(self, tmp_path):
        assert unreadable(tmp_path / "none.json") == "No such file or directory"

    def test_a_folder_is_refused(self, tmp_path):
        assert unreadable(tmp_path) == "Is a directory"

    @pytest.mark.parametrize("text", ["", "\n \n"])
    def test_an_empty_file_is_refused(self, tmp_path, text):
        path = tmp_path / "empty"
        path.write_text(text)
        assert unreadable(path) == "empty; a record is a JSON object with the keys game, players and events"

    def test_truncated_json_is_refused_with_its_line(self, tmp_path, whole):
        path = tmp_path / "games.jsonl"
        path.write_text(f"{whole}\n{whole[:-1]}\n{whole}\n")
        assert unreadable(path).startswith("line 2: not JSON: Expecting ',' delimiter (column ")
        path.write_text(whole[:200])
        assert unreadable(path).startswith("line 1: not JSON: Unterminated string starting at (column ")

    def test_truncated_pretty_json_is_refused_with_its_line(self, tmp_path, record):
        path = tmp_path / "game.json"
        path.write_text("\n".join(json.dumps(record, indent=1).splitlines()[:10]))
        assert unreadable(path).startswith("line 10: not JSON: ")

    def test_the_records_before_the_damage_are_read(self, tmp_path, whole):
        path = tmp_path / "games.jsonl"
        path.write_text(f"{whole}\nnonsense\n")
        records = read_records(str(path))
        assert next(records)[1] == json.loads(whole)
        with pytest.raises(RecordError, match=r"line 2: not JSON: Expecting value \(column 1\)"):
            next(records)

    @pytest.mark.parametrize("cut", [-1, -8, -100, 30, 5])
    def test_truncated_gzip_is_refused(self, tmp_path, whole, cut):
        path = tmp_path / "games.jsonl.gz"
        path.write_bytes(gzip.compress(whole.encode())[:cut])
        assert unreadable(path).startswith("the gzipped file is damaged or cut short: ")

    def test_damaged_gzip_is_refused(self, tmp_path, whole):
        path = tmp_path / "games.jsonl.gz"
        packed = bytearray(gzip.compress(whole.encode()))
        packed[60:80] = bytes(20)
        path.write_bytes(packed)
        unreadable(path)

    def test_binary_data_are_refused(self, tmp_path):
        path = tmp_path / "games.jsonl"
        path.write_bytes(b'{"game": "\xff\xfe"}')
        assert unreadable(path).startswith("not a text in UTF-8: ")

    @pytest.mark.parametrize(
        ("text", "kind"), [("[1, 2]", "list"), ("3", "int"), ('"game"', "str"), ("null", "NoneType")]
    )
    def test_another_value_than_an_object_is_refused(self, tmp_path, text, kind):
        path = tmp_path / "games.jsonl"
        path.write_text(f"{text}\n")
        assert unreadable(path) == f"line 1: a record is a JSON object, not {kind}"

    @pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
    def test_deeply_nested_json_is_refused(self, tmp_path, text):
        path = tmp_path / "games.jsonl"
        path.write_text(text)
        assert "nested too deeply to be a record" in unreadable(path)
        path.write_text("{}\n" + text)
        assert unreadable(path) == "line 2: nested too deeply to be a record"

    def test_values_nested_almost_too_deeply_are_refused(self, tmp_path, record):
        path = tmp_path / "games.jsonl"
        for key in ("options", "players", "game", "format"):
            head, tail = json.dumps({**record, key: "here"}).split('"here"')
            for depth in range(sys.getrecursionlimit() - 150, sys.getrecursionlimit()):
                path.write_text(f"{head}{'[' * depth}{']' * depth}{tail}\n")
                with pytest.raises(RecordError):
                    [replay(found, place) for place, found in read(path)]

    @pytest.mark.parametrize("before", ["", "{}\n"])
    def test_a_number_of_too_many_digits_is_refused(self, tmp_path, before):
        path = tmp_path / "games.jsonl"
        path.write_text(before + '{"players": ' + "9" * 5000 + "}\n")
        assert "not JSON: " in unreadable(path)


class TestWrongHeads:
    @pytest.mark.parametrize("key", ["format", "game", "players", "events"])
    def test_a_missing_key_is_named(self, record, key):
        del record[key]
        assert refusal_of(record) == f"the key {key!r} is missing"

    @pytest.mark.parametrize(
        ("key", "value", "message"),
        [
            ("options", [], "'options' must be an object, not []"),
            ("options", None, "'options' must be an object, not null"),
            ("events", {}, "'events' must be a list, not {}"),
            ("events", "deal", "'events' must be a list, not \"deal\""),
            ("players", "4", "'players' must be a whole number, not \"4\""),
            ("players", True, "'players' must be a whole number, not true"),
            ("players", 4.0, "'players' must be a whole number, not 4.0"),
            ("game", 7, "'game' must be a text, not 7"),
            ("format", 1, "'format' must be a text, not 1"),
            ("format", "parlour-record/2", "the format is 'parlour-record/2', but only 'parlour-record/1' can be read"),
            ("players", 7, "Trick Walls is for 2 to 6 players, not 7"),
            ("players", 0, "Trick Walls is for 2 to 6 players, not 0"),
            ("players", -1, "Trick Walls is for 2 to 6 players, not -1"),
            ("options", {"rounds": "1"}, "rounds is '1', but must be a whole number, 1 to 99 (TW-5)"),
            ("options", {"rounds": [1]}, "rounds is [1], but must be a whole number, 1 to 99 (TW-5)"),
            ("options", {"long_run": 1}, "long_run is 1, but may be true, false (TW-23)"),
        ],
    )
    def test_a_wrong_value_is_named(self, record, key, value, message):
        record[key] = value
        assert refusal_of(record) == message

    def test_the_error_for_an_unknown_game_lists_the_games(self, record):
        record["game"] = "hearts"
        assert refusal_of(record).startswith("there is no game 'hearts'; there are ")
        assert "trick-walls" in refusal_of(record)

    def test_the_error_for_an_unknown_option_lists_the_options(self, record):
        record["options"] = {"speed": 3}
        assert refusal_of(record).startswith(
            "Trick Walls has no option 'speed'; it has pure_bonuses, pure_bonus_points,"
        )

    @pytest.mark.parametrize("wrong", [{"options": {"x" * 10_000: 3}}, {"players": 10**4000}])
    def test_a_long_wrong_value_is_shortened(self, record, wrong):
        assert len(refusal_of({**record, **wrong})) < 500

    @pytest.mark.parametrize("game", ["", "../trick_walls", "trick_walls", "Trick Walls", "trick-walls\0"])
    def test_a_game_is_named_by_its_id_alone(self, record, game):
        record["game"] = game
        assert refusal_of(record).startswith("there is no game ")


class TestWrongEvents:
    def test_a_card_not_in_the_hand_is_refused(self, record):
        player, card = record["events"][3]["by"], record["events"][3]["do"]
        other = next(event["do"] for event in record["events"][4:] if event["by"] != player)
        record["events"][3]["do"] = other
        message = refusal_of(record)
        assert message.startswith(f"event 4: {other!r} is not legal: You do not hold the ")
        assert "(TW-7) Legal: " in message
        assert card in message.split("Legal: ")[1]

    def test_an_action_out_of_turn_is_refused(self, record):
        record["events"][3]["by"] = wrong = (record["events"][3]["by"] + 1) % 4
        assert refusal_of(record) == (
            f"event 4: seat {wrong} cannot do {record['events'][3]['do']!r}: it is the turn of seat {(wrong - 1) % 4}"
        )

    @pytest.mark.parametrize("number", [0, 1, 2, 3, 20, 38])
    @pytest.mark.parametrize("by", [-1, -2, 4, 99, 10**30])
    def test_an_unknown_seat_is_refused(self, record, number, by):
        record["events"][number]["by"] = by
        assert refusal_of(record).startswith(f"event {number + 1}: seat {by} cannot do ")

    def test_the_number_of_an_unknown_seat_is_shortened(self, record):
        record["events"][4]["by"] = 10**4000
        assert len(refusal_of(record)) < 200

    def test_chance_out_of_turn_is_refused(self, record):
        record["events"].insert(5, {"by": "chance", "do": "dealer A"})
        assert refusal_of(record).startswith("event 6: it is not the turn of chance: it is the turn of seat ")

    def test_an_event_after_the_end_is_refused(self, record):
        record["events"].append(dict(record["events"][-1]))
        assert refusal_of(record).endswith("it is the turn of no seat: the game is over")
        record["events"][-1] = {"by": "chance", "do": "dealer A"}
        assert refusal_of(record) == "event 40: it is not the turn of chance: the game is over"

    def test_a_missing_event_is_noticed_at_the_next_one(self, record):
        del record["events"][10]
        assert refusal_of(record).startswith("event 11: ")

    def test_a_deck_with_a_card_twice_is_refused(self, record):
        cards = record["events"][2]["do"].split()
        cards[5] = cards[6]
        record["events"][2]["do"] = " ".join(cards)
        assert refusal_of(record).endswith(f"is not legal: {cards[6]} is named twice.")
        assert refusal_of(record).startswith("event 3: 'deal ")

    def test_a_deck_with_a_card_missing_is_refused(self, record):
        *cards, last = record["events"][2]["do"].split()
        record["events"][2]["do"] = " ".join(cards)
        assert refusal_of(record).endswith(f"is not legal: {last} missing.")

    def test_a_deck_with_a_card_too_many_is_refused(self, record):
        record["events"][2]["do"] += " XR"
        assert refusal_of(record).endswith("is not legal: XR not in the deck.")

    @pytest.mark.parametrize(
        "event", [None, 3, "7H", [], {}, {"by": 0}, {"do": "7H"}, {"by": 0, "do": 7}, {"by": 0, "do": None}]
    )
    def test_a_malformed_event_is_refused(self, record, event):
        record["events"][4] = event
        assert refusal_of(record) == f'event 5: an event looks like {{"by": 0, "do": "…"}}, not {json.dumps(event)}'

    @pytest.mark.parametrize("by", [True, False, "0", None, 0.0, [0], "Chance"])
    def test_another_actor_than_chance_or_a_whole_number_is_refused(self, record, by):
        record["events"][4]["by"] = by
        assert refusal_of(record) == f"event 5: 'by' must be \"chance\" or a player's number, not {json.dumps(by)}"

    @pytest.mark.parametrize("do", ["", " ", "7h", "\ud800", "7H\n", "x" * 10_000, "\x1b[2J", "deal", "7H 7H"])
    def test_a_malformed_action_is_refused_in_a_short_message(self, record, do):
        record["events"][4]["do"] = do
        message = refusal_of(record)
        assert message.startswith("event 5: ")
        assert "Legal: " in message
        assert len(message) < 600
        assert "\x1b" not in message

    def test_a_malformed_action_is_brought_into_its_spelling_once(self, record, monkeypatch):
        """A record may have an action of megabytes, and each position many legal actions."""
        spelled = []
        monkeypatch.setattr(legal_moves, "spelling_key", lambda text: spelled.append(text) or spelling_key(text))
        record["events"][3]["do"] = "7H " * 10  # the first lead: every card of the hand is legal
        with pytest.raises(RecordError):
            replay(record)
        assert spelled.count("7H " * 10) == 1

    def test_deeply_nested_values_are_shortened(self, record):
        nested = json.loads("[" * 500 + "]" * 500)
        for key in ("options", "players", "game"):
            assert len(refusal_of({**record, key: nested})) < 200
        assert len(refusal_of({**record, "result": nested})) < 400
        assert len(refusal_of({**record, "events": [nested]})) < 200
        assert len(refusal_of({**record, "options": {"rounds": nested}})) < 2000


class TestWrongResults:
    @pytest.mark.parametrize("change", [{"scores": [1, 1, 1, 1]}, {"winners": [3]}, {"winners": []}, {"winners": None}])
    def test_a_wrong_result_is_refused_with_the_right_one(self, record, change):
        right = json.dumps(record["result"])
        record["result"] = {**record["result"], **change}
        assert refusal_of(record) == f"the result is {json.dumps(record['result'])}, but should be {right}"

    def test_numbers_of_another_type_are_refused(self, record):
        result = record["result"]
        as_floats = {key: [float(number) for number in numbers] for key, numbers in result.items()}
        for change in ({"scores": as_floats["scores"]}, {"winners": as_floats["winners"]}):
            assert "but should be" in refusal_of({**record, "result": {**result, **change}})

    def test_further_keys_are_ignored(self, record):
        record["result"]["more"] = 1
        assert replay(record).over

    def test_a_result_of_an_unfinished_game_is_refused(self, record):
        record["events"].pop()
        message = refusal_of(record)
        assert message.startswith("there is a result, but the game goes on: it is the turn of seat ")

    @pytest.mark.parametrize("result", [[], 3, "draw", True, {}])
    def test_a_malformed_result_is_refused(self, record, result):
        record["result"] = result
        assert refusal_of(record).startswith(f"the result is {json.dumps(result)}, but should be ")


class TestResignations:
    @pytest.fixture
    def resigned(self, record):
        del record["result"]
        return {**record, "events": record["events"][:5], "ending": self.ending()}

    def ending(self, **change):
        return {"by": "resignation", "seat": 1, "winners": [0, 2], **change}

    @pytest.mark.parametrize("winners", [[0, 2], []])
    def test_end_an_unfinished_game(self, resigned, winners):
        """A game of one side has no winner if its last player resigns."""
        assert len(replay({**resigned, "ending": self.ending(winners=winners)}).events) == 5

    @pytest.mark.parametrize("ending", ["soon", None, [], {"by": "time", "seat": 77}])
    def test_another_ending_is_an_unknown_key(self, resigned, ending):
        assert len(replay({**resigned, "ending": ending}).events) == 5

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            ({"seat": 77}, "the seat 77; the game has the seats [0, 1, 2, 3]"),
            ({"seat": True}, "the seat True"),
            ({"seat": None}, "the seat None"),
            ({"winners": [99]}, "the winners [99]"),
            ({"winners": [0, 0]}, "the winners [0, 0]"),
            ({"winners": [2, 0]}, "the winners [2, 0]"),
            ({"winners": [True]}, "the winners [True]"),
            ({"winners": ["\x1b[2J"]}, "the winners"),
            ({"winners": 0}, "the winners 0"),
        ],
    )
    def test_of_impossible_seats_are_refused(self, resigned, change, error):
        assert refusal_of({**resigned, "ending": self.ending(**change)}).startswith(f"'ending' has {error}")

    @pytest.mark.parametrize("winners", [[99], [2, 0], [True], "0", None])
    def test_that_name_other_winners_than_seats_in_order_are_refused(self, record, winners):
        resigned = {**record, "resigned": [{"seat": 1, "after": 3}], "winners": winners}
        assert refusal_of(resigned).startswith("the record has the winners ")
        assert replay({**record, "winners": winners}).over, "without a resignation the key is an unknown one"

    def test_of_a_finished_game_is_refused(self, record):
        message = "the game ends by its rules, but 'ending' says that a player resigned"
        assert refusal_of({**record, "ending": self.ending()}) == message
        assert refusal_of({**record, "result": None, "ending": self.ending()}) == message
