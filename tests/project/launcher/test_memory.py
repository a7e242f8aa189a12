"""A web process has one malloc arena, and loads at start only packages that its first pages need."""

import ctypes
import subprocess
import sys

import pytest

from project.config import ROOT
from project.launcher.checks import ON_FIRST_USE, packages_check
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
# Packages that a web process may load before it serves. All others are imported where they are first used, in a worker
# thread or in the child process that uses them (ADR 8).
AT_START = {
    *("django", "asgiref", "sqlparse", "psycopg", "psycopg_binary", "psycopg_pool", "allauth"),
    *("reactpy", "reactpy_django", "reactpy_router", "anyio", "sniffio", "channels", "dill", "fastjsonschema"),
    *("daphne", "twisted", "autobahn", "txaio", "zope", "attr", "attrs", "constantly", "hyperlink", "incremental"),
    *("_nvx_utf8validator", "_nvx_xormasker", "_cffi_backend", "cffi", "pycparser", "idna"),  # of autobahn
    *("anyascii", "brotli", "_brotli", "markdown_it", "mdurl", "orjson", "prometheus_client", "servestatic"),
    *("typing_extensions", "_distutils_hack"),
}
SAVED = "from project.launcher.memory import memory_save; memory_save()\n"
LOADED = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django
django.setup()
from project.launcher.serve import _install_reactor
_install_reactor()
import project.asgi, project.launcher.launch, project.server.daphne_server, project.server.static_files
print(*sorted(name for name in sys.modules if getattr(sys.modules[name], "__file__", None)))
"""


def python(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_stats"), reason="this C library has no arenas")
def test_threads_share_one_arena() -> None:
    assert python(ALLOCATING).stderr.count("Arena") > 1
    assert python(SAVED + ALLOCATING).stderr.count("Arena") == 1


def test_server_loads_only_packages_of_its_first_pages() -> None:
    done = python(SAVED + LOADED)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert loaded >= {"project", "twisted", "autobahn", "reactpy"}, done.stderr
    own = {"project", "components", "apps"}
    known = AT_START | own | sys.stdlib_module_names | {name for name in loaded if name.startswith("_sysconfigdata")}
    assert loaded - known == set()


def test_packages_that_wait_for_their_first_use_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(ON_FIRST_USE).isdisjoint({*AT_START, *OPTIONAL})
    assert packages_check() == []
    monkeypatch.setattr(sys, "path", [])
    sys.path_importer_cache.clear()
    missing = {name for name in ON_FIRST_USE if name not in sys.modules}
    named = {str(finding.msg).split()[2] for finding in packages_check()}
    assert named >= missing
    assert named
