"""The card of a member's nearest juror over HTTP: on demand, for that member only, and never stored."""

import io
from collections.abc import AsyncIterator

import pytest
from PIL import Image

from apps.core.threads import in_thread
from apps.jury.services import jury_show
from project.urls import is_other
from tests.apps.jury.juries import juried
from tests.apps.ranking.halls import give
from tests.factories import UserFactory, viewer_of
from tests.project.asking import ask
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def process_runs() -> AsyncIterator[None]:
    """Run the services of a web process."""
    async with serving():
        yield


async def test_only_the_member_gets_the_card_and_nothing_stores_it() -> None:
    appearances, fan, other = await in_thread(juried), await in_thread(UserFactory), await in_thread(UserFactory)
    await in_thread(lambda: give(fan, appearances[:9], [2 + 2 * place for place in range(9)]))
    stage_id = appearances[0].session.stage_id
    address = f"/stages/{stage_id}/nearest.png"
    assert is_other(address)
    cookie = await in_thread(lambda: session_cookie(fan))
    refused = await ask(address, cookie=cookie)
    assert (refused.status, refused.text) == (404, "You have no nearest juror in this stage.\n"), "before the press"
    await in_thread(lambda: jury_show(actor=viewer_of(fan), stage_id=stage_id))
    card = await ask(address, cookie=cookie)
    assert (card.status, card.header("content-type"), card.header("cache-control")) == (
        *(200, "image/png"),
        "no-store",
    )
    assert Image.open(io.BytesIO(card.body)).size == (1200, 630)
    for stranger in ({}, {"cookie": await in_thread(lambda: session_cookie(other))}):
        assert (await ask(address, **stranger)).status == 404
    page = await ask(f"/stages/{stage_id}?view=jury", cookie=cookie)
    assert f'action="{address}"' in page.text
