"""The list of pending ratings: filters, rows, pages, and a bounded cost for many ratings."""

from typing import Any

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.competition.models import Session
from apps.core.commands import moment_number, moment_read
from apps.ratings.enums import RatingKind
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.models import PieceRating
from apps.ratings.services.deciding import deciding_set
from components.pages.admin.dashboard import ratings_desk
from tests.components.pages.admin.moderating import DASHBOARD, crowd, pending, pending_ratings, ticks
from tests.components.seen import Seen, attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, PerformanceRatingFactory, PieceRatingFactory, viewer_of


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
    whole = PerformanceRatingFactory(session_participant=setup.appearances[1], comment="Silence.\nThen more.", score=5)
    PieceRatingFactory(session_participant=setup.appearances[1], user=whole.user, approved=True, score=17)
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
    shown = PieceRatingFactory(session_participant=appearance, user=mark.user, approved=True, score=24)
    late = moment_number(mark.updated_at) + 5
    entry = appearance.program.get(order_number=2)
    other = PieceRatingFactory(entry=entry, user=mark.user, score=3, updated_at=moment_read(late))
    whole = PerformanceRatingFactory(session_participant=appearance, user=mark.user, comment="So.")
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
        box = one(seen.main, "button", "together")
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
    monkeypatch.setattr(ratings_desk, "MATCHED", 200)  # above it, the marks of all ratings are not counted
    setup = pending_ratings("ada")
    admin = viewer_of(setup.admin)
    with CaptureQueriesContext(connection) as few:
        loaded(DASHBOARD, admin)
    crowd(setup, 400)
    for tab, count in (("", "201 ratings"), ("performances", "200 ratings, 400 marks")):
        with CaptureQueriesContext(connection) as many:
            loaded(f"{DASHBOARD}?tab={tab}", admin)
        assert len(many) <= len(few) <= 19, [query["sql"] for query in many]
        seen = opened(f"{DASHBOARD}?tab={tab}", admin)
        assert len(ticks(seen.main)) == QUEUE_ROWS
        assert text(one(seen.main, "strong", "bar__count")) == count
        assert len(orjson.dumps(seen.model)) < 200_000
        assert len(seen.html) < 200_000


@pytest.mark.django_db
def test_pages_are_complete_without_repetition() -> None:
    setup = pending_ratings("ada")
    crowd(setup, 2 * QUEUE_ROWS + 20)
    admin, address, read = viewer_of(setup.admin), DASHBOARD, []
    while address:
        seen = opened(address, admin)
        read += ticks(seen.main)
        address = next((attributes(a)["href"] for a in every(seen.main, "a") if text(a) == "Show older"), "")
    assert len(read) == len(set(read)) == PieceRating.objects.count()
    assert Session.objects.count() == 1
