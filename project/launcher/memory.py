"""Save memory of a web process, before it starts threads and imports its packages."""

import ctypes
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

M_ARENA_MAX = -8  # of glibc's malloc.h
OPTIONAL = ("OpenSSL", "click", "cbor2")  # TLS, which a proxy terminates; colours; another encoding of WAMP


def memory_save() -> None:
    """Share one malloc arena between all threads, and skip the packages that are never used.

    ADR 9 has the figures.
    """
    arenas_limit()
    unused_imports_skip()
    reactpy_import()


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


@contextmanager
def stand_ins(**names: Mapping[str, Any]) -> Iterator[None]:
    """Let modules with these names stand in for packages that an import in this context needs in name only.

    Each has the names that are read during the import ("__" is the dot of a module's name). A later import gets the
    packages themselves.
    """
    modules = {name.replace("__", "."): ModuleType(name) for name in names}
    for module, values in zip(modules.values(), names.values(), strict=True):
        vars(module).update(values)
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]


def reactpy_import() -> None:
    """Import ReactPy without lxml and requests: it parses HTML and loads foreign scripts with them, as no page does."""
    etree = SimpleNamespace(LxmlSyntaxError=SyntaxError)  # the base of one of ReactPy's exceptions
    with stand_ins(lxml={"etree": etree}, lxml__html={"fromstring": None}, requests={}):
        import reactpy  # noqa: F401, PLC0415
    # the first layout would import it in the event loop
    import_module("anyio._backends._asyncio")


def websockets_import() -> None:
    """Import autobahn's websockets without its WAMP, which needs cryptography. Twisted's reactor must be installed."""
    with stand_ins(autobahn__twisted__wamp={"ApplicationSession": None}):
        import autobahn.twisted.websocket  # noqa: F401, PLC0415
