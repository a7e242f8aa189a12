"""The browser of the end-to-end tests: the machine's Chromium, or one that is installed on demand.

Chromium's headless shell is preferred: it is the same engine without windows and takes a quarter less CPU.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.programs import apt_install

SHELL = "chromium-headless-shell"  # also the name of Debian's package
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Chromium's sandbox does not work as root, and a container's /dev/shm is small.
ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage") if hasattr(os, "geteuid") and os.geteuid() == 0 else ()


def executable() -> str | None:
    """Return the path of the machine's Chromium for Playwright's `executable_path`; None means Playwright's own."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def playwright_has_one() -> bool:
    """Return whether Playwright's own Chromium is installed."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


def require() -> None:
    """Install a browser if there is none. If that fails, the end-to-end tests fail."""
    if os.environ.get("CHROMIUM") or shutil.which(SHELL) or playwright_has_one() or apt_install(SHELL):
        return
    if executable() or apt_install("chromium"):
        return
    subprocess.run([sys.executable, "-m", "playwright", "install", "--with-deps", "chromium"], check=False)
