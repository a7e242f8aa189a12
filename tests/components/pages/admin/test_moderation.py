"""Decisions about ratings by two moderators, the list of pending ratings, and refused decisions."""

from typing import Any

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.community.enums import ReportState
from apps.community.limits import REPORTS_SHOWN
from apps.community.models import ReportCase
from apps.core.commands import moment_number, moment_read
from apps.core.threads import in_thread
from apps.ratings.enums import RatingKind
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.models import PieceRating
from apps.ratings.services.deciding import deciding_set
from components.pages.admin.dashboard import ratings_desk
from tests.commanding import command
from tests.components.pages.admin import moderating, reports
from tests.components.pages.admin.moderating import (
    DASHBOARD,
    crowd,
    decided,
    decision,
    pending,
    pending_ratings,
    shows,
    ticks,
)
from tests.components.pages.checked_commands import UNREADABLE, be_refused, check_refusals, succeed
from tests.components.seen import Seen, attributes, every, loaded, name, one, opened, text
from tests.factories import AdminFactory, PerformanceRatingFactory, PieceRatingFactory, viewer_of
from tests.screen import open_page

GONE = "This rating has been decided already."


async def test_decided_rating_leaves_the_lists_of_all_moderators_until_its_undo() -> None:
    setup = await in_thread(pending_ratings)
    async with open_page(DASHBOARD, user=setup.admin) as admin, open_page(DASHBOARD, user=setup.colleague) as colleague:
        stale = decision(colleague.tree, "Reject", "ada")
        answer = await decided(admin, "Approve", "ada")
        assert (answer["ok"], answer["text"]) == (True, "Piece rating approved successfully")
        await shows(colleague, 2)
        assert [text(line) for line in every(colleague.tree, "p", "queue__decided")] == ["Approved by halina_k"]
        await be_refused(colleague, *stale, GONE)
        answer = await decided(colleague, "Reject", "ben")
        assert answer["text"] == "Piece rating rejected successfully"
        await shows(admin, 1)
        await admin.until("Piece Ratings 1 rating waiting")
        assert await in_thread(lambda: PieceRating.objects.get(approved=True).user.username) == "ada"
        assert "Undo: 1 rating approved" not in colleague.text
        await admin.load(DASHBOARD)
        await admin.press("Undo: 1 rating approved")
        await shows(colleague, 2)
    assert await in_thread(PieceRating.objects.count) == 2


async def test_pieces_of_one_rating_are_decided_by_two_moderators() -> None:
    setup = await in_thread(pending_ratings)
    await in_thread(lambda: rated_more(setup))
    async with open_page(DASHBOARD, user=setup.admin) as admin, open_page(DASHBOARD, user=setup.colleague) as colleague:
        for screen in (admin, colleague):
            assert (await command(screen, "deciding_set", "piece:off"))["ok"]
            await screen.until_gone("Approve both")
        whole_row = decision(colleague.tree, "Approve", "ada")
        single = next(button for button in every(admin.tree, "button") if name(button).startswith("Reject only Étude"))
        answer = await command(admin, attributes(single)["data-command"], attributes(single)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, "Piece rating rejected successfully")
        await colleague.until("1 of 2 pieces")
        await succeed(colleague, *whole_row, "1 rating approved. 1 mark had been decided already.")
        await shows(admin, 0)
        assert await in_thread(lambda: list(PieceRating.objects.values_list("score", "approved"))) == [(7, True)]
        await colleague.until("Undo: 1 rating approved")
        await colleague.press("Undo: 1 rating approved")
        await shows(admin, 1)
        assert (await command(colleague, "deciding_set", "piece:on"))["ok"]
        await colleague.until("Approve both")
        answer = await decided(colleague, "Approve both", "ada")
        assert answer["text"] == "Piece rating approved successfully. And the whole performance."
        await shows(admin, 0)
        await admin.until("Performance Ratings 0 ratings waiting")


