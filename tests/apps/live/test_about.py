"""Test which performance a session comment is about: the server sets it, and a deletion empties it."""

import inspect

import pytest
from django.db import transaction

from apps.competition.models import Appearance, Session
from apps.competition.services.live import performer_set, session_end
from apps.competition.services.running_order import appearance_dependents_delete_confirmed
from apps.competition.services.sessions import session_update
from apps.core.commands import Arguments
from apps.core.texts import texts
from apps.live import services
from apps.live.commands import comment_add as comment_add_command
from apps.live.models import SessionComment
from apps.live.selectors import live_own
from apps.live.services import comment_add, comment_delete, comments_hide, live_forget
from tests.apps.live.conftest import member
from tests.apps.meanwhile import meanwhile
from tests.factories import AppearanceFactory


@pytest.fixture
def performers(session):
    return [AppearanceFactory(session=session) for _ in range(2)]


def about_of(comment):
    return SessionComment.objects.values_list("appearance_id", flat=True).get(pk=comment.pk)


def test_comment_is_about_the_current_performer(admin, session, performers):
    comments = [comment_add(actor=member(), session_id=session.pk, content="Before the first.")]
    for performer in performers:
        performer_set(actor=admin, appearance_id=performer.pk)
        comments.append(comment_add(actor=member(), session_id=session.pk, content="The left hand!"))
    other = AppearanceFactory()
    assert about_of(comment_add(actor=member(), session_id=other.session_id, content="Yesterday was better.")) is None
    session_end(actor=admin, session_id=session.pk)
    comments.append(comment_add(actor=member(), session_id=session.pk, content="Afterwards."))
    assert [about_of(comment) for comment in comments] == [None, performers[0].pk, performers[1].pk, None]


def test_browser_cannot_choose_the_performance(admin, session, performers):
    performer_set(actor=admin, appearance_id=performers[0].pk)
    fields = dict.fromkeys(("about", "appearance", "appearance_id"), str(performers[1].pk))
    comment_add_command(member(), Arguments(str(session.pk), {"content": "Spoofed."} | fields), texts("en"))
    assert about_of(SessionComment.objects.get()) == performers[0].pk
    assert not [name for name in inspect.signature(services.comment_add).parameters if "participant" in name]


def test_comment_is_kept_when_its_performance_is_deleted(admin, session, performers):
    performer_set(actor=admin, appearance_id=performers[0].pk)
    comment = comment_add(actor=member(), session_id=session.pk, content="The left hand!")
    performer_set(actor=admin, appearance_id=performers[1].pk)
    session_update(
        actor=admin,
        session_id=session.pk,
        title=session.title,
        starts_at=session.starts_at,
        description="",
        youtube_id="",
        participant_ids=[performers[1].participant_id],
        confirmed=True,
    )
    assert about_of(comment) is None
    assert not Appearance.objects.filter(pk=performers[0].pk).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False])
def test_concurrent_comment_and_deletion_of_its_performance_succeed(admin, is_first):
    def writers():
        performer = AppearanceFactory(is_performing=True)
        AppearanceFactory(session=performer.session)
        actor, session = member(), performer.session

        def cleared_and_removed():
            Appearance.objects.filter(pk=performer.pk).update(is_performing=False)
            appearances = list(Appearance.objects.filter(pk=performer.pk))
            with transaction.atomic():
                Session.objects.select_for_update(no_key=True).get(pk=session.pk)
                appearance_dependents_delete_confirmed(admin, appearances, confirmed=True)
                Appearance.objects.filter(pk=performer.pk).delete()

        acts = (
            lambda: comment_add(actor=actor, session_id=session.pk, content=f"Comment {performer.pk}").pk,
            cleared_and_removed,
        )
        return acts if is_first else acts[::-1]

    rounds = 0
    for results in meanwhile(writers):
        comment, deletion = results if is_first else results[::-1]
        assert (type(comment), deletion) == (int, None)
        rounds += 1
    assert SessionComment.objects.filter(appearance=None).count() == rounds > 1


def test_comments_publish_topics_of_performer_and_stage(listener, admin, session, performers, fan):
    performer_set(actor=admin, appearance_id=performers[0].pk)
    topics = {f"participant.{performers[0].participant_id}.words", f"stage.{session.stage_id}.words"}
    listener.heard()
    comment = comment_add(actor=fan, session_id=session.pk, content="The left hand!")
    assert topics <= listener.heard()
    for hidden in (True, False):
        comments_hide(ids=[comment.pk], hidden=hidden)
        assert topics <= listener.heard()
    comment_delete(actor=fan, comment_id=comment.pk)
    assert topics <= listener.heard()
    comment_add(actor=fan, session_id=session.pk, content="The right hand!")
    listener.heard()
    live_forget(user_id=fan.id)
    assert topics <= listener.heard()


def test_export_names_the_performer(admin, session, performers, fan):
    comment_add(actor=fan, session_id=session.pk, content="Before the first.")
    performer_set(actor=admin, appearance_id=performers[0].pk)
    comment_add(actor=fan, session_id=session.pk, content="The left hand!")
    during = [comment["during"] for comment in live_own(user_id=fan.id)["session_comments"]]
    assert during == [None, performers[0].participant.name]
