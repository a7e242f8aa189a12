"""A page view of an anonymous visitor calls from higher layers to lower ones. Only threads call back up."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType

import pytest

from apps.core.threads import in_thread
from benchmarks.recorder import layer, source
from tests.factories import SessionFactory
from tests.project.asking import ask
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)
HANDED_OVER = {
    ("apps/core/scale/replica.py", "components/routes.py"),  # the page's load
    ("apps/core/threads.py", "components/runtime/rendering/live_part.py"),  # the reads of its parts
}


@contextmanager
def upward_calls() -> Iterator[set[tuple[str, str]]]:
    """Yield the set of (calling file, called file of a higher layer), which fills while the context is open."""
    calls: set[tuple[str, str]] = set()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_back is not None:
            files = [source(code.f_code.co_filename, code.f_code.co_name) for code in (frame.f_back, frame)]
            match files:
                case [str(caller), str(called)] if layer(caller) < layer(called):
                    calls.add((caller, called))

    before = sys.getprofile()
    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield calls
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


async def test_page_view_calls_higher_layers_only_through_threads() -> None:
    session = await in_thread(SessionFactory)
    await ask("/healthz")  # imports that happen now would delay the first page
    for path in ("/", "/participants", "/sessions", f"/sessions/{session.pk}", "/news"):
        async with serving():
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))  # threads that are recorded
            with upward_calls() as cold:
                assert (await ask(path, accept_encoding="gzip")).status == 200
            assert cold == HANDED_OVER, path
            with upward_calls() as warm:
                assert (await ask(path, accept_encoding="gzip")).status == 200
            assert not warm, path