def rated_more(setup: Any) -> None:
    """Leave only ada's ratings pending: two pieces and the performance as a whole."""
    PieceRating.objects.exclude(user__username="ada").delete()
    ada, appearance = setup.ratings["ada"].user, setup.appearances[0]
    PieceRatingFactory(entry=appearance.program.get(order_number=2), user=ada, score=7)
    PerformanceRatingFactory(appearance=appearance, user=ada)


async def test_deciding_all_matching_excludes_newer_ratings() -> None:
    setup = await in_thread(pending_ratings)
    await in_thread(
        lambda: [pending(setup.appearances[1], setup.piece, f"late_{n}", score=3) for n in range(QUEUE_ROWS + 1)]
    )
    async with open_page(f"{DASHBOARD}?to=5", user=setup.admin) as admin:
        assert f"All {QUEUE_ROWS} on this page are selected." in admin.text
        (reject_all,) = [
            button
            for button in every(admin.tree, "button")
            if name(button) == f"Reject all {QUEUE_ROWS + 1} that match"
        ]
        assert (
            attributes(reject_all)["data-confirm"]
            == f"Reject all that match? Ratings: {QUEUE_ROWS + 1}, marks: {QUEUE_ROWS + 1}"
        )
        await in_thread(lambda: pending(setup.appearances[2], setup.piece, "later", score=3))
        answer = await command(admin, attributes(reject_all)["data-command"], attributes(reject_all)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, f"{QUEUE_ROWS + 1} ratings rejected.")
        await admin.until("Show 1 newer rating")
    left = await in_thread(lambda: sorted(PieceRating.objects.values_list("user__username", flat=True)))
    assert left == ["ada", "ben", "cleo", "later"]


def authors(where: Seen) -> list[str]:
    """Return the authors of the shown ratings, in the order of the list."""
    return [text(line).split(" by ")[1].split(",")[0] for line in every(where.main, "p", "queue__who")]


@pytest.mark.django_db
def test_address_filters_the_list() -> None:
    setup = pending_ratings()
    admin, appearance = viewer_of(setup.admin), setup.appearances[2]
    pending(appearance, setup.piece, "dora", score=3)
    User.objects.filter(username="ben").update(created_at="2020-01-01T00:00:00Z")
    PieceRating.objects.filter(user__username="cleo").update(approved=True)
    for query, expected in (
        ("", ["dora", "ben", "ada"]),
        (f"?participant={appearance.participant_id}", ["dora"]),
        (f"?session={setup.session.pk}", ["dora", "ben", "ada"]),
        ("?session=999", []),
        ("?from=4", ["ben", "ada"]),
        ("?to=4", ["dora"]),
        ("?from=99&to=x", ["dora", "ben", "ada"]),
        ("?q=DORA", ["dora"]),
        ("?q=zofia", []),
        ("?new=1", ["dora", "ada"]),
        ("?show=approved", ["cleo"]),
        ("?show=all", ["dora", "cleo", "ben", "ada"]),
        ("?show=nonsense&before=nonsense", ["dora", "ben", "ada"]),
    ):
        assert authors(opened(DASHBOARD + query, admin)) == expected, query


@pytest.mark.django_db
def test_approved_rating_can_only_be_deleted() -> None:
    setup = pending_ratings("ada")
    PieceRating.objects.update(approved=True)
    seen = opened(f"{DASHBOARD}?show=approved", viewer_of(setup.admin))
    alone, button = every(one(seen.main, "ol", "queue"), "button")
    assert attributes(alone)["data-command"] == "mark_delete"
    assert attributes(button)["data-command"] == "rating_delete"
    assert attributes(button)["data-confirm"].startswith("Delete the rating “")
    assert (ticks(seen.main), every(seen.main, "button", name="decision")) == ([], [])


@pytest.mark.django_db
def test_deciding_all_matching_is_offered_for_pending_ratings_only() -> None:
    setup = pending_ratings("ada")
    crowd(setup, 2 * QUEUE_ROWS + 20)
    admin = viewer_of(setup.admin)
    for show, offered in (("waiting", 2), ("all", 0)):
        seen = opened(f"{DASHBOARD}?show={show}", admin)
        acts = [attributes(button).get("data-command") for button in every(seen.main, "button")]
        assert acts.count("ratings_decide_matching") == offered


