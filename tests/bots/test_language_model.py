"""The example bot that asks a language model: good, malformed, late and missing answers."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from examples.llm_bot import ENOUGH, LanguageModel, rule_of_thumb

import parlour
from parlour.bots import choose_for, find_bot
from parlour.engine.chance import new_stream

pytestmark = pytest.mark.slow

SETUP = parlour.make("trime-kicker", ace="high")


class Model:
    """The answers of a server: ``reply`` computes each from its request. All requests are recorded."""

    def __init__(self) -> None:
        self.reply: Callable[[str], bytes] = lambda asked: b""
        self.asked: list[dict] = []
        self.keys: list[str | None] = []
        self.over = threading.Event()

    def say(self, text: Callable[[str], str]) -> None:
        self.reply = lambda asked: json.dumps({"choices": [{"message": {"content": text(asked)}}]}).encode()


@pytest.fixture
def model(monkeypatch) -> Iterator[Model]:
    found = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            found.asked.append({"path": self.path, **body})
            found.keys.append(self.headers["Authorization"])
            reply = found.reply(body["messages"][1]["content"])
            self.send_response(200 if reply else 500)
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *ignored) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_MODEL", "small")
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    yield found
    found.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


def legal_in(asked: str) -> list[str]:
    """Return the legal actions in a prompt to the model."""
    return asked.splitlines()[-1].removeprefix("legal: ").split(", ")


def decision() -> parlour.Observation:
    """Return an observation with several legal actions."""
    return SETUP.start(seed=3).observation()


class TestUsableAnswers:
    def test_the_last_named_action_is_taken(self, model):
        model.say(lambda asked: f"Not {legal_in(asked)[0]}, I think:\n\n**{legal_in(asked)[-1].lower()}**.")
        seen = decision()
        assert LanguageModel().choose(seen) == legal_in(seen.text)[-1]

    def test_an_action_is_not_confused_with_its_prefix(self, model):
        assert LanguageModel().parse_answer("4D on 12 or 4D on 1", ["4D on 1", "4D on 12"]) == "4D on 1"
        assert LanguageModel().parse_answer("bid 10", ["bid 1", "bid 10"]) == "bid 10"

    def test_a_whole_game_is_played_and_the_prompts_have_only_rules_and_observations(self, model, capsys):
        model.say(lambda asked: legal_in(asked)[0])
        match = parlour.play(SETUP, [LanguageModel(), "thumb"], seed=3)
        assert match.over
        assert capsys.readouterr().err == ""
        first = model.asked[0]
        assert (first["path"], first["model"]) == ("/v1/chat/completions", "small")
        assert "TK-1" in first["messages"][0]["content"]
        assert first["messages"][1]["content"].startswith("Trime Kicker, 2 players, ace=high. Seat 0 sees:")
        assert set(model.keys) == {"Bearer not-a-real-key"}


class TestUnusableAnswers:
    @pytest.mark.parametrize(
        ("answer", "why"),
        [("I resign.", "'I resign.' names no legal action"), ("", "names no legal action")],
        ids=["prose", "nothing"],
    )
    def test_the_rule_of_thumb_then_plays_and_the_reason_is_printed(self, model, capsys, answer, why):
        model.say(lambda asked: answer)
        seen = decision()
        assert LanguageModel().choose(seen) == rule_of_thumb(seen)
        assert why in capsys.readouterr().err

    @pytest.mark.parametrize("reply", [b"<html>", b"{}", b"[]", b""], ids=["no JSON", "no choices", "a list", "500"])
    def test_it_plays_also_without_a_chat_completion(self, model, capsys, reply):
        model.reply = lambda asked: reply
        seen = decision()
        assert LanguageModel().choose(seen) == rule_of_thumb(seen)
        stderr = capsys.readouterr().err
        assert ("not a chat completion" if reply else "500") in stderr
        assert "not-a-real-key" not in stderr

    def test_after_several_late_answers_the_model_is_not_asked_any_more(self, model, capsys):
        model.reply = lambda asked: b"late" if model.over.wait(60) else b"never"
        bot, seen = LanguageModel(), decision()
        bot.seconds = 0.05
        assert {bot.choose(seen) for _ in range(ENOUGH + 2)} == {rule_of_thumb(seen)}
        stderr = capsys.readouterr().err
        assert stderr.count("no answer within 0.05 seconds") == ENOUGH
        assert stderr.count("no longer asked after 3 failed requests") == 2

    def test_without_a_listening_server_the_game_is_still_played(self, monkeypatch, capsys):
        monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
        monkeypatch.setenv("OPENAI_MODEL", "small")
        match = parlour.play(SETUP, ["thumb", LanguageModel()], seed=3)
        assert match.over
        assert "refused" in capsys.readouterr().err

    def test_the_address_of_the_model_is_required(self, monkeypatch):
        monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
        with pytest.raises(ValueError, match="OPENAI_BASE_URL and OPENAI_MODEL"):
            LanguageModel()


class TestTheRuleOfThumb:
    @pytest.mark.parametrize("game", parlour.games())
    def test_is_the_built_in_one(self, game):
        match = parlour.make(game).start(seed=5)
        for _ in range(4):
            stream = new_stream(len(match.events))
            assert rule_of_thumb(match.observation()) == choose_for(match, find_bot("thumb"), stream)
            match.act(match.legal()[-1])
