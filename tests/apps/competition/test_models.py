"""Test the database constraints of the competition with writes that bypass the services."""

import pytest
from django.db import DataError, IntegrityError, transaction
from django.db.models import F, ProtectedError

from apps.competition.limits import INTERVAL_MINUTES_MOST, START_NUMBER_MOST
from apps.competition.models import Appearance, Participant, SessionInterval
from tests.factories import (
    PLAYED,
    AppearanceFactory,
    ImportedPerformanceFactory,
    ParticipantFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
)
from tests.offenders import check_each

pytestmark = pytest.mark.django_db


def check_refused(case):
    """Require that the database refuses the row: a constraint, a function, and the values for it."""
    constraint, create, values = case
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        create(**values)


def test_database_refuses_invalid_values():
    session = SessionFactory()

    def interval(**values):
        SessionInterval.objects.create(session=session, **values)

    def cases(constraint, create, column, *values):
        return [(constraint, create, {column: value}) for value in values]

    check_each(
        [
            *cases("order", AppearanceFactory, "order_number", 0, -1),
            *cases("order", ProgramEntryFactory, "order_number", 0, -1),
            *cases("order", StageFactory, "order_number", 0, -1),
            *cases(
                *("session_video_well_formed", SessionFactory, "youtube_id"),
                *("short", "aqz-KE-bpK!", "aqz KE bpKQ", "aqz-KE-bpKą"),
            ),
            *cases("participant_birth_year_possible", ParticipantFactory, "birth_year", 1899, 0, 2101),
            *cases(
                *("participant_avatar_is_picture", ParticipantFactory, "avatar_url"),
                *("http://example.org/a.png", "javascript:alert(1)", "//example.org/a.png"),
            ),
            *cases(
                *("entry_link_is_https", ProgramEntryFactory, "youtube_url"),
                *("http://youtu.be/aqz-KE-bpKQ", "javascript:alert(1)", "/static/a.mp4"),
            ),
            *cases("timestamp", ProgramEntryFactory, "timestamp", -1),
            *cases("piece_category_known", PieceFactory, "category", "gigue"),
            *cases("entry_slot_known", ProgramEntryFactory, "slot", "gigue"),
            *cases("written", PieceFactory, "name", "", "  ", " Etude"),
            *cases("written", SessionFactory, "title", "", "  ", " Etude"),
            *cases("written", StageFactory, "name", "", "  ", " Etude"),
            *cases("start_number", ParticipantFactory, "start_number", 0, START_NUMBER_MOST + 1),
            ("session_ends_after_start", SessionFactory, {"starts_at": PLAYED, "planned_end": PLAYED}),
            ("interval_after_from_one", interval, {"after_order_number": 0, "minutes": 20}),
            ("interval_minutes_possible", interval, {"after_order_number": 1, "minutes": 0}),
            ("interval_minutes_possible", interval, {"after_order_number": 1, "minutes": INTERVAL_MINUTES_MOST + 1}),
        ],
        check_refused,
    )
    for year in (None, 1900, 2010):
        assert ParticipantFactory(birth_year=year).birth_year == year


def test_database_refuses_blank_texts_of_a_participant():
    update = Participant.objects.filter(pk=ParticipantFactory().pk).update
    columns = "first_name", "second_name", "name", "name_folded", "sort_folded", "country"
    texts = "", " ", " Zofia", "Zofia\n"
    check_each([("written", update, {column: text}) for column in columns for text in texts], check_refused)


def test_database_refuses_texts_beyond_their_length():
    for factory, column, length in (
        (ParticipantFactory, "biography", 100_000),
        (SessionFactory, "description", 5000),
        (ImportedPerformanceFactory, "program", 5000),
    ):
        assert factory(**{column: "x" * length}).pk
        check_refused(("length", factory, {column: "x" * (length + 1)}))
    address = "https://example.org/" + "a" * 2029
    for factory, column, text in (
        (SessionFactory, "youtube_id", "aqz-KE-bpKQ1"),
        (ParticipantFactory, "avatar_url", address),
        (ProgramEntryFactory, "youtube_url", address),
    ):
        with pytest.raises(DataError), transaction.atomic():
            factory(**{column: text})


def test_database_refuses_duplicates():
    stage, session = StageFactory(), SessionFactory(is_live=True)
    SessionFactory(is_live=False)
    performer = AppearanceFactory(session=session, order_number=1, is_performing=True)
    AppearanceFactory(is_performing=True)
    ProgramEntryFactory(appearance=performer, order_number=1)
    piece = PieceFactory(category="nocturn")
    assert PieceFactory(category="mazurek", name=piece.name).pk
    ParticipantFactory(start_number=12)
    ParticipantFactory.create_batch(2, start_number=None)
    SessionInterval.objects.create(session=session, after_order_number=3, minutes=20)
    interval = SessionInterval.objects.create
    check_each(
        [
            ("one_live_session", SessionFactory, {"is_live": True}),
            ("one_performer_per_session", AppearanceFactory, {"session": session, "is_performing": True}),
            (
                "participant_once_per_session",
                AppearanceFactory,
                {"session": session, "participant": performer.participant, "is_repeated": True},
            ),
            ("place_order_once_per_session", AppearanceFactory, {"session": session, "order_number": 1}),
            ("entry_order_once_per_place", ProgramEntryFactory, {"appearance": performer, "order_number": 1}),
            ("order_number", StageFactory, {"order_number": stage.order_number}),
            ("name", StageFactory, {"name": stage.name}),
            ("piece_once_per_category", PieceFactory, {"category": "nocturn", "name": piece.name}),
            ("start_number_once", ParticipantFactory, {"start_number": 12}),
            ("interval_once_after_a_place", interval, {"session": session, "after_order_number": 3, "minutes": 30}),
        ],
        check_refused,
    )


def test_appearances_can_swap_their_order_in_one_statement():
    session = SessionFactory()
    first, second = (AppearanceFactory(session=session, order_number=number) for number in (1, 2))
    session.appearances.update(order_number=3 - F("order_number"))
    assert list(session.appearances.order_by("order_number")) == [second, first]


def test_rows_in_use_cannot_be_deleted():
    entry = ProgramEntryFactory()
    appearance = entry.appearance
    for row in (entry.piece, appearance.participant, appearance.session.stage):
        with pytest.raises(ProtectedError):
            row.delete()
    appearance.session.delete()
    assert not Appearance.objects.exists()
