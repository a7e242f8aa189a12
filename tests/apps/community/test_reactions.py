"""Test applause and boos: one reaction for each user and post, also with concurrent requests."""

import random

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.community import limits
from apps.community.enums import REACTION_WISHES, PostReaction
from apps.community.models import Post, PostReactionRow
from apps.community.selectors.posts import posts_read, reactions_own
from apps.community.services.posts import post_delete, post_reaction_set
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import PostFactory, PostReactionFactory
from tests.rate_limits import seconds_pass


@pytest.fixture
def post(db):
    return PostFactory()


def counted(post):
    """Return the applause and boos that the feed shows."""
    card = posts_read(ids=[post.pk])[post.pk]
    return card.applause, card.boo


def test_the_wish_names_what_shall_be(fan, post):
    for wish, counts in [
        ("none", (0, 0)),
        ("applause", (1, 0)),
        ("applause", (1, 0)),
        ("boo", (0, 1)),
        ("none", (0, 0)),
        ("none", (0, 0)),
        ("boo", (0, 1)),
    ]:
        post_reaction_set(actor=fan, post_id=post.pk, reaction=wish)
        assert counted(post) == counts, wish
        own = {post.pk: PostReaction(wish)} if wish != "none" else {}
        assert reactions_own(user_id=fan.id, post_ids=[post.pk]) == own
    assert (limits.REACTIONS.amount, limits.REACTIONS.seconds) == (60, 60)


@pytest.mark.parametrize("what", ["gone", "hidden"])
def test_a_post_that_is_gone_or_hidden_takes_no_reaction(fan, post, what):
    if what == "hidden":
        Post.objects.update(is_hidden=True)
    with pytest.raises(ValidationError, match=r"This post is no longer there\."):
        post_reaction_set(actor=fan, post_id=post.pk if what == "hidden" else 987_654, reaction="applause")
    assert not PostReactionRow.objects.exists()


def test_another_word_is_none_of_ours(fan, post):
    with pytest.raises(ValueError, match="thunder"):
        post_reaction_set(actor=fan, post_id=post.pk, reaction="thunder")


@pytest.mark.parametrize("actor", [ANONYMOUS, OPERATOR])
def test_reacting_is_for_people_with_an_account(post, actor):
    with pytest.raises(PermissionDenied, match=r"Please sign in to react\."):
        post_reaction_set(actor=actor, post_id=post.pk, reaction="applause")


def test_sixty_a_minute_and_the_refusal_says_when(fan, post):
    for number in range(60):
        post_reaction_set(actor=fan, post_id=post.pk, reaction=("boo", "applause")[number % 2])
    with pytest.raises(ValidationError, match=r"again in (60|5\d) s\."):
        post_reaction_set(actor=fan, post_id=post.pk, reaction="none")
    assert counted(post) == (1, 0)
    seconds_pass(60)
    post_reaction_set(actor=fan, post_id=post.pk, reaction="none")
    assert counted(post) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_twenty_of_one_person_at_once_leave_one_row_and_a_true_count():
    fan, post, other = member(), PostFactory(), member()
    post_reaction_set(actor=other, post_id=post.pk, reaction="boo")
    luck = random.Random(22)  # noqa: S311 - a repeatable evening

    def press():
        for _ in range(4):
            post_reaction_set(actor=fan, post_id=post.pk, reaction=luck.choice(REACTION_WISHES))

    assert run_together(*[press] * 5) == [None] * 5
    assert PostReactionRow.objects.filter(user_id=fan.id).count() <= 1
    rows = list(PostReactionRow.objects.values_list("type", flat=True))
    assert counted(post) == (rows.count("applause"), rows.count("boo"))
    post_reaction_set(actor=fan, post_id=post.pk, reaction="applause")
    assert counted(post) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_of_many_people_at_once_all_are_counted():
    fans, post = [member() for _ in range(3)], PostFactory()
    work = [lambda fan=fan: post_reaction_set(actor=fan, post_id=post.pk, reaction="applause") for fan in fans]
    before = run_together(*work, *work)
    assert sorted(before) == ["applause"] * 3 + ["none"] * 3
    assert counted(post) == (3, 0)


@pytest.mark.django_db(transaction=True)
def test_a_post_that_is_deleted_while_many_react_leaves_nothing():
    author, fans = member(), [member() for _ in range(4)]
    post = PostFactory(user_id=author.id)
    results = run_together(
        lambda: post_delete(actor=author, post_id=post.pk),
        *(lambda fan=fan: post_reaction_set(actor=fan, post_id=post.pk, reaction="boo") for fan in fans),
    )
    assert results[0] is None
    assert all(each == "none" or isinstance(each, ValidationError) for each in results[1:]), results
    assert not PostReactionRow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_topics_of_reactions(listener):
    fan, post = member(), PostFactory()
    listener.heard()
    for wish, topics in [
        ("none", set()),
        ("boo", {f"community_post.{post.pk}", f"account.{fan.id}.reactions"}),
        ("boo", set()),
    ]:
        post_reaction_set(actor=fan, post_id=post.pk, reaction=wish)
        assert listener.heard() == topics


def test_the_database_refuses_a_second_reaction_and_another_word(post):
    row = PostReactionFactory(post=post)
    with pytest.raises(IntegrityError, match="post_reaction_once"), transaction.atomic():
        PostReactionFactory(post=post, user=row.user, type="boo")
    with pytest.raises(IntegrityError, match="post_reaction_type_known"), transaction.atomic():
        PostReactionFactory(post=post, type="thunder")
