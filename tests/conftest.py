"""Settings of every test process, hypothesis included, and shared fixtures: contests on one core, one browser."""

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright import sync_api as playwright

from parlour.jobs import pool

IN_MEMORY = Path("/dev/shm")
"""The folder of Linux for files in memory."""
ENOUGH_BYTES = 4 << 30
"""Free memory, in bytes, with which temporary files are in memory."""


def has_room_in_memory() -> bool:
    """Return whether memory has room for temporary files and allows programs."""
    try:
        about = os.statvfs(IN_MEMORY)
    except OSError:
        return False
    free = about.f_bavail * about.f_frsize
    return free > ENOUGH_BYTES and not about.f_flag & os.ST_NOEXEC and os.access(IN_MEMORY, os.W_OK)


if "TMPDIR" not in os.environ and has_room_in_memory():  # a slow disk would dominate the time of many tests
    os.environ["TMPDIR"] = tempfile.tempdir = str(IN_MEMORY)
for name in ("LC_ALL", "LC_MESSAGES", "LANG"):  # commands and browsers are to speak English on every machine
    os.environ[name] = "C.UTF-8"
os.environ["PARLOUR_QUIET"] = "1"  # standard error must not depend on which test compiles first
settings.register_profile(
    "parlour", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("parlour")

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The browser; the variant without windows needs a third less processor time and draws the same."""
PLAYWRIGHT_DOES_WITHOUT = [
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
]
"""Repeated because Chromium honours only the last --disable-features flag."""
POPUPS_OF_THE_ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]
"""Pages that every window would load as well; without them a new context takes half the time."""
ARGUMENTS = [
    f"--disable-features={','.join(PLAYWRIGHT_DOES_WITHOUT + POPUPS_OF_THE_ADDRESS_BAR)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


RARELY = (50_000, 20, 20)
"""Thresholds of the garbage collector: with Python's, it takes a seventh of the time of most tests."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector: the half million objects of the tests stay to the end anyway."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*RARELY)
        gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of processes for ``-n auto``: cores plus one, since tests of server and page wait often."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return an empty folder for installed packages (:mod:`tests.installed_packages`)."""
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session", autouse=True)
def one_core() -> Iterator[None]:
    """Play contests in the process of the test: starting others takes longer than the games of most tests.

    Tests of several processes name a number of cores.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "usual_cores", lambda: 1)
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[playwright.Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
