"""Reads of the competition app's selectors for the general tests."""

from collections.abc import Mapping
from datetime import timedelta

from apps.competition.enums import Category, ObjectKind, SessionFilter, UndoKind
from apps.competition.selectors.admin import (
    advancements,
    existing,
    live,
    order_lines,
    piano_lines,
    preparation,
    program_sources,
    session_notes,
    stage_programs,
    stage_slots,
    works_typed,
)
from apps.competition.selectors.admin import participants as admin_participants
from apps.competition.selectors.admin import pianos as admin_pianos
from apps.competition.selectors.admin import pieces as admin_pieces
from apps.competition.selectors.admin import (
    prizes as admin_prizes,
)
from apps.competition.selectors.admin import programs as admin_programs
from apps.competition.selectors.admin import sessions as admin_sessions
from apps.competition.selectors.public import (
    calendar,
    participants,
    pianos,
    pieces,
    plans,
    prizes,
    programs,
    progress,
    schedule,
    sessions,
    stage_overviews,
    stages,
    subjects,
)
from tests.apps.busy_session import APPEARANCE, NOW, PARTICIPANT, SESSION
from tests.apps.reads import Read

ALL, UPCOMING, PAST = SessionFilter.ALL, SessionFilter.UPCOMING, SessionFilter.PAST


def _stage() -> stage_slots.StageSlots:
    stage = stage_slots.stage_slots(stage_id=1)
    assert stage is not None
    return stage


def _offers(query: str) -> object:
    stage = _stage()
    return stage_programs.work_offers(stage, stage_programs.stage_programs(stage)[0], query=query)


