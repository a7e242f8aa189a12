"""Test the editing of sessions: kept appearances, confirmation for rated ones, and concurrent edits."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from apps.competition.dependents import HasDependents, appearance_dependents
from apps.competition.limits import PERFORMERS_MOST
from apps.competition.models import Appearance, Participant, ProgramEntry, Session, Stage
from apps.competition.selectors.admin.sessions import session_edit
from apps.competition.services.participants import participant_delete
from apps.competition.services.planned_times import planned_times_set
from apps.competition.services.program_undo import program_undo
from apps.competition.services.sessions import (
    appearance_add,
    session_create,
    session_delete,
    session_update,
    venue_moment,
)
from apps.competition.services.stages import stage_archive, stage_create
from apps.core.audit import audit_list
from apps.core.edits import EditConflict, FieldConflict
from apps.ratings.models import PieceRating
from components.runtime.rendering.parts import MOST_INNER_PARTS
from tests.apps.conftest import run_together
from tests.factories import (
    EVENING,
    AdvanceRecommendationFactory,
    AppearanceFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
)

pytestmark = pytest.mark.django_db
FORM = {"title": "Evening", "starts_at": EVENING, "description": "Five.", "youtube_id": ""}


@pytest.fixture
def session(db):
    """Return a session with three appearances, each with one piece."""
    session = SessionFactory(title="Evening", description="Five.", youtube_id="", starts_at=EVENING)
    for _ in range(3):
        ProgramEntryFactory(appearance=AppearanceFactory(session=session))
    return session


@pytest.fixture
def save(session, admin):
    """Return a function that saves the session's form with these changes."""
    return lambda **changes: session_update(actor=admin, session_id=session.pk, **FORM | changes)


def order(session):
    return list(session.appearances.order_by("order_number").values_list("pk", "participant_id"))


def participant_ids(session):
    return [participant_id for _, participant_id in order(session)]


def numbers(session):
    return list(session.appearances.order_by("order_number").values_list("order_number", flat=True))


def test_edit_keeps_appearances_with_programs_and_ratings(session, save):
    first, second, third = session.appearances.order_by("order_number")
    rating = PieceRatingFactory(entry=third.program.get())
    new = ParticipantFactory()
    save(participant_ids=[third.participant_id, new.pk, first.participant_id], confirmed=True)
    (kept, added, other) = order(session)
    assert (kept, other) == ((third.pk, third.participant_id), (first.pk, first.participant_id))
    assert added[1] == new.pk
    assert numbers(session) == [1, 2, 3]
    assert not Appearance.objects.filter(pk=second.pk).exists()
    assert PieceRating.objects.get() == rating
    assert set(ProgramEntry.objects.values_list("appearance_id", flat=True)) == {first.pk, third.pk}


def test_edit_without_appearances_leaves_them(session, save):
    before = order(session)
    assert save(title="Late evening").row.title == "Late evening"
    assert order(session) == before


def test_unknown_missing_and_repeated_participants_are_refused(session, save, admin):
    before, ids = order(session), participant_ids(session)
    for pk, sentence in (
        (None, "Each participant row needs a selected participant."),
        (987654, "Selected participant not found"),
        (ids[0], "is in this list twice"),
    ):
        with pytest.raises(ValidationError, match=sentence) as refusal:
            save(participant_ids=[*ids, pk])
        assert list(refusal.value.message_dict) == ["participant_ids"]
    with pytest.raises(ValidationError, match="Selected participant not found"):
        appearance_add(actor=admin, session_id=session.pk, participant_id=987654)
    assert order(session) == before


def test_rated_appearances_are_deleted_only_after_confirmation(session, save, admin):
    appearance = session.appearances.first()
    PieceRatingFactory(entry=appearance.program.get())
    PerformanceRatingFactory.create_batch(2, appearance=appearance)
    AdvanceRecommendationFactory(appearance=appearance)
    others = [row.participant_id for row in session.appearances.all() if row != appearance]
    counts = "Ratings of pieces: 1, of the performance: 2, recommendations: 1."
    dependents = appearance_dependents(list(session.appearances.values_list("pk", flat=True)))
    assert {pk: str(row) for pk, row in dependents.items()} == {appearance.pk: counts}
    for delete in partial(save, participant_ids=others), partial(session_delete, actor=admin, session_id=session.pk):
        with pytest.raises(HasDependents) as refusal:
            delete()
        assert refusal.value.messages == [f"{appearance.participant.name} would go with what listeners gave. {counts}"]
    assert PieceRating.objects.count() == 1
    save(participant_ids=others, confirmed=True)
    assert participant_ids(session) == others
    assert not PieceRating.objects.exists()


