"""The card of a member's nearest juror over HTTP: on demand, for that member only, and never stored."""

import io

import pytest
from PIL import Image

from apps.core.threads import in_thread
from apps.jury.services import jury_show
from project.urls import is_other
from tests.apps.jury.juries import juried
from tests.apps.ranking.halls import give
from tests.factories import UserFactory, viewer_of
from tests.project.asking import ask
from tests.serving import session_cookie

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]


async def test_card_is_sent_only_to_its_member_and_never_cached() -> None:
    appearances, fan, other = await in_thread(juried), await in_thread(UserFactory), await in_thread(UserFactory)
    await in_thread(lambda: give(fan, appearances[:9], [2 + 2 * place for place in range(9)]))
    stage_id = appearances[0].session.stage_id
    address = f"/stages/{stage_id}/nearest.png"
    assert is_other(address)
    cookie = await in_thread(lambda: session_cookie(fan))
    refused = await ask(address, cookie=cookie)
    assert (refused.status, refused.text) == (404, "You have no nearest juror in this stage.\n"), (
        "before it is requested"
    )
    await in_thread(lambda: jury_show(actor=viewer_of(fan), stage_id=stage_id))
    card = await ask(address, cookie=cookie)
    assert (card.status, card.header("content-type")) == (200, "image/png")
    assert card.header("cache-control") == "no-store"
    assert Image.open(io.BytesIO(card.body)).size == (1200, 630)
    for headers in ({}, {"cookie": await in_thread(lambda: session_cookie(other))}):
        assert (await ask(address, **headers)).status == 404
    page = await ask(f"/stages/{stage_id}?view=jury", cookie=cookie)
    assert f'action="{address}"' in page.text
