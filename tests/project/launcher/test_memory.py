"""A web process has one malloc arena, and does not load packages that no page uses at first."""

import ctypes
import subprocess
import sys

import pytest

from project.config import ROOT
from project.launcher.memory import OPTIONAL

# Eight threads allocate at the same time, then glibc lists its arenas on stderr.
ALLOCATING = """
import ctypes, threading
together = threading.Barrier(8)
def allocate():
    together.wait()
    blocks = [bytearray(5_000) for _ in range(100)]
    together.wait()
threads = [threading.Thread(target=allocate) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
ctypes.CDLL(None).malloc_stats()
"""
# Large packages that are imported where they are used: by senders of pushes, computations and files of samples.
LATE = {"aiohttp", "numpy", "openpyxl", "pywebpush"}
SAVED = "from project.launcher.memory import memory_save; memory_save()\n"
LOADED = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django
django.setup()
from project.launcher.serve import _install_reactor
_install_reactor()
import project.asgi, project.server.daphne_server
print(*sorted(name for name in sys.modules if getattr(sys.modules[name], "__file__", None)))
"""


def python(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_stats"), reason="this C library has no arenas")
def test_threads_share_one_arena() -> None:
    assert python(ALLOCATING).stderr.count("Arena") > 1
    assert python(SAVED + ALLOCATING).stderr.count("Arena") == 1


def test_server_does_not_load_optional_packages() -> None:
    done = python(SAVED + LOADED)
    packages = {name.partition(".")[0] for name in done.stdout.split()}
    assert packages >= {"project", "twisted", "autobahn", "reactpy"}, done.stderr
    assert packages.isdisjoint({*OPTIONAL, *LATE, "service_identity"})
