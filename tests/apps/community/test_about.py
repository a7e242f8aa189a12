"""Test posts about performances: which are accepted, what a deletion leaves, and who is notified."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.community.commands import post_add as post_add_command
from apps.community.models import Post
from apps.community.selectors.posts import community_own, posts_read
from apps.community.services.posts import NO_PERFORMANCE, community_forget, post_add, post_delete, posts_hide
from apps.competition.models import SessionParticipant
from apps.competition.selectors.public.subjects import subjects_get, subjects_offered
from apps.competition.services.sessions import session_delete, session_update
from apps.core.commands import Arguments
from apps.core.texts import texts
from tests.apps.live.conftest import member
from tests.apps.meanwhile import meanwhile
from tests.factories import AppearanceFactory, PostFactory, SessionFactory


def written(actor, about, content="Rubato as breathing."):
    """Send the composer's form as a browser does."""
    return post_add_command(actor, Arguments("", {"content": content, "about": about}), texts("en"))


def test_a_post_is_about_the_chosen_performance(fan):
    played = AppearanceFactory()
    written(fan, str(played.pk))
    post = Post.objects.get()
    assert post.session_participant_id == played.pk
    assert posts_read(ids=[post.pk])[post.pk].about == (played.pk, played.participant_id)


@pytest.mark.parametrize("about", ["", None])
def test_a_post_without_a_choice_is_about_none(fan, about):
    fields = {"content": "Rubato."} | ({} if about is None else {"about": about})
    post_add_command(fan, Arguments("", fields), texts("en"))
    post = Post.objects.get()
    assert post.session_participant_id is None
    assert posts_read(ids=[post.pk])[post.pk].about is None


@pytest.mark.parametrize("about", ["0", "-1", "x", "1.5", "9" * 19, "9" * 18, "17:up"])
def test_an_invented_performance_is_refused_at_its_field(fan, about):
    with pytest.raises(ValidationError) as refused:
        written(fan, about)
    assert list(refused.value.message_dict) == ["about"]
    assert not Post.objects.exists()


def test_a_performance_that_was_deleted_since_is_refused_and_takes_no_limit(fan):
    played = AppearanceFactory()
    gone = played.pk
    played.delete()
    with pytest.raises(ValidationError) as refused:
        written(fan, str(gone))
    assert refused.value.message_dict == {"about": [NO_PERFORMANCE]}
    written(fan, "")  # the refused attempt is no post of this minute
    assert Post.objects.get().content == "Rubato as breathing."


def test_any_session_will_do_and_a_performance_that_is_to_come(fan):
    ended = AppearanceFactory(session__starts_at=timezone.now() - timezone.timedelta(days=9))
    to_come = AppearanceFactory(session__starts_at=timezone.now() + timezone.timedelta(days=9))
    SessionFactory(is_live=True)
    written(fan, str(ended.pk))
    written(member(), str(to_come.pk), "I look forward to this.")
    assert set(Post.objects.values_list("session_participant_id", flat=True)) == {ended.pk, to_come.pk}


def test_the_composer_offers_the_live_session_else_the_last_one(db):
    now = timezone.now()
    last = SessionFactory(starts_at=now - timezone.timedelta(hours=3))
    second, first = (AppearanceFactory(session=last, order_number=number) for number in (2, 1))
    AppearanceFactory(session__starts_at=now + timezone.timedelta(days=1))
    AppearanceFactory(session__starts_at=now - timezone.timedelta(days=1))
    SessionFactory(starts_at=now - timezone.timedelta(hours=1))  # without performers
    assert [each.id for each in subjects_offered()] == [first.pk, second.pk]
    live = AppearanceFactory(session__is_live=True, session__starts_at=now - timezone.timedelta(days=2))
    assert [(each.id, each.name, each.session_title) for each in subjects_offered()] == [
        (live.pk, live.participant.name, live.session.title)
    ]


def test_nothing_is_offered_before_the_first_session(db):
    AppearanceFactory(session__starts_at=timezone.now() + timezone.timedelta(days=1))
    assert subjects_offered() == ()


def test_the_post_of_a_deleted_performance_is_a_post_about_none(fan, admin):
    stays, goes = (AppearanceFactory(session__is_live=False) for _ in range(2))
    about = {PostFactory(session_participant=each).pk: each for each in (stays, goes)}
    session_update(
        actor=admin,
        session_id=goes.session_id,
        title=goes.session.title,
        starts_at=goes.session.starts_at,
        description="",
        youtube_id="",
        participant_ids=[],
        confirmed=True,
    )
    kept = posts_read(ids=about)
    assert sorted(post.about for post in kept.values() if post.about) == [(stays.pk, stays.participant_id)]
    session_delete(actor=admin, session_id=stays.session_id, confirmed=True)
    assert [post.about for post in posts_read(ids=about).values()] == [None, None]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_post_and_the_deletion_of_its_performance_at_once_both_end_well(admin, is_first):
    """Whatever is done first: the post is refused or about none, and the deletion never fails."""

    def made():
        played, writer = AppearanceFactory(session__is_live=False), member()
        acts = (
            lambda: written(writer, str(played.pk), f"Post {played.pk}"),
            lambda: session_delete(actor=admin, session_id=played.session_id, confirmed=True),
        )
        return acts if is_first else acts[::-1]

    refusals, rounds = 0, 0
    for results in meanwhile(made):
        post, deletion = results if is_first else results[::-1]
        assert deletion is None
        is_refused = isinstance(post, ValidationError)
        assert not is_refused or post.message_dict == {"about": [NO_PERFORMANCE]}
        refusals, rounds = refusals + is_refused, rounds + 1
        assert list(Post.objects.values_list("session_participant_id", flat=True)) == [None] * (rounds - refusals)
        assert not SessionParticipant.objects.exists()
    assert 0 < refusals < rounds


def test_what_is_written_hidden_and_deleted_reaches_the_pages_of_performer_and_stage(listener, fan, admin):
    played = AppearanceFactory()
    topics = {f"participant.{played.participant_id}.words", f"stage.{played.session.stage_id}.words"}
    post = post_add(actor=fan, content="Rubato.", about=played.pk)
    assert topics <= listener.heard()
    for hidden in (True, False):
        posts_hide(ids=[post.pk], hidden=hidden)
        assert topics <= listener.heard()
    community_forget(user_id=fan.id)  # the author's name goes
    assert topics <= listener.heard()
    post_delete(actor=admin, post_id=post.pk)
    assert topics <= listener.heard()
    post_add(actor=member(), content="About none.")
    assert not [topic for topic in listener.heard() if topic.endswith(".words")]


def test_the_download_names_performer_and_session(fan):
    played = AppearanceFactory()
    PostFactory(user_id=fan.id, session_participant=played)
    PostFactory(user_id=fan.id)
    about = [(post["about_performer"], post["about_session"]) for post in community_own(user_id=fan.id)["posts"]]
    assert about == [(played.participant.name, played.session.title), (None, None)]


def test_a_subject_leads_to_the_performance(db):
    played = AppearanceFactory()
    (subject,) = subjects_get(ids=[played.pk, 10**17]).values()
    assert subject.path == f"/participants/{played.participant_id}?open={played.pk}#performance-{played.pk}"
