"""Ratings and comments of the audience: newest comments, the paginated list, the latest ratings on the home page."""

import datetime as dt
from urllib.parse import unquote

import pytest

from components.parts.ratings.latest_ratings import latest_ratings
from components.parts.ratings.rating_rows import participant_ratings, performance_words
from components.runtime.rendering.live_part import LivePart
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, read_part, text, tree
from tests.factories import EVENING, PerformanceRatingFactory, PieceRatingFactory, UserFactory
from tests.rendering import renew, renew_all


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


def newest_comments(appearance):
    return whole(read_part(performance_words, appearance.pk, appearance.participant_id))


def ratings(appearance, before=""):
    return whole(read_part(participant_ratings, appearance.participant_id, before))


def latest():
    return whole(read_part(latest_ratings))


def stored(appearance, count, **more):
    """Create `count` approved ratings, one minute apart, the last one the newest."""
    columns = {"appearance": appearance, "approved": True} | more
    return [
        PerformanceRatingFactory(comment=f"Nr {n}", created_at=EVENING + dt.timedelta(minutes=n), **columns)
        for n in range(count)
    ]


def test_newest_comments_are_the_last_three_approved(appearance):
    assert attributes(newest_comments(appearance))["hidden"] is True
    stored(appearance, 6)
    PerformanceRatingFactory(appearance=appearance, comment="Waiting")
    PieceRatingFactory(entry=appearance.program.first(), approved=True)
    shown = newest_comments(appearance)
    assert [text(row) for row in every(shown, "p", "says__text")] == [f"Nr {n}" for n in (5, 4, 3)]
    row = every(shown, "li")[0]
    assert text(one(row, "span", "whole-mark")) == "4 of 5"
    assert "Great Performance" in text(row)
    assert [text(link) for link in every(row, "a")] == [f"Report the comment by {text(one(row, 'strong'))}"]
    assert attributes(every(shown, "a")[-1])["href"] == f"/participants/{appearance.participant_id}?tab=ratings"


def rated(appearance, scores, **whole):
    """Create one user's ratings: the whole performance, and the first pieces with these marks."""
    performance = PerformanceRatingFactory(appearance=appearance, **{"approved": True} | whole)
    entries = appearance.program.order_by("order_number")
    same = {"user": performance.user, "approved": True}
    marks = [
        PieceRatingFactory(entry=entry, score=score, **same) for entry, score in zip(entries, scores, strict=False)
    ]
    return performance, marks


def rows_of(shown):
    """Return the rows of ratings, without the folded rows of their marks."""
    return [row for row in every(shown, "li") if "mark-list__mark" not in str(row["children"][0])]


def test_ratings_of_one_user_for_a_performance_are_one_row(appearance):
    performance, [first, second] = rated(appearance, (23, 20), user=UserFactory(username="una_corda"), comment="So.")
    PieceRatingFactory(entry=appearance.program.last(), approved=False, score=1)
    stored(appearance, 1)
    pending = PieceRatingFactory(user=performance.user, appearance=appearance, score=1)
    rows = rows_of(ratings(appearance))
    assert len(rows) == 2
    row = next(row for row in rows if "una_corda" in text(row))
    assert "21.5average 21.5 of 25" in text(row)
    assert text(one(row, "span", "whole-mark")) == "4 of 5"
    assert "Stage I, evening session" in text(row)
    fold = one(row, "details", "mark-list")
    assert text(one(fold, "summary")) == "2 of 3 pieces"
    assert "23 of 25Étude in C♯ minor op. 10 no. 4" in text(fold).replace("2323", "23")
    marks = [attributes(button)["data-argument"] for button in every(fold, "button")]
    assert marks == [f"piece:{first.pk}", f"piece:{second.pk}", f"performance:{performance.pk}"]
    assert f"piece:{pending.pk}" not in marks
    question = "Delete the rating “Étude in C♯ minor, op. 10 no. 4, Maëlle d’Hautecombe, by una_corda”?"
    assert attributes(every(fold, "button")[0])["data-confirm"] == question
    delete = attributes(one(row, "button", data_command="rating_delete"))
    assert delete["data-argument"] == f"{appearance.pk}:{performance.user_id}"
    question = "Delete the rating “Maëlle d’Hautecombe, Stage I, evening session, by una_corda”?"
    assert delete["data-confirm"] == question
    buttons = [attributes(button) for button in every(row, "button")]
    deletes = [button for button in buttons if button["data-command"] != "figures_show"]
    assert {button["data-slot"] for button in deletes} == {f"author:{performance.user_id}"}
    assert all(button["hidden"] for button in deletes)


def test_single_mark_cannot_be_unfolded_or_deleted_by_itself(appearance):
    [performance] = stored(appearance, 1)
    piece = PieceRatingFactory(entry=appearance.program.first(), approved=True)
    of_whole, of_piece = (
        next(row for row in rows_of(ratings(appearance)) if each.user.username in text(row))
        for each in (performance, piece)
    )
    assert [attributes(menu)["class"] for menu in every(of_whole, "details")] == ["acts"]
    assert every(one(of_piece, "details", look="mark-list"), "button") == []


def test_ratings_are_paginated_without_gaps(appearance):
    stored(appearance, 45)
    seen, before = [], ""
    for _ in range(3):
        shown = ratings(appearance, before)
        seen += [text(row) for row in every(shown, "p", "says__text")]
        links = {text(link): attributes(link)["href"] for link in every(one(shown, "p", "row"), "a")}
        before = unquote(links.get("Show more", "").partition("before=")[2])
    assert seen == [f"Nr {n}" for n in range(44, -1, -1)]
    assert links == {"The newest": f"/participants/{appearance.participant_id}?tab=ratings"}


def test_ratings_cost_as_many_queries_for_many_as_for_one(appearance, django_assert_num_queries):
    count = 12
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
            assert all(renew_all([LivePart(inner) for inner in outer.inner_refs]))


def test_latest_ratings_are_the_five_newest(appearance):
    stored(appearance, 6, score=5)
    late = {"created_at": EVENING + dt.timedelta(hours=1)}
    rated(appearance, (23, 20), **late)
    PieceRatingFactory(entry=appearance.program.first(), score=1, created_at=EVENING + dt.timedelta(hours=2))
    rows = rows_of(latest())
    assert len(rows) == 5
    assert text(one(rows[0], "span", "ledger__mark")) == "21.5average 21.5 of 25"
    keys = enumerate(every(one(rows[0], "span", "ledger__keys"), "i"), start=1)
    assert [number for number, key in keys if "class" in attributes(key)] == [20, 23]
    assert text(one(one(rows[0], "details"), "summary")) == "2 of 2 pieces: 23, 20"
    assert text(one(rows[0], "span", "ledger__whole")) == "the whole 4 of 5"
    assert [attributes(button)["data-command"] for button in every(rows[0], "button")] == ["figures_show"]
    assert "Maëlle d’Hautecombe France" in text(rows[0]) or "Maëlle d’Hautecombe Poland" in text(rows[0])
    assert attributes(one(rows[0], "a"))["href"] == f"/participants/{appearance.participant_id}"
    assert text(one(rows[1], "span", "ledger__mark")) == "–no pieces"
    assert attributes(one(rows[1], "time"))["data-when"] == "ago"
