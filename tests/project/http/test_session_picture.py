"""The picture of an ended session over HTTP: its type, its caching, and that it says no more than was asked for."""

import io
from collections.abc import AsyncIterator

import pytest
from PIL import Image

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant, Session, SessionParticipant
from apps.competition.services.live import live_restore, live_undo_read, session_end
from apps.core.threads import in_thread
from apps.ranking.services import ranking_compute
from components.pictures import session_picture
from project.http import pictures
from project.urls import is_other
from tests.apps.ranking.halls import audience, stage_of
from tests.project.asking import ask
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def process_runs() -> AsyncIterator[None]:
    """Run the services of a web process."""
    async with serving():
        yield


def hall() -> list[SessionParticipant]:
    """Return the performances of a live session of which a ranking is made."""
    appearances = stage_of(4, is_live=True, title="Gala")
    audience(appearances, 12)
    ranking_compute(stage_id=appearances[0].session.stage_id)
    return appearances


async def ended_hall() -> str:
    """Return the address of the picture of that session, which has ended."""
    appearances = await in_thread(hall)
    await in_thread(lambda: session_end(actor=OPERATOR, session_id=appearances[0].session_id))
    return f"/sessions/{appearances[0].session_id}/summary.png"


async def test_picture_comes_and_goes_with_the_end() -> None:
    appearances = await in_thread(hall)
    session_id = appearances[0].session_id
    address = f"/sessions/{session_id}/summary.png"
    assert is_other(address)
    answer = await ask(address)
    assert (answer.status, answer.text) == (404, "There is no summary of this session.\n")
    step = await in_thread(lambda: session_end(actor=OPERATOR, session_id=session_id))
    answer = await ask(address)
    assert (answer.status, answer.header("content-type")) == (200, "image/png")
    image = Image.open(io.BytesIO(answer.body))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    await in_thread(lambda: live_restore(actor=OPERATOR, **live_undo_read(step.undo)))
    assert (await ask(address)).status == 404


@pytest.mark.parametrize("address", ["/sessions/987654/summary.png", "/sessions/0/summary.png"])
async def test_there_is_none_of_an_unknown_session(address: str) -> None:
    assert (await ask(address)).status == 404


async def test_current_copy_is_answered_without_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    address = await ended_hall()
    answer = await ask(address)
    assert answer.header("cache-control") == "public, max-age=30"
    drawn: list[object] = []
    monkeypatch.setattr(pictures, "session_picture", drawn.append)
    again = await ask(address, if_none_match=answer.header("etag"))
    assert (again.status, again.body, again.header("etag")) == (304, b"", answer.header("etag"))
    assert drawn == []
    await in_thread(lambda: Session.objects.update(title="Another title"))
    monkeypatch.undo()
    changed = await ask(address, if_none_match=answer.header("etag"))
    assert changed.status == 200
    assert changed.body != answer.body


async def test_order_is_on_it_only_if_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    address = await ended_hall()
    shown: list[session_picture.SessionPicture] = []
    monkeypatch.setattr(pictures, "session_picture", lambda picture: shown.append(picture) or b"")
    for query in ("", "?outcome=0", "?outcome=", "?outcome=1&x=2"):
        assert (await ask(address + query)).status == 200
    names = await in_thread(lambda: list(Participant.objects.order_by("appearances__order_number").values_list("name")))
    plain, *others, whole = shown
    assert others == [plain, plain]
    assert [(row.number, row.name, row.score) for row in plain.rows] == [
        (str(number), name, "") for number, (name,) in enumerate(names, start=1)
    ]
    assert [row.number for row in whole.rows] == ["1", "2", "3", "4"]
    scores = [float(row.score) for row in whole.rows]
    assert scores == sorted(scores, reverse=True)
    assert {row.name for row in whole.rows} == {row.name for row in plain.rows}
    assert (plain.title, plain.about, sum(plain.often)) == ("Gala", "12 listeners, 48 marks", 48)


async def test_picture_is_the_same_for_everybody() -> None:
    address = await ended_hall()
    first, second = [await ask(address, cookie="sessionid=nothing"), await ask(address)]
    assert first.body == second.body
    assert first.header("etag") == second.header("etag")
