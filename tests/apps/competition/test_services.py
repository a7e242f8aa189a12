"""Test the services of stages, sessions, participants and programs: what they store and what they refuse."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from apps.competition.models import Participant, ProgramEntry, Session, SessionParticipant, Stage
from apps.competition.services.participants import participant_create, participant_update
from apps.competition.services.programs import NewEntry, program_add
from apps.competition.services.sessions import appearance_add, session_create, session_update
from apps.competition.services.stages import stage_create
from tests.apps.conftest import run_together
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory, PieceFactory, SessionFactory, StageFactory

ZOFIA = {"first_name": "Zofia", "second_name": "Wróblewska-Łęcka", "country": "Poland", "biography": "Born in Zamość."}
UNCHANGED = {"birth_year": None, "avatar_url": "", "featured": False}


@pytest.mark.django_db
def test_participant_create_writes_all_columns_of_the_name(admin):
    created = participant_create(actor=admin, **{**ZOFIA, "first_name": "  Zofia  "})
    stored = Participant.objects.get(pk=created.pk)
    assert stored.name == "Zofia Wróblewska-Łęcka"
    assert stored.name_folded == "zofia wroblewska-lecka"
    assert stored.sort_folded == "wroblewska-lecka zofia"


@pytest.mark.django_db
def test_participant_create_keeps_a_name_that_begins_with_the_family(admin):
    created = participant_create(
        actor=admin, **{**ZOFIA, "first_name": "Kanade", "second_name": "Himuro", "name": "Himuro Kanade"}
    )
    assert (created.name, created.sort_folded) == ("Himuro Kanade", "himuro kanade")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"first_name": " "},
        {"second_name": ""},
        {"country": ""},
        {"birth_year": 1899},
        {"birth_year": timezone.now().year + 1},
        {"avatar_url": "http://example.org/a.png"},
    ],
)
def test_participant_create_refuses(admin, wrong):
    with pytest.raises(ValidationError):
        participant_create(actor=admin, **{**ZOFIA, **wrong})
    assert not Participant.objects.exists()


@pytest.mark.django_db
def test_participant_create_takes_somebody_born_this_year(admin):
    assert participant_create(actor=admin, **ZOFIA, birth_year=timezone.now().year).pk


@pytest.mark.django_db
def test_participant_update_writes_the_name_anew(admin):
    participant = ParticipantFactory()
    participant_update(
        actor=admin, participant_id=participant.pk, **{**ZOFIA, **UNCHANGED, "second_name": "Łęcka", "featured": True}
    )
    participant.refresh_from_db()
    assert (participant.name, participant.sort_folded, participant.featured) == ("Zofia Łęcka", "lecka zofia", True)


@pytest.mark.django_db
def test_session_create_and_update_store_what_they_are_given(admin):
    stage = StageFactory()
    session = session_create(actor=admin, stage_id=stage.pk, title=" Evening ", starts_at=EVENING)
    assert (session.title, session.is_live, session.youtube_id) == ("Evening", False, "")
    Session.objects.filter(pk=session.pk).update(is_live=True)
    session_update(
        actor=admin,
        session_id=session.pk,
        stage_id=stage.pk,
        title="Morning",
        starts_at=EVENING + timedelta(hours=1),
        description="With an interval.",
        youtube_id="aqz-KE-bpKQ",
    )
    session.refresh_from_db()
    assert (session.title, session.description, session.youtube_id) == ("Morning", "With an interval.", "aqz-KE-bpKQ")
    assert session.is_live


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [{"title": ""}, {"youtube_id": "short"}, {"stage_id": 987654}])
def test_session_create_refuses(admin, wrong):
    given = {"stage_id": StageFactory().pk, "title": "Evening", "starts_at": EVENING, **wrong}
    with pytest.raises(ValidationError):
        session_create(actor=admin, **given)


@pytest.mark.django_db
def test_stage_create_refuses_a_name_or_order_twice(admin):
    stage = stage_create(actor=admin, name="Stage I", order_number=2)
    for wrong in ({"name": "Stage I", "order_number": 3}, {"name": "Stage II", "order_number": 2}):
        with pytest.raises(ValidationError):
            stage_create(actor=admin, **wrong)
    assert Stage.objects.get() == stage


@pytest.mark.django_db
def test_appearance_add_takes_the_next_order_number(admin):
    session = SessionFactory()
    appearances = [
        appearance_add(actor=admin, session_id=session.pk, participant_id=ParticipantFactory().pk, **order)
        for order in ({}, {"order_number": 5}, {})
    ]
    assert [appearance.order_number for appearance in appearances] == [1, 5, 6]


@pytest.mark.django_db
def test_appearance_add_refuses_a_second_appearance_and_a_taken_number(admin):
    appearance = AppearanceFactory(order_number=1)
    with pytest.raises(ValidationError, match="has a place in the session already"):
        appearance_add(actor=admin, session_id=appearance.session_id, participant_id=appearance.participant_id)
    with pytest.raises(ValidationError, match="order number is taken"):
        appearance_add(
            actor=admin, session_id=appearance.session_id, participant_id=ParticipantFactory().pk, order_number=1
        )


@pytest.mark.django_db(transaction=True)
def test_two_who_add_appearances_at_once_get_two_numbers(admin):
    session = SessionFactory()
    participants = [ParticipantFactory() for _ in range(4)]
    run_together(
        *(
            lambda pk=each.pk: appearance_add(actor=admin, session_id=session.pk, participant_id=pk)
            for each in participants
        )
    )
    assert sorted(session.appearances.values_list("order_number", flat=True)) == [1, 2, 3, 4]


@pytest.mark.django_db
def test_program_add_fills_the_slot_of_the_piece_unless_told(admin):
    appearance, piece = AppearanceFactory(), PieceFactory(category="etiuda_a")
    entries = [NewEntry(piece.pk), NewEntry(piece.pk, slot="nocturn", timestamp=65)]
    own, other = program_add(actor=admin, session_participant_id=appearance.pk, entries=entries)
    assert [(entry.slot, entry.order_number) for entry in (own, other)] == [("etiuda_a", 1), ("nocturn", 2)]
    assert other.timestamp == 65


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"piece_id": 987654},
        {"slot": "waltz"},
        {"timestamp": -1},
        {"youtube_url": "https://example.org/watch?v=aqz-KE-bpKQ"},
        {"youtube_url": "http://youtu.be/aqz-KE-bpKQ"},
    ],
)
def test_program_add_refuses(admin, wrong):
    entry = NewEntry(**{"piece_id": PieceFactory().pk, **wrong})
    with pytest.raises(ValidationError):
        program_add(actor=admin, session_participant_id=AppearanceFactory().pk, entries=[entry])
    assert not ProgramEntry.objects.exists()


@pytest.mark.django_db
def test_program_add_adds_all_or_nothing(admin):
    appearance, pieces = AppearanceFactory(), [PieceFactory() for _ in range(3)]
    good = [NewEntry(piece_id=piece.pk) for piece in pieces]
    with pytest.raises(ValidationError):
        program_add(actor=admin, session_participant_id=appearance.pk, entries=[*good, NewEntry(piece_id=987654)])
    assert not ProgramEntry.objects.exists()
    program_add(actor=admin, session_participant_id=appearance.pk, entries=good)
    assert list(appearance.program.order_by("order_number").values_list("piece_id", flat=True)) == [
        p.pk for p in pieces
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("size", [1, 3])
def test_program_add_takes_as_many_queries_for_three_entries_as_for_one(django_assert_num_queries, admin, size):
    appearance = AppearanceFactory()
    entries = [NewEntry(piece_id=PieceFactory().pk) for _ in range(size)]
    with django_assert_num_queries(11):  # and of them one for each: name, audit, stage, notify
        program_add(actor=admin, session_participant_id=appearance.pk, entries=entries)


@pytest.mark.django_db
def test_nobody_but_administrators_edits_the_competition(nobody):
    appearance, piece, participant = AppearanceFactory(), PieceFactory(), ParticipantFactory()
    before = [model.objects.count() for model in (Stage, Session, Participant, SessionParticipant, ProgramEntry)]
    session = {"stage_id": appearance.session.stage_id, "title": "Evening", "starts_at": EVENING}
    rest = {"description": "", "youtube_id": ""}
    for refused in (
        lambda: stage_create(actor=nobody, name="Stage X", order_number=9999),
        lambda: session_create(actor=nobody, **session),
        lambda: session_update(actor=nobody, session_id=appearance.session_id, **session, **rest),
        lambda: participant_create(actor=nobody, **ZOFIA),
        lambda: participant_update(actor=nobody, participant_id=participant.pk, **ZOFIA, **UNCHANGED),
        lambda: appearance_add(actor=nobody, session_id=appearance.session_id, participant_id=participant.pk),
        lambda: program_add(actor=nobody, session_participant_id=appearance.pk, entries=[NewEntry(piece.pk)]),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators edit"):
            refused()
    assert before == [
        model.objects.count() for model in (Stage, Session, Participant, SessionParticipant, ProgramEntry)
    ]
    assert Session.objects.get().title == appearance.session.title
    assert Participant.objects.get(pk=participant.pk).name == participant.name
