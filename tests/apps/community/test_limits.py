"""Test the rate limits of posts, comments and reactions, and the messages of refused requests."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.accounts.models import User
from apps.community import limits
from apps.community.models import Post, PostComment
from apps.community.services.posts import post_add, post_comment_add, post_delete
from apps.core.limits import DAY
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import PostFactory
from tests.rate_limits import seconds_pass

HOUR = 3600


def post(author, number):
    return post_add(actor=author, content=f"Post {number}")


def comment(author, commented_post, number):
    return post_comment_add(actor=author, post_id=commented_post.pk, content=f"Comment {number}")


def grow_older(author, hours):
    """Move an account's sign-up and its rate limit uses this many hours into the past."""
    user = User.objects.get(pk=author.id)
    User.objects.filter(pk=author.id).update(created_at=user.created_at - dt.timedelta(hours=hours))
    seconds_pass(hours * HOUR)


def test_limits_are_those_of_the_design():
    pace, day, new_day = limits.POST_PACE, limits.POST_DAY, limits.NEW_POST_DAY
    assert [(limit.amount, limit.seconds) for limit in (pace, day, new_day)] == [(1, 15), (20, DAY), (5, DAY)]
    assert day.name == new_day.name != pace.name
    comment_pace, new_comment_day = limits.COMMENT_PACE, limits.NEW_COMMENT_DAY
    assert [(limit.amount, limit.seconds) for limit in (comment_pace, new_comment_day)] == [(1, 5), (60, DAY)]
    assert (limits.SAME_TEXT.amount, limits.SAME_TEXT.seconds) == (1, 300)
    assert (limits.POST_LENGTH, limits.COMMENT_LENGTH, limits.NEW_LINKS) == (5000, 2000, 2)
    assert dt.timedelta(days=1) == limits.NEW_FOR


def test_one_post_in_15_seconds_and_one_comment_in_5_even_if_deleted(fan):
    post_delete(actor=fan, post_id=post(fan, 1).pk)
    commented_post = PostFactory()
    comment(fan, commented_post, 1)
    with pytest.raises(ValidationError, match=r"one comment in 5 seconds\. Please try again in [45] s\."):
        comment(fan, commented_post, 2)
    seconds_pass(10)
    comment(fan, commented_post, 2)
    with pytest.raises(ValidationError, match=r"one post in 15 seconds\. Please try again in [45] s\."):
        post(fan, 2)
    seconds_pass(5)
    post(fan, 2)


def test_20_posts_a_day(fan):
    for number in range(20):
        post_delete(actor=fan, post_id=post(fan, number).pk)
        seconds_pass(60)
    with pytest.raises(ValidationError, match=r"20 posts a day\. Please try again in 24 h\."):
        post(fan, 20)
    seconds_pass(22 * HOUR)
    with pytest.raises(ValidationError, match=r"in 2 h\."):
        post(fan, 20)
    seconds_pass(2 * HOUR)
    post(fan, 20)


def test_5_posts_a_day_for_a_new_account(newcomer):
    for number in range(5):
        post(newcomer, number)
        seconds_pass(15)
    with pytest.raises(ValidationError, match=r"A new account can write 5 posts a day\. Please try again in 24 h\."):
        post(newcomer, 5)
    grow_older(newcomer, 23)
    with pytest.raises(ValidationError, match="5 posts a day"):
        post(newcomer, 5)
    User.objects.filter(pk=newcomer.id).update(created_at=timezone.now() - limits.NEW_FOR)
    for number in range(5, 20):  # the first five count among the twenty
        post(newcomer, number)
        seconds_pass(15)
    with pytest.raises(ValidationError, match="20 posts a day"):
        post(newcomer, 20)


def test_60_comments_a_day_for_a_new_account_only(fan, newcomer):
    commented_post = PostFactory()
    for author in (fan, newcomer):
        for number in range(60):
            comment(author, commented_post, number)
            seconds_pass(5)
    comment(fan, commented_post, 60)
    with pytest.raises(ValidationError, match=r"A new account can write 60 comments a day\. Please try again in 24 h"):
        comment(newcomer, commented_post, 60)
    assert PostComment.objects.count() == 121


def test_repeated_text_is_refused_for_five_minutes(fan):
    commented_post = PostFactory()
    post_delete(actor=fan, post_id=post_add(actor=fan, content="Bravo").pk)
    seconds_pass(60)
    with pytest.raises(ValidationError, match=r"just written the same\. .* try again in 4 min\."):
        post_add(actor=fan, content=" Bravo\u200b\n")
    with pytest.raises(ValidationError, match="just written the same"):
        post_comment_add(actor=fan, post_id=commented_post.pk, content="Bravo")
    post_comment_add(actor=member(), post_id=commented_post.pk, content="Bravo")
    post_comment_add(actor=fan, post_id=commented_post.pk, content="Brava")
    seconds_pass(240)
    post_add(actor=fan, content="Bravo")


def test_refused_texts_are_not_counted(fan):
    post(fan, 1)
    for _ in range(30):
        with pytest.raises(ValidationError):
            post(fan, 2)
    seconds_pass(15)
    for content in ("", "x" * 5001):
        with pytest.raises(ValidationError):
            post_add(actor=fan, content=content)
    with pytest.raises(ValidationError):
        post_add(actor=fan, content="Look", image_url="http://x.example/")
    with pytest.raises(ValidationError, match="just written the same"):
        post(fan, 1)
    post(fan, 2)


def test_two_links_in_a_text_of_a_new_account(fan, newcomer):
    commented_post, two = PostFactory(), "https://a.example and http://b.example/x, not c.example"
    post_add(actor=newcomer, content=two)
    three = f"{two} https://d.example"
    grow_older(newcomer, 22)
    for write in (
        lambda author: post_add(actor=author, content=three),
        lambda author: post_comment_add(actor=author, post_id=commented_post.pk, content=f"{three} too"),
    ):
        with pytest.raises(ValidationError) as refused:
            write(newcomer)
        assert refused.value.message_dict["content"] == [
            "A new account can write two links in one text. Please leave some out, or try again in 2 h."
        ]
        write(fan)


@pytest.mark.django_db(transaction=True)
def test_one_of_six_concurrent_posts_is_stored():
    fan = member()
    results = run_together(*(lambda n=n: post(fan, n) for n in range(6)))
    assert Post.objects.count() == 1
    assert sum(isinstance(result, ValidationError) for result in results) == 5


def test_new_account_can_take_part_in_a_busy_evening(newcomer):
    """Write a comment every four minutes and a post every 44 minutes, for three hours."""
    commented_post = PostFactory()
    for minute in range(0, 180, 4):
        comment(newcomer, commented_post, minute)
        if minute % 44 == 0:
            post(newcomer, minute)
        seconds_pass(4 * 60)
    assert PostComment.objects.count() == 45
