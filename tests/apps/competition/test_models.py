"""Test the database constraints of the competition with writes that bypass the services."""

import pytest
from django.db import DataError, IntegrityError, transaction
from django.db.models import ProtectedError

from apps.competition.limits import INTERVAL_MINUTES_MOST, START_NUMBER_MOST
from apps.competition.models import Participant, SessionInterval, SessionParticipant
from tests.factories import (
    AppearanceFactory,
    ParticipantFactory,
    PerformanceFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
)

pytestmark = pytest.mark.django_db


def test_the_database_refuses_a_second_live_session():
    SessionFactory(is_live=True)
    SessionFactory(is_live=False)
    with pytest.raises(IntegrityError, match="one_live_session"):
        SessionFactory(is_live=True)


def test_the_database_refuses_a_second_performer_in_a_session():
    appearance = AppearanceFactory(is_performing=True)
    AppearanceFactory(is_performing=True)
    with pytest.raises(IntegrityError, match="one_performer_per_session"):
        AppearanceFactory(session=appearance.session, is_performing=True)


def test_the_database_refuses_a_participant_twice_in_a_session():
    appearance = AppearanceFactory()
    with pytest.raises(IntegrityError, match="participant_once_per_session"):
        AppearanceFactory(session=appearance.session, participant=appearance.participant)


@pytest.mark.parametrize("order_number", [0, -1])
@pytest.mark.parametrize("factory", [AppearanceFactory, ProgramEntryFactory, StageFactory])
def test_the_database_refuses_orders_below_one(factory, order_number):
    with pytest.raises(IntegrityError, match="order"):
        factory(order_number=order_number)


def test_the_database_refuses_an_order_number_twice():
    appearance = AppearanceFactory(order_number=1)
    entry = ProgramEntryFactory(session_participant=appearance, order_number=1)
    with pytest.raises(IntegrityError, match="place_order_once_per_session"), transaction.atomic():
        AppearanceFactory(session=appearance.session, order_number=1)
    with pytest.raises(IntegrityError, match="entry_order_once_per_place"), transaction.atomic():
        ProgramEntryFactory(session_participant=entry.session_participant, order_number=1)
    stage = StageFactory()
    with pytest.raises(IntegrityError, match="order_number"), transaction.atomic():
        StageFactory(order_number=stage.order_number)
    with pytest.raises(IntegrityError, match="name"):
        StageFactory(name=stage.name)


def test_appearances_can_trade_their_order_in_one_statement():
    from django.db.models import F

    session = SessionFactory()
    first, second = (
        AppearanceFactory(session=session, order_number=1),
        AppearanceFactory(session=session, order_number=2),
    )
    SessionParticipant.objects.filter(session=session).update(order_number=3 - F("order_number"))
    assert list(session.appearances.order_by("order_number")) == [second, first]


@pytest.mark.parametrize("video", ["short", "aqz-KE-bpK!", "aqz KE bpKQ", "aqz-KE-bpKą"])
def test_the_database_refuses_a_malformed_video(video):
    with pytest.raises(IntegrityError, match="session_video_well_formed"):
        SessionFactory(youtube_id=video)


def test_the_database_refuses_a_longer_video():
    with pytest.raises(DataError):
        SessionFactory(youtube_id="aqz-KE-bpKQ1")


@pytest.mark.parametrize("year", [1899, 0, 2101])
def test_the_database_refuses_an_impossible_birth_year(year):
    with pytest.raises(IntegrityError, match="participant_birth_year_possible"):
        ParticipantFactory(birth_year=year)


@pytest.mark.parametrize("year", [None, 1900, 2010])
def test_the_database_takes_a_possible_birth_year(year):
    assert ParticipantFactory(birth_year=year).birth_year == year


@pytest.mark.parametrize("column", ["first_name", "second_name", "name", "name_folded", "sort_folded", "country"])
@pytest.mark.parametrize("text", ["", " ", " Zofia", "Zofia\n"])
def test_the_database_refuses_a_participant_with_a_blank_text(column, text):
    participant = ParticipantFactory()
    with pytest.raises(IntegrityError, match="written"):
        Participant.objects.filter(pk=participant.pk).update(**{column: text})


