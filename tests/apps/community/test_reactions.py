"""Test applause and boos: one reaction for each user and post, also with concurrent requests."""

import random

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.community import limits
from apps.community.enums import REACTION_WISHES, PostReaction
from apps.community.models import PostReactionRow
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


def test_post_reaction_set_replaces_the_reaction(fan, post):
    counts_after = {"none": (0, 0), "applause": (1, 0), "boo": (0, 1)}
    for reaction in ("none", "applause", "applause", "boo", "none", "none", "boo"):
        post_reaction_set(actor=fan, post_id=post.pk, reaction=reaction)
        assert counted(post) == counts_after[reaction], reaction
        own = {post.pk: PostReaction(reaction)} if reaction != "none" else {}
        assert reactions_own(user_id=fan.id, post_ids=[post.pk]) == own
    assert (limits.REACTIONS.amount, limits.REACTIONS.seconds) == (60, 60)


def test_invalid_reactions_are_refused(fan, post):
    for post_id in (987_654, PostFactory(is_hidden=True).pk):
        with pytest.raises(ValidationError, match=r"This post is no longer there\."):
            post_reaction_set(actor=fan, post_id=post_id, reaction="applause")
    assert not PostReactionRow.objects.exists()
    with pytest.raises(ValueError, match="thunder"):
        post_reaction_set(actor=fan, post_id=post.pk, reaction="thunder")
    for actor in (ANONYMOUS, OPERATOR):
        with pytest.raises(PermissionDenied, match=r"Please sign in to react\."):
            post_reaction_set(actor=actor, post_id=post.pk, reaction="applause")


def test_sixty_reactions_a_minute_are_allowed(fan, post):
    for number in range(60):
        post_reaction_set(actor=fan, post_id=post.pk, reaction=("boo", "applause")[number % 2])
    with pytest.raises(ValidationError, match=r"again in (60|5\d) s\."):
        post_reaction_set(actor=fan, post_id=post.pk, reaction="none")
    assert counted(post) == (1, 0)
    seconds_pass(60)
    post_reaction_set(actor=fan, post_id=post.pk, reaction="none")
    assert counted(post) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_concurrent_reactions_of_one_account_leave_one_row():
    fan, post, other = member(), PostFactory(), member()
    post_reaction_set(actor=other, post_id=post.pk, reaction="boo")
    rng = random.Random(22)  # noqa: S311 - a repeatable sequence

    def react():
        for _ in range(4):
            post_reaction_set(actor=fan, post_id=post.pk, reaction=rng.choice(REACTION_WISHES))

    assert run_together(*[react] * 5) == [None] * 5
    assert PostReactionRow.objects.filter(user_id=fan.id).count() <= 1
    rows = list(PostReactionRow.objects.values_list("type", flat=True))
    assert counted(post) == (rows.count("applause"), rows.count("boo"))
    post_reaction_set(actor=fan, post_id=post.pk, reaction="applause")
    assert counted(post) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_concurrent_reactions_of_many_accounts_are_all_counted():
    fans, post = [member() for _ in range(3)], PostFactory()
    work = [lambda fan=fan: post_reaction_set(actor=fan, post_id=post.pk, reaction="applause") for fan in fans]
    before = run_together(*work, *work)
    assert sorted(before) == ["applause"] * 3 + ["none"] * 3
    assert counted(post) == (3, 0)


@pytest.mark.django_db(transaction=True)
def test_post_deleted_during_reactions_leaves_no_rows():
    author, fans = member(), [member() for _ in range(4)]
    post = PostFactory(user_id=author.id)
    results = run_together(
        lambda: post_delete(actor=author, post_id=post.pk),
        *(lambda fan=fan: post_reaction_set(actor=fan, post_id=post.pk, reaction="boo") for fan in fans),
    )
    assert results[0] is None
    assert all(result == "none" or isinstance(result, ValidationError) for result in results[1:]), results
    assert not PostReactionRow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_reactions_publish_topics_only_for_a_change(listener):
    fan, post = member(), PostFactory()
    listener.heard()
    for reaction, topics in [
        ("none", set()),
        ("boo", {f"community_post.{post.pk}", f"account.{fan.id}.reactions"}),
        ("boo", set()),
    ]:
        post_reaction_set(actor=fan, post_id=post.pk, reaction=reaction)
        assert listener.heard() == topics


def test_database_refuses_duplicate_and_unknown_reactions(post):
    row = PostReactionFactory(post=post)
    with pytest.raises(IntegrityError, match="post_reaction_once"), transaction.atomic():
        PostReactionFactory(post=post, user=row.user, type="boo")
    with pytest.raises(IntegrityError, match="post_reaction_type_known"), transaction.atomic():
        PostReactionFactory(post=post, type="thunder")
