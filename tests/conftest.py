"""What every test shares: hypothesis kept short and repeatable, and one browser for whoever needs it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright import sync_api as playwright

settings.register_profile(
    "parlour", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("parlour")

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
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
"""Pages that every window would load beside ours; without them a new context takes half the time."""
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


MEMORY_OF_ONE = 1.5 * 2**30
"""Bytes that a process of the tests takes at most, its browser and its servers included."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """``-n auto``: two processes a core, if there is room, for many a test waits; ``-n logical``: one."""
    cores = len(os.sched_getaffinity(0))
    if config.option.numprocesses == "logical":
        return cores
    room = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MEMORY_OF_ONE
    return max(cores, min(2 * cores, int(room)))


@pytest.fixture(scope="session")
def chromium() -> Iterator[playwright.Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
