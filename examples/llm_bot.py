"""A language model as a player, at any endpoint with OpenAI's interface.

    export OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=llama3.2
    parlour match examples.llm_bot:LanguageModel thumb trime-kicker --deals 5

``OPENAI_API_KEY`` is sent if it is set; ``OPENAI_SECONDS`` limits the time of an answer (30). The model gets the rules,
and at each decision its seat's observation in words with the legal actions. Without a usable answer the game's
heuristic plays, with a line on standard error.
"""

import json
import os
import queue
import re
import sys
import threading
import urllib.request

import numpy as np

from parlour import Observation, Setup
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.render.layouts import rules_text

ENOUGH = 3
"""Consecutive failed requests, by an error or a timeout, after which the model is no longer asked."""
TASK = """You play a card game, and want to win it. These are its rules:

{rules}

You are seat {seat} of {players}, counted from 0. You are told what you may know, and end your answer with a line that
is one of the legal actions, exactly as it is written there."""


class LanguageModel:
    """A bot that asks a language model, and follows the rule of thumb without a usable answer."""

    version = "1"

    def __init__(self) -> None:
        self.url = os.environ.get("OPENAI_BASE_URL", "")
        self.model = os.environ.get("OPENAI_MODEL", "")
        self.seconds = float(os.environ.get("OPENAI_SECONDS", "30"))
        if not self.url or not self.model:
            raise ValueError("OPENAI_BASE_URL and OPENAI_MODEL must say which language model is to play")
        self.unanswered = 0
        self.task = ""

    def begin(self, setup: Setup, seat: int) -> None:
        """Read the rules; called before the first event."""
        self.task = TASK.format(rules=rules_text(setup.game.id), seat=seat, players=setup.players)

    def choose(self, observation: Observation) -> str:
        """Return one of the legal actions."""
        if len(observation.legal) == 1:
            return observation.legal[0]
        try:
            return self.parse_answer(self.answer(observation.text), observation.legal)
        except Exception as error:  # the game goes on after any error
            action = rule_of_thumb(observation)
            why = str(error) or type(error).__name__
            print(f"language model: {why}; plays by the rule of thumb: {action}", file=sys.stderr, flush=True)
            return action

    def answer(self, text: str) -> str:
        """Return the model's answer. Raises ``TimeoutError``, or any error of the request."""
        if self.unanswered >= ENOUGH:
            raise TimeoutError(f"no longer asked after {ENOUGH} failed requests")
        answers: queue.Queue[str | Exception] = queue.Queue()
        threading.Thread(target=self.ask, args=(text, answers), daemon=True).start()
        self.unanswered += 1
        try:
            answer = answers.get(timeout=self.seconds)
        except queue.Empty:
            raise TimeoutError(f"no answer within {self.seconds:g} seconds") from None
        if isinstance(answer, Exception):
            raise answer
        self.unanswered = 0
        return answer

    def ask(self, text: str, answers: "queue.Queue[str | Exception]") -> None:
        """Put the model's answer, or the error, into the queue."""
        messages = [{"role": "system", "content": self.task}, {"role": "user", "content": text}]
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("OPENAI_API_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        body = json.dumps({"model": self.model, "messages": messages}).encode()
        try:
            request = urllib.request.Request(f"{self.url.rstrip('/')}/chat/completions", body, headers)
            with urllib.request.urlopen(request, timeout=2 * self.seconds) as reply:
                answers.put(str(json.load(reply)["choices"][0]["message"]["content"]))
        except Exception as error:
            answers.put(error if isinstance(error, OSError) else ValueError("the answer is not a chat completion"))

    def parse_answer(self, answer: str, legal: "list[str]") -> str:
        """Return the legal action that an answer names last; the longer of two at one place. Raises ``ValueError``."""
        named = [
            (found.start(), len(text), text)
            for text in legal
            for found in re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", answer, re.IGNORECASE)
        ]
        if not named:
            raise ValueError(f"{answer[-60:]!r} names no legal action")
        return max(named)[2]


def rule_of_thumb(observation: Observation) -> str:
    """Return the action of the game's heuristic, as the bot ``thumb`` plays it."""
    state, actions = observation.observed, np.zeros(rules.MAX_ACTIONS, np.int64)
    number = rules.legal(state, actions)
    chosen = rules.heuristic_choice(state, actions, number, new_stream(observation.seen))
    return observation.setup.game.name(state, int(actions[chosen]))
