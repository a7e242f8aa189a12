"""An anonymous page view goes down through the house and hardly ever back up."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.core.threads import in_thread
from benchmarks.climbs import climbs
from tests.factories import SessionFactory
from tests.project.asking import ask
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)
HANDED = {
    ("apps/core/threads.py", "components/routes.py"),  # a thread runs the page's load
    ("apps/core/threads.py", "components/rendering/live_parts.py"),  # and reads its parts
}


async def test_an_anonymous_page_view_climbs_back_up_at_most_twice() -> None:
    session = await in_thread(SessionFactory)
    for path in ("/", "/participants", "/sessions", f"/sessions/{session.pk}", "/news"):
        async with serving():
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))  # threads that are looked at
            with climbs() as cold:
                assert (await ask(path, accept_encoding="gzip")).status == 200
            assert cold == HANDED, path
            with climbs() as warm:
                assert (await ask(path, accept_encoding="gzip")).status == 200
            assert not warm, path
