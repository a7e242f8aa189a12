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
    """Restart the sequences of the community's ids, as in a new database."""
    with as_owner() as cursor:
        cursor.execute("ALTER SEQUENCE posts_id_seq RESTART")


@pytest.fixture
def everybody(db, settings, tmp_path):
    """Create all accounts of the demo."""
    settings.DATA = tmp_path
    accounts_load()
    for name in rater_names():
        member(username=name)


def feed():
    keys = posts_page(limit=100)
    cards = posts_read(ids=[key.id for key in keys])
    return [cards[key.id] for key in keys]


def test_everybody_posts_comments_and_reacts_once(everybody):
    count = community_load()
    shown = feed()
    assert len(shown) == count >= 8
    assert len({card.author for card in shown}) >= 8
    assert all(card.comments for card in shown)
    assert all(card.applause for card in shown)
    assert any(card.boo for card in shown)
    assert any(card.known for card in shown) or any(each.known for each in comments_of(shown))
    assert [card.id for card in shown] == sorted((card.id for card in shown), reverse=True)
    for card in shown:
        moments = [each.created_at for each in post_comments(post_id=card.id).newest]
        assert [card.created_at, *moments] == sorted([card.created_at, *moments])
    assert community_load() == 0
    Post.objects.all().delete()
    assert community_load() == 0


def comments_of(cards):
    return [each for card in cards for each in post_comments(post_id=card.id).newest]


def test_its_texts_are_such_as_the_services_store_and_nothing_shouts(everybody):
    community_load()
    for model, longest in ((Post, POST_LENGTH), (PostComment, COMMENT_LENGTH)):
        texts = list(model.objects.values_list("content", flat=True))
        assert len(texts) == len(set(texts))
        for text in texts:
            assert (text_clean(text), len(text) <= longest, "!" in text) == (text, True, False)


def test_it_speaks_by_the_accounts_that_are_there():
    assert community_load() == 0
    member(username="una_corda")
    member(username="pedal-point")
    with as_owner() as cursor:
        cursor.execute("ALTER SEQUENCE posts_id_seq RESTART")
    assert community_load() == 2
    assert {card.author for card in feed()} == {"una_corda", "pedal-point"}
    assert {each.author for each in comments_of(feed())} == {"pedal-point"}