def rows(where: Seen) -> list[Any]:
    """Return the rows of the list, without the collapsed marks inside them."""
    return [row for row in one(where.main, "ol", "queue")["children"] if isinstance(row, dict)]


@pytest.mark.django_db
def test_performance_rating_is_shown_with_its_comment() -> None:
    setup = pending_ratings("ada")
    whole = PerformanceRatingFactory(appearance=setup.appearances[1], comment="Silence.\nThen more.", score=5)
    PieceRatingFactory(appearance=setup.appearances[1], user=whole.user, approved=True, score=17)
    seen = opened(f"{DASHBOARD}?tab=performances", viewer_of(setup.admin))
    (row,) = rows(seen)
    assert "Silence.\nThen more." in text(row)
    assert text(one(row, "p", "queue__marks")).startswith("5 of 5Great Performance")
    assert "17 (approved)" in text(one(row, "p", "queue__marks"))
    assert text(one(row, "summary")) == "1 of 3 pieces"
    assert ticks(row) == [f"performance:{whole.pk}:{moment_number(whole.updated_at)}"]
    tabs = one(seen.main, "nav", "tabs")
    assert [text(link) for link in every(tabs, "a")] == [
        "Piece Ratings 1 rating waiting",
        "Performance Ratings 1 rating waiting",
        "Reports 0 texts waiting",
        "Unusual marks",
        "Live Sessions",
        "Default Avatars",
        "Audit",
        "Errors",
    ]
    assert text(one(tabs, "a", aria_current="page")) == "Performance Ratings 1 rating waiting"


@pytest.mark.django_db
def test_row_offers_decisions_about_all_or_single_marks() -> None:
    setup = pending_ratings("ada")
    mark, appearance = setup.ratings["ada"], setup.appearances[0]
    shown = PieceRatingFactory(appearance=appearance, user=mark.user, approved=True, score=24)
    late = moment_number(mark.updated_at) + 5
    entry = appearance.program.get(order_number=2)
    other = PieceRatingFactory(entry=entry, user=mark.user, score=3, updated_at=moment_read(late))
    whole = PerformanceRatingFactory(appearance=appearance, user=mark.user, comment="So.")
    pieces = f"piece:{mark.pk}:{moment_number(mark.updated_at)}+piece:{other.pk}:{late}"
    both = f"{pieces}+performance:{whole.pk}:{moment_number(whole.updated_at)}"
    admin = viewer_of(setup.admin)
    for is_on, tick, words, count in (
        (True, both, "Approve both", "1 rating, 3 marks"),
        (False, pieces, "Approve", "1 rating, 2 marks"),
    ):
        deciding_set(actor=admin, kind=RatingKind.PIECE, both=is_on)
        seen = opened(DASHBOARD, admin)
        (row,) = rows(seen)
        assert ticks(row) == [tick]
        assert text(one(row, "span", "queue__scores")).strip() == "Marks: 20 3 24 (approved)"
        assert "So." in text(row)
        acts = one(row, "div", "queue__acts")
        assert [attributes(button)["data-argument"] for button in every(acts, "button")] == [
            f"reject:{tick}",
            f"approve:{tick}",
        ]
        assert text(every(acts, "button")[1]) == words
        alone = [attributes(button)["data-argument"] for button in every(one(row, "details"), "button")]
        assert [argument.partition(":")[0] for argument in alone] == ["reject", "approve"] * 2 + [
            "piece",
            "reject",
            "approve",
        ]
        assert f"approve:piece:{other.pk}:{late}" in alone
        assert f"piece:{shown.pk}" in alone
        assert text(one(seen.main, "strong", "bar__count")) == count
        box, setting = every(seen.main, "button", "together")
        assert (text(setting), attributes(setting)["aria-checked"]) == ("Approve piece ratings automatically", "false")
        assert (text(box), attributes(box)["aria-checked"]) == ("Decide the whole performance too", str(is_on).lower())


