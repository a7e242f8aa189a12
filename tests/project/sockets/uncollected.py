"""`python -m tests.project.sockets.uncollected`: the site without garbage collector, and `/garbage`: what it left.

The answer is JSON: `alive`, the objects of each class that belong to one connection and still exist, and `garbage`, the
objects of each class that since the last answer only a collection could free.
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
OF_DJANGO = "SQLCompiler.get_select.<locals>.get_select_from_parent"  # which refers to itself
install_reactor = serve._install_reactor


def counted(objects: Sequence[Any]) -> Counter[str]:
    """How many there are of each class; without the function that a query of Django's with joined rows leaves."""
    closures = [each for each in objects if getattr(each, "__qualname__", "").endswith(OF_DJANGO)]
    known = {id(part) for each in closures for part in (each, each.__closure__, *each.__closure__)}
    return Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in objects if id(each) not in known)


async def garbage(_scope: Any) -> tuple[int, str, bytes]:
    """What is alive, and what a collection finds; it finds it once."""
    alive = Counter(name for each in gc.get_objects() if (name := type(each).__qualname__) in OF_A_CONNECTION)
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    found = counted(gc.garbage)
    gc.set_debug(0)
    gc.garbage.clear()
    gc.collect()
    return 200, "application/json", json.dumps({"alive": alive, "garbage": found}).encode()


def install_reactor_and_answer() -> None:
    """As the site does; what imports the reactor follows."""
    install_reactor()
    from project.server import health

    health.ANSWERS["/garbage"] = garbage
    gc.disable()


if __name__ == "__main__":
    launch.prepare = prepare_with_notes
    serve._install_reactor = install_reactor_and_answer
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    launch.main()
