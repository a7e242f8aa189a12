"""Test the texts of the demo's audience: posts in the community, and comments during the live session."""

import pytest

from apps.community.limits import COMMENT_LENGTH, POST_LENGTH
from apps.community.models import Post, PostComment
from apps.community.selectors.posts import post_comments, posts_page, posts_read
from apps.competition.models import Session
from apps.core.text_rules import text_clean
from apps.demo.accounts import accounts_load
from apps.demo.audience.opinions import rater_names
from apps.demo.audience.posts import comments_load, community_load
from apps.live.models import SessionComment
from apps.live.selectors import session_comments
from tests.apps.live.conftest import member
from tests.factories import SessionFactory
from tests.owner import as_owner


def sequences_reset():
    """Restart the ids of posts and comments, as in a new database."""
    with as_owner() as cursor:
        cursor.execute("ALTER SEQUENCE posts_id_seq RESTART; ALTER SEQUENCE session_comments_id_seq RESTART")


@pytest.fixture(autouse=True)
def new_database(db):
    sequences_reset()


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
    sequences_reset()
    assert community_load() == 2
    assert {card.author for card in feed()} == {"una_corda", "pedal-point"}
    assert {comment.author for comment in comments_of(feed())} == {"pedal-point"}


def test_comments_are_by_existing_accounts_and_load_once():
    session = SessionFactory(is_live=True)
    member(username="una_corda")
    member(username="NightTrain")
    assert comments_load() == 2
    assert comments_load() == 0
    shown = session_comments(session_id=session.pk).newest
    assert [comment.author for comment in shown] == ["NightTrain", "una_corda"]
    assert shown[0].created_at > shown[1].created_at
    SessionComment.objects.all().delete()
    assert comments_load() == 0


def test_no_comments_load_without_a_live_session():
    SessionFactory()
    member(username="una_corda")
    assert comments_load() == 0
    assert Session.objects.count() == 1
