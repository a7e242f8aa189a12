"""What the general tests use of the app competition: its selectors' calls on a large database."""

from collections.abc import Mapping
from datetime import timedelta

from apps.competition.enums import Category, ObjectKind, SessionFilter, UndoKind
from apps.competition.selectors.admin.advancements import advancing_edit
from apps.competition.selectors.admin.existing import objects_existing
from apps.competition.selectors.admin.live import (
    first_steps_get,
    live_control_get,
    live_cue_get,
    live_state,
    sessions_nearest,
)
from apps.competition.selectors.admin.order_lines import (
    order_advancing,
    order_copied,
    order_lines_read,
    order_next,
)
from apps.competition.selectors.admin.participants import (
    participant_edit,
    participant_names,
    participant_options,
    participants_admin,
)
from apps.competition.selectors.admin.preparation import preparation_get
from apps.competition.selectors.admin.program_sources import program_sources
from apps.competition.selectors.admin.programs import (
    performers,
    piece_edit,
    piece_facts,
    pieces_by_category,
    pieces_to_choose,
    program_admin,
    program_counts,
    programs_admin,
    session_programs,
)
from apps.competition.selectors.admin.sessions import (
    appearances_of,
    programs_longer,
    series_recent,
    session_edit,
    session_next,
    session_options,
    session_performers,
    sessions_admin,
    stage_edit,
    stages_admin,
    undos_recent,
)
from apps.competition.selectors.public.calendar import calendar_appearances, calendar_sessions, planned_appearances
from apps.competition.selectors.public.participants import (
    field_countries,
    named_in,
    participant_countries,
    participant_featured,
    participant_get,
    participant_ids,
    participant_list,
    participants_field,
)
from apps.competition.selectors.public.pieces import (
    piece_get,
    piece_ids,
    piece_performances,
    pieces_listed,
)
from apps.competition.selectors.public.plans import advances_get, plans_get
from apps.competition.selectors.public.programs import (
    appearance_names,
    appearance_places,
    appearance_program,
    appearance_statuses,
    begun_appearances,
    program_pieces,
    program_titles,
)
from apps.competition.selectors.public.progress import field_numbers, imported_stages, participants_progress
from apps.competition.selectors.public.schedule import schedule_day, schedule_days, schedule_whole
from apps.competition.selectors.public.sessions import (
    appearance_ids,
    appearances_get,
    appearances_played,
    live_now,
    live_session,
    participant_appearances,
    session_appearances,
    session_appearances_with_programs,
    session_ended_last,
    session_get,
    session_ids,
    session_list,
    session_live,
    sessions_begun,
    sessions_coming,
)
from apps.competition.selectors.public.stage_overviews import stage_overviews
from apps.competition.selectors.public.stages import (
    advancing_ids,
    appearances_placed,
    stage_field,
    stage_ids,
    stage_names,
    stage_sessions,
)
from apps.competition.selectors.public.subjects import subjects_get, subjects_offered
from tests.apps.busy_session import (
    APPEARANCE,
    NOW,
    PARTICIPANT,
    SESSION,
)
from tests.apps.reads import Read

ALL, UPCOMING, PAST = SessionFilter.ALL, SessionFilter.UPCOMING, SessionFilter.PAST

