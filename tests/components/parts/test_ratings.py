"""What the audience gave and wrote: rows, pages of them, the ledger on the title page."""

import datetime as dt

import pytest

from components.parts.ratings.latest_ratings import latest_ratings
from components.parts.ratings.rating_rows import participant_letters, participant_ratings
from components.rendering.parts import shared_reads
from tests.components.conftest import evening_with
from tests.components.seen import attributes, every, one, text, tree
from tests.factories import EVENING, PerformanceRatingFactory, PieceRatingFactory, UserFactory

SECRETS = ("example.org", "password", "is_admin")


@pytest.fixture
def appearance(db):
    return evening_with(1).appearances[0]


def letters(appearance):
    return tree(participant_letters.markup(appearance.participant_id, language="en"))


def ratings(appearance, before=""):
    return tree(participant_ratings.markup(appearance.participant_id, before, language="en"))


def named(row):
    """Who wrote it."""
    return text(one(row, "strong"))


def stored(appearance, count, **more):
    """Store so many ratings, a minute apart, the last one the newest."""
    return [
        PerformanceRatingFactory(
            session_participant=appearance,
            comment=f"Nr {n}",
            approved=True,
            created_at=EVENING + dt.timedelta(minutes=n),
            **more,
        )
        for n in range(count)
    ]


def test_letters_are_the_five_newest_words_that_were_approved(appearance):
    stored(appearance, 6)
    PerformanceRatingFactory(session_participant=appearance, comment="Waiting")
    PieceRatingFactory(entry=appearance.program.first(), approved=True)
    shown = letters(appearance)
    assert [text(row) for row in every(shown, "p", "says__text")] == [f"Nr {n}" for n in (5, 4, 3, 2, 1)]
    row = every(shown, "li")[0]
    assert attributes(one(row, "span", "five-mini"))["aria-label"] == "4 of 5"
    assert "Great Performance" in text(row)
    assert [text(link) for link in every(row, "a")] == [f"Report the comment by {named(row)}"]
    assert attributes(one(one(shown, "div", "hang"), "a"))["href"] == (
        f"/participants/{appearance.participant_id}?tab=ratings"
    )


def test_without_words_there_is_no_section(appearance):
    assert attributes(letters(appearance))["hidden"] is True


def test_all_ratings_show_both_kinds_with_what_they_are_about(appearance):
    entry = appearance.program.order_by("order_number").first()
    PieceRatingFactory(entry=entry, score=23, approved=True, user=UserFactory(username="una_corda"))
    [whole] = stored(appearance, 1)
    rows = every(ratings(appearance), "li")
    assert len(rows) == 2
    piece = next(row for row in rows if "una_corda" in text(row))
    assert "23 of 25" in text(piece)
    assert "Étude in C♯ minor op. 10 no. 4 · Stage I, evening session" in text(piece)
    delete = one(piece, "button")
    assert attributes(delete)["data-argument"].startswith("piece:")
    question = "Delete the rating “Étude in C♯ minor, op. 10 no. 4, Maëlle d’Hautecombe, by una_corda”?"
    assert attributes(delete)["data-confirm"] == question
    assert {attributes(one(row, "button"))["data-slot"] for row in rows} == {
        f"author:{whole.user_id}", attributes(delete)["data-slot"],
    }  # fmt: skip


def test_all_ratings_come_page_by_page_without_gaps(appearance):
    stored(appearance, 65)
    seen, before = [], ""
    for _ in range(3):
        shown = ratings(appearance, before)
        seen += [text(row) for row in every(shown, "p", "says__text")]
        ways = {text(way): attributes(way)["href"] for way in every(one(shown, "p", "row"), "a")}
        before = (
            ways.get("Show more", "")
            .partition("before=")[2]
            .replace("%3A", ":")
            .replace("%2B", "+")
            .replace("%7E", "~")
        )
    assert seen == [f"Nr {n}" for n in range(64, -1, -1)]
    assert ways == {"The newest": f"/participants/{appearance.participant_id}?tab=ratings"}


@pytest.mark.parametrize("count", [1, 50])
def test_as_many_queries_for_fifty_ratings_as_for_one(appearance, count, django_assert_num_queries):
    stored(appearance, count)
    for _ in range(count):
        PieceRatingFactory(entry=appearance.program.first(), approved=True)
    with django_assert_num_queries(4):
        ratings(appearance)
    with django_assert_num_queries(3):
        letters(appearance)
    with shared_reads(), django_assert_num_queries(3):
        tree(latest_ratings.markup(language="en"))


def test_the_ledger_has_the_five_newest_with_raters_and_participants(appearance):
    stored(appearance, 6, score=5)
    PieceRatingFactory(
        entry=appearance.program.first(), score=23, approved=True, created_at=EVENING + dt.timedelta(hours=1)
    )
    PieceRatingFactory(entry=appearance.program.first(), score=1, created_at=EVENING + dt.timedelta(hours=2))
    rows = every(tree(latest_ratings.markup(language="en")), "li")
    assert len(rows) == 5
    assert text(one(rows[0], "span", "ledger__mark")) == "2323 of 25"
    assert "Maëlle d’Hautecombe France" in text(rows[0]) or "Maëlle d’Hautecombe Poland" in text(rows[0])
    assert attributes(one(rows[0], "a"))["href"] == f"/participants/{appearance.participant_id}"
    assert "The whole performance" in text(rows[1])
    assert attributes(one(rows[1], "time"))["data-when"] == "ago"


def test_nothing_private_is_in_what_everybody_sees(appearance):
    stored(appearance, 2)
    waiting = PerformanceRatingFactory(session_participant=appearance, comment="Only for moderators")
    for shown in (letters(appearance), ratings(appearance), tree(latest_ratings.markup(language="en"))):
        words = str(shown)
        assert waiting.comment not in words
        assert not [secret for secret in SECRETS if secret in words]
