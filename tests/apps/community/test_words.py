"""Test the words about performances: their order and number, and that no hidden text is among them."""

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


def comment(appearance, content, *, minutes=0, user=None):
    return SessionComment.objects.create(
        session=appearance.session,
        user=user or UserFactory(),
        session_participant=appearance,
        content=content,
        created_at=NOW - timedelta(minutes=minutes),
    )


def post(appearance, content, *, minutes=0, user=None):
    return PostFactory(
        user=user or UserFactory(),
        session_participant=appearance,
        content=content,
        created_at=NOW - timedelta(minutes=minutes),
    )


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


def test_the_newest_are_found_wherever_they_are(appearances, stage):
    for number, appearance in enumerate(appearances):
        for nth in range(3):
            comment(appearance, f"{number}.{nth}", minutes=10 * number + nth)
    for nth in range(9):
        post(appearances[6], f"post {nth}", minutes=nth + 0.5)
    expected = ["0.0", "post 0", "0.1", "post 1", "0.2"]
    assert texts_of(stage_words(stage_id=stage.pk)) == expected
    assert len(expected) == WORDS_SHOWN
    assert texts_of(participant_words(participant_id=appearances[6].participant_id)) == [f"post {n}" for n in range(5)]


def test_a_participants_words_are_about_all_performances(stage):
    first = AppearanceFactory(session__stage=stage)
    second = AppearanceFactory(participant=first.participant)
    comment(first, "then", minutes=60)
    comment(second, "now")
    assert texts_of(participant_words(participant_id=first.participant_id)) == ["now", "then"]


def test_no_hidden_text_is_among_them_and_older_ones_take_its_place(appearances, stage):
    hidden = [post(appearances[0], "hidden") for _ in range(8)]
    hidden_comments = [comment(appearances[0], "hidden", minutes=0.1) for _ in range(8)]
    shown = [comment(appearances[0], f"shown {nth}", minutes=5 + nth) for nth in range(3)]
    posts_hide(ids=[each.pk for each in hidden], hidden=True)
    comments_hide(ids=[each.pk for each in hidden_comments], hidden=True)
    assert texts_of(stage_words(stage_id=stage.pk)) == ["shown 0", "shown 1", "shown 2"]
    comments_hide(ids=[shown[0].pk], hidden=True)
    Post.objects.all().delete()
    assert texts_of(stage_words(stage_id=stage.pk)) == ["shown 1", "shown 2"]
    comments_hide(ids=[shown[0].pk], hidden=False)
    assert texts_of(stage_words(stage_id=stage.pk)) == ["shown 0", "shown 1", "shown 2"]


def test_a_former_members_post_stays_and_a_long_text_is_cut(appearances, stage):
    written = post(appearances[0], "ł" * (WORDS_LENGTH + 1))
    post(appearances[0], "x" * WORDS_LENGTH, minutes=1)
    Post.objects.filter(pk=written.pk).update(user=None)
    long, whole = stage_words(stage_id=stage.pk)
    assert (long.author, long.text, long.is_whole) == ("", "ł" * WORDS_LENGTH, False)
    assert (whole.text, whole.is_whole) == ("x" * WORDS_LENGTH, True)


def test_a_deleted_performance_takes_its_words_off_the_page(appearances, stage):
    comment(appearances[0], "goes")
    comment(appearances[1], "stays")
    appearances[0].delete()
    assert texts_of(stage_words(stage_id=stage.pk)) == ["stays"]


@pytest.mark.parametrize("count", [0, 7])
def test_as_many_queries_for_any_number_of_performances(appearances, stage, count, django_assert_num_queries):
    for appearance in appearances[:count]:
        comment(appearance, f"{appearance.pk}")
    with django_assert_num_queries(3):
        stage_words(stage_id=stage.pk)
    assert stage_words(stage_id=10**15) == ()
