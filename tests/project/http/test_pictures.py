"""Pictures over HTTP: of an ended session, and the card of a nearest juror: type, caching, and who gets them."""

import io

import pytest
from PIL import Image

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Participant, Session
from apps.competition.services.live import live_restore, live_undo_read, session_end
from apps.core.threads import in_thread
from apps.jury.services import jury_show
from apps.ranking.services import ranking_compute
from components.pictures import session_picture
from project.http import pictures
from project.urls import is_other
from tests.apps.jury.juries import juried
from tests.apps.ranking.halls import audience, give, stage_of
from tests.factories import UserFactory, viewer_of
from tests.project.asking import ask
from tests.serving import session_cookie

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]


def performances() -> list[Appearance]:
    """Return the performances of a live session of which a ranking is made."""
    appearances = stage_of(4, is_live=True, title="Gala")
    audience(appearances, 12)
    ranking_compute(stage_id=appearances[0].session.stage_id)
    return appearances


async def ended_session_picture() -> str:
    """Return the address of the picture of that session, which has ended."""
    appearances = await in_thread(performances)
    await in_thread(lambda: session_end(actor=OPERATOR, session_id=appearances[0].session_id))
    return f"/sessions/{appearances[0].session_id}/summary.png"


async def test_picture_exists_while_the_session_has_ended() -> None:
    appearances = await in_thread(performances)
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
    for path in (address, "/sessions/987654/summary.png", "/sessions/0/summary.png"):
        assert (await ask(path)).status == 404, path


async def test_unchanged_picture_answers_304_without_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    address = await ended_session_picture()
    answer = await ask(address)
    assert answer.header("cache-control") == "public, max-age=30"
    other = await ask(address, cookie="sessionid=unknown")
    assert (other.body, other.header("etag")) == (answer.body, answer.header("etag")), "equal for all viewers"
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


async def test_picture_shows_the_order_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    address = await ended_session_picture()
    shown: list[session_picture.SessionPicture] = []
    monkeypatch.setattr(pictures, "session_picture", lambda picture: shown.append(picture) or b"")
    for query in ("", "?outcome=0", "?outcome=", "?outcome=1&x=2"):
        assert (await ask(address + query)).status == 200
    names = await in_thread(lambda: list(Participant.objects.order_by("appearances__order_number").values_list("name")))
    plain, *others, whole = shown
    assert others == [plain, plain]
    assert [(row.number, row.name, row.score) for row in plain.rows] == [("", name, "") for (name,) in names]
    assert [row.number for row in whole.rows] == ["1", "2", "3", "4"]
    scores = [float(row.score) for row in whole.rows]
    assert scores == sorted(scores, reverse=True)
    assert {row.name for row in whole.rows} == {row.name for row in plain.rows}
    assert (plain.title, plain.about, plain.often) == ("Gala", "4 performers, in order of playing", ())
    assert (whole.title, whole.about, sum(whole.often)) == ("Gala", "12 listeners, 48 ratings", 48)


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
