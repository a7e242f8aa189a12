"""Test the community's selectors: order, keyset pages, hidden texts, and the queries of twenty posts."""

import datetime as dt

import pytest
from django.utils import timezone

from apps.community.enums import PostReaction
from apps.community.limits import (
    COMMENT_LENGTH,
    COMMENTS_EARLIER,
    COMMENTS_SHOWN,
    EARLIER_CHARACTERS,
    POST_LENGTH,
    POSTS_BYTES,
    POSTS_SHOWN,
)
from apps.community.models import Post, PostComment, PostReactionRow
from apps.community.selectors.posts import (
    PostKey,
    own_reactions_recent,
    post_comment_ids_before,
    post_comments,
    post_comments_earlier,
    posts_page,
    posts_read,
    reactions_own,
)
from apps.core.database.paging import Cursor, keyset_page
from tests.factories import PostCommentFactory, PostFactory, PostReactionFactory, UserFactory


def posts(author, count, *, at=None):
    """Store this many posts, one a second or all at the time `at`. Return their ids, oldest first."""
    first_at = timezone.now() - dt.timedelta(days=1)
    rows = [
        Post(user_id=author.id, content=f"post {n}", created_at=at or first_at + dt.timedelta(seconds=n))
        for n in range(count)
    ]
    return [row.pk for row in Post.objects.bulk_create(rows)]


def comments(post_id, author, count):
    rows = [PostComment(post_id=post_id, user_id=author.id, content=f"comment {n}, @una_corda") for n in range(count)]
    return [row.pk for row in PostComment.objects.bulk_create(rows)]


def ids(cards):
    return [card.id for card in cards]


def cursor(key: PostKey):
    return Cursor(key.created_at, key.id)


@pytest.mark.parametrize("at", [None, timezone.now() - dt.timedelta(hours=1)], ids=["one by one", "at one moment"])
def test_pages_list_each_visible_post_once_newest_first(fan, at):
    stored, page_ids, before = posts(fan, 45, at=at), [], ""
    Post.objects.filter(pk__in=stored[7:9]).update(is_hidden=True)
    while True:
        page = keyset_page(posts_page, cursor, before=before, size=POSTS_SHOWN)
        page_ids += ids(page.rows)
        if not page.older:
            break
        before = page.older
    assert page_ids == [pk for pk in reversed(stored) if pk not in stored[7:9]]


def test_posts_page_filters_by_author(fan):
    own = posts(fan, 3)
    PostFactory()
    assert ids(posts_page(limit=9, author_id=fan.id)) == own[::-1]
    older = posts_page(limit=9, author_id=fan.id, before=cursor(posts_page(limit=1, author_id=fan.id)[0]))
    assert ids(older) == own[1::-1]


def test_post_is_read_with_author_counts_and_mentions(fan):
    UserFactory(username="Pedal-Point")
    post = PostFactory(
        user_id=fan.id, content="@pedal-point, @unknown_name and @una_corda!", image_url="https://x.example/a.webp"
    )
    for kind in ("applause", "applause", "boo"):
        PostReactionFactory(post=post, type=kind)
    PostCommentFactory(post=post)
    PostCommentFactory(post=post, is_hidden=True)
    card = posts_read(ids=[post.pk, 987_654])[post.pk]
    assert (card.author_id, card.author, card.content) == (fan.id, "una_corda", post.content)
    assert (card.applause, card.boo, card.comments) == (2, 1, 1)
    assert card.known == {"pedal-point", "una_corda"}
    assert card.image_url == post.image_url
    Post.objects.update(is_hidden=True)
    assert posts_read(ids=[post.pk]) == {}
    assert post_comments(post_id=post.pk).newest == ()


def test_hidden_comments_are_not_counted(fan):
    post = PostFactory()
    hidden, _ = comments(post.pk, fan, 2)
    for is_hidden, count in ((True, 1), (False, 2)):
        PostComment.objects.filter(pk=hidden).update(is_hidden=is_hidden)
        assert posts_read(ids=[post.pk])[post.pk].comments == count
        assert post_comments(post_id=post.pk).total == count


