"""Ratings and comments of the audience: newest comments, the paginated list, the latest ratings on the home page."""

import datetime as dt

import pytest

from components.parts.ratings.latest_ratings import latest_ratings
from components.parts.ratings.rating_rows import participant_ratings, performance_words
from components.runtime.rendering.live_part import LivePart
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, text, tree
from tests.factories import EVENING, PerformanceRatingFactory, PieceRatingFactory, UserFactory
from tests.rendering import renew, renew_all

SECRETS = ("example.org", "password", "is_admin")


@pytest.fixture
def appearance(db):
    return busy_session_with(1).appearances[0]


def whole(node):
    """Return this tree with the parts inside."""
    if isinstance(node, str):
        return node
    if node["tagName"] == "shared-part":
        ref = attributes(node)["part"].ref
        return whole(tree(ref.part.markup(*ref.parameters, language=ref.language)))
    return node | {"children": [whole(child) for child in node.get("children", ())]}


def letters(appearance):
    return whole(tree(performance_words.markup(appearance.pk, appearance.participant_id, language="en")))


def ratings(appearance, before=""):
    return whole(tree(participant_ratings.markup(appearance.participant_id, before, language="en")))


def latest():
    return whole(tree(latest_ratings.markup(language="en")))


def named(row):
    """Return the author's name."""
    return text(one(row, "strong"))


def stored(appearance, count, **more):
    """Create `count` approved ratings, one minute apart, the last one the newest."""
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


def test_letters_are_the_three_newest_words_that_were_approved(appearance):
    stored(appearance, 6)
    PerformanceRatingFactory(session_participant=appearance, comment="Waiting")
    PieceRatingFactory(entry=appearance.program.first(), approved=True)
    shown = letters(appearance)
    assert [text(row) for row in every(shown, "p", "says__text")] == [f"Nr {n}" for n in (5, 4, 3)]
    row = every(shown, "li")[0]
    assert text(one(row, "span", "whole-mark")) == "4 of 5"
    assert "Great Performance" in text(row)
    assert [text(link) for link in every(row, "a")] == [f"Report the comment by {named(row)}"]
    assert attributes(every(shown, "a")[-1])["href"] == (f"/participants/{appearance.participant_id}?tab=ratings")


def test_without_words_there_is_no_section(appearance):
    assert attributes(letters(appearance))["hidden"] is True


def rated(appearance, scores, **whole):
    """Create one user's ratings: the whole performance, and the first pieces with these marks."""
    performance = PerformanceRatingFactory(session_participant=appearance, **{"approved": True} | whole)
    entries = appearance.program.order_by("order_number")
    same = {"user": performance.user, "approved": True}
    marks = [
        PieceRatingFactory(entry=entry, score=score, **same) for entry, score in zip(entries, scores, strict=False)
    ]
    return performance, marks


def rows_of(shown):
    """Return the rows of ratings, without the folded rows of their marks."""
    return [row for row in every(shown, "li") if "mark-list__mark" not in str(row["children"][0])]


