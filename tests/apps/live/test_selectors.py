"""Test the selectors of comments: order, keyset pages, and the queries and the plan for many comments."""

from apps.live.limits import COMMENTS_SHOWN
from apps.live.models import SessionComment
from apps.live.selectors import comment_range, comments_before, comments_left, session_comments
from tests.factories import SessionFactory
from tests.owner import as_owner

MANY = 1_000


def fill(session, author, count):
    """Write this many comments, starting with "comment 0", and return their ids, oldest first."""
    rows = [SessionComment(session_id=session.pk, user_id=author.id, content=f"comment {n}") for n in range(count)]
    return [row.pk for row in SessionComment.objects.bulk_create(rows)]


def ids(comments):
    return [comment.id for comment in comments]


def test_session_comments_returns_the_newest_with_authors(fan, session, django_assert_num_queries):
    fill(SessionFactory(), fan, 2)
    stored = fill(session, fan, 3)
    with django_assert_num_queries(1):
        shown = session_comments(session_id=session.pk)
    assert (ids(shown.newest), shown.total) == (stored[::-1], 3)
    newest = shown.newest[0]
    assert (newest.author, newest.author_id, newest.content) == ("una_corda", fan.id, "comment 2")


def test_pages_list_each_comment_once(fan, session):
    stored, page_ids, before = fill(session, fan, 75), [], None
    while page := comments_before(session_id=session.pk, before_id=before, limit=COMMENTS_SHOWN):
        page_ids += ids(page)
        before = page[-1].id
    assert page_ids == stored[::-1]


def test_comments_left_and_comment_range_exclude_the_newest(fan, session):
    stored = fill(session, fan, COMMENTS_SHOWN + 5)
    assert ids(comments_left(session_id=session.pk, from_id=stored[2])) == [stored[4], stored[3], stored[2]]
    assert comments_left(session_id=session.pk, from_id=stored[10]) == ()
    between = comment_range(session_id=session.pk, from_id=stored[0], below_id=stored[2])
    assert ids(between) == [stored[1], stored[0]]
    among_newest = comment_range(session_id=session.pk, from_id=stored[3], below_id=stored[9])
    assert ids(among_newest) == [stored[4], stored[3]]


def test_few_comments_are_all_newest(fan, session):
    stored = fill(session, fan, 5)
    assert comment_range(session_id=session.pk, from_id=stored[0], below_id=stored[4]) == ()
    assert comments_left(session_id=session.pk, from_id=stored[0]) == ()


def test_page_of_many_comments_is_read_along_an_index(fan, session, django_assert_num_queries):
    assert session_comments(session_id=session.pk).newest == ()
    stored = fill(session, fan, COMMENTS_SHOWN)
    for count in (COMMENTS_SHOWN, MANY):
        stored += fill(session, fan, count - len(stored))
        with django_assert_num_queries(2):
            shown = session_comments(session_id=session.pk)
        assert (len(shown.newest), shown.total) == (COMMENTS_SHOWN, count)
        with django_assert_num_queries(1):
            comments_before(session_id=session.pk, before_id=stored[count // 2], limit=COMMENTS_SHOWN)
    with as_owner() as cursor:
        cursor.execute("ANALYZE session_comments")
    older = SessionComment.objects.filter(session_id=session.pk, id__lt=stored[MANY // 2])
    plan = older.order_by("-id")[:COMMENTS_SHOWN].explain()
    assert "Index Scan" in plan
    assert "Sort" not in plan
