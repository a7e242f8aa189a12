"""Test which topics a change publishes: a real listener receives them after the commit."""

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.competition.services.live import live_restore, performer_clear, performer_set, session_end, session_set_live
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


def stage(appearance):
    return f"session.{appearance.session_id}.performer"


def ranking(appearance):
    return f"stage.{appearance.session.stage_id}.ratings"


def page(appearance):
    return f"participant.{appearance.participant_id}"


def test_session_set_live_is_heard_by_both_sessions_and_all_who_play_in_them(listener):
    old, new = AppearanceFactory(session__is_live=True, is_performing=True), AppearanceFactory()
    session_set_live(actor=OPERATOR, session_id=new.session_id)
    sessions = {f"session.{old.session_id}", f"session.{new.session_id}"}
    assert listener.heard() == {"live", "sessions", *sessions, stage(old), stage(new), page(old), page(new)}


def test_session_end_is_heard(listener):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    session_end(actor=OPERATOR, session_id=appearance.session_id)
    assert listener.heard() == {
        "live",
        "sessions",
        f"session.{appearance.session_id}",
        stage(appearance),
        page(appearance),
    }


def test_performer_set_is_heard_by_whoever_comes_and_whoever_leaves(listener):
    old = AppearanceFactory(session__is_live=True, is_performing=True)
    new, bystander = AppearanceFactory(session=old.session), AppearanceFactory(session=old.session)
    performer_set(actor=OPERATOR, session_participant_id=new.pk)
    heard = listener.heard()
    assert heard == {"live", stage(old), page(old), page(new)}
    assert page(bystander) not in heard


def test_performer_clear_is_heard(listener):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    performer_clear(actor=OPERATOR, session_id=appearance.session_id)
    assert listener.heard() == {"live", stage(appearance), page(appearance)}


def test_what_changes_nothing_is_not_heard(listener):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    quiet = SessionFactory()
    session_set_live(actor=OPERATOR, session_id=appearance.session_id)
    performer_set(actor=OPERATOR, session_participant_id=appearance.pk)
    session_end(actor=OPERATOR, session_id=quiet.pk)
    performer_clear(actor=OPERATOR, session_id=quiet.pk)
    assert listener.heard() == set()


def test_what_is_refused_is_not_heard(listener):
    appearance = AppearanceFactory(session__is_live=True)
    with pytest.raises(PermissionDenied):
        performer_set(actor=ANONYMOUS, session_participant_id=appearance.pk)
    assert listener.heard() == set()


def test_participant_create_is_heard_by_the_lists(listener):
    created = participant_create(
        actor=OPERATOR, first_name="Zofia", second_name="Łęcka", country="Poland", biography="Born in Zamość."
    )
    assert listener.heard() == {"featured_participants", "live", f"participant.{created.pk}"}


def test_participant_update_is_heard_wherever_the_name_stands(listener):
    participant = ParticipantFactory()
    appearances = [AppearanceFactory(participant=participant) for _ in range(2)]
    elsewhere = AppearanceFactory()
    participant_update(
        actor=OPERATOR,
        participant_id=participant.pk,
        first_name="Zofia",
        second_name="Łęcka",
        country="Poland",
        biography="Born in Zamość.",
        birth_year=None,
        avatar_url="",
        featured=False,
    )
    heard = listener.heard()
    assert heard == {
        "featured_participants",
        "live",
        page(appearances[0]),
        *(stage(appearance) for appearance in appearances),
    }
    assert stage(elsewhere) not in heard


def test_session_create_and_update_are_heard(listener):
    given = {
        "stage_id": StageFactory().pk,
        "title": "Evening",
        "starts_at": EVENING,
        "description": "",
        "youtube_id": "",
    }
    session = session_create(actor=OPERATOR, **given)
    own = {"live", "sessions", f"session.{session.pk}", f"session.{session.pk}.performer"}
    assert listener.heard() == own
    appearance = AppearanceFactory(session=session)
    session_update(actor=OPERATOR, session_id=session.pk, **given)
    assert listener.heard() == {*own, page(appearance)}


