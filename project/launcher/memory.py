"""Save memory of a web process, before it starts threads and imports its packages."""

import ctypes
import sys
from typing import Any

M_ARENA_MAX = -8  # of glibc's malloc.h
OPTIONAL = ("OpenSSL", "click", "cbor2")  # TLS, which a proxy terminates; colours; another encoding of WAMP


def memory_save() -> None:
    """Share one malloc arena between all threads, and skip the packages that are never used.

    ADR 9 has the figures.
    """
    arenas_limit()
    unused_imports_skip()


def arenas_limit() -> None:
    """Let all threads allocate from one arena of glibc. A thread's own arena keeps memory that no other thread reuses.

    Python's threads rarely allocate at the same time, so they do not wait for each other. Other C libraries have no
    arenas.
    """
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(M_ARENA_MAX, 1)


def unused_imports_skip() -> None:
    """Keep packages that no page reaches out of this process: options of Twisted and autobahn."""
    modules: dict[str, Any] = sys.modules
    for name in OPTIONAL:
        modules.setdefault(name, None)  # an import raises ImportError, as without the package
