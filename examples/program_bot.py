"""A bot as an external program, which needs only Python, not Parlour.

    parlour match "exec:python3 examples/program_bot.py" random trime-kicker

It reads messages from its standard input and answers on its standard output, each a line of JSON
(docs/bot-protocol.md), and plays the action that ``choose`` returns; put your own ideas there.
"""

import json
import sys


def choose(observation: dict) -> str:
    """Return one of the legal actions: here the one with the shortest text."""
    return min(observation["legal"], key=lambda text: (len(text), text))


def say(message: dict) -> None:
    """Write a message, and flush it: a buffered message would arrive late."""
    print(json.dumps(message), flush=True)


def main() -> None:
    """Answer messages until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "protocol": "parlour-bot/1", "name": "Brief", "version": "1.0"})
        elif message["type"] == "observation":
            say({"type": "act", "do": choose(message), "seen": message["seen"]})
        elif message["type"] == "quit":
            return


if __name__ == "__main__":
    main()
