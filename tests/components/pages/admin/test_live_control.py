"""Live control and Tonight: commands, live updates for the audience, and rows that another moderator decides."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Session
from apps.competition.services.live import TAKEN_BACK
from apps.competition.services.planned_times import planned_times_set
from apps.core.database.fields import venue_zone
from apps.core.moderation import OthersDecision
from apps.core.threads import in_thread
from apps.ratings.enums import Verdict
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.models import PieceRating
from apps.ratings.services.submission import ratings_submit
from components.pages.admin.dashboard.held_rows import rows_in_place
from components.ui.venue_time import clock_text
from tests.commanding import Answer, command
from tests.components.conftest import busy_session_with
from tests.components.pages.admin.moderating import crowd, decided, pending, pending_ratings, shows, ticks
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import (
    AdminFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db
DASHBOARD = "/admin/sessions"


@pytest.fixture
def busy_session(db: None) -> SimpleNamespace:
    """Return a live session of three without a performer, another session, two administrators and a fan."""
    setup = busy_session_with(3)
    setup.other = SessionFactory(title="Stage I, morning session", stage=setup.session.stage)
    setup.names = [appearance.participant.name for appearance in setup.appearances]
    setup.admin, setup.colleague, setup.fan = AdminFactory(), AdminFactory(), UserFactory()
    return setup


def on_stage() -> list[str]:
    """Return the names of the current performers of all sessions."""
    return list(Appearance.objects.filter(is_performing=True).values_list("participant__name", flat=True))


def live() -> list[str]:
    """Return the titles of the live sessions."""
    return list(Session.objects.filter(is_live=True).values_list("title", flat=True))


async def pressed(screen: Screen, label: str) -> Answer:
    """Press the button with this label and return the answer."""
    button = screen.button(label)
    assert button, f"no button {label!r} in: {screen.text}"
    return await command(screen, button["attributes"]["data-command"], button["attributes"]["data-argument"])


async def test_next_performer_is_shown_to_the_audience_at_once(busy_session: SimpleNamespace) -> None:
    first, second, third = busy_session.names
    page = f"/sessions/{busy_session.session.pk}"
    async with (
        open_page(DASHBOARD, user=busy_session.admin) as admin,
        open_page(DASHBOARD, user=busy_session.colleague) as colleague,
        open_page(page, user=busy_session.fan) as fan,
    ):
        assert "Nobody is on stage." in admin.text
        answer = await pressed(admin, f"First performer 1 {first}")
        assert (answer["ok"], answer["text"]) == (True, "Current performer updated successfully")
        await fan.until(f"Now Performing {first}")
        for performer, number in ((second, 2), (third, 3)):
            await colleague.until(f"Next performer {number} {performer}")
            assert (await pressed(colleague, f"Next performer {number} {performer}"))["ok"]
            await fan.until(f"Now Performing {performer}")
        await admin.until("This is the last performance.")
    assert await in_thread(on_stage) == [third]


async def test_replacing_a_session_with_a_performer_needs_confirmation(busy_session: SimpleNamespace) -> None:
    first, title = busy_session.names[0], busy_session.other.title
    async with open_page(DASHBOARD, user=busy_session.admin) as admin:
        await pressed(admin, f"Perform: {first}")
        question = await pressed(admin, f"Set as Live: {title}")
        words = f"{first} is on stage.\n2 have not played."
        assert (question["ok"], question["ask"], question["text"]) == (False, True, words)
        assert admin.button(f"Set as Live: {title}")["attributes"]["data-ask"] == f"Set {title} as live?"
        assert await in_thread(on_stage) == [first]
        ends = await command(admin, "session_end", busy_session.session.pk)
        assert ends["text"] == words
        await pressed(admin, "Clear performer")
        assert (await pressed(admin, f"Set as Live: {title}"))["text"] == "2 have not played."
        assert (await command(admin, "session_set_live", busy_session.other.pk, confirmed="1"))["ok"]
    assert await in_thread(live) == [title]


async def test_performer_needs_a_live_session(busy_session: SimpleNamespace) -> None:
    async with open_page(DASHBOARD, user=busy_session.admin) as admin:
        question = await pressed(admin, "End Live Session")
        assert (question["ok"], question["ask"], question["text"]) == (False, True, "3 have not played.")
        assert admin.button("End Live Session")["attributes"]["data-ask"] == f"End {busy_session.session.title}?"
        ended = await command(admin, "session_end", busy_session.session.pk, confirmed="1")
        assert ended["text"] == "Session no longer live"
        await admin.until("No session is live")
        assert admin.button(f"Perform: {busy_session.names[0]}") is None
        assert admin.button("Clear performer") is None
        answer = await command(admin, "performer_set", busy_session.appearances[0].pk)
        assert answer["text"] == "Set the session live first, then choose who performs."
    assert await in_thread(on_stage) == []


def undo(screen: Screen) -> str:
    """Return the label of the button that takes the last step back."""
    return name(one(screen.tree, "button", "cue__undo"))


async def test_call_by_mistake_asks_first_and_is_taken_back_on_every_page(busy_session: SimpleNamespace) -> None:
    first, second, third = busy_session.names
    wrong = busy_session.appearances[2]
    page = f"/sessions/{busy_session.session.pk}"
    async with (
        open_page(DASHBOARD, user=busy_session.admin) as admin,
        open_page(DASHBOARD, user=busy_session.colleague) as colleague,
        open_page(page, user=busy_session.fan) as fan,
    ):
        await pressed(admin, f"Perform: {first}")
        question = await pressed(admin, f"Perform: {third}")
        assert (question["ask"], question["text"]) == (True, f"{first} is on stage.\nNext comes 2 {second}.")
        assert (await command(admin, "performer_set", wrong.pk, confirmed="1"))["ok"]
        await fan.until(f"Now Performing {third}")
        back = f"Has not played: take the call back ({third})"
        await colleague.until(back)
        await in_thread(lambda: PieceRatingFactory(appearance=wrong))
        await in_thread(lambda: submitted_by(busy_session.fan, wrong))
        await colleague.until(f"2 ratings: take the call back ({third})")
        question = await pressed(colleague, f"2 ratings: take the call back ({third})")
        assert question["ask"]
        assert question["text"].startswith(f"2 ratings of {third} were submitted.")
        taken = colleague.button(f"2 ratings: take the call back ({third})")["attributes"]["data-argument"]
        assert (await command(colleague, "call_take_back", taken, confirmed="1"))["text"] == TAKEN_BACK
        await fan.until(f"Now Performing {first}")
        await admin.until(f"Next performer 2 {second}")
        assert back not in admin.text
        again = await command(admin, "call_take_back", taken, confirmed="1")
        assert again["text"] == "Somebody has changed this since, so it stays as it is now."
        await pressed(admin, "Clear performer")
        await colleague.until("Interval since")
        await admin.until("Interval since")
        assert (await pressed(colleague, undo(colleague)))["ok"]
        await fan.until(f"Now Performing {first}")
        await admin.until_gone("Interval since")
        assert (await pressed(admin, undo(admin)))["text"] == TAKEN_BACK
        await colleague.until(f"First performer 1 {first}")


def submitted_by(user: Any, appearance: Appearance) -> None:
    """Submit a rating of this performance as its form does, which publishes it."""
    entry = appearance.program.first()
    marks = {"pieces": {entry.piece_id: 20}, "score": 4, "comment": "Dry."}
    ratings_submit(actor=viewer_of(user), appearance_id=appearance.pk, **marks)


async def test_planned_interval_and_delay_are_announced_on_every_page(busy_session: SimpleNamespace) -> None:
    first, second, _ = busy_session.names
    session = busy_session.session
    late = timezone.now() - timedelta(minutes=11, seconds=20)

    def plan() -> None:
        Session.objects.filter(pk=session.pk).update(starts_at=late)
        planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=25, intervals={1: 20})

    await in_thread(plan)
    at = [clock_text(late + timedelta(minutes=by), zone=venue_zone(), language="en") for by in (0, 45)]
    then = "then an interval, 20 minutes"
    async with (
        open_page(ADDRESS, user=busy_session.admin) as admin,
        open_page(f"/sessions/{session.pk}", user=busy_session.fan) as fan,
        open_page(f"/schedule?day={late.astimezone(venue_zone()):%Y-%m-%d}", user=busy_session.fan) as schedule,
    ):
        assert then in fan.text
        assert then in schedule.text
        assert admin.button("Interval") is None
        assert (await pressed(admin, f"First performer, planned {at[0]} 1 {first}"))["ok"]
        following = f"Next performer, planned {at[1]}, running 11 minutes late 2 {second}"
        await admin.until(following)
        await fan.until(f"{second} is next, after an interval of 20 minutes")
        assert (await pressed(admin, "Interval, 20 minutes, planned after this performance"))["ok"]
        await fan.until("20 minutes planned")
        assert then in schedule.text
        await admin.until(f"Next performer, planned {at[1]} 2 {second}")
        assert admin.text.count("20 minutes planned") == 1
        assert (await pressed(admin, f"Next performer, planned {at[1]} 2 {second}"))["ok"]
        await admin.until(f"Now Performing 2 {second} called at")
        await schedule.until_gone(then)
        await fan.until_gone(then)
        assert admin.button("Interval")


ADDRESS = "/admin/tonight"


@pytest.mark.django_db
def test_live_control_and_pending_ratings_are_on_one_page() -> None:
    setup = pending_ratings("ada ben")
    PerformanceRatingFactory(appearance=setup.appearances[0])
    seen = opened(ADDRESS, viewer_of(setup.admin))
    assert text(one(seen.main, "h1")) == "Tonight"
    tabs = every(one(seen.main, "nav", "tabs"), "a")
    assert [(text(tab), attributes(tab)["href"]) for tab in tabs] == [
        ("Pieces 2 ratings waiting", ADDRESS),
        ("Performances 1 rating waiting", f"{ADDRESS}?tab=performances"),
        ("Reports 0 texts waiting", f"{ADDRESS}?tab=reports"),
        ("Unusual 0 unusual accounts", f"{ADDRESS}?tab=unusual"),
    ]
    assert len(every(seen.main, "section", "cue")) == 1
    assert len(ticks(seen.main)) == 2
    filters = one(seen.main, "details", "queue-filters")
    assert text(every(filters, "summary")[0]) == "Filters"
    assert attributes(one(filters, "form"))["action"] == ADDRESS
    assert text(one(filters, "button", "together")) == "Decide the whole performance too"


@pytest.mark.django_db
def test_each_tab_shows_its_part_beside_live_control() -> None:
    admin = viewer_of(pending_ratings("ada").admin)
    PieceRating.objects.all().delete()
    for tab, sentence in (
        ("performances", "Nothing waits for you."),
        ("reports", "Nothing reported waits for you."),
        ("unusual", "No account is unusual in this ranking."),
        ("audit", "Nothing waits for you."),
        ("nonsense", "Nothing waits for you."),
    ):
        main = opened(f"{ADDRESS}?tab={tab}", admin).main
        assert sentence in text(main), tab
        assert every(main, "section", "cue"), tab
        assert {attributes(form)["action"] for form in every(main, "form", role="search")} == {ADDRESS}, tab


@pytest.mark.django_db
def test_active_filters_are_counted_and_kept() -> None:
    setup = pending_ratings("ada")
    crowd(setup, 4 * QUEUE_ROWS)
    seen = opened(f"{ADDRESS}?from=2&new=1", viewer_of(setup.admin))
    assert text(every(one(seen.main, "details", "queue-filters"), "summary")[0]) == "Filters (2)"
    (older,) = [attributes(link)["href"] for link in every(seen.main, "a") if text(link) == "Show older"]
    assert older.startswith(f"{ADDRESS}?from=2&new=1&before=")


@pytest.mark.django_db
def test_query_counts_are_independent_of_pending_ratings() -> None:
    setup = pending_ratings("ada")
    PerformanceRatingFactory(appearance=setup.appearances[1])
    admin, counts = viewer_of(setup.admin), []
    for _ in range(2):
        for tab in ("", "performances", "reports", "unusual"):
            with CaptureQueriesContext(connection) as queries:
                loaded(f"{ADDRESS}?tab={tab}", admin)
            counts.append(len(queries))
        if len(counts) == 4:
            crowd(setup, 60)
    few, many = counts[:4], counts[4:]
    assert all(after <= before <= 24 for before, after in zip(few, many, strict=True)), (few, many)


def shown(screen: Screen) -> list[tuple[str, str]]:
    """Return the author of each row, and the answer of another moderator in it."""
    rows: list[Any] = [row for row in one(screen.tree, "ol", "queue")["children"] if isinstance(row, dict)]
    authors = [text(one(row, "p", "queue__who")).split(" by ")[1].split(",")[0] for row in rows]
    answers = [" ".join(text(line) for line in every(row, "p", "queue__decided")) for row in rows]
    return list(zip(authors, answers, strict=True))


async def test_row_decided_by_another_stays_until_the_next_decision() -> None:
    setup = await in_thread(lambda: pending_ratings("ada ben cleo dora"))
    async with open_page(ADDRESS, user=setup.admin) as admin, open_page(ADDRESS, user=setup.colleague) as colleague:
        answer = await decided(colleague, "Reject", "cleo")
        await admin.until("Rejected by ignacy_p")
        assert shown(admin) == [("dora", ""), ("cleo", "Rejected by ignacy_p"), ("ben", ""), ("ada", "")]
        await shows(colleague, 3)
        assert shown(colleague) == [("dora", ""), ("ben", ""), ("ada", "")]
        assert "3 ratings, 3 marks" in admin.text
        (row,) = [row for row in every(admin.tree, "li") if "data-decided" in attributes(row)]
        assert attributes(one(row, "input", "tick"))["disabled"] is True

        assert (await command(colleague, *answer["undo"]))["ok"]
        await admin.until_gone("Rejected by ignacy_p")
        assert shown(admin) == [("dora", ""), ("cleo", ""), ("ben", ""), ("ada", "")]

        await decided(colleague, "Approve", "dora")
        await admin.until("Approved by ignacy_p")
        await decided(admin, "Approve", "ben")
        await shows(admin, 2)
        await admin.until_gone("Approved by ignacy_p")
        assert shown(admin) == [("cleo", ""), ("ada", "")]


async def test_rows_added_from_the_next_page_are_kept() -> None:
    setup = await in_thread(pending_ratings)
    await in_thread(
        lambda: [pending(setup.appearances[1], setup.piece, f"late_{n:02}", score=3) for n in range(QUEUE_ROWS)]
    )
    async with open_page(ADDRESS, user=setup.admin) as admin, open_page(ADDRESS, user=setup.colleague) as colleague:
        answer = await command(admin, "ratings_decide", decision="approve", rating=ticks(admin.tree)[:-1])
        assert answer["ok"]
        await shows(admin, 4)
        assert [author for author, _ in shown(admin)] == ["late_00", "cleo", "ben", "ada"]
        await shows(colleague, 4)
        await colleague.load(ADDRESS)
        await decided(colleague, "Reject", "ben")
        await admin.until("Rejected by ignacy_p")
        assert [author for author, _ in shown(admin)] == ["late_00", "cleo", "ben", "ada"]


async def test_deciding_both_is_remembered_in_all_own_windows() -> None:
    setup = await in_thread(lambda: pending_ratings("ada"))
    await in_thread(lambda: PerformanceRatingFactory(appearance=setup.appearances[0], user=setup.ratings["ada"].user))
    async with (
        open_page(ADDRESS, user=setup.admin) as admin,
        open_page("/admin", user=setup.admin) as second,
        open_page(ADDRESS, user=setup.colleague) as colleague,
    ):
        assert "1 rating, 2 marks" in admin.text
        boxes = {name(box): attributes(box)["aria-checked"] for box in every(admin.tree, "button", "together")}
        assert boxes == {"Decide the whole performance too": "true", "Approve piece ratings automatically": "false"}
        await admin.press("Decide the whole performance too")
        for screen in (admin, second):
            await screen.until("1 rating, 1 mark")
            await screen.until_gone("Approve both")
            assert attributes(every(screen.tree, "button", "together")[0])["aria-checked"] == "false"
        assert "Approve both" in colleague.text
        await admin.load(f"{ADDRESS}?tab=performances")
        assert attributes(every(admin.tree, "button", "together")[0])["aria-checked"] == "true"
        await admin.load(ADDRESS)
        assert attributes(every(admin.tree, "button", "together")[0])["aria-checked"] == "false"


def test_decided_row_keeps_its_place() -> None:
    decisions = {"b": OthersDecision(Verdict.APPROVE, "ewa")}
    for now, expected in (
        ("ace", ["a", "b!", "c", "e"]),
        ("ce", ["b!", "c", "e"]),
        ("", ["b!"]),
        ("zacefg", ["z", "a", "b!", "c", "e", "f", "g"]),
        ("abce", ["a", "b", "c", "e"]),
    ):
        rows = rows_in_place("abcde", now, decisions, str)
        assert [row + ("!" if decision else "") for row, decision in rows] == expected
