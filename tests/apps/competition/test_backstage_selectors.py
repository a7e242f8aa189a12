"""Test the selectors for administrators: content, search, pages and query counts."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.competition.enums import SPECIFIED
from apps.competition.limits import OPTIONS_MOST
from apps.competition.models import Appearance, Session
from apps.competition.selectors.admin.live import LiveState, first_steps_get, live_control_get, live_cue_get, live_state
from apps.competition.selectors.admin.participants import participant_edit, participant_options, participants_admin
from apps.competition.selectors.admin.pieces import piece_edit, pieces_by_category
from apps.competition.selectors.admin.programs import program_admin, programs_admin
from apps.competition.selectors.admin.sessions import session_edit, session_options, sessions_admin, stages_admin
from apps.competition.selectors.public.sessions import sessions_begun
from tests.factories import (
    EVENING,
    AppearanceFactory,
    ParticipantFactory,
    PieceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
)

pytestmark = pytest.mark.django_db


def ids(page):
    return [row.id for row in page.rows]


def test_participants_admin_filters_by_name_country_and_missing_picture():
    ewa = ParticipantFactory(first_name="Ewa", second_name="Łęcka", featured=True, biography="ą" * 150)
    jan = ParticipantFactory(first_name="Jan", second_name="Adamek", country="Czechia", avatar_url="/static/a.svg")
    AppearanceFactory(participant=ewa)
    assert ids(participants_admin()) == [jan.pk, ewa.pk]
    assert ids(participants_admin(query="lecka")) == [ewa.pk]
    assert ids(participants_admin(country="Czechia")) == [jan.pk]
    assert ids(participants_admin(country="\x00")) == []
    assert ids(participants_admin(needs_avatar=True)) == [ewa.pk]
    row = participants_admin(query="ewa").rows[0]
    assert (row.needs_avatar, row.featured, row.appearance_count) == (True, True, 1)
    assert row.excerpt == "ą" * 101  # the page truncates it
    assert [option.name for option in participant_options()] == ["Jan Adamek", "Ewa Łęcka"]
    assert [option.id for option in participant_options(query="ewa", limit=1)] == [ewa.pk]


def test_participant_edit_returns_all_fields():
    person = ParticipantFactory(birth_year=None, avatar_url="/static/a.svg")
    form = participant_edit(participant_id=person.pk)
    columns = "first_name", "second_name", "name", "country", "biography", "birth_year", "avatar_url", "featured"
    assert {name: getattr(form, name) for name in columns} == {name: getattr(person, name) for name in columns}
    assert participant_edit(participant_id=987654) is None


def test_pieces_by_category_returns_five_groups_with_counts():
    entry = ProgramEntryFactory(piece=PieceFactory(name="Scherzo in E major, Op. 54", category="scherzo"))
    ProgramEntryFactory(appearance=entry.appearance, piece=entry.piece)
    ProgramEntryFactory(piece=entry.piece)
    PieceFactory(name="Scherzo in B minor, Op. 20", category="scherzo")
    groups = pieces_by_category().groups
    assert [group.category for group in groups] == list(SPECIFIED)
    assert [group.count for group in groups] == [0, 0, 0, 2, 0]
    scherzos = [(row.piece.name, row.programs) for row in groups[3].pieces]
    assert scherzos == [("Scherzo in B minor, Op. 20", 0), ("Scherzo in E major, Op. 54", 2)]
    assert groups[3].label == "Scherzo"
    scherzos = pieces_by_category(query="E MAJOR scherzo\x00").groups[3].pieces
    assert [row.piece.name for row in scherzos] == ["Scherzo in E major, Op. 54"]


def test_sessions_admin_lists_newest_first_with_appearances():
    old = SessionFactory(title="Morning", starts_at=EVENING - timedelta(days=1))
    second = AppearanceFactory(session__title="Evening", session__starts_at=EVENING, order_number=2, is_performing=True)
    first = AppearanceFactory(session=second.session, order_number=1)
    page = sessions_admin()
    assert ids(page) == [second.session_id, old.pk]
    assert [(appearance.id, appearance.name, appearance.is_performing) for appearance in page.rows[0].appearances] == [
        (first.pk, first.participant.name, False),
        (second.pk, second.participant.name, True),
    ]
    assert ids(sessions_admin(query=" morn\x00")) == [old.pk]
    form = session_edit(session_id=second.session_id)
    assert (form.title, form.starts_at, form.stage_id) == ("Evening", EVENING, second.session.stage_id)
    assert form.appearances == page.rows[0].appearances
    assert session_edit(session_id=987654) is None
    assert [option.name for option in stages_admin()] == [old.stage.name, second.session.stage.name]


def test_programs_admin_returns_five_slots_for_each_participant():
    entry = ProgramEntryFactory(slot="nocturn", piece__name="Etude", youtube_url="https://youtu.be/aqz-KE-bpKQ?t=9")
    appearance = entry.appearance
    other = AppearanceFactory(session=appearance.session)
    page = programs_admin(session_id=appearance.session_id)
    assert [row.appearance_id for row in page.rows] == [appearance.pk, other.pk]
    slots = {slot.slot: [entry.piece.name for entry in slot.entries] for slot in page.rows[0].slots}
    assert slots == {"etiuda_a": [], "etiuda_b": [], "nocturn": ["Etude"], "scherzo": [], "mazurek": []}
    assert page.rows[0].slots[2].label == "Etiuda Op. 10", "the label is that of the chosen piece"
    assert page.rows[0].slots[3].label == "Scherzo"
    assert page.rows[0].entries[0].youtube_url == "https://youtu.be/aqz-KE-bpKQ?t=9"
    assert page.rows[1].entries == ()
    assert program_admin(appearance_id=appearance.pk) == page.rows[0]
    assert program_admin(appearance_id=987654) is None
    (row,) = programs_admin(session_id=appearance.session_id, query=other.participant.name).rows
    assert row.appearance_id == other.pk
    assert programs_admin(session_id=987654).rows == ()


def test_live_control_returns_the_performer_and_the_next_appearance():
    appearances = [AppearanceFactory(session__is_live=True)]
    appearances += [AppearanceFactory(session=appearances[0].session) for _ in range(2)]
    control = live_control_get()
    assert (control.performer, control.following.id) == (None, appearances[0].pk)
    assert control.state == LiveState(appearances[0].session_id)
    for appearance, following in zip(appearances, [*appearances[1:], None], strict=True):
        Appearance.objects.update(is_performing=False)
        Appearance.objects.filter(pk=appearance.pk).update(is_performing=True)
        control = live_control_get()
        assert control.performer.id == appearance.pk
        assert (control.following and control.following.id) == (following and following.pk)
        assert control.state == live_state() == LiveState(appearance.session_id, appearance.pk)


def test_live_control_offers_the_nearest_sessions_if_none_is_live():
    now = timezone.now()
    far, near, past = (SessionFactory(starts_at=now + timedelta(hours=hours)) for hours in (9, 1, -2))
    control = live_control_get()
    assert (control.session, control.performer, control.following, control.state) == (None, None, None, LiveState())
    assert [card.id for card in control.others] == [near.pk, past.pk, far.pk]
    Session.objects.filter(pk=near.pk).update(is_live=True)
    assert [card.id for card in live_control_get().others] == [past.pk, far.pk]


def test_query_counts_do_not_grow_with_rows():
    reads = [
        (2, lambda _: participants_admin(query="wroblewska", country="Poland", needs_avatar=True)),
        (1, lambda appearance: participant_edit(participant_id=appearance.participant_id)),
        (1, lambda _: participant_options()),
        (1, lambda _: session_options()),
        (1, lambda _: sessions_begun(within=timedelta(days=9999))),
        (2, lambda _: pieces_by_category()),
        (2, lambda _: piece_edit(piece_id=entry.piece_id)),
        (3, lambda _: sessions_admin()),
        (6, lambda appearance: session_edit(session_id=appearance.session_id)),
        (1, lambda _: stages_admin()),
        (3, lambda appearance: programs_admin(session_id=appearance.session_id)),
        (3, lambda _: live_control_get()),
        (2, lambda _: first_steps_get()),
        (2, lambda _: live_cue_get()),
        (1, lambda _: live_state()),
    ]
    stage = StageFactory()
    session = SessionFactory(is_live=True, stage=stage)
    offenders = []
    for more, rows in ((1, 1), (29, 30)):
        for _ in range(more):
            entry = ProgramEntryFactory(appearance__session=session)
            PieceRatingFactory(entry=entry)
            SessionFactory(stage=stage)
        for place, (queries, read) in enumerate(reads, 1):
            with CaptureQueriesContext(connection) as captured:
                read(entry.appearance)
            if len(captured) != queries:
                sql = [query["sql"] for query in captured]
                offenders.append(f"read {place} with {rows} rows takes {sql}, not {queries}")
    assert not offenders


def test_long_lists_are_paginated():
    session = SessionFactory()
    for _ in range(25):
        AppearanceFactory(session=session)
    for read, size in ((participants_admin, 24), (partial(programs_admin, session_id=session.pk), 20)):
        first, last = read(number=1), read(number=2)
        assert (len(first.rows), len(last.rows), first.total, first.pages) == (size, 25 - size, 25, 2)
        assert read(number=3).number == 2


def test_session_options_are_the_live_nearest_and_chosen_sessions():
    now = timezone.now()
    oldest, live = SessionFactory(starts_at=now - timedelta(days=900)), SessionFactory(is_live=True)
    Session.objects.bulk_create(
        Session(stage=live.stage, title=f"Session {number}", starts_at=now + timedelta(days=number))
        for number in range(1, 200)
    )
    options = session_options()
    offered = [option.id for option in options]
    assert (len(offered), offered[0], oldest.pk in offered) == (OPTIONS_MOST, live.pk, False)
    assert [option.title for option in options[1:]] == [f"Session {number}" for number in range(1, OPTIONS_MOST)]
    assert [option.id for option in session_options(chosen=[oldest.pk, 987654])] == [*offered, oldest.pk]
    assert [option.id for option in session_options(limit=0, chosen=[oldest.pk])] == [oldest.pk]
    assert [option.title for option in session_options(query="199 session")] == ["Session 199"]


def test_sessions_begun_returns_participants_of_sessions_that_started_recently():
    now = timezone.now()
    begun = AppearanceFactory(session__starts_at=now - timedelta(seconds=90))
    second = AppearanceFactory(session=begun.session)
    alone = SessionFactory(starts_at=now - timedelta(seconds=5))
    for hours in (1, -1):
        AppearanceFactory(session__starts_at=now + timedelta(hours=hours))
    SessionFactory(starts_at=now - timedelta(seconds=5), is_live=True)
    assert sessions_begun(within=timedelta(minutes=2)) == {
        begun.session_id: (begun.participant_id, second.participant_id),
        alone.pk: (),
    }
