"""Test the selectors of comments: order, keyset pages, and the cost of ten thousand comments."""

import pytest

from apps.live.limits import COMMENTS_SHOWN
from apps.live.models import SessionComment
from apps.live.selectors import comment_range, comments_before, comments_left, session_comments
from tests.factories import SessionFactory
from tests.owner import as_owner

MANY = 10_000


def fill(session, who, count):
    """Write this many comments, starting with "comment 0", and return their ids, oldest first."""
    rows = [SessionComment(session_id=session.pk, user_id=who.id, content=f"comment {n}") for n in range(count)]
    return [row.pk for row in SessionComment.objects.bulk_create(rows)]


def ids(comments):
    return [comment.id for comment in comments]


def test_the_newest_come_first_with_their_authors(fan, session, django_assert_num_queries):
    fill(SessionFactory(), fan, 2)
    stored = fill(session, fan, 3)
    with django_assert_num_queries(1):
        shown = session_comments(session_id=session.pk)
    assert (ids(shown.newest), shown.total) == (stored[::-1], 3)
    newest = shown.newest[0]
    assert (newest.author, newest.author_id, newest.content) == ("una_corda", fan.id, "comment 2")


def test_no_comments(session):
    assert session_comments(session_id=session.pk).newest == ()


def test_pages_by_key_hold_every_comment_once(fan, session):
    stored, found, before = fill(session, fan, 75), [], None
    while page := comments_before(session_id=session.pk, before_id=before, limit=COMMENTS_SHOWN):
        found += ids(page)
        before = page[-1].id
    assert found == stored[::-1]


def test_what_has_left_the_newest_and_what_stands_between(fan, session):
    stored = fill(session, fan, COMMENTS_SHOWN + 5)
    assert ids(comments_left(session_id=session.pk, from_id=stored[2])) == [stored[4], stored[3], stored[2]]
    assert comments_left(session_id=session.pk, from_id=stored[10]) == ()
    between = comment_range(session_id=session.pk, from_id=stored[0], below_id=stored[2])
    assert ids(between) == [stored[1], stored[0]]
    among_newest = comment_range(session_id=session.pk, from_id=stored[3], below_id=stored[9])
    assert ids(among_newest) == [stored[4], stored[3]]


def test_few_comments_are_all_among_the_newest(fan, session):
    stored = fill(session, fan, 5)
    assert comment_range(session_id=session.pk, from_id=stored[0], below_id=stored[4]) == ()
    assert comments_left(session_id=session.pk, from_id=stored[0]) == ()


@pytest.mark.parametrize("count", [COMMENTS_SHOWN, MANY])
@pytest.mark.long
def test_ten_thousand_comments_cost_as_many_queries_as_thirty(fan, session, count, django_assert_num_queries):
    stored = fill(session, fan, count)
    with django_assert_num_queries(2):
        shown = session_comments(session_id=session.pk)
    assert (len(shown.newest), shown.total) == (COMMENTS_SHOWN, count)
    with django_assert_num_queries(1):
        comments_before(session_id=session.pk, before_id=stored[count // 2], limit=COMMENTS_SHOWN)


@pytest.mark.long
def test_a_page_out_of_ten_thousand_is_read_along_an_index(fan, session):
    stored = fill(session, fan, MANY)
    with as_owner() as cursor:
        cursor.execute("ANALYZE session_comments")
    page = SessionComment.objects.filter(session_id=session.pk, id__lt=stored[MANY // 2]).order_by("-id")[
        :COMMENTS_SHOWN
    ]
    plan = page.explain()
    assert "Index Scan" in plan
    assert "Sort" not in plan