def test_performer_and_live_session_cannot_be_removed(session, save, admin):
    appearance = session.appearances.first()
    Session.objects.update(is_live=True)
    Appearance.objects.filter(pk=appearance.pk).update(is_performing=True)
    with pytest.raises(ValidationError, match="on stage cannot be removed"):
        save(participant_ids=[])
    with pytest.raises(ValidationError, match="This session is live"):
        session_delete(actor=admin, session_id=session.pk)
    assert len(order(session)) == 3


@pytest.mark.django_db(transaction=True)
def test_concurrent_orders_leave_one_of_them(admin):
    session = SessionFactory(title="Evening", description="Five.", starts_at=EVENING)
    ids = [AppearanceFactory(session=session).participant_id for _ in range(4)]
    orders = [ids[start:] + ids[:start] for start in range(4)]
    save = partial(session_update, actor=admin, session_id=session.pk, **FORM)
    for _ in range(5):
        answers = run_together(*(partial(save, participant_ids=ids) for ids in orders))
        assert [type(answer).__name__ for answer in answers] == ["Saved"] * 4
        assert participant_ids(session) in orders
        assert numbers(session) == [1, 2, 3, 4]


def test_session_is_created_with_appearances_on_the_only_stage(admin):
    people = [ParticipantFactory(), ParticipantFactory()]
    create = partial(session_create, actor=admin, title="Morning", starts_at=EVENING)
    session = create(participant_ids=[person.pk for person in people], youtube_id="https://youtu.be/aqz-KE-bpKQ?si=abc")
    assert (session.stage.name, session.youtube_id, session.is_live) == ("Stage I", "aqz-KE-bpKQ", False)
    assert participant_ids(session) == [person.pk for person in people]
    assert create().stage == session.stage
    created = audit_list()[1]
    assert created.details["after"]["participants"] == ", ".join(person.name for person in people)


def test_stage_must_be_chosen_among_several_and_not_be_archived(admin, session, save):
    create = partial(session_create, actor=admin, title="Morning", starts_at=EVENING)
    final = stage_create(actor=admin, name="Final")
    with pytest.raises(ValidationError, match="Choose a stage") as refusal:
        create()
    assert list(refusal.value.message_dict) == ["stage"]
    assert create(stage_id=final.pk).stage == final
    stage_archive(actor=admin, stage_id=final.pk, is_archived=True)
    assert create().stage == session.stage
    for write in (create, save):
        with pytest.raises(ValidationError, match="This stage is archived"):
            write(stage_id=final.pk)
    stage_archive(actor=admin, stage_id=session.stage_id, is_archived=True)
    assert save(stage_id=session.stage_id, title="Stays").row.title == "Stays"
    with pytest.raises(ValidationError, match="All stages are archived"):
        create()


def test_invalid_video_and_title_are_refused_at_their_fields(save):
    with pytest.raises(ValidationError) as refusal:
        save(youtube_id="https://vimeo.com/1")
    assert list(refusal.value.message_dict) == ["youtube_id"]
    with pytest.raises(ValidationError) as refusal:
        save(title=" ")
    assert refusal.value.message_dict == {"title": ["Title is required."]}


def test_session_is_deleted_with_its_appearances_and_ratings(session, admin):
    PieceRatingFactory(entry=session.appearances.first().program.get())
    kept = PieceRatingFactory()
    session_delete(actor=admin, session_id=session.pk, confirmed=True)
    assert list(Appearance.objects.all()) == [kept.appearance]
    assert list(PieceRating.objects.all()) == [kept]
    assert audit_list()[0].details["before"]["title"] == "Evening"


def test_order_conflict_names_who_was_moved_to_two_places(session, save):
    edit, ids = session_edit(session_id=session.pk), participant_ids(session)
    names = [appearance.name for appearance in edit.appearances]
    new = ParticipantFactory().pk
    save(participant_ids=[ids[2], ids[0], ids[1], new])
    between = [ids[0], ids[2], ids[1]]
    with pytest.raises(EditConflict) as conflict:
        save(title="Late", participant_ids=between, version=edit.version)
    stored = ", ".join([names[2], names[0], names[1], Participant.objects.get(pk=new).name])
    assert conflict.value.changes == (FieldConflict("participant_ids", "The order of playing", stored, names[2]),)
    message = f"Moved meanwhile too, to another place: {names[2]}. The order is now “{stored}”."
    assert conflict.value.messages == [message]
    assert Session.objects.get().title == "Evening"
    again = save(title="Late", participant_ids=between, version=conflict.value.version)
    assert again.kept_fields == ("The order of playing",)
    assert (participant_ids(session), Session.objects.get().title) == ([*between, new], "Late")


