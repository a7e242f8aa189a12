"""Test keyset pages: where a list continues at a cursor, also for arbitrary cursors in addresses."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.database.paging import CURSOR_LENGTH, Cursor, keyset_page
from apps.news.selectors import post_list
from apps.ratings.enums import RatingKind
from tests.factories import BlogPostFactory

NOON = datetime(2027, 10, 12, 12, tzinfo=UTC)
KINDS = tuple(RatingKind)


@given(st.datetimes(timezones=st.just(UTC)), st.integers(0, 2**63 - 1), st.sampled_from(["", *KINDS]))
def test_a_cursor_survives_being_text(moment, number, kind):
    cursor = Cursor(moment, number, kind)
    assert len(str(cursor)) <= CURSOR_LENGTH
    assert Cursor.read(str(cursor), KINDS if kind else ("",)) == cursor


@pytest.mark.parametrize(
    "text",
    ["", "~", "~~", "today~piece~1", "2027-10-12T15:00:00+00:00~song~1", "2027-10-12T15:00:00+00:00~piece~x",
     "2027-10-12T15:00:00~piece~1", "2027-10-12T15:00:00+00:00~piece~-1", f"2027-10-12T15:00:00+00:00~piece~{2**63}",
     "2027-10-12T15:00:00+00:00~piece", "2027-10-12T15:00:00+00:00~piece~1~2", "2027-10-12T15:00:00+00:00~1",
     "0001-01-01T00:00:00+23:59~piece~1", "9999-12-31T23:59:59-23:59~piece~1",
     f"2027-10-12T15:00:00+00:00~piece~{'1' * 100_000}"],
)  # fmt: skip
def test_what_is_no_cursor_is_none(text):
    assert Cursor.read(text, KINDS) is None


@given(st.text())
def test_whatever_a_stranger_writes_is_a_cursor_or_none(text):
    for kinds in (KINDS, ("",)):
        assert str(Cursor.read(text, kinds) or "") in {"", str(Cursor.read(str(Cursor.read(text, kinds)), kinds))}


def page(before, *, size=2):
    return keyset_page(post_list, lambda post: Cursor(post.published_at, post.id), before=before, size=size)


def titles(found):
    return [post.title for post in found.rows]


@pytest.mark.django_db
def test_a_list_goes_on_where_it_ended_whatever_came_or_went():
    posts = [
        BlogPostFactory(title=str(number), is_published=True, published_at=NOON - timedelta(hours=number // 2))
        for number in range(5)
    ]
    first = page("")
    assert (titles(first), first.start) == (["1", "0"], "")
    BlogPostFactory(title="new", is_published=True, published_at=NOON + timedelta(hours=1))
    posts[0].delete()  # the last row of the page
    second = page(first.older)
    assert (titles(second), second.start) == (["3", "2"], first.older)
    third = page(second.older)
    assert (titles(third), third.older) == (["4"], "")


@pytest.mark.django_db
@pytest.mark.parametrize("rows", [1, 3])
def test_a_page_is_one_query(django_assert_num_queries, rows):
    for _ in range(rows):
        BlogPostFactory(is_published=True, published_at=NOON)
    with django_assert_num_queries(1):
        assert len(page("", size=3).rows) == rows
    with django_assert_num_queries(1):
        assert page("no cursor at all", size=1).start == ""


@pytest.mark.django_db
def test_a_page_that_is_just_full_has_no_older_one():
    for _ in range(2):
        BlogPostFactory(is_published=True, published_at=NOON)
    assert page("").older == ""
    assert page("", size=1).older
