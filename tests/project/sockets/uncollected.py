"""Serve the site without garbage collection: `python -m tests.project.sockets.uncollected`.

`/garbage` returns two counts by class as JSON: `alive`, the existing objects that belong to one connection, and
`garbage`, the objects that only a collection has freed since the last request.
"""

import gc
import json
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

from project.launcher import launch, serve
from tests.e2e.attached import prepare_with_notes, wait_for_the_end

OF_A_CONNECTION = (
    "PageSocket",
    "AnonymousPage",
    "PageLayout",
    "LeanHook",
    "BoundedSocket",
    "HTTPChannel",
    "BoundedRequest",
)
OF_DJANGO = "SQLCompiler.get_select.<locals>.get_select_from_parent"  # a closure that refers to itself
install_reactor = serve._install_reactor


def counted(objects: Sequence[Any]) -> Counter[str]:
    """Count the objects of each class, except the closures that Django's joined queries leave."""
    closures = [each for each in objects if getattr(each, "__qualname__", "").endswith(OF_DJANGO)]
    known = {id(part) for each in closures for part in (each, each.__closure__, *each.__closure__)}
    return Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in objects if id(each) not in known)


async def garbage(_scope: Any) -> tuple[int, str, bytes]:
    """Collect, and return the live objects and the collected ones. Each object is reported once as garbage."""
    alive = Counter(name for each in gc.get_objects() if (name := type(each).__qualname__) in OF_A_CONNECTION)
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    garbage_counts = counted(gc.garbage)
    gc.set_debug(0)
    gc.garbage.clear()
    gc.collect()
    return 200, "application/json", json.dumps({"alive": alive, "garbage": garbage_counts}).encode()


def install_reactor_and_answer() -> None:
    """Install the site's reactor, then add `/garbage` (`health` imports the reactor) and disable collection."""
    install_reactor()
    from project.server import health

    health.ANSWERS["/garbage"] = garbage
    gc.disable()


if __name__ == "__main__":
    launch.prepare = prepare_with_notes
    serve._install_reactor = install_reactor_and_answer
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    launch.main()
