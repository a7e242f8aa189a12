"""Test that only administrators change the competition."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied

from apps.competition.models import (
    Appearance,
    Participant,
    Piano,
    Piece,
    Prize,
    PrizeList,
    ProgramEntry,
    Session,
    Stage,
    StageAdvancement,
)
from apps.competition.piano_names import PianoName
from apps.competition.selectors.admin.live import LiveState
from apps.competition.selectors.admin.prizes import PrizeLine
from apps.competition.services import (
    advancements,
    live,
    participants,
    pianos,
    pieces,
    prizes,
    programs,
    repeated,
    sessions,
    stages,
)
from tests.factories import (
    EVENING,
    AppearanceFactory,
    ParticipantFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
)
from tests.offenders import check_each

TABLES = (Participant, Piano, Piece, Prize, PrizeList, ProgramEntry, Session, Appearance, Stage)
TABLES += (StageAdvancement,)
NAMES = {"first_name": "Zofia", "second_name": "Łęcka", "country": "Poland", "biography": "Born in Zamość."}
COLUMNS = {"birth_year": None, "avatar_url": "", "featured": False}
FORM = {"title": "Evening", "starts_at": EVENING, "description": "", "youtube_id": ""}


@pytest.mark.django_db
def test_competition_can_be_changed_only_by_administrators(unprivileged):
    entry = ProgramEntryFactory(appearance__session__is_live=True, appearance__is_performing=True)
    performer = entry.appearance
    other = AppearanceFactory(session=performer.session)
    stage_id, session_id = performer.session.stage_id, performer.session_id
    idle = SessionFactory(stage_id=stage_id)
    repetition = AppearanceFactory(session=idle, participant=performer.participant, is_repeated=True)
    participant_id, piece_id = ParticipantFactory().pk, PieceFactory().pk
    piano_id = Piano.objects.create(maker="Sennewald").pk
    StageAdvancement.objects.create(stage_id=stage_id, participant=performer.participant)
    draft = PrizeList.objects.create(stage_id=stage_id, state="draft")
    Prize.objects.create(list=draft, order_number=1, name="First Prize", kind="place", award="none")
    states = {"to": LiveState(), "since": LiveState(session_id, performer.pk), "step_id": 0}
    entries = [programs.NewEntry(piece_id)]
    advancing = [other.participant_id]
    writes = [
        partial(stages.stage_create, name="Mine"),
        partial(stages.stage_update, stage_id=stage_id, name="Mine"),
        partial(stages.stage_move, stage_id=stage_id, direction="down"),
        partial(stages.stage_archive, stage_id=stage_id, is_archived=True),
        partial(stages.stage_delete, stage_id=stage_id),
        partial(advancements.advancements_publish, stage_id=stage_id, participant_ids=advancing),
        partial(advancements.advancements_withdraw, stage_id=stage_id),
        partial(prizes.prizes_save, stage_id=stage_id, lines=[PrizeLine("Second Prize")]),
        partial(prizes.prizes_publish, stage_id=stage_id),
        partial(prizes.prizes_restore, list_id=draft.pk),
        partial(prizes.prizes_withdraw, stage_id=stage_id),
        partial(sessions.session_create, stage_id=stage_id, title="Mine", starts_at=EVENING),
        partial(sessions.session_update, session_id=session_id, **FORM),
        partial(sessions.session_delete, session_id=session_id, confirmed=True),
        partial(sessions.appearance_add, session_id=session_id, participant_id=participant_id),
        partial(repeated.appearance_count, appearance_id=repetition.pk),
        partial(participants.participant_create, **NAMES),
        partial(participants.participant_update, participant_id=participant_id, **NAMES, **COLUMNS),
        partial(participants.participant_delete, participant_id=participant_id),
        partial(pieces.piece_add, category="scherzo", name="Scherzo"),
        partial(pieces.piece_delete, piece_id=piece_id),
        partial(pianos.piano_add, maker="Kitamori", model="EX"),
        partial(pianos.piano_update, piano_id=piano_id, maker="Kitamori", model="EX"),
        partial(pianos.piano_delete, piano_id=piano_id),
        partial(pianos.session_pianos_set, session_id=session_id, pianos={performer.pk: None}),
        partial(pianos.session_pianos_read, session_id=session_id, text="1; Kitamori EX", confirmed=True),
        partial(pianos.pianos_give, pianos={participant_id: PianoName("Kitamori", "EX")}),
        partial(pianos.pianos_take_back, changes=(), added=()),
        partial(programs.program_add, appearance_id=performer.pk, entries=entries),
        partial(programs.program_select, appearance_id=performer.pk, piece_id=piece_id),
        partial(programs.program_entry_link, entry_id=entry.pk, url="https://youtu.be/aqz-KE-bpKQ"),
        partial(programs.program_entry_remove, entry_id=entry.pk),
        partial(programs.program_entry_move, entry_id=entry.pk, direction="up"),
        partial(live.session_set_live, session_id=idle.pk),
        partial(live.session_end, session_id=session_id),
        partial(live.performer_set, appearance_id=other.pk),
        partial(live.performer_clear, session_id=session_id),
        partial(live.performer_next, session_id=session_id, after=performer.pk),
        partial(live.live_restore, **states),
    ]

    def rows():
        return [list(table.objects.order_by("pk").values()) for table in TABLES]

    def check(write):
        with pytest.raises(PermissionDenied, match="Only administrators"):
            write(actor=unprivileged)
        assert rows() == before

    before = rows()
    check_each(writes, check)
