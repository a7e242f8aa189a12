"""Test the comments and posts about performances: their order and number, without hidden texts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.community.models import Post
from apps.community.selectors.words import participant_words, stage_words, words_newest
from apps.community.services.posts import posts_hide
from apps.live.limits import WORDS_LENGTH, WORDS_SHOWN
from apps.live.models import SessionComment
from apps.live.services import comments_hide
from tests.factories import AppearanceFactory, PostFactory, StageFactory, UserFactory

NOW = timezone.now()


def columns(appearance, content, minutes, user):
    """Return the columns of a text about this performance, this many minutes old."""
    created_at = NOW - timedelta(minutes=minutes)
    user = user or UserFactory()
    return {"user": user, "appearance": appearance, "content": content, "created_at": created_at}


def comment(appearance, content, *, minutes=0, user=None):
    return SessionComment.objects.create(session=appearance.session, **columns(appearance, content, minutes, user))


def post(appearance, content, *, minutes=0, user=None):
    return PostFactory(**columns(appearance, content, minutes, user))


def texts_of(words):
    return [word.text for word in words]


@pytest.fixture
def stage(db):
    return StageFactory()


@pytest.fixture
def appearances(stage):
    return [AppearanceFactory(session__stage=stage) for _ in range(7)]


def test_comments_and_posts_are_merged_newest_first(appearances, stage):
    one, other, *_ = appearances
    comment(one, "third", minutes=3)
    post(one, "first", minutes=1)
    comment(other, "second", minutes=2)
    comment(AppearanceFactory(), "another stage")
    PostFactory(content="about none")
    assert texts_of(stage_words(stage_id=stage.pk)) == ["first", "second", "third"]
    assert texts_of(participant_words(participant_id=one.participant_id)) == ["first", "third"]
    assert texts_of(words_newest(appearance_ids=[other.pk])) == ["second"]
    first, second, _ = stage_words(stage_id=stage.pk)
    assert (first.is_comment, first.path) == (False, f"/community?post={first.id}")
    assert (second.is_comment, second.path) == (True, f"/sessions/{other.session_id}#comments")
    assert (first.subject.id, first.subject.name) == (one.pk, one.participant.name)


def test_newest_words_are_read_from_all_performances(appearances, stage):
    for number, appearance in enumerate(appearances):
        for nth in range(3):
            comment(appearance, f"{number}.{nth}", minutes=10 * number + nth)
    for nth in range(9):
        post(appearances[6], f"post {nth}", minutes=nth + 0.5)
    expected = ["0.0", "post 0", "0.1", "post 1", "0.2"]
    assert texts_of(stage_words(stage_id=stage.pk)) == expected
    assert len(expected) == WORDS_SHOWN
    assert texts_of(participant_words(participant_id=appearances[6].participant_id)) == [f"post {n}" for n in range(5)]


def test_participant_words_cover_all_performances(stage):
    first = AppearanceFactory(session__stage=stage)
    second = AppearanceFactory(participant=first.participant)
    comment(first, "then", minutes=60)
    comment(second, "now")
    assert texts_of(participant_words(participant_id=first.participant_id)) == ["now", "then"]


def test_hidden_texts_are_replaced_by_older_ones(appearances, stage):
    hidden = [post(appearances[0], "hidden") for _ in range(8)]
    hidden_comments = [comment(appearances[0], "hidden", minutes=0.1) for _ in range(8)]
    shown = [comment(appearances[0], f"shown {nth}", minutes=5 + nth) for nth in range(3)]
    posts_hide(ids=[text.pk for text in hidden], hidden=True)
    comments_hide(ids=[text.pk for text in hidden_comments], hidden=True)
    assert texts_of(stage_words(stage_id=stage.pk)) == ["shown 0", "shown 1", "shown 2"]
    comments_hide(ids=[shown[0].pk], hidden=True)
    Post.objects.all().delete()
    assert texts_of(stage_words(stage_id=stage.pk)) == ["shown 1", "shown 2"]
    comments_hide(ids=[shown[0].pk], hidden=False)
    assert texts_of(stage_words(stage_id=stage.pk)) == ["shown 0", "shown 1", "shown 2"]


def test_post_of_a_deleted_account_is_shown_and_long_text_is_cut(appearances, stage):
    written = post(appearances[0], "ł" * (WORDS_LENGTH + 1))
    post(appearances[0], "x" * WORDS_LENGTH, minutes=1)
    Post.objects.filter(pk=written.pk).update(user=None)
    long, whole = stage_words(stage_id=stage.pk)
    assert (long.author, long.text, long.is_whole) == ("", "ł" * WORDS_LENGTH, False)
    assert (whole.text, whole.is_whole) == ("x" * WORDS_LENGTH, True)


def test_words_of_a_deleted_performance_are_not_shown(appearances, stage):
    comment(appearances[0], "goes")
    comment(appearances[1], "stays")
    appearances[0].delete()
    assert texts_of(stage_words(stage_id=stage.pk)) == ["stays"]


def test_stage_words_has_a_constant_number_of_queries(appearances, stage, django_assert_num_queries):
    with django_assert_num_queries(3):
        stage_words(stage_id=stage.pk)
    for appearance in appearances:
        comment(appearance, f"{appearance.pk}")
    with django_assert_num_queries(3):
        stage_words(stage_id=stage.pk)
    assert stage_words(stage_id=10**15) == ()
