"""A process with loaded libraries that forks for each test run; loading takes most of the time of a narrow test.

Each line of its input is a run of pytest as JSON: the ``words`` of its command line and the file for its ``output``.
For each it prints the process id, and at the end the exit status. Nothing of Parlour is loaded here, so every run
loads the current sources.
"""

import json
import os
import sys
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points

_LIBRARIES = (
    "numba", "numba.extending", "hypothesis", "playwright.sync_api", "scipy.special", "scipy.optimize", "scipy.sparse",
    "sqlalchemy", "fastapi.middleware.gzip", "uvicorn.protocols.http.h11_impl", "websockets.sync.client", "httpx",
    "prometheus_client", "orjson", "platformdirs", "filelock", "click.testing", "rich.progress", "segno", "choix",
    "markdown_it", "PIL.Image", "axe_playwright_python.sync_playwright",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)  # fmt: skip


def load() -> None:
    """Import the libraries and the plugins of pytest."""
    for name in _LIBRARIES:
        with suppress(ImportError):
            import_module(name)
    for plugin in entry_points(group="pytest11"):
        plugin.load()


def run(words: list[str], output: str) -> None:
    """Run pytest in a new session and exit."""
    import pytest

    os.setsid()
    with open(output, "wb") as file, open(os.devnull, "rb") as nothing:
        for where, what in ((0, nothing), (1, file), (2, file)):
            os.dup2(what.fileno(), where)
    status = pytest.main(words)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(status))


def main() -> None:
    """Serve requests until the input ends."""
    sys.path[0] = os.getcwd()  # instead of this file's folder
    load()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            run(asked["words"], asked["output"])
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