def test_removed_performer_stays_removed_and_returns_with_program_and_time(session, save, admin):
    edit, ids = session_edit(session_id=session.pk), participant_ids(session)
    planned_times_set(actor=admin, session_id=session.pk, minutes=30, intervals={})
    appearance = session.appearances.get(participant_id=ids[1])
    start, piece = appearance.planned_start, appearance.program.get().piece
    undo_id = save(participant_ids=[ids[0], ids[2]], confirmed=True).undo_id
    late = save(title="Late", participant_ids=[ids[2], ids[1], ids[0]], version=edit.version)
    assert (participant_ids(session), late.kept_fields) == ([ids[2], ids[0]], ("The order of playing",))
    save(title="Late", participant_ids=[ids[1], ids[2], ids[0]])  # added by name
    assert session.appearances.get(participant_id=ids[1]).planned_start is None
    program_undo(actor=admin, undo_id=undo_id)
    back = session.appearances.get(participant_id=ids[1])
    assert (back.planned_start, back.program.get().piece, back.order_number) == (start, piece, 1)


def test_unchanged_order_keeps_a_concurrent_order_with_a_deleted_participant(session, save, admin):
    edit, ids = session_edit(session_id=session.pk), participant_ids(session)
    stage = Stage.objects.create(name="Final", order_number=9)
    first = {"starts_at": EVENING + timedelta(hours=1), "stage_id": stage.pk, "version": edit.version}
    save(participant_ids=ids[1:], confirmed=True, **first)
    participant_delete(actor=admin, participant_id=ids[0])
    Participant.objects.filter(pk=ids[1]).update(name="Another Name")
    second = {"title": "Late", "participant_ids": ids, "stage_id": edit.stage_id, "version": edit.version}
    saved = save(**second)
    assert saved.kept_fields == ("Date and time", "Stage", "The order of playing")
    assert (saved.row.title, saved.row.stage) == ("Late", stage)
    assert saved.row.starts_at == EVENING + timedelta(hours=1)
    assert participant_ids(session) == ids[1:]
    with pytest.raises(ValidationError, match="Stage was changed meanwhile"):
        save(**second | {"stage_id": Stage.objects.create(name="Semi-final", order_number=8).pk})


@pytest.mark.django_db(transaction=True)
def test_concurrent_edits_conflict_only_in_one_field(admin):
    session = SessionFactory(title="Evening", starts_at=EVENING)
    form = {"starts_at": EVENING, "youtube_id": ""}
    for turn in range(5):
        edit = session_edit(session_id=session.pk)
        save = partial(session_update, actor=admin, session_id=session.pk, **form, version=edit.version)
        titled = partial(save, description=edit.description)
        answers = run_together(partial(titled, title=f"One {turn}"), partial(titled, title=f"Two {turn}"))
        assert sorted(type(answer).__name__ for answer in answers) == ["EditConflict", "Saved"]
        edit = session_edit(session_id=session.pk)
        save = partial(session_update, actor=admin, session_id=session.pk, **form, version=edit.version)
        run_together(
            partial(save, title=f"Three {turn}", description=edit.description),
            partial(save, title=edit.title, description=f"Four {turn}"),
        )
        session.refresh_from_db()
        assert (session.title, session.description) == (f"Three {turn}", f"Four {turn}")


def test_venue_moment_combines_date_and_time_or_refuses_at_the_field():
    moment = venue_moment(date=" 2027-10-12 ", time="17:00")
    assert moment.astimezone(UTC) == datetime(2027, 10, 12, 15, tzinfo=UTC)
    ambiguous = venue_moment(date="2027-10-31", time="02:30")
    assert ambiguous.utcoffset() == timedelta(hours=2)
    second = datetime(2027, 10, 31, 1, 30, 7, tzinfo=UTC)
    assert venue_moment(date="2027-10-31", time="02:30", stored=second) == second
    assert venue_moment(date="2027-10-31", time="02:31", stored=second).utcoffset() == timedelta(hours=2)
    for date, time, messages in (
        ("", "", {"date": ["Date is required."], "time": ["Time is required."]}),
        ("12.10.2027", "17:00", {"date": ["Date is required."]}),
        ("2027-10-12", "25:00", {"time": ["Time is required."]}),
        ("2027-03-28", "02:30", {"time": ["There is no such time that day: clocks are set forward."]}),
    ):
        with pytest.raises(ValidationError) as refusal:
            venue_moment(date=date, time=time)
        assert refusal.value.message_dict == messages


def test_number_of_participants_in_a_session_is_limited(session, save):
    people = [person.pk for person in ParticipantFactory.create_batch(PERFORMERS_MOST + 1)]
    with pytest.raises(ValidationError, match=f"A session has at most {PERFORMERS_MOST} participants"):
        save(participant_ids=people)
    assert PERFORMERS_MOST <= MOST_INNER_PARTS, "each row holds a part"
    save(participant_ids=people[1:], confirmed=True)
    assert session.appearances.count() == PERFORMERS_MOST