@pytest.mark.django_db
def test_empty_lists_are_explained() -> None:
    admin = viewer_of(AdminFactory())
    assert "Nothing waits for you." in text(opened(DASHBOARD, admin).main)
    assert "No ratings found matching your criteria." in text(opened(f"{DASHBOARD}?q=nobody", admin).main)
    assert "No ratings available yet." in text(opened(f"{DASHBOARD}?show=approved", admin).main)
    assert "No session is live" in text(opened(f"{DASHBOARD}?tab=live", admin).main)


@pytest.mark.django_db
def test_long_list_has_a_constant_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings_desk, "MATCHED", 50)  # above it, the marks of all ratings are not counted
    setup = pending_ratings("ada")
    admin = viewer_of(setup.admin)
    with CaptureQueriesContext(connection) as few:
        loaded(DASHBOARD, admin)
    crowd(setup, 100)
    for tab, count in (("", "51 ratings"), ("performances", "50 ratings, 100 marks")):
        with CaptureQueriesContext(connection) as many:
            loaded(f"{DASHBOARD}?tab={tab}", admin)
        assert len(many) <= len(few) <= 20, [query["sql"] for query in many]
        seen = opened(f"{DASHBOARD}?tab={tab}", admin)
        assert len(ticks(seen.main)) == QUEUE_ROWS
        assert text(one(seen.main, "strong", "bar__count")) == count
        assert len(orjson.dumps(seen.model)) < 200_000
        assert len(seen.html) < 200_000


async def test_malformed_decisions_about_ratings_are_refused() -> None:
    setup = await in_thread(moderating.pending_ratings)
    async with open_page(moderating.DASHBOARD, user=setup.admin) as screen:
        for mark in ("1:x", "1.:1", "1:1+", "1:999999999999999999"):
            await check_refusals(screen, "rating_decide", f"approve:piece:{mark}", [({}, None, UNREADABLE)])
        cases = (
            ({"decision": "approve", "rating": ["17"]}, None, UNREADABLE),
            ({"decision": "approve", "rating": {"a": "b"}}, None, UNREADABLE),
            ({"decision": "burn", "rating": "piece:1:1"}, None, UNREADABLE),
            ({"decision": "approve"}, None, "Select ratings first, at most 1,000 of them."),
        )
        await check_refusals(screen, "ratings_decide", "", cases)
        for argument in ("approve:0:tab=pieces", "burn:1:tab=pieces"):
            await check_refusals(screen, "ratings_decide_matching", argument, [({}, None, UNREADABLE)])
        await check_refusals(screen, "decision_undo", "x", [({}, None, UNREADABLE)])
    assert await in_thread(PieceRating.objects.filter(approved=False).count) == 3


async def test_malformed_decisions_about_reports_are_refused() -> None:
    setup = await in_thread(reports.reported_posts)
    async with open_page(reports.TAB, user=setup.admin) as screen:
        for argument in ("hide:post:1:x", "hide:news:1:1"):
            await check_refusals(screen, "report_decide", argument, [({}, None, UNREADABLE)])
        cases = (
            ({"decision": "hide", "report": ["17"]}, None, UNREADABLE),
            ({"decision": "hide", "report": {"a": "b"}}, None, UNREADABLE),
            ({"decision": "burn", "report": "post:1:1"}, None, UNREADABLE),
            ({"decision": "hide", "report": ["post:1:1"] * (REPORTS_SHOWN + 1)}, None, UNREADABLE),
            ({"decision": "hide"}, None, "Select reports first, at most 1,000 of them."),
        )
        await check_refusals(screen, "reports_decide", "", cases)
        for argument in ("hide:0:tab=reports", "burn:1:tab=reports"):
            await check_refusals(screen, "reports_decide_matching", argument, [({}, None, UNREADABLE)])
        await check_refusals(screen, "report_decision_undo", "x", [({}, None, UNREADABLE)])
    assert await in_thread(ReportCase.objects.filter(state=ReportState.OPEN).count) == 3
