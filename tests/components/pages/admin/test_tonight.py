"""Tonight: the parts of the dashboard's tabs on one page, and rows that another moderator decides stay in place."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.core.moderation import OthersDecision
from apps.core.threads import in_thread
from apps.ratings.enums import Verdict
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.models import PieceRating
from components.pages.admin.dashboard.held_rows import rows_in_place
from tests.commanding import command
from tests.components.pages.admin.moderating import crowd, decided, hall, shows, ticks, waiting
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import AdminFactory, PerformanceRatingFactory, viewer_of
from tests.screen import Screen, open_page

ADDRESS = "/admin/tonight"
live = pytest.mark.django_db(transaction=True)


@pytest.mark.django_db
def test_live_control_and_what_waits_are_on_one_page() -> None:
    made = hall("ada ben")
    PerformanceRatingFactory(session_participant=made.appearances[0])
    seen = opened(ADDRESS, viewer_of(made.halina))
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
@pytest.mark.parametrize(
    ("tab", "shown"),
    [
        ("performances", "Nothing waits for you."),
        ("reports", "Nothing reported waits for you."),
        ("unusual", "No account is unusual in this ranking."),
        ("audit", "Nothing waits for you."),
        ("nonsense", "Nothing waits for you."),
    ],
)
def test_each_tab_shows_its_part_beside_live_control(tab: str, shown: str) -> None:
    made = hall("ada")
    PieceRating.objects.all().delete()
    seen = opened(f"{ADDRESS}?tab={tab}", viewer_of(made.halina))
    assert shown in text(seen.main)
    assert every(seen.main, "section", "cue")
    assert {attributes(form)["action"] for form in every(seen.main, "form", role="search")} == {ADDRESS}


@pytest.mark.django_db
def test_without_any_stage_there_is_nothing_unusual() -> None:
    boss = viewer_of(AdminFactory())
    assert "Unusual 0 unusual accounts" in text(opened(ADDRESS, boss).main)
    assert "No stages yet." in text(opened(f"{ADDRESS}?tab=unusual", boss).main)


@pytest.mark.django_db
def test_the_filters_in_use_are_counted_and_the_list_goes_on_here() -> None:
    made = hall("ada")
    crowd(made, 4 * QUEUE_ROWS)
    seen = opened(f"{ADDRESS}?from=2&new=1", viewer_of(made.halina))
    assert text(every(one(seen.main, "details", "queue-filters"), "summary")[0]) == "Filters (2)"
    (older,) = [attributes(link)["href"] for link in every(seen.main, "a") if text(link) == "Show older"]
    assert older.startswith(f"{ADDRESS}?from=2&new=1&before=")


@pytest.mark.django_db
@pytest.mark.parametrize("tab", ["", "performances", "reports", "unusual"])
def test_many_cost_as_many_queries_as_one(tab: str) -> None:
    made = hall("ada")
    PerformanceRatingFactory(session_participant=made.appearances[1])
    boss, address = viewer_of(made.halina), f"{ADDRESS}?tab={tab}"
    with CaptureQueriesContext(connection) as few:
        loaded(address, boss)
    crowd(made, 200)
    with CaptureQueriesContext(connection) as many:
        loaded(address, boss)
    assert len(many) <= len(few) <= 24, [each["sql"] for each in many]


def shown(screen: Screen) -> list[tuple[str, str]]:
    """Return the author of each row, and the answer of another moderator in it."""
    rows: list[Any] = [each for each in one(screen.tree, "ol", "queue")["children"] if isinstance(each, dict)]
    authors = [text(one(row, "p", "queue__who")).split(" by ")[1].split(",")[0] for row in rows]
    answers = [" ".join(text(line) for line in every(row, "p", "queue__decided")) for row in rows]
    return list(zip(authors, answers, strict=True))


@live
async def test_a_row_that_another_moderator_decides_stays_until_the_next_own_decision() -> None:
    made = await in_thread(lambda: hall("ada ben cleo dora"))
    async with open_page(ADDRESS, user=made.halina) as halina, open_page(ADDRESS, user=made.ignacy) as ignacy:
        answer = await decided(ignacy, "Reject", "cleo")
        await halina.until("Rejected by ignacy_p")
        assert shown(halina) == [("dora", ""), ("cleo", "Rejected by ignacy_p"), ("ben", ""), ("ada", "")]
        await shows(ignacy, 3)
        assert shown(ignacy) == [("dora", ""), ("ben", ""), ("ada", "")]
        assert "3 ratings, 3 marks" in halina.text
        (row,) = [row for row in every(halina.tree, "li") if "data-decided" in attributes(row)]
        assert attributes(one(row, "input", "tick"))["disabled"] is True

        assert (await command(ignacy, *answer["undo"]))["ok"]
        await halina.until_gone("Rejected by ignacy_p")
        assert shown(halina) == [("dora", ""), ("cleo", ""), ("ben", ""), ("ada", "")]

        await decided(ignacy, "Approve", "dora")
        await halina.until("Approved by ignacy_p")
        await decided(halina, "Approve", "ben")
        await shows(halina, 2)
        await halina.until_gone("Approved by ignacy_p")
        assert shown(halina) == [("cleo", ""), ("ada", "")]


@live
async def test_rows_that_come_from_below_are_held_as_well() -> None:
    made = await in_thread(hall)
    await in_thread(
        lambda: [waiting(made.appearances[1], made.piece, f"late_{n:02}", score=3) for n in range(QUEUE_ROWS)]
    )
    async with open_page(ADDRESS, user=made.halina) as halina, open_page(ADDRESS, user=made.ignacy) as ignacy:
        answer = await command(halina, "ratings_decide", decision="approve", rating=ticks(halina.tree)[:-1])
        assert answer["ok"]
        await shows(halina, 4)
        assert [author for author, _ in shown(halina)] == ["late_00", "cleo", "ben", "ada"]
        await shows(ignacy, 4)
        await ignacy.load(ADDRESS)
        await decided(ignacy, "Reject", "ben")
        await halina.until("Rejected by ignacy_p")
        assert [author for author, _ in shown(halina)] == ["late_00", "cleo", "ben", "ada"]


@live
async def test_the_box_is_remembered_and_changes_the_rows_of_all_own_windows() -> None:
    made = await in_thread(lambda: hall("ada"))
    await in_thread(
        lambda: PerformanceRatingFactory(session_participant=made.appearances[0], user=made.ratings["ada"].user)
    )
    async with (
        open_page(ADDRESS, user=made.halina) as halina,
        open_page("/admin", user=made.halina) as second,
        open_page(ADDRESS, user=made.ignacy) as ignacy,
    ):
        assert "1 rating, 2 marks" in halina.text
        box = one(halina.tree, "button", "together")
        assert (name(box), attributes(box)["aria-checked"]) == ("Decide the whole performance too", "true")
        await halina.press("Decide the whole performance too")
        for screen in (halina, second):
            await screen.until("1 rating, 1 mark")
            await screen.until_gone("Approve both")
            assert attributes(one(screen.tree, "button", "together"))["aria-checked"] == "false"
        assert "Approve both" in ignacy.text
        await halina.load(f"{ADDRESS}?tab=performances")
        assert attributes(one(halina.tree, "button", "together"))["aria-checked"] == "true"
        await halina.load(ADDRESS)
        assert attributes(one(halina.tree, "button", "together"))["aria-checked"] == "false"


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("ace", ["a", "b!", "c", "e"]),
        ("ce", ["b!", "c", "e"]),
        ("", ["b!"]),
        ("zacefg", ["z", "a", "b!", "c", "e", "f", "g"]),
        ("abce", ["a", "b", "c", "e"]),
    ],
)
def test_a_decided_row_keeps_its_place_among_the_others(now: str, expected: list[str]) -> None:
    shown_rows = rows_in_place("abcde", now, {"b": OthersDecision(Verdict.APPROVE, "ewa")}, str)
    assert [row + ("!" if decision else "") for row, decision in shown_rows] == expected
