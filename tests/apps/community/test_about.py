"""Test posts about performances: which are accepted, what a deletion leaves, and who is notified."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.community.commands import post_add as post_add_command
from apps.community.models import Post
from apps.community.selectors.posts import community_own, posts_read
from apps.community.services.posts import NO_PERFORMANCE, community_forget, post_add, post_delete, posts_hide
from apps.competition.dependents import HasDependents
from apps.competition.models import Appearance
from apps.competition.selectors.public.subjects import subjects_get, subjects_offered
from apps.competition.services.program_undo import program_undo
from apps.competition.services.sessions import session_delete, session_update
from apps.core.commands import Arguments
from apps.core.texts import texts
from apps.live.services import comment_add
from tests.apps.live.conftest import member
from tests.apps.meanwhile import meanwhile
from tests.factories import AppearanceFactory, PostFactory, SessionFactory


def post_command(actor, about, content="Rubato as breathing."):
    """Send the composer's form as a browser does."""
    return post_add_command(actor, Arguments("", {"content": content, "about": about}), texts("en"))


def test_post_is_about_the_chosen_performance(fan):
    played = AppearanceFactory()
    post_command(fan, str(played.pk))
    post = Post.objects.get()
    assert post.appearance_id == played.pk
    assert posts_read(ids=[post.pk])[post.pk].about == (played.pk, played.participant_id)
    (subject,) = subjects_get(ids=[played.pk, 10**17]).values()
    assert subject.path == f"/participants/{played.participant_id}?open={played.pk}#performance-{played.pk}"


def test_post_without_a_choice_is_about_no_performance(fan):
    post_command(fan, "")
    post_add_command(member(), Arguments("", {"content": "Rubato."}), texts("en"))
    cards = posts_read(ids=Post.objects.values_list("pk", flat=True))
    assert [card.about for card in cards.values()] == [None, None]
    assert not Post.objects.exclude(appearance_id=None).exists()


def test_invalid_performance_is_refused_at_its_field(fan):
    for about in ("0", "-1", "x", "1.5", "9" * 19, "9" * 18, "17:up"):
        with pytest.raises(ValidationError) as refused:
            post_command(fan, about)
        assert list(refused.value.message_dict) == ["about"], about
    assert not Post.objects.exists()


def test_deleted_performance_is_refused_and_not_counted(fan):
    played = AppearanceFactory()
    deleted_id = played.pk
    played.delete()
    with pytest.raises(ValidationError) as refused:
        post_command(fan, str(deleted_id))
    assert refused.value.message_dict == {"about": [NO_PERFORMANCE]}
    post_command(fan, "")  # the refused attempt is no post of this minute
    assert Post.objects.get().content == "Rubato as breathing."


def test_past_and_future_performances_can_be_chosen(fan):
    ended = AppearanceFactory(session__starts_at=timezone.now() - timezone.timedelta(days=9))
    to_come = AppearanceFactory(session__starts_at=timezone.now() + timezone.timedelta(days=9))
    SessionFactory(is_live=True)
    post_command(fan, str(ended.pk))
    post_command(member(), str(to_come.pk), "I look forward to this.")
    assert set(Post.objects.values_list("appearance_id", flat=True)) == {ended.pk, to_come.pk}


def test_composer_offers_the_live_session_or_the_last_one(db):
    now = timezone.now()
    AppearanceFactory(session__starts_at=now + timezone.timedelta(days=1))
    assert subjects_offered() == ()
    last = SessionFactory(starts_at=now - timezone.timedelta(hours=3))
    second, first = (AppearanceFactory(session=last, order_number=number) for number in (2, 1))
    AppearanceFactory(session__starts_at=now - timezone.timedelta(days=1))
    SessionFactory(starts_at=now - timezone.timedelta(hours=1))  # without performers
    assert [subject.id for subject in subjects_offered()] == [first.pk, second.pk]
    live = AppearanceFactory(session__is_live=True, session__starts_at=now - timezone.timedelta(days=2))
    assert [(subject.id, subject.name, subject.session_title) for subject in subjects_offered()] == [
        (live.pk, live.participant.name, live.session.title)
    ]


def performers_remove(actor, session):
    """Take all performers out of a session, as its form does."""
    return session_update(
        actor=actor,
        session_id=session.pk,
        title=session.title,
        starts_at=session.starts_at,
        description="",
        youtube_id="",
        participant_ids=[],
        confirmed=True,
    )


def state_of(post):
    """Return what a post is about, and whether that was deleted."""
    card = posts_read(ids=[post.pk])[post.pk]
    return card.about, card.is_subject_deleted


