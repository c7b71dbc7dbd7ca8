"""A server in a process of its own."""

import os
import re
import signal
import subprocess
import sys

import httpx

from parlour.server.store.store import Store
from tests.server.card_room import PATIENCE, free_port, order


class Process:
    """A server in a process of its own, at a port that stays the same."""

    program = ("-m", "parlour")

    def __init__(self, database, *arguments):
        self.database = database
        self.arguments = arguments
        self.port = free_port()
        self.start()

    def start(self):
        command = [sys.executable, *self.program, "serve", "--no-warm-up", "--no-pace", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--database", str(self.database), *self.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline())[1])

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def open(self, *seats, **more):
        answer = httpx.post(f"http://127.0.0.1:{self.port}/api/tables", json=order(*seats, **more), timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def get(self, path):
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE)


def events_in(database, table):
    store = Store(database)
    try:
        return store.load(table["table"]).events
    finally:
        store.close()
