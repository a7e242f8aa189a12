"""Test the administrators' lists and forms: content, search, pages, and a constant number of queries."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.competition.enums import Category
from apps.competition.limits import OPTIONS_MOST
from apps.competition.models import Session, SessionParticipant
from apps.competition.selectors.admin.live import LiveState, first_steps_get, live_control_get, live_cue_get, live_state
from apps.competition.selectors.admin.participants import participant_edit, participant_options, participants_admin
from apps.competition.selectors.admin.programs import piece_edit, pieces_by_category, program_admin, programs_admin
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


def test_participants_are_searched_by_name_country_and_missing_picture():
    ewa = ParticipantFactory(first_name="Ewa", second_name="Łęcka", featured=True, biography="ą" * 150)
    jan = ParticipantFactory(first_name="Jan", second_name="Adamek", country="Czechia", avatar_url="/static/a.svg")
    AppearanceFactory(participant=ewa)
    assert ids(participants_admin()) == [jan.pk, ewa.pk]
    assert ids(participants_admin(query="lecka")) == [ewa.pk]
    assert ids(participants_admin(country="Czechia")) == [jan.pk]
    assert ids(participants_admin(country="\x00")) == []
    assert ids(participants_admin(needs_avatar=True)) == [ewa.pk]
    row = participants_admin(query="ewa").rows[0]
    known = (row.needs_avatar, row.featured, row.appearance_count, row.excerpt)
    assert known == (True, True, 1, "ą" * 101)  # the screen cuts it
    assert [option.name for option in participant_options()] == ["Jan Adamek", "Ewa Łęcka"]
    assert [option.id for option in participant_options(query="ewa", limit=1)] == [ewa.pk]


def test_a_participants_form_has_everything():
    person = ParticipantFactory(birth_year=None, avatar_url="/static/a.svg")
    form = participant_edit(participant_id=person.pk)
    assert (form.first_name, form.second_name, form.name) == (person.first_name, person.second_name, person.name)
    assert (form.country, form.biography, form.birth_year, form.avatar_url, form.featured) == (
        "Poland",
        "Born in Zamość.",
        None,
        "/static/a.svg",
        False,
    )
    assert participant_edit(participant_id=987654) is None


def test_pieces_stand_in_five_groups_with_counts():
    entry = ProgramEntryFactory(piece=PieceFactory(name="Scherzo in E major, Op. 54", category="scherzo"))
    ProgramEntryFactory(session_participant=entry.session_participant, piece=entry.piece)
    ProgramEntryFactory(piece=entry.piece)
    PieceFactory(name="Scherzo in B minor, Op. 20", category="scherzo")
    groups = pieces_by_category().groups
    assert [group.category for group in groups] == Category.values
    assert [group.count for group in groups] == [0, 0, 0, 2, 0]
    assert (groups[3].label, [(row.piece.name, row.programs) for row in groups[3].pieces]) == (
        "Scherzo",
        [("Scherzo in B minor, Op. 20", 0), ("Scherzo in E major, Op. 54", 2)],
    )
    found = pieces_by_category(query="E MAJOR scherzo\x00").groups
    assert [row.piece.name for row in found[3].pieces] == ["Scherzo in E major, Op. 54"]


def test_sessions_are_the_newest_first_with_their_appearances():
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
    names = [option.name for option in stages_admin()]
    assert names == [old.stage.name, second.session.stage.name]


def test_programs_show_five_groups_for_each_participant():
    entry = ProgramEntryFactory(slot="nocturn", piece__name="Etude", youtube_url="https://youtu.be/aqz-KE-bpKQ?t=9")
    appearance = entry.session_participant
    other = AppearanceFactory(session=appearance.session)
    page = programs_admin(session_id=appearance.session_id)
    assert [row.appearance_id for row in page.rows] == [appearance.pk, other.pk]
    slots = {slot.slot: [each.piece.name for each in slot.entries] for slot in page.rows[0].slots}
    assert slots == {"etiuda_a": [], "etiuda_b": [], "nocturn": ["Etude"], "scherzo": [], "mazurek": []}
    assert page.rows[0].slots[2].label == "Etiuda Op. 10", "of what stands in it"
    assert page.rows[0].slots[3].label == "Scherzo"
    assert page.rows[0].entries[0].youtube_url == "https://youtu.be/aqz-KE-bpKQ?t=9"
    assert page.rows[1].entries == ()
    found = programs_admin(session_id=appearance.session_id, query=other.participant.name)
    assert [row.appearance_id for row in found.rows] == [other.pk]
    assert programs_admin(session_id=987654).rows == ()


def test_live_control_knows_who_plays_and_who_is_next():
    appearances = [AppearanceFactory(session__is_live=True)]
    appearances += [AppearanceFactory(session=appearances[0].session) for _ in range(2)]
    control = live_control_get()
    assert (control.performer, control.following.id, control.state) == (
        None,
        appearances[0].pk,
        LiveState(appearances[0].session_id),
    )
    for appearance, following in zip(appearances, [*appearances[1:], None], strict=True):
        SessionParticipant.objects.update(is_performing=False)
        SessionParticipant.objects.filter(pk=appearance.pk).update(is_performing=True)
        control = live_control_get()
        assert control.performer.id == appearance.pk
        assert (control.following and control.following.id) == (following and following.pk)
        assert control.state == live_state() == LiveState(appearance.session_id, appearance.pk)


def test_live_control_without_a_live_session_offers_the_nearest():
    now = timezone.now()
    far, near, past = (SessionFactory(starts_at=now + timedelta(hours=hours)) for hours in (9, 1, -2))
    control = live_control_get()
    assert (control.session, control.performer, control.following, control.state) == (None, None, None, LiveState())
    assert [card.id for card in control.others] == [near.pk, past.pk, far.pk]
    Session.objects.filter(pk=near.pk).update(is_live=True)
    assert [card.id for card in live_control_get().others] == [past.pk, far.pk]


def test_reads_take_as_many_queries_for_thirty_rows_as_for_one():
    reads = [
        (2, lambda _: participants_admin(query="wroblewska", country="Poland", needs_avatar=True)),
        (1, lambda appearance: participant_edit(participant_id=appearance.participant_id)),
        (1, lambda _: participant_options()),
        (1, lambda _: session_options()),
        (1, lambda _: sessions_begun(within=timedelta(days=9999))),
        (2, lambda _: pieces_by_category()),
        (1, lambda _: piece_edit(piece_id=1)),
        (3, lambda _: sessions_admin()),
        (3, lambda appearance: session_edit(session_id=appearance.session_id)),
        (1, lambda _: stages_admin()),
        (3, lambda appearance: programs_admin(session_id=appearance.session_id)),
        (3, lambda _: live_control_get()),
        (2, lambda _: first_steps_get()),
        (2, lambda _: live_cue_get()),
        (1, lambda _: live_state()),
    ]
    stage = StageFactory()
    session = SessionFactory(is_live=True, stage=stage)
    wrong = []
    for more, rows in ((1, 1), (29, 30)):
        for _ in range(more):
            entry = ProgramEntryFactory(session_participant__session=session)
            PieceRatingFactory(entry=entry)
            SessionFactory(stage=stage)
        for place, (queries, read) in enumerate(reads, 1):
            with CaptureQueriesContext(connection) as taken:
                read(entry.session_participant)
            if len(taken) != queries:
                wrong.append(f"read {place} with {rows} rows takes {[each['sql'] for each in taken]}, not {queries}")
    assert wrong == []


def test_long_lists_come_in_pages():
    session = SessionFactory()
    for _ in range(25):
        AppearanceFactory(session=session)
    for read, size in (
        (participants_admin, 24),
        (lambda number: programs_admin(session_id=session.pk, number=number), 20),
    ):
        first, last = read(number=1), read(number=2)
        assert (len(first.rows), len(last.rows), first.total, first.pages) == (size, 25 - size, 25, 2)
        assert read(number=3).number == 2


def test_of_many_sessions_the_nearest_are_offered_the_live_one_first_and_those_that_were_chosen():
    now = timezone.now()
    oldest, live = SessionFactory(starts_at=now - timedelta(days=900)), SessionFactory(is_live=True)
    Session.objects.bulk_create(
        Session(stage=live.stage, title=f"Session {number}", starts_at=now + timedelta(days=number))
        for number in range(1, 200)
    )
    offered = [each.id for each in session_options()]
    assert (len(offered), offered[0], oldest.pk in offered) == (OPTIONS_MOST, live.pk, False)
    titles = [each.title for each in session_options()]
    assert titles[1:] == [f"Session {number}" for number in range(1, OPTIONS_MOST)]
    assert [each.id for each in session_options(chosen=[oldest.pk, 987654])] == [*offered, oldest.pk]
    assert [each.id for each in session_options(limit=0, chosen=[oldest.pk])] == [oldest.pk]
    assert [each.title for each in session_options(query="199 session")] == ["Session 199"]


def test_what_has_begun_lately_by_the_clock_is_found_with_who_plays():
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


def test_the_program_of_a_appearance_that_is_gone_is_none():
    entry = ProgramEntryFactory()
    (row,) = programs_admin(session_id=entry.session_participant.session_id).rows
    assert program_admin(appearance_id=row.appearance_id) == row
    assert program_admin(appearance_id=987654) is None
