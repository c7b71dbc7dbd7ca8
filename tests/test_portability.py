"""Portability: without functions of Linux, as on Windows, all modules can be imported and a game can be played."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import parlour

HIDDEN = """
import asyncio, asyncio.subprocess, builtins, multiprocessing.reduction, os, select, signal, socket, sys, tempfile, time
import concurrent.futures.process, multiprocessing.shared_memory, subprocess, webbrowser
# Libraries have ways of their own for each system.
import fastapi, filelock, numba, numpy, platformdirs, prometheus_client, rich, segno, sqlalchemy, uvicorn
import uvicorn.protocols.http.h11_impl, websockets.sync.client

MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix", "curses", "readline"}
by_itself = builtins.__import__

def imported(name, globals=None, *more, **named):
    if name.partition(".")[0] in MODULES and (globals or {}).get("__name__", "").startswith("parlour"):
        raise ImportError(f"no module named {name!r} here")
    return by_itself(name, globals, *more, **named)

builtins.__import__ = imported
for module, names in {
    os: "getuid geteuid getgid getegid getgroups fork nice chown lchown fchmod getloadavg sysconf wait4 killpg setsid "
        "memfd_create sched_getaffinity mkfifo getpgid uname sendfile",
    socket: "SOCK_SEQPACKET send_fds recv_fds SO_REUSEPORT",
    signal: "SIGKILL SIGHUP SIGUSR1 SIGUSR2 SIGALRM SIGCHLD pthread_kill pthread_sigmask alarm setitimer",
    select: "poll epoll",
    multiprocessing.reduction: "DupFd",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)

def no_handlers(*ignored):
    raise NotImplementedError

asyncio.get_event_loop_policy()
asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler = no_handlers
"""

IMPORTS = """
import importlib, importlib.util, pathlib
import parlour
folder = pathlib.Path(parlour.__file__).parent
paths = [path.relative_to(folder.parent).with_suffix("") for path in folder.rglob("*.py")]
assert len(paths) > 100
for path in paths:
    if path.name == "env":  # Alembic runs it; it cannot be imported
        continue
    if path.name == "sb3" and importlib.util.find_spec("stable_baselines3") is None:  # an extra that tests do not need
        continue
    importlib.import_module(".".join(path.parts).removesuffix(".__init__"))
"""

PLAYS = """
import json, threading, urllib.request
from parlour.interrupts import keep_interrupts, defer_interrupts
from parlour.server.process.run import listen
from parlour.server.process.resources import raise_file_limit, schedule_garbage_collection
from parlour.server.process.web_server import Server, make_config
from parlour.server.process.settings import Settings
from parlour.server.store.store import Store
from parlour.server.process.workers import run_workers
from parlour.engine.errors import ParlourError

raise_file_limit()
with tempfile.TemporaryDirectory() as folder, keep_interrupts(), defer_interrupts():
    listening, store = listen("127.0.0.1", 0), Store(f"{folder}/tables.sqlite")
    port = listening.getsockname()[1]
    server = Server(make_config(store), schedule_garbage_collection)
    serving = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    serving.start()
    seats = [{"kind": "you", "name": "Ann"}, {"kind": "bot", "bot": "thumb", "name": "Bo"}]
    wanted = {"game": parlour.games.game_ids()[0], "players": 2, "options": {}, "seats": seats}
    while not server.started:
        assert serving.is_alive()
        time.sleep(0.01)
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/tables", json.dumps(wanted).encode(), headers)
    table = json.load(urllib.request.urlopen(request))
    with websockets.sync.client.connect(f"ws://127.0.0.1:{port}/api/tables/{table['table']}/play") as client:
        client.send(json.dumps({"type": "hello", "key": table["key"]}))
        acted = None
        while True:
            message = json.loads(client.recv(120))
            assert message["type"] in ("table", "company", "scenes", "onlookers"), message
            scene = message["scenes"][-1] if message["type"] == "scenes" else {"legal": [], "seen": -1}
            if acted is not None and scene["seen"] > acted:
                break
            if acted is None and scene["legal"]:
                acted = scene["seen"]
                client.send(json.dumps({"type": "act", "do": scene["legal"][0], "seen": acted}))
    server.should_exit = True
    serving.join(30)
    store.close()
    with listen("127.0.0.1", 0) as listening:
        try:
            run_workers(listening, Settings(workers=2), print)
        except ParlourError as error:
            print(error)
"""


@pytest.mark.slow
def test_everything_is_imported_and_only_several_workers_are_refused():
    command = [sys.executable, "-X", "warn_default_encoding", "-c", HIDDEN + IMPORTS + PLAYS]
    run = subprocess.run(command, capture_output=True, text=True, timeout=250)
    assert run.returncode == 0, run.stderr
    assert "several workers need Linux" in run.stdout
    assert "Traceback" not in run.stderr
    ours = f"{Path(parlour.__file__).parent}{os.sep}"
    assert [line for line in run.stderr.splitlines() if line.startswith(ours) and "EncodingWarning" in line] == []