def test_all_ratings_are_one_row_for_a_person_and_a_performance(appearance):
    performance, [first, second] = rated(appearance, (23, 20), user=UserFactory(username="una_corda"), comment="So.")
    PieceRatingFactory(entry=appearance.program.last(), approved=False, score=1)
    stored(appearance, 1)
    waits = PieceRatingFactory(user=performance.user, session_participant=appearance, score=1)
    rows = rows_of(ratings(appearance))
    assert len(rows) == 2
    row = next(row for row in rows if "una_corda" in text(row))
    assert "21.5average 21.5 of 25" in text(row)
    assert text(one(row, "span", "whole-mark")) == "4 of 5"
    assert "Stage I, evening session" in text(row)
    fold = one(row, "details", "mark-list")
    assert text(one(fold, "summary")) == "2 of 3 pieces"
    assert "23 of 25Étude in C♯ minor op. 10 no. 4" in text(fold).replace("2323", "23")
    assert waits.pk not in [int(attributes(each)["data-argument"].partition(":")[2]) for each in every(fold, "button")]
    assert [attributes(each)["data-argument"] for each in every(fold, "button")] == [
        f"piece:{first.pk}",
        f"piece:{second.pk}",
        f"performance:{performance.pk}",
    ]
    question = "Delete the rating “Étude in C♯ minor, op. 10 no. 4, Maëlle d’Hautecombe, by una_corda”?"
    assert attributes(every(fold, "button")[0])["data-confirm"] == question
    [delete] = [each for each in every(row, "button") if attributes(each)["data-command"] == "rating_delete"]
    assert attributes(delete)["data-argument"] == f"{appearance.pk}:{performance.user_id}"
    asked = "Delete the rating “Maëlle d’Hautecombe, Stage I, evening session, by una_corda”?"
    assert attributes(delete)["data-confirm"] == asked
    deletes = [each for each in every(row, "button") if attributes(each)["data-command"] != "figures_show"]
    assert {attributes(each)["data-slot"] for each in deletes} == {f"author:{performance.user_id}"}
    assert all(attributes(each)["hidden"] for each in deletes)


def test_a_rating_of_the_whole_alone_has_nothing_to_unfold_and_one_of_a_piece_nothing_to_delete_alone(appearance):
    [performance] = stored(appearance, 1)
    piece = PieceRatingFactory(entry=appearance.program.first(), approved=True)
    of_whole, of_piece = (
        next(row for row in rows_of(ratings(appearance)) if each.user.username in text(row))
        for each in (performance, piece)
    )
    assert every(of_whole, "details") == []
    assert every(one(of_piece, "details"), "button") == []


def test_all_ratings_come_page_by_page_without_gaps(appearance):
    stored(appearance, 65)
    seen, before = [], ""
    for _ in range(4):
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
    for ref, queries in {
        participant_ratings(appearance.participant_id, "", language="en"): (4, 4),
        performance_words(appearance.pk, appearance.participant_id, language="en"): (2, 1),
        latest_ratings(language="en"): (2, 4),
    }.items():
        outer = LivePart(ref)
        with django_assert_num_queries(queries[0]):
            renew(outer)
        with django_assert_num_queries(queries[1]):
            assert not [each for each in renew_all([LivePart(inner) for inner in outer.inner_refs]) if not each]


def test_the_ledger_has_the_five_newest_with_raters_and_participants(appearance):
    stored(appearance, 6, score=5)
    late = {"created_at": EVENING + dt.timedelta(hours=1)}
    rated(appearance, (23, 20), **late)
    PieceRatingFactory(entry=appearance.program.first(), score=1, created_at=EVENING + dt.timedelta(hours=2))
    rows = rows_of(latest())
    assert len(rows) == 5
    assert text(one(rows[0], "span", "ledger__mark")) == "21.5average 21.5 of 25"
    struck = [
        n for n, key in enumerate(every(one(rows[0], "span", "ledger__keys"), "i"), 1) if "class" in attributes(key)
    ]
    assert struck == [20, 23]
    assert text(one(one(rows[0], "details"), "summary")) == "2 of 2 pieces: 23, 20"
    assert text(one(rows[0], "span", "ledger__whole")) == "the whole 4 of 5"
    assert [attributes(each)["data-command"] for each in every(rows[0], "button")] == ["figures_show"]
    assert "Maëlle d’Hautecombe France" in text(rows[0]) or "Maëlle d’Hautecombe Poland" in text(rows[0])
    assert attributes(one(rows[0], "a"))["href"] == f"/participants/{appearance.participant_id}"
    assert text(one(rows[1], "span", "ledger__mark")) == "–no pieces"
    assert attributes(one(rows[1], "time"))["data-when"] == "ago"


def test_nothing_private_is_in_what_everybody_sees(appearance):
    stored(appearance, 2)
    waiting = PerformanceRatingFactory(session_participant=appearance, comment="Only for moderators")
    for shown in (letters(appearance), ratings(appearance), latest()):
        words = str(shown)
        assert waiting.comment not in words
        assert not [secret for secret in SECRETS if secret in words]
