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
def test_cursor_is_read_from_its_text(moment, number, kind):
    cursor = Cursor(moment, number, kind)
    assert len(str(cursor)) <= CURSOR_LENGTH
    assert Cursor.read(str(cursor), KINDS if kind else ("",)) == cursor


def test_invalid_cursors_are_none():
    noon = "2027-10-12T15:00:00+00:00"
    texts = (
        *("", "~", "~~", "today~piece~1", f"{noon}~song~1", f"{noon}~piece~x", "2027-10-12T15:00:00~piece~1"),
        *(f"{noon}~piece~-1", f"{noon}~piece~{2**63}", f"{noon}~piece", f"{noon}~piece~1~2", f"{noon}~1"),
        *("0001-01-01T00:00:00+23:59~piece~1", "9999-12-31T23:59:59-23:59~piece~1", f"{noon}~piece~{'1' * 100_000}"),
    )
    assert not [text for text in texts if Cursor.read(text, KINDS) is not None]


@given(st.text())
def test_any_text_is_read_as_a_cursor_or_none(text):
    for kinds in (KINDS, ("",)):
        assert str(Cursor.read(text, kinds) or "") in {"", str(Cursor.read(str(Cursor.read(text, kinds)), kinds))}


def page(before, *, size=2):
    return keyset_page(post_list, lambda post: Cursor(post.published_at, post.id), before=before, size=size)


def titles(rows_page):
    return [post.title for post in rows_page.rows]


@pytest.mark.django_db
def test_next_page_continues_despite_new_and_deleted_rows():
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
def test_page_is_read_with_one_query(django_assert_num_queries):
    for rows in (1, 2, 3):
        BlogPostFactory(is_published=True, published_at=NOON)
        with django_assert_num_queries(1):
            assert len(page("", size=3).rows) == rows
    with django_assert_num_queries(1):
        assert page("no cursor at all", size=1).start == ""
    assert page("", size=3).older == "", "a full last page has no older one"
    assert page("", size=1).older
