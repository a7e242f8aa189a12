"""Test which topics a change publishes after its commit."""

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.competition.services.live import (
    live_restore,
    live_undo_read,
    performer_clear,
    performer_set,
    session_end,
    session_set_live,
)
from apps.competition.services.participants import participant_create, participant_delete, participant_update
from apps.competition.services.pieces import piece_add, piece_delete
from apps.competition.services.programs import (
    NewEntry,
    program_add,
    program_entry_link,
    program_entry_remove,
    program_select,
)
from apps.competition.services.repeated import appearance_count
from apps.competition.services.sessions import appearance_add, session_create, session_delete, session_update
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory, PieceFactory, SessionFactory, StageFactory

FORM = {"title": "Evening", "starts_at": EVENING, "description": "", "youtube_id": ""}


def performer(appearance):
    return f"session.{appearance.session_id}.performer"


def ranking(appearance):
    return f"stage.{appearance.session.stage_id}.ratings"


def page(appearance):
    return f"participant.{appearance.participant_id}"


def test_live_steps_and_their_undo_publish_topics(listener):
    old, new = AppearanceFactory(session__is_live=True, is_performing=True), AppearanceFactory()
    next_performer = AppearanceFactory(session=new.session)
    both = {
        "live",
        "sessions",
        *(f"session.{place.session_id}" for place in (old, new)),
        performer(old),
        performer(new),
    }
    both |= {page(place) for place in (old, new, next_performer)}
    step = session_set_live(actor=OPERATOR, session_id=new.session_id)
    assert listener.heard() == both
    live_restore(actor=OPERATOR, **live_undo_read(step.undo))
    assert listener.heard() == both
    session_set_live(actor=OPERATOR, session_id=new.session_id)
    listener.heard()
    performer_set(actor=OPERATOR, appearance_id=new.pk)
    assert listener.heard() == {"live", performer(new), page(new)}, "not of the other appearances"
    step = performer_set(actor=OPERATOR, appearance_id=next_performer.pk)
    assert listener.heard() == {"live", performer(new), page(new), page(next_performer)}
    live_restore(actor=OPERATOR, **live_undo_read(step.undo))
    assert listener.heard() == {"live", performer(new), page(new), page(next_performer)}
    performer_clear(actor=OPERATOR, session_id=new.session_id)
    assert listener.heard() == {"live", performer(new), page(new)}
    session_end(actor=OPERATOR, session_id=new.session_id)
    pages = {page(new), page(next_performer)}
    assert listener.heard() == {"live", "sessions", f"session.{new.session_id}", performer(new), *pages}


def test_steps_without_a_change_and_refusals_publish_no_topics(listener):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    other, idle = AppearanceFactory(session=appearance.session), SessionFactory()
    session_set_live(actor=OPERATOR, session_id=appearance.session_id)
    performer_set(actor=OPERATOR, appearance_id=appearance.pk)
    session_end(actor=OPERATOR, session_id=idle.pk)
    performer_clear(actor=OPERATOR, session_id=idle.pk)
    with pytest.raises(PermissionDenied):
        performer_set(actor=ANONYMOUS, appearance_id=other.pk)
    assert listener.heard() == set()


def test_participant_and_catalogue_writes_publish_topics(listener):
    names = {"first_name": "Zofia", "second_name": "Łęcka", "country": "Poland", "biography": "Born in Zamość."}
    person = participant_create(actor=OPERATOR, **names)
    lists = {"featured_participants", "live", f"participant.{person.pk}"}
    assert listener.heard() == lists
    appearances = [AppearanceFactory(participant=person) for _ in range(2)]
    AppearanceFactory()
    form = {**names, "birth_year": None, "avatar_url": "", "featured": False}
    participant_update(actor=OPERATOR, participant_id=person.pk, **form)
    assert listener.heard() == {*lists, *map(performer, appearances)}, "not of other sessions"
    for appearance in appearances:
        appearance.delete()
    participant_delete(actor=OPERATOR, participant_id=person.pk)
    assert listener.heard() == lists
    piece = piece_add(actor=OPERATOR, category="scherzo", name="Scherzo")
    assert listener.heard() == {"pieces"}
    piece_delete(actor=OPERATOR, piece_id=piece.pk)
    assert listener.heard() == {"pieces"}


def test_session_and_appearance_writes_publish_topics(listener):
    session = session_create(actor=OPERATOR, stage_id=StageFactory().pk, **FORM)
    own = {"live", "sessions", f"session.{session.pk}", f"session.{session.pk}.performer"}
    assert listener.heard() == own
    first = appearance_add(actor=OPERATOR, session_id=session.pk, participant_id=ParticipantFactory().pk)
    lists = {"featured_participants", "sessions", performer(first)}
    assert listener.heard() == {*lists, page(first)}
    session_update(actor=OPERATOR, session_id=session.pk, **FORM | {"description": "Five."})
    assert listener.heard() == {*own, page(first)}
    second, new = AppearanceFactory(session=session), ParticipantFactory()
    ids = [new.pk, first.participant_id]
    session_update(actor=OPERATOR, session_id=session.pk, **FORM, participant_ids=ids)
    assert listener.heard() == {*lists, *own, page(first), page(second), f"participant.{new.pk}"}
    session_delete(actor=OPERATOR, session_id=session.pk)
    assert listener.heard() == {*lists, *own, page(first), f"participant.{new.pk}"}


def test_counting_appearance_and_moved_session_publish_ranking_topics(listener):
    counts = AppearanceFactory()
    second = AppearanceFactory(
        session=SessionFactory(stage=counts.session.stage), participant=counts.participant, is_repeated=True
    )
    listener.heard()
    appearance_count(actor=OPERATOR, appearance_id=second.pk)
    assert listener.heard() == {performer(counts), performer(second), page(counts), ranking(counts)}
    session_update(actor=OPERATOR, session_id=second.session_id, **FORM, stage_id=StageFactory().pk)
    second.session.refresh_from_db()
    assert listener.heard() >= {performer(second), page(second), ranking(counts), ranking(second)}


def test_program_writes_publish_topics(listener):
    appearance = AppearanceFactory()
    topics = {"programs", performer(appearance), page(appearance), ranking(appearance)}
    program_add(actor=OPERATOR, appearance_id=appearance.pk, entries=[NewEntry(PieceFactory().pk)])
    assert listener.heard() == topics
    entry = program_select(actor=OPERATOR, appearance_id=appearance.pk, piece_id=PieceFactory(category="nocturn").pk)
    assert listener.heard() == topics
    program_entry_link(actor=OPERATOR, entry_id=entry.pk, url="https://youtu.be/aqz-KE-bpKQ?t=9")
    assert listener.heard() == topics
    program_entry_remove(actor=OPERATOR, entry_id=entry.pk)
    assert listener.heard() == topics