READS: Mapping[str, list[Read]] = {
    "admin.sessions.undos_recent": [
        Read(
            lambda: admin_sessions.undos_recent(kind=UndoKind.ASSIGNMENT), 20, "newer undos of another kind are skipped"
        )
    ],
    "admin.existing.objects_existing": [
        Read(lambda kind=kind: existing.objects_existing(kind=kind, ids=(1, 2, 10**9))) for kind in ObjectKind
    ],
    "admin.stage_slots.stage_slots": [Read(lambda: stage_slots.stage_slots(stage_id=1))],
    "admin.stage_slots.slots_read": [Read(lambda: stage_slots.slots_read(stage_id=1))],
    "admin.stage_slots.set_members": [Read(lambda: stage_slots.set_members(piece_ids=[1]))],
    "admin.stage_slots.preset_works": [Read(stage_slots.preset_works)],
    "admin.stage_programs.stage_programs": [Read(lambda: stage_programs.stage_programs(_stage()))],
    "admin.stage_programs.work_offers": [Read(lambda: _offers("mazurkas"))],
    "admin.works_typed.works_typed": [Read(lambda: works_typed.works_typed("ballades", field="more"))],
    "public.programs.piece_titles": [Read(lambda: programs.piece_titles(piece_ids=[1]))],
    "admin.advancements.advancing_edit": [
        Read(lambda: advancements.advancing_edit(stage_id=1), 1_000, "a jury's results; a small table is read whole")
    ],
    "admin.live.live_control_get": [Read(live.live_control_get)],
    "admin.live.first_steps_get": [Read(live.first_steps_get)],
    "admin.live.live_cue_get": [Read(live.live_cue_get)],
    "admin.live.sessions_nearest": [Read(lambda: live.sessions_nearest(query="morning"))],
    "admin.live.live_state": [Read(live.live_state)],
    "admin.order_lines.order_lines_read": [Read(lambda: order_lines.order_lines_read("1\nEwa Nowak", []))],
    "admin.order_lines.order_next": [Read(lambda: order_lines.order_next(stage_id=1, count=21, playing=[PARTICIPANT]))],
    "admin.order_lines.order_copied": [Read(lambda: order_lines.order_copied(session_id=SESSION, playing=[]))],
    "admin.order_lines.order_advancing": [Read(lambda: order_lines.order_advancing(stage_id=2, playing=[]))],
    "admin.preparation.preparation_get": [Read(preparation.preparation_get)],
    "admin.participants.participant_edit": [
        Read(lambda: admin_participants.participant_edit(participant_id=PARTICIPANT))
    ],
    "admin.participants.participant_options": [Read(admin_participants.participant_options)],
    "admin.participants.participants_admin": [Read(admin_participants.participants_admin)],
    "admin.participants.participant_names": [Read(admin_participants.participant_names)],
    "admin.participants.participant_facts": [
        Read(lambda: admin_participants.participant_facts(ids=(PARTICIPANT, 10**9)))
    ],
    "admin.participants.participants_playing": [Read(admin_participants.participants_playing)],
    "admin.piano_lines.piano_lines_read": [Read(lambda: piano_lines.piano_lines_read("1; Kitamori EX", "lines"))],
    "admin.pianos.pianos_admin": [Read(admin_pianos.pianos_admin)],
    "admin.pianos.piano_edit": [Read(lambda: admin_pianos.piano_edit(piano_id=1))],
    "public.pianos.stage_pianos": [Read(lambda: pianos.stage_pianos(stage_id=1))],
    "public.pieces.piece_about_get": [Read(lambda: pieces.piece_about_get(piece_id=1))],
    "admin.sessions.session_performers": [Read(lambda: admin_sessions.session_performers(session_id=SESSION))],
    "admin.pieces.catalogue_is_new": [Read(admin_pieces.catalogue_is_new)],
    "admin.pieces.pieces_by_category": [Read(admin_pieces.pieces_by_category)],
    "admin.pieces.pieces_to_choose": [Read(lambda: admin_pieces.pieces_to_choose(category=Category.NOCTURN))],
    "admin.sessions.appearances_of": [Read(lambda: admin_sessions.appearances_of([SESSION]))],
    "admin.programs.program_admin": [Read(lambda: admin_programs.program_admin(appearance_id=APPEARANCE))],
    "admin.program_sources.program_sources": [Read(lambda: program_sources.program_sources(session_id=SESSION))],
    "admin.pieces.piece_edit": [Read(lambda: admin_pieces.piece_edit(piece_id=1))],
    "admin.pieces.composers": [Read(admin_pieces.composers)],
    "admin.pieces.piece_facts": [Read(admin_pieces.piece_facts)],
    "admin.programs.session_programs": [
        Read(lambda: admin_programs.session_programs(session_id=SESSION, has_program=True)),
        Read(lambda: admin_programs.session_programs(session_id=None, has_program=False)),
    ],
    "admin.programs.performers": [Read(lambda: admin_programs.performers(session_id=SESSION, limit=10))],
    "admin.programs.program_counts": [
        Read(lambda: admin_programs.program_counts(session_id=SESSION)),
        Read(lambda: admin_programs.program_counts(session_id=None)),
    ],
    "admin.sessions.session_next": [Read(admin_sessions.session_next)],
    "admin.programs.programs_admin": [Read(lambda: admin_programs.programs_admin(session_id=SESSION))],
    "admin.session_notes.session_notes": [Read(lambda: session_notes.session_notes(session_ids=[SESSION]))],
    "admin.sessions.series_recent": [Read(admin_sessions.series_recent)],
    "admin.sessions.session_start": [Read(lambda: admin_sessions.session_start(session_id=SESSION))],
    "admin.sessions.session_edit": [Read(lambda: admin_sessions.session_edit(session_id=SESSION))],
    "admin.sessions.session_options": [Read(admin_sessions.session_options)],
    "admin.sessions.sessions_admin": [Read(admin_sessions.sessions_admin)],
    "admin.sessions.stage_edit": [Read(lambda: admin_sessions.stage_edit(stage_id=1))],
    "admin.sessions.stages_admin": [Read(admin_sessions.stages_admin)],
    "public.sessions.sessions_begun": [Read(lambda: sessions.sessions_begun(within=timedelta(minutes=2)))],
    "public.participants.participant_countries": [Read(participants.participant_countries)],
    "public.participants.participant_featured": [Read(participants.participant_featured)],
    "public.participants.participant_get": [Read(lambda: participants.participant_get(participant_id=PARTICIPANT))],
    "public.participants.participants_field": [Read(participants.participants_field)],
    "public.participants.participant_ids": [Read(participants.participant_ids)],
    "public.participants.named_in": [Read(lambda: participants.named_in("Performer"))],
    "public.participants.participant_list": [
        Read(lambda: participants.participant_list(query="sol")),
        Read(lambda: participants.participant_list(still_in=True)),
    ],
    "public.participants.field_countries": [Read(participants.field_countries)],
    "public.pieces.pieces_listed": [Read(pieces.pieces_listed)],
    "public.pieces.piece_get": [Read(lambda: pieces.piece_get(piece_id=1))],
    "public.pieces.piece_details": [Read(lambda: pieces.piece_details(piece_id=1))],
    "public.pieces.piece_ids": [Read(pieces.piece_ids)],
    "public.pieces.piece_performances": [Read(lambda: pieces.piece_performances(piece_id=1))],
    "public.progress.participants_progress": [
        Read(lambda: progress.participants_progress(participant_ids=[PARTICIPANT]))
    ],
    "public.progress.imported_stages": [Read(lambda: progress.imported_stages(participant_ids=[PARTICIPANT]))],
    "public.progress.field_numbers": [Read(lambda: progress.field_numbers(participant_ids=[PARTICIPANT]))],
    "public.programs.appearance_program": [Read(lambda: programs.appearance_program(appearance_id=APPEARANCE))],
    "public.programs.program_titles": [Read(lambda: programs.program_titles(appearance_ids=[APPEARANCE, 2]))],
    "public.programs.program_pieces": [Read(lambda: programs.program_pieces(appearance_ids=[APPEARANCE, 2]))],
    "public.programs.appearance_statuses": [
        Read(lambda: programs.appearance_statuses(appearance_ids=[APPEARANCE, 2])),
        Read(lambda: programs.appearance_statuses(session_id=SESSION)),
        Read(lambda: programs.appearance_statuses(participant_id=PARTICIPANT)),
        Read(lambda: programs.appearance_statuses(stage_id=1)),
    ],
    "public.programs.appearance_names": [Read(lambda: programs.appearance_names(appearance_ids=[APPEARANCE, 2]))],
    "public.programs.begun_appearances": [Read(programs.begun_appearances)],
    "public.programs.appearance_places": [Read(lambda: programs.appearance_places(appearance_ids=[APPEARANCE, 2]))],
    "public.sessions.live_now": [Read(sessions.live_now)],
    "public.sessions.live_session": [Read(sessions.live_session)],
    "public.sessions.participant_appearances": [
        Read(lambda: sessions.participant_appearances(participant_id=PARTICIPANT))
    ],
    "public.sessions.appearances_get": [Read(lambda: sessions.appearances_get(appearance_ids=[APPEARANCE, 2]))],
    "public.sessions.appearances_played": [
        Read(lambda: sessions.appearances_played(since=NOW - timedelta(hours=12), until=NOW)),
        Read(lambda: sessions.appearances_played(since=NOW + timedelta(days=30), until=NOW + timedelta(days=31))),
    ],
    "public.calendar.calendar_sessions": [Read(calendar.calendar_sessions)],
    "public.calendar.planned_appearances": [Read(lambda: calendar.planned_appearances(participant_id=PARTICIPANT))],
    "public.plans.plans_get": [Read(lambda: plans.plans_get(places=[(1, 1), (1, 2), (2, 8)]))],
    "public.plans.advances_get": [Read(lambda: plans.advances_get(stage_ids=[1, 2], participant_ids=[1, 2]))],
    "public.calendar.calendar_appearances": [Read(lambda: calendar.calendar_appearances(participant_ids=(1, 2)))],
    "public.schedule.schedule_days": [Read(schedule.schedule_days, 20, "the days of all sessions are collected")],
    "public.schedule.schedule_day": [Read(lambda: schedule.schedule_day(day=NOW.date()))],
    "public.schedule.schedule_whole": [Read(schedule.schedule_whole)],
    "public.sessions.sessions_coming": [Read(lambda: sessions.sessions_coming(now=NOW, limit=3))],
    "public.sessions.appearance_ids": [
        Read(lambda: sessions.appearance_ids(session_id=SESSION, participant_id=PARTICIPANT))
    ],
    "public.subjects.subjects_get": [Read(lambda: subjects.subjects_get(ids=[APPEARANCE, 2]))],
    "public.subjects.performers_offered": [Read(subjects.performers_offered, 100, "all performers are a choice")],
    "public.subjects.subjects_offered": [Read(subjects.subjects_offered)],
    "public.sessions.session_live": [Read(lambda: sessions.session_live(ended_since=NOW))],
    "public.sessions.session_ended_last": [Read(sessions.session_ended_last)],
    "public.sessions.session_get": [Read(lambda: sessions.session_get(session_id=SESSION))],
    "public.sessions.session_appearances": [Read(lambda: sessions.session_appearances(session_id=SESSION))],
    "public.sessions.session_ids": [Read(sessions.session_ids)],
    "public.sessions.session_list": [
        Read(lambda when=when: sessions.session_list(when=when, now=NOW)) for when in (ALL, UPCOMING, PAST)
    ],
    "public.sessions.session_withdrawals": [Read(lambda: sessions.session_withdrawals(session_ids=[SESSION]))],
    "public.sessions.session_appearances_with_programs": [
        Read(lambda: sessions.session_appearances_with_programs(session_id=SESSION))
    ],
    "public.stage_overviews.stage_overviews": [Read(stage_overviews.stage_overviews)],
    "public.stages.appearances_placed": [Read(lambda: stages.appearances_placed(appearance_ids=[APPEARANCE, 2]))],
    "admin.prizes.prizes_edit": [
        Read(lambda: admin_prizes.prizes_edit(stage_id=1), 1_000, "a jury's results; a small table is read whole")
    ],
    "public.prizes.stages_prized": [Read(prizes.stages_prized)],
    "public.prizes.stage_prizes": [Read(lambda: prizes.stage_prizes(stage_id=1))],
    "public.prizes.participant_prizes": [Read(lambda: prizes.participant_prizes(participant_id=PARTICIPANT))],
    "public.prizes.prize_recipient_ids": [Read(lambda: prizes.prize_recipient_ids(stage_id=1))],
    "public.prizes.prizes_received": [Read(lambda: prizes.prizes_received(stage_ids=[1, 2], participant_ids=[1, 2]))],
    "public.stages.advancing_ids": [Read(lambda: stages.advancing_ids(stage_id=1))],
    "public.stages.stage_field": [Read(lambda: stages.stage_field(stage_id=1))],
    "public.stages.stage_ids": [Read(stages.stage_ids)],
    "public.stages.stage_names": [Read(stages.stage_names)],
    "public.stages.stage_performers": [
        Read(stages.stage_performers, 200, "the sessions of all appearances are read, a few hundred")
    ],
    "public.stages.stage_not_begun": [Read(lambda: stages.stage_not_begun(stage_id=1))],
    "public.stages.stage_sessions": [Read(lambda: stages.stage_sessions(stage_id=1))],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS = {
    "admin.programs.appearances_within",
    "public.programs.following",
    "public.programs.performer",
    "public.schedule.minutes_late",
    "public.programs.last_on_stage",
    "admin.advancements.advancing_into",
    "admin.advancements.advancing_version",
    "admin.advancements.stage_before",
    "admin.advancements.stage_candidates",
    "admin.prizes.first_lines",
    "admin.prizes.prize_lines",
    "admin.prizes.prizes_version",
    "public.prizes.list_prizes",
    "admin.participants.participant_fields",
    "public.stages.with_times",
    "public.stages.with_intervals",
    "public.stages.with_outcomes",
    "public.stages.stages_after",
    "public.stages.next_names",
    "admin.pieces.in_order",
    "admin.pieces.with_words",
    "admin.programs.program_fields",
    "admin.programs.program_version",
    "admin.stage_slots.minutes_fields",
    "admin.stage_slots.preset_keys",
    "admin.stage_slots.slot_fields",
    "admin.pianos.piano_fields",
    "admin.pieces.minutes_text",
    "admin.pieces.piece_fields",
    "admin.programs.link_fields",
    "admin.sessions.order_of_version",
    "admin.sessions.session_fields",
    "admin.sessions.sessions_with",
    "admin.sessions.stage_fields",
    "admin.sessions.with_order_read",
    "admin.order_lines.order_chosen",
    "admin.sessions.series_since",
    "admin.sessions.undo_since",
    "public.stages.stages_played",
    "admin.sessions.session_values",
    "public.participants.participants_named",
    "public.participants.participants_alike",
    "public.programs.member_title",
    "public.programs.piece_title",
    "public.programs.appearances_with_programs",
}