def test_post_of_a_deleted_performance_is_marked(admin, listener):
    kept_one, deleted_one = (AppearanceFactory(session__is_live=False) for _ in range(2))
    kept, marked, none = (PostFactory(appearance=about) for about in (kept_one, deleted_one, None))
    hidden = PostFactory(appearance=deleted_one, is_hidden=True)
    performers_remove(admin, deleted_one.session)
    topics = listener.heard()
    assert [f"community_post.{post.pk}" in topics for post in (kept, marked, none)] == [False, True, False]
    assert state_of(kept) == ((kept_one.pk, kept_one.participant_id), False)
    assert state_of(marked) == (None, True)
    posts_hide(ids=[hidden.pk], hidden=False)
    assert state_of(hidden) == (None, True)
    session_delete(actor=admin, session_id=kept_one.session_id, confirmed=True)
    assert f"community_post.{kept.pk}" in listener.heard()
    assert [state_of(post) for post in (kept, marked, none)] == [(None, True), (None, True), (None, False)]


def test_refused_deletion_marks_no_post(fan, admin):
    played = AppearanceFactory(session__is_live=False)
    post = PostFactory(appearance=played)
    comment_add(actor=fan, session_id=played.session_id, content="The left hand!")
    with pytest.raises(HasDependents):
        session_delete(actor=admin, session_id=played.session_id)
    assert state_of(post) == ((played.pk, played.participant_id), False)


def test_deletion_has_a_constant_number_of_queries(admin):
    counts = []
    for number in (1, 5):
        played = AppearanceFactory(session__is_live=False)
        posts = PostFactory.create_batch(number, appearance=played)
        with CaptureQueriesContext(connection) as queries:
            session_delete(actor=admin, session_id=played.session_id)
        counts.append(len(queries))
        assert all(card.is_subject_deleted for card in posts_read(ids=[post.pk for post in posts]).values())
    assert counts[0] == counts[1]


def test_undo_restores_the_performance_without_its_posts(admin):
    played = AppearanceFactory(session__is_live=False)
    post = PostFactory(appearance=played)
    saved = performers_remove(admin, played.session)
    program_undo(actor=admin, undo_id=saved.undo_id)
    assert Appearance.objects.filter(pk=played.pk).exists()
    assert state_of(post) == (None, True)


def test_database_refuses_a_subject_on_a_marked_post(db):
    with pytest.raises(IntegrityError, match="community_post_one_subject"), transaction.atomic():
        PostFactory(appearance=AppearanceFactory(), is_subject_deleted=True)
    PostFactory(is_subject_deleted=True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False])
def test_concurrent_post_is_refused_or_marked_and_deletion_succeeds(admin, is_first):
    def writers():
        played, writer = AppearanceFactory(session__is_live=False), member()
        acts = (
            lambda: post_command(writer, str(played.pk), f"Post {played.pk}"),
            lambda: session_delete(actor=admin, session_id=played.session_id, confirmed=True),
        )
        return acts if is_first else acts[::-1]

    refusals, rounds = 0, 0
    for results in meanwhile(writers):
        post, deletion = results if is_first else results[::-1]
        assert deletion is None
        is_refused = isinstance(post, ValidationError)
        assert not is_refused or post.message_dict == {"about": [NO_PERFORMANCE]}
        refusals, rounds = refusals + is_refused, rounds + 1
        rows = list(Post.objects.values_list("appearance_id", "is_subject_deleted"))
        assert rows == [(None, True)] * (rounds - refusals)
        assert not Appearance.objects.exists()
    assert 0 < refusals < rounds


def test_changed_posts_publish_topics_of_performer_and_stage(listener, fan, admin):
    played = AppearanceFactory()
    topics = {f"participant.{played.participant_id}.words", f"stage.{played.session.stage_id}.words"}
    post = post_add(actor=fan, content="Rubato.", about=played.pk)
    assert topics <= listener.heard()
    for hidden in (True, False):
        posts_hide(ids=[post.pk], hidden=hidden)
        assert topics <= listener.heard()
    community_forget(user_id=fan.id)  # the author's name deleted_one
    assert topics <= listener.heard()
    post_delete(actor=admin, post_id=post.pk)
    assert topics <= listener.heard()
    post_add(actor=member(), content="About none.")
    assert not [topic for topic in listener.heard() if topic.startswith(("participant.", "stage."))]


def test_export_names_performer_and_session(fan):
    played = AppearanceFactory()
    PostFactory(user_id=fan.id, appearance=played)
    PostFactory(user_id=fan.id)
    PostFactory(user_id=fan.id, is_subject_deleted=True)
    names = ("about_performer", "about_session", "about_deleted_performance")
    about = [tuple(post[name] for name in names) for post in community_own(user_id=fan.id)["posts"]]
    played_at = (played.participant.name, played.session.title)
    assert about == [(*played_at, False), (None, None, False), (None, None, True)]