def test_a_choice_of_what_counts_and_a_move_are_heard_by_rankings(listener):
    counts = AppearanceFactory()
    second = AppearanceFactory(
        session=SessionFactory(stage=counts.session.stage), participant=counts.participant, is_repeated=True
    )
    listener.heard()
    appearance_count(actor=OPERATOR, appearance_id=second.pk)
    assert listener.heard() == {stage(counts), stage(second), page(counts), ranking(counts)}
    form = {"title": "Evening", "starts_at": EVENING, "description": "", "youtube_id": ""}
    session_update(actor=OPERATOR, session_id=second.session_id, **form, stage_id=StageFactory().pk)
    second.session.refresh_from_db()
    assert listener.heard() >= {stage(second), page(second), ranking(counts), ranking(second)}


def test_appearance_add_is_heard_where_performances_are_counted(listener):
    session, participant = SessionFactory(), ParticipantFactory()
    appearance = appearance_add(actor=OPERATOR, session_id=session.pk, participant_id=participant.pk)
    assert listener.heard() == {"featured_participants", "sessions", stage(appearance), page(appearance)}


def test_program_add_is_heard_on_stage_and_by_the_participant(listener):
    appearance, entry = AppearanceFactory(), NewEntry(PieceFactory().pk)
    program_add(actor=OPERATOR, session_participant_id=appearance.pk, entries=[entry])
    assert listener.heard() == {"programs", stage(appearance), page(appearance), ranking(appearance)}


def test_appearances_that_come_go_and_move_are_heard_by_everybody_in_the_session(listener):
    first = AppearanceFactory()
    second, new = AppearanceFactory(session=first.session), ParticipantFactory()
    lists = {"featured_participants", "sessions", stage(first)}
    form = {"title": "Evening", "starts_at": EVENING, "description": "", "youtube_id": ""}
    ids = [new.pk, first.participant_id]
    session_update(actor=OPERATOR, session_id=first.session_id, **form, participant_ids=ids)
    pages = {page(first), page(second), f"participant.{new.pk}"}
    assert listener.heard() == {*lists, "live", f"session.{first.session_id}", *pages}
    session_delete(actor=OPERATOR, session_id=first.session_id)
    assert listener.heard() == {*lists, "live", f"session.{first.session_id}", page(first), f"participant.{new.pk}"}


def test_every_write_of_a_program_is_heard_on_stage_and_by_the_participant(listener):
    appearance = AppearanceFactory()
    entry = program_select(actor=OPERATOR, appearance_id=appearance.pk, piece_id=PieceFactory().pk)
    assert listener.heard() == {"programs", stage(appearance), page(appearance), ranking(appearance)}
    program_entry_link(actor=OPERATOR, entry_id=entry.pk, url="https://youtu.be/aqz-KE-bpKQ?t=9")
    assert listener.heard() == {"programs", stage(appearance), page(appearance), ranking(appearance)}
    program_entry_remove(actor=OPERATOR, entry_id=entry.pk)
    assert listener.heard() == {"programs", stage(appearance), page(appearance), ranking(appearance)}


def test_the_catalogue_and_a_deleted_participant_are_heard(listener):
    piece = piece_add(actor=OPERATOR, category="scherzo", name="Scherzo")
    assert listener.heard() == {"pieces"}
    piece_delete(actor=OPERATOR, piece_id=piece.pk)
    assert listener.heard() == {"pieces"}
    person = ParticipantFactory()
    participant_delete(actor=OPERATOR, participant_id=person.pk)
    assert listener.heard() == {"featured_participants", "live", f"participant.{person.pk}"}


def test_what_is_taken_back_is_heard_like_the_step(listener):
    old, new = AppearanceFactory(session__is_live=True, is_performing=True), AppearanceFactory()
    step = session_set_live(actor=OPERATOR, session_id=new.session_id)
    heard = listener.heard()
    live_restore(actor=OPERATOR, to=step.before, since=step.after)
    assert listener.heard() == heard
    performer_clear(actor=OPERATOR, session_id=old.session_id)
    step = performer_set(actor=OPERATOR, session_participant_id=old.pk)
    listener.heard()
    live_restore(actor=OPERATOR, to=step.before, since=step.after)
    assert listener.heard() == {"live", stage(old), page(old)}