def test_comments_are_ordered_oldest_first_and_earlier_ones_precede(fan):
    post, other = PostFactory(), PostFactory()
    stored = comments(post.pk, fan, COMMENTS_SHOWN + 12)
    comments(other.pk, fan, 2)
    PostComment.objects.filter(pk=stored[3]).update(is_hidden=True)
    visible = [pk for pk in stored if pk != stored[3]]
    shown = post_comments(post_id=post.pk)
    assert (ids(shown.newest), shown.total) == (visible[-COMMENTS_SHOWN:], len(visible))
    assert shown.newest[0].known == {"una_corda"}
    before = post_comment_ids_before(post_id=post.pk, below_id=shown.newest[0].id, limit=5)
    assert list(before) == visible[-COMMENTS_SHOWN - 5 : -COMMENTS_SHOWN][::-1]
    earlier = post_comments_earlier(post_id=post.pk, from_id=before[-1])
    assert ids(earlier) == list(reversed(before))
    assert ids(post_comments_earlier(post_id=post.pk, from_id=0)) == visible[:-COMMENTS_SHOWN]
    assert post_comments_earlier(post_id=post.pk, from_id=shown.newest[0].id) == ()
    assert post_comment_ids_before(post_id=post.pk, below_id=stored[0], limit=5) == ()
    assert ids(post_comments(post_id=other.pk).newest) == sorted(ids(post_comments(post_id=other.pk).newest))


def test_earlier_comments_are_limited_to_the_newest_of_them(fan):
    post = PostFactory()
    stored = comments(post.pk, fan, COMMENTS_SHOWN + COMMENTS_EARLIER + 7)
    assert ids(post_comments_earlier(post_id=post.pk, from_id=0)) == stored[7:-COMMENTS_SHOWN]


def test_own_reactions_are_read_by_post(fan):
    stored = posts(fan, 4)
    for pk, kind in zip(stored, ("boo", "applause", "applause", "boo"), strict=True):
        PostReactionFactory(post_id=pk, user_id=fan.id, type=kind)
    PostReactionFactory(post_id=stored[0])
    assert reactions_own(user_id=fan.id, post_ids=stored[:2]) == {
        stored[0]: PostReaction.BOO,
        stored[1]: PostReaction.APPLAUSE,
    }
    assert own_reactions_recent(user_id=fan.id, limit=1) == {stored[3]: PostReaction.BOO}
    assert len(own_reactions_recent(user_id=fan.id)) == 4
    assert reactions_own(user_id=UserFactory().pk, post_ids=stored) == {}


@pytest.mark.parametrize("count", [1, 20])
def test_posts_page_has_a_constant_number_of_queries(fan, count, django_assert_num_queries):
    stored = posts(fan, count)
    Post.objects.update(content="Heard by @una_corda and @unknown")
    for pk in stored:
        comments(pk, fan, 50)
    PostReactionRow.objects.bulk_create(PostReactionRow(post_id=pk, user_id=fan.id, type="boo") for pk in stored)
    with django_assert_num_queries(3):
        page = posts_page(limit=POSTS_SHOWN + 1)
        cards = posts_read(ids=[key.id for key in page])
    assert {(card.comments, card.boo, card.known) for card in cards.values()} == {(50, 1, frozenset({"una_corda"}))}
    with django_assert_num_queries(1):
        assert len(reactions_own(user_id=fan.id, post_ids=stored)) == count
    with django_assert_num_queries(3):
        assert post_comments(post_id=stored[0]).total == 50
    with django_assert_num_queries(2):
        assert len(post_comments_earlier(post_id=stored[0], from_id=0)) == 20


def test_posts_page_is_limited_by_bytes_to_at_least_one_post(fan):
    stored = [*posts(fan, POSTS_SHOWN), *(PostFactory(content="𝄞" * POST_LENGTH).pk for _ in range(3))]
    page_ids, before = [], ""
    while not page_ids or before:
        page = keyset_page(
            *(posts_page, cursor), before=before, size=POSTS_SHOWN, weigh=lambda post: post.size, heaviest=POSTS_BYTES
        )
        page_ids.append(page.rows)
        before = page.older
    assert [row.id for rows in page_ids for row in rows] == stored[::-1]
    assert [len(rows) for rows in page_ids[:2]] == [1, 1], "two of the longest are too much for a page"
    assert all(sum(row.size for row in rows) <= POSTS_BYTES for rows in page_ids)


def test_earlier_comments_are_limited_by_characters(fan):
    post = PostFactory()
    rows = [PostComment(post=post, user_id=fan.id, content="a" * COMMENT_LENGTH) for _ in range(90)]
    stored = [row.pk for row in PostComment.objects.bulk_create(rows)]
    page_ids = ids(post_comments_earlier(post_id=post.pk, from_id=0))
    shown = EARLIER_CHARACTERS // COMMENT_LENGTH
    assert shown >= COMMENTS_SHOWN, "one step back is shown whole"
    assert page_ids == stored[-COMMENTS_SHOWN - shown : -COMMENTS_SHOWN]