READS: Mapping[str, list[Read]] = {
    "admin.sessions.undos_recent": [
        Read(
            lambda: undos_recent(kind=UndoKind.ASSIGNMENT),
            20,
            "what another kind took away meanwhile",
        )
    ],
    "admin.existing.objects_existing": [
        Read(lambda kind=kind: objects_existing(kind=kind, ids=(1, 2, 10**9))) for kind in ObjectKind
    ],
    "admin.advancements.advancing_edit": [Read(lambda: advancing_edit(stage_id=1))],
    "admin.live.live_control_get": [Read(live_control_get)],
    "admin.live.first_steps_get": [Read(first_steps_get)],
    "admin.live.live_cue_get": [Read(live_cue_get)],
    "admin.live.sessions_nearest": [Read(lambda: sessions_nearest(query="morning"))],
    "admin.live.live_state": [Read(live_state)],
    "admin.order_lines.order_lines_read": [Read(lambda: order_lines_read("1\nEwa Nowak", []))],
    "admin.order_lines.order_next": [Read(lambda: order_next(stage_id=1, count=21, playing=[PARTICIPANT]))],
    "admin.order_lines.order_copied": [Read(lambda: order_copied(session_id=SESSION, playing=[]))],
    "admin.order_lines.order_advancing": [Read(lambda: order_advancing(stage_id=2, playing=[]))],
    "admin.preparation.preparation_get": [Read(preparation_get)],
    "admin.participants.participant_edit": [Read(lambda: participant_edit(participant_id=PARTICIPANT))],
    "admin.participants.participant_options": [Read(participant_options)],
    "admin.participants.participants_admin": [Read(participants_admin)],
    "admin.participants.participant_names": [Read(participant_names)],
    "admin.sessions.programs_longer": [Read(lambda: programs_longer(pieces=5))],
    "admin.sessions.session_performers": [Read(lambda: session_performers(session_id=SESSION))],
    "admin.programs.pieces_by_category": [Read(pieces_by_category)],
    "admin.programs.pieces_to_choose": [Read(lambda: pieces_to_choose(category=Category.NOCTURN))],
    "admin.sessions.appearances_of": [Read(lambda: appearances_of([SESSION]))],
    "admin.programs.program_admin": [Read(lambda: program_admin(appearance_id=APPEARANCE))],
    "admin.program_sources.program_sources": [Read(lambda: program_sources(session_id=SESSION))],
    "admin.programs.piece_edit": [Read(lambda: piece_edit(piece_id=1))],
    "admin.programs.piece_facts": [Read(piece_facts)],
    "admin.programs.session_programs": [
        Read(lambda: session_programs(session_id=SESSION, has_program=True)),
        Read(lambda: session_programs(session_id=None, has_program=False)),
    ],
    "admin.programs.performers": [Read(lambda: performers(session_id=SESSION, limit=10))],
    "admin.programs.program_counts": [
        Read(lambda: program_counts(session_id=SESSION)),
        Read(lambda: program_counts(session_id=None)),
    ],
    "admin.sessions.session_next": [Read(session_next)],
    "admin.programs.programs_admin": [Read(lambda: programs_admin(session_id=SESSION))],
    "admin.sessions.series_recent": [Read(series_recent)],
    "admin.sessions.session_edit": [Read(lambda: session_edit(session_id=SESSION))],
    "admin.sessions.session_options": [Read(session_options)],
    "admin.sessions.sessions_admin": [Read(sessions_admin)],
    "admin.sessions.stage_edit": [Read(lambda: stage_edit(stage_id=1))],
    "admin.sessions.stages_admin": [Read(stages_admin)],
    "public.sessions.sessions_begun": [Read(lambda: sessions_begun(within=timedelta(minutes=2)))],
    "public.participants.participant_countries": [Read(participant_countries)],
    "public.participants.participant_featured": [Read(participant_featured)],
    "public.participants.participant_get": [Read(lambda: participant_get(participant_id=PARTICIPANT))],
    "public.participants.participants_field": [Read(participants_field)],
    "public.participants.participant_ids": [Read(participant_ids)],
    "public.participants.named_in": [Read(lambda: named_in("Somebody"))],
    "public.participants.participant_list": [
        Read(lambda: participant_list(query="sol")),
        Read(lambda: participant_list(still_in=True)),
    ],
    "public.participants.field_countries": [Read(field_countries)],
    "public.pieces.pieces_listed": [Read(pieces_listed)],
    "public.pieces.piece_get": [Read(lambda: piece_get(piece_id=1))],
    "public.pieces.piece_ids": [Read(piece_ids)],
    "public.pieces.piece_performances": [Read(lambda: piece_performances(piece_id=1))],
    "public.progress.participants_progress": [Read(lambda: participants_progress(participant_ids=[PARTICIPANT]))],
    "public.progress.imported_stages": [Read(lambda: imported_stages(participant_ids=[PARTICIPANT]))],
    "public.progress.field_numbers": [Read(lambda: field_numbers(participant_ids=[PARTICIPANT]))],
    "public.programs.appearance_program": [Read(lambda: appearance_program(session_participant_id=APPEARANCE))],
    "public.programs.program_titles": [Read(lambda: program_titles(appearance_ids=[APPEARANCE, 2]))],
    "public.programs.program_pieces": [Read(lambda: program_pieces(appearance_ids=[APPEARANCE, 2]))],
    "public.programs.appearance_statuses": [
        Read(lambda: appearance_statuses(appearance_ids=[APPEARANCE, 2])),
        Read(lambda: appearance_statuses(session_id=SESSION)),
        Read(lambda: appearance_statuses(participant_id=PARTICIPANT)),
        Read(lambda: appearance_statuses(stage_id=1)),
    ],
    "public.programs.appearance_names": [Read(lambda: appearance_names(appearance_ids=[APPEARANCE, 2]))],
    "public.programs.begun_appearances": [Read(begun_appearances)],
    "public.programs.appearance_places": [Read(lambda: appearance_places(appearance_ids=[APPEARANCE, 2]))],
    "public.sessions.live_now": [Read(live_now)],
    "public.sessions.live_session": [Read(live_session)],
    "public.sessions.participant_appearances": [Read(lambda: participant_appearances(participant_id=PARTICIPANT))],
    "public.sessions.appearances_get": [Read(lambda: appearances_get(appearance_ids=[APPEARANCE, 2]))],
    "public.sessions.appearances_played": [
        Read(lambda: appearances_played(since=NOW - timedelta(hours=12), until=NOW)),
        Read(lambda: appearances_played(since=NOW + timedelta(days=30), until=NOW + timedelta(days=31))),
    ],
    "public.calendar.calendar_sessions": [Read(calendar_sessions)],
    "public.calendar.planned_appearances": [Read(lambda: planned_appearances(participant_id=PARTICIPANT))],
    "public.plans.plans_get": [Read(lambda: plans_get(places=[(1, 1), (1, 2), (2, 8)]))],
    "public.plans.advances_get": [Read(lambda: advances_get(stage_ids=[1, 2], participant_ids=[1, 2]))],
    "public.calendar.calendar_appearances": [Read(lambda: calendar_appearances(participant_ids=(1, 2)))],
    "public.schedule.schedule_days": [Read(schedule_days, 20, "the days of all sessions are collected")],
    "public.schedule.schedule_day": [Read(lambda: schedule_day(day=NOW.date()))],
    "public.schedule.schedule_whole": [Read(schedule_whole)],
    "public.sessions.sessions_coming": [Read(lambda: sessions_coming(now=NOW, limit=3))],
    "public.sessions.appearance_ids": [Read(lambda: appearance_ids(session_id=SESSION, participant_id=PARTICIPANT))],
    "public.subjects.subjects_get": [Read(lambda: subjects_get(ids=[APPEARANCE, 2]))],
    "public.subjects.subjects_offered": [Read(subjects_offered)],
    "public.sessions.session_live": [Read(session_live)],
    "public.sessions.session_ended_last": [Read(session_ended_last)],
    "public.sessions.session_get": [Read(lambda: session_get(session_id=SESSION))],
    "public.sessions.session_appearances": [Read(lambda: session_appearances(session_id=SESSION))],
    "public.sessions.session_ids": [Read(session_ids)],
    "public.sessions.session_list": [
        Read(lambda when=when: session_list(when=when, now=NOW)) for when in (ALL, UPCOMING, PAST)
    ],
    "public.sessions.session_appearances_with_programs": [
        Read(lambda: session_appearances_with_programs(session_id=SESSION))
    ],
    "public.stage_overviews.stage_overviews": [Read(stage_overviews)],
    "public.stages.appearances_placed": [Read(lambda: appearances_placed(appearance_ids=[APPEARANCE, 2]))],
    "public.stages.advancing_ids": [Read(lambda: advancing_ids(stage_id=1))],
    "public.stages.stage_field": [Read(lambda: stage_field(stage_id=1))],
    "public.stages.stage_ids": [Read(stage_ids)],
    "public.stages.stage_names": [Read(stage_names)],
    "public.stages.stage_sessions": [Read(lambda: stage_sessions(stage_id=1))],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS = {
    "admin.programs.appearances_within",
    "public.programs.following",
    "public.programs.performer",
    "public.schedule.minutes_late",
    "public.programs.last_on_stage",
    "admin.advancements.advancing_version",
    "admin.participants.participant_fields",
    "public.stages.with_times",
    "public.stages.with_outcomes",
    "public.stages.stages_after",
    "public.stages.next_names",
    "admin.programs.program_fields",
    "admin.programs.piece_fields",
    "admin.programs.link_fields",
    "admin.sessions.session_fields",
    "admin.sessions.sessions_with",
    "admin.sessions.stage_fields",
    "admin.order_lines.order_chosen",
    "admin.order_lines.stage_before",
    "admin.sessions.series_since",
    "admin.sessions.undo_since",
    "public.stages.stages_played",
    "admin.sessions.session_values",
    "public.participants.participants_named",
    "public.participants.participants_alike",
    "public.programs.piece_title",
    "public.programs.appearances_with_programs",
}
