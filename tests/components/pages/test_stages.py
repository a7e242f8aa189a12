"""The list of stages, and the address that leads to the ranking of the stage to look at now."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.competition.models import Stage
from apps.competition.services.advancements import advancements_publish
from apps.competition.services.live import session_end, session_set_live
from apps.competition.services.stages import stage_archive
from apps.core.threads import in_thread
from apps.ranking.selectors.stages import ranking_stage
from apps.ranking.services import ranking_close, ranking_compute
from components.routes import find
from components.runtime.hooks import PageViewConnection
from components.runtime.rendering.layout import HookConnection, rendered
from components.site import site
from tests.apps.ranking.halls import audience, stage_of
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import AppearanceFactory, SessionFactory, StageFactory, UserFactory
from tests.general import queries_counted
from tests.screen import open_page
from tests.serving import page_response

pytestmark = pytest.mark.django_db


def rows():
    """Return the text of each stage in the list, by name, with single spaces."""
    listed = every(one(opened("/stages").main, "ol", "calendar"), "li")
    stages = [row for row in listed if attributes(row)["key"].startswith("stage-")]
    return {text(one(row, "h2")): " ".join(text(row).split()) for row in stages}


def ahead(days):
    return timezone.now() + timedelta(days=days)


def test_stage_row_has_dates_sessions_and_advancing_performers():
    first, second = StageFactory(name="Stage I"), StageFactory(name="Stage II")
    morning = SessionFactory(stage=first, title="Morning", starts_at=datetime(2021, 10, 12, 8, tzinfo=UTC))
    evening = SessionFactory(stage=first, title="Evening", starts_at=datetime(2021, 10, 14, 15, tzinfo=UTC))
    stays = AppearanceFactory(session=morning, participant__name="Zofia Nowak")
    AppearanceFactory(session=evening)
    AppearanceFactory(session__stage=second, session__starts_at=ahead(2), participant=stays.participant)
    shown = rows()
    assert "12 to 14 October 2021" in shown["Stage I"]
    assert "Over2 performers in 2 sessions" in shown["Stage I"]
    assert "Morning 1 participant12 October, 10:00Evening 1 participant14 October, 17:00" in shown["Stage I"]
    assert "advance" not in shown["Stage I"]
    assert "To come1 performer in 1 session" in shown["Stage II"]
    advancements_publish(actor=OPERATOR, stage_id=first.pk, participant_ids=[stays.participant_id])
    main = opened("/stages").main
    details = one(main, "details")
    assert text(one(details, "summary")) == "1 of 2 advance to Stage II"
    assert [(attributes(link)["href"], name(link)) for link in every(details, "a")] == [
        (f"/participants/{stays.participant_id}", "Zofia Nowak")
    ]
    links = {attributes(link)["href"] for link in every(main, "a")}
    assert {f"/stages/{first.pk}", f"/stages/{second.pk}", f"/sessions/{morning.pk}"} <= links


def test_last_stage_has_the_number_of_winners_only():
    winner = AppearanceFactory(session__stage=StageFactory(name="Final"))
    advancements_publish(actor=OPERATOR, stage_id=winner.session.stage_id, participant_ids=[winner.participant_id])
    assert text(one(opened("/stages").main, "summary")) == "1 of 1 advance"


def test_dates_of_a_stage_are_joined():
    for first, last, expected in (
        ((2021, 10, 12), (2021, 10, 12), "12 October 2021"),
        ((2021, 10, 12), (2021, 10, 13), "12 to 13 October 2021"),
        ((2021, 9, 30), (2021, 10, 2), "30 September to 2 October 2021"),
        ((2021, 12, 30), (2022, 1, 2), "30 December 2021 to 2 January 2022"),
    ):
        stage = StageFactory()
        for day in dict.fromkeys((first, last)):
            SessionFactory(stage=stage, starts_at=datetime(*day, 12, tzinfo=UTC))
        row = one(opened("/stages").main, "li", key=f"stage-{stage.pk}")
        assert text(one(row, "p", "calendar__when")) == expected


def test_stage_row_has_a_state():
    StageFactory(name="Gala")
    future = SessionFactory(stage=StageFactory(name="Final"), starts_at=ahead(1))
    part = StageFactory(name="Stage I")
    SessionFactory(stage=part)
    SessionFactory(stage=part, starts_at=ahead(1))
    live = SessionFactory(stage=StageFactory(name="Stage II"), is_live=True, title="Evening")
    shown = rows()
    assert "Not dated yet" in shown["Gala"]
    assert "To comeNo session has been announced yet." in shown["Gala"]
    assert "To come1 session · Order not drawn yet" in shown["Final"]
    assert "Under way2 sessions" in shown["Stage I"]
    assert "LIVE NOW1 session" in shown["Stage II"]
    assert "Evening LIVE NOW" in shown["Stage II"]
    for stage in (live.stage, future.stage):
        stage_archive(actor=OPERATOR, stage_id=stage.pk, is_archived=True)
    stage_archive(actor=OPERATOR, stage_id=Stage.objects.get(name="Gala").pk, is_archived=True)
    shown = rows()
    assert "LIVE NOWArchived1 session" in shown["Stage II"]
    assert "GalaArchivedIt was archived without a session." in shown["Gala"]
    assert "Without a date" in shown["Gala"]


def test_stage_row_summarises_the_ranking():
    appearances = stage_of(5)
    stage = appearances[0].session.stage
    assert "The audience’s ranking begins with the first ratings that count." in rows()[stage.name]
    audience(appearances, 12)
    ranking_compute(stage_id=stage.pk)
    assert f"Audience ranking, {stage.name}: 60 ratings by 12 listeners." in rows()[stage.name]
    ranking_close(actor=OPERATOR, stage_id=stage.pk, confirmed=True)
    assert "60 ratings by 12 listeners. Closed on " in rows()[stage.name]
    StageFactory(name="Gala")
    assert "ranking" not in rows()["Gala"]


def test_without_stages_list_and_ranking_are_empty():
    for address in ("/stages", "/ranking"):
        seen = opened(address)
        assert text(one(seen.main, look="empty")) == "No stage has been announced yet.All sessions"
        assert (seen.page.redirect, seen.page.status) == ("", 200)
    assert opened("/ranking").page.canonical == "/stages"


def test_query_count_is_independent_of_stages():
    count = 6
    for _ in range(count):
        appearances = stage_of(3)
        audience(appearances, 3)
        ranking_compute(stage_id=appearances[0].session.stage_id)
    with queries_counted(5):
        loaded("/stages")
    with queries_counted(4):
        find("/ranking", ANONYMOUS).load(ANONYMOUS, "en")


def test_ranking_address_prefers_the_live_stage_then_the_last_with_marks():
    stages = [stage_of(3) for _ in range(3)]
    first, second, third = (appearances[0].session.stage_id for appearances in stages)
    assert ranking_stage() == first
    for appearances in stages[:2]:
        audience(appearances, 3)
    for stage_id in (first, second, third):
        ranking_compute(stage_id=stage_id)
    assert ranking_stage() == second
    session_set_live(actor=OPERATOR, session_id=stages[2][0].session_id)
    assert ranking_stage() == third
    session_end(actor=OPERATOR, session_id=stages[2][0].session_id)
    assert ranking_stage() == second


async def test_ranking_address_redirects_and_follows_the_live_session():
    first, second = await in_thread(lambda: (SessionFactory(), SessionFactory()))

    async def redirect_target():
        response = await page_response("/ranking", [])
        assert response.status_code == 302
        assert "no-store" in response["Cache-Control"]
        return response["Location"]

    async with open_page("/news") as screen:  # its mark shows that the topics have arrived
        assert await redirect_target() == f"/stages/{first.stage_id}"
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=second.pk))
        await screen.until("Sessions Live")
        assert await redirect_target() == f"/stages/{second.stage_id}"
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=second.pk))
        await screen.until_gone("Sessions Live")
        assert await redirect_target() == f"/stages/{first.stage_id}"


@pytest.mark.parametrize("is_member", [False, True])
async def test_ranking_link_opens_the_stage_in_place_and_is_current(is_member):
    session = await in_thread(SessionFactory)
    fan = await in_thread(UserFactory) if is_member else None
    async with open_page("/news", user=fan) as screen:
        await screen.follow("Ranking")
        assert screen.path == f"/stages/{session.stage_id}"
        assert screen.title.startswith(f"Audience ranking, {session.stage.name}")
        assert [name(link) for link in every(screen.tree, "a", aria_current="true")] == ["Ranking"]
        await screen.load("/ranking")  # as a typed address
        assert screen.path == f"/stages/{session.stage_id}"


async def test_first_stage_appears_on_open_pages():
    async with open_page("/ranking") as typed, open_page("/stages") as listed:
        for screen in (typed, listed):
            assert "No stage has been announced yet." in screen.text
        session = await in_thread(lambda: SessionFactory(stage__name="Stage I"))
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=session.pk))
        for screen in (typed, listed):
            await screen.until("LIVE NOW1 session")


async def test_open_list_follows_sessions_and_rankings():
    appearances = await in_thread(lambda: stage_of(3))
    stage_id = appearances[0].session.stage_id
    async with open_page("/stages") as screen:
        assert "begins with the first ratings" in screen.text
        await in_thread(lambda: [audience(appearances, 3), ranking_compute(stage_id=stage_id)])
        await screen.until("9 ratings by 3 listeners.")
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=appearances[0].session_id))
        await screen.until("LIVE NOW")


async def test_anonymous_visitors_share_the_page_without_a_layout():
    await in_thread(lambda: stage_of(2))
    for address in ("/stages", "/ranking"):
        page = await in_thread(lambda address=address: find(address, ANONYMOUS).load(ANONYMOUS, "en"))
        shared = await rendered(site(), HookConnection({"type": "http"}, PageViewConnection(page, ANONYMOUS)))
        assert not shared.has_effects, address  # docs/adr/0018
