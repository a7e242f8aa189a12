"""Test the posts of the demo's audience in the community."""

import pytest

from apps.community.limits import COMMENT_LENGTH, POST_LENGTH
from apps.community.models import Post, PostComment
from apps.community.selectors.posts import post_comments, posts_page, posts_read
from apps.core.text_rules import text_clean
from apps.demo.accounts import accounts_load
from apps.demo.audience.opinions import rater_names
from apps.demo.audience.posts import community_load
from tests.apps.live.conftest import member
from tests.owner import as_owner


@pytest.fixture(autouse=True)
def fresh(db):
    """Restart the ids of posts, as in a new database."""
    with as_owner() as cursor:
        cursor.execute("ALTER SEQUENCE posts_id_seq RESTART")


@pytest.fixture
def accounts(db, settings, tmp_path):
    """Create all accounts of the demo."""
    settings.DATA = tmp_path
    accounts_load()
    for name in rater_names():
        member(username=name)


def feed():
    """Return the posts, newest first."""
    ids = [key.id for key in posts_page(limit=100)]
    cards = posts_read(ids=ids)
    return [cards[pk] for pk in ids]


def comments_of(cards):
    return [comment for card in cards for comment in post_comments(post_id=card.id).newest]


def test_accounts_post_comment_and_react_once(accounts):
    count = community_load()
    shown = feed()
    assert len(shown) == count >= 8
    assert len({card.author for card in shown}) >= 8
    assert all(card.comments for card in shown)
    assert all(card.applause for card in shown)
    assert any(card.boo for card in shown)
    assert any(card.known for card in [*shown, *comments_of(shown)])
    assert [card.id for card in shown] == sorted((card.id for card in shown), reverse=True)
    for card in shown:
        moments = [comment.created_at for comment in comments_of([card])]
        assert [card.created_at, *moments] == sorted([card.created_at, *moments])
    assert community_load() == 0
    Post.objects.all().delete()
    assert community_load() == 0


def test_texts_are_clean_unique_and_short(accounts):
    community_load()
    for model, longest in ((Post, POST_LENGTH), (PostComment, COMMENT_LENGTH)):
        texts = list(model.objects.values_list("content", flat=True))
        assert len(texts) == len(set(texts))
        for text in texts:
            assert (text_clean(text), len(text) <= longest, "!" in text) == (text, True, False)


def test_posts_are_only_by_existing_accounts():
    assert community_load() == 0
    member(username="una_corda")
    member(username="pedal-point")
    with as_owner() as cursor:
        cursor.execute("ALTER SEQUENCE posts_id_seq RESTART")
    assert community_load() == 2
    assert {card.author for card in feed()} == {"una_corda", "pedal-point"}
    assert {comment.author for comment in comments_of(feed())} == {"pedal-point"}