def test_the_database_refuses_texts_beyond_their_length():
    for factory, column, length in (
        (ParticipantFactory, "biography", 100_000),
        (SessionFactory, "description", 5000),
        (PerformanceFactory, "program", 5000),
    ):
        assert factory(**{column: "x" * length}).pk
        with pytest.raises(IntegrityError, match="length"), transaction.atomic():
            factory(**{column: "x" * (length + 1)})


@pytest.mark.parametrize("address", ["http://example.org/a.png", "javascript:alert(1)", "//example.org/a.png"])
def test_the_database_refuses_a_picture_from_elsewhere(address):
    with pytest.raises(IntegrityError, match="participant_avatar_is_picture"):
        ParticipantFactory(avatar_url=address)


def test_the_database_refuses_addresses_beyond_2048_characters():
    with pytest.raises(DataError), transaction.atomic():
        ParticipantFactory(avatar_url="https://example.org/" + "a" * 2029)
    with pytest.raises(DataError):
        ProgramEntryFactory(youtube_url="https://example.org/" + "a" * 2029)


@pytest.mark.parametrize("link", ["http://youtu.be/aqz-KE-bpKQ", "javascript:alert(1)", "/static/a.mp4"])
def test_the_database_refuses_a_link_without_https(link):
    with pytest.raises(IntegrityError, match="entry_link_is_https"):
        ProgramEntryFactory(youtube_url=link)


def test_the_database_refuses_a_moment_before_the_recording():
    with pytest.raises(IntegrityError, match="timestamp"):
        ProgramEntryFactory(timestamp=-1)


def test_the_database_refuses_unknown_categories():
    with pytest.raises(IntegrityError, match="piece_category_known"), transaction.atomic():
        PieceFactory(category="waltz")
    with pytest.raises(IntegrityError, match="entry_slot_known"):
        ProgramEntryFactory(slot="waltz")


def test_the_database_refuses_a_piece_twice_in_a_category():
    piece = PieceFactory(category="nocturn")
    assert PieceFactory(category="mazurek", name=piece.name).pk
    with pytest.raises(IntegrityError, match="piece_once_per_category"):
        PieceFactory(category="nocturn", name=piece.name)


@pytest.mark.parametrize(
    ("factory", "column"), [(PieceFactory, "name"), (SessionFactory, "title"), (StageFactory, "name")]
)
@pytest.mark.parametrize("text", ["", "  ", " Etude"])
def test_the_database_refuses_blank_names(factory, column, text):
    with pytest.raises(IntegrityError, match="written"):
        factory(**{column: text})


def test_what_others_stand_on_cannot_be_deleted():
    entry = ProgramEntryFactory()
    appearance = entry.session_participant
    for stood_on in (entry.piece, appearance.participant, appearance.session.stage):
        with pytest.raises(ProtectedError):
            stood_on.delete()
    appearance.session.delete()
    assert not SessionParticipant.objects.exists()


@pytest.mark.parametrize("number", [0, START_NUMBER_MOST + 1])
def test_the_database_refuses_an_impossible_start_number(number):
    with pytest.raises(IntegrityError, match="start_number"):
        ParticipantFactory(start_number=number)


def test_the_database_refuses_a_start_number_twice_and_allows_none_often():
    ParticipantFactory(start_number=12)
    ParticipantFactory.create_batch(2, start_number=None)
    with pytest.raises(IntegrityError, match="start_number_once"):
        ParticipantFactory(start_number=12)


def test_the_database_refuses_a_session_that_ends_before_it_starts():
    session = SessionFactory()
    with pytest.raises(IntegrityError, match="session_ends_after_start"):
        SessionFactory(starts_at=session.starts_at, planned_end=session.starts_at)


@pytest.mark.parametrize(
    ("after_order_number", "minutes", "name"),
    [
        (0, 20, "interval_after_from_one"),
        (1, 0, "interval_minutes_possible"),
        (1, INTERVAL_MINUTES_MOST + 1, "interval_minutes_possible"),
    ],
)
def test_the_database_refuses_an_impossible_interval(after_order_number, minutes, name):
    session = SessionFactory()
    with pytest.raises(IntegrityError, match=name):
        SessionInterval.objects.create(session=session, after_order_number=after_order_number, minutes=minutes)


def test_the_database_refuses_two_intervals_after_one_performance():
    session = SessionFactory()
    SessionInterval.objects.create(session=session, after_order_number=3, minutes=20)
    with pytest.raises(IntegrityError, match="interval_once_after_a_place"):
        SessionInterval.objects.create(session=session, after_order_number=3, minutes=30)
