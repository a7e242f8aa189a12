"""Test the editing of sessions: kept appearances, the confirmation for rated ones, and two concurrent editors."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.competition.dependents import HasDependents, appearance_dependents
from apps.competition.limits import PERFORMERS_MOST
from apps.competition.models import Participant, ProgramEntry, Session, SessionParticipant, Stage
from apps.competition.selectors.admin.sessions import session_edit
from apps.competition.services.participants import participant_delete
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


@pytest.fixture
def session(db):
    """Return a session with three appearances, each with one piece."""
    made = SessionFactory(title="Evening", description="Five.", youtube_id="", starts_at=EVENING)
    for _ in range(3):
        ProgramEntryFactory(session_participant=AppearanceFactory(session=made))
    return made


@pytest.fixture
def save(session, admin):
    """Save the session's form unchanged except for the given values."""
    form = {"title": "Evening", "starts_at": EVENING, "description": "Five.", "youtube_id": ""}
    return lambda **given: session_update(actor=admin, session_id=session.pk, **{**form, **given})


def order(session):
    return [(each.pk, each.participant_id) for each in session.appearances.order_by("order_number")]


def numbers(session):
    return list(session.appearances.order_by("order_number").values_list("order_number", flat=True))


def test_who_stays_keeps_the_appearance_with_program_and_ratings(session, save):
    first, second, third = session.appearances.order_by("order_number")
    rating = PieceRatingFactory(entry=third.program.get())
    new = ParticipantFactory()
    save(participant_ids=[third.participant_id, new.pk, first.participant_id], confirmed=True)
    (kept, added, other) = order(session)
    assert (kept, other) == ((third.pk, third.participant_id), (first.pk, first.participant_id))
    assert added[1] == new.pk
    assert numbers(session) == [1, 2, 3]
    assert not SessionParticipant.objects.filter(pk=second.pk).exists()
    assert PieceRating.objects.get() == rating
    assert set(ProgramEntry.objects.values_list("session_participant_id", flat=True)) == {first.pk, third.pk}


def test_a_form_without_appearances_leaves_them(session, save):
    before = order(session)
    assert save(title="Late evening").row.title == "Late evening"
    assert order(session) == before


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([None], "Each participant row needs a selected participant."),
        ([987654], "Selected participant not found"),
    ],
)
def test_rows_without_a_participant_are_refused(session, save, rows, sentence):
    before = order(session)
    with pytest.raises(ValidationError) as caught:
        save(participant_ids=[*(pk for _, pk in before), *rows])
    assert caught.value.message_dict == {"participant_ids": [sentence]}
    assert order(session) == before


def test_no_participant_appears_twice(session, save):
    (_, pk), *_ = order(session)
    with pytest.raises(ValidationError, match="is in this list twice"):
        save(participant_ids=[pk, pk])


def test_what_was_rated_goes_only_when_confirmed_and_the_refusal_says_what(session, save, admin):
    appearance = session.appearances.first()
    PieceRatingFactory(entry=appearance.program.get())
    PerformanceRatingFactory.create_batch(2, session_participant=appearance)
    AdvanceRecommendationFactory(session_participant=appearance)
    others = [each.participant_id for each in session.appearances.all() if each != appearance]
    said = (
        f"{appearance.participant.name} would go with what listeners gave. "
        "Ratings of pieces: 1, of the performance: 2, recommendations: 1."
    )
    held = appearance_dependents([each.pk for each in session.appearances.all()])
    assert {pk: str(each) for pk, each in held.items()} == {appearance.pk: said.partition(". ")[2]}
    for refused in (
        partial(save, participant_ids=others),
        partial(session_delete, actor=admin, session_id=session.pk),
    ):
        with pytest.raises(HasDependents) as caught:
            refused()
        assert caught.value.messages == [said]
    assert PieceRating.objects.count() == 1
    save(participant_ids=others, confirmed=True)
    assert [pk for _, pk in order(session)] == others
    assert not PieceRating.objects.exists()


def test_whoever_is_on_stage_stays(session, save, admin):
    appearance = session.appearances.first()
    Session.objects.update(is_live=True)
    SessionParticipant.objects.filter(pk=appearance.pk).update(is_performing=True)
    with pytest.raises(ValidationError, match="on stage cannot be removed"):
        save(participant_ids=[])
    with pytest.raises(ValidationError, match="This session is live"):
        session_delete(actor=admin, session_id=session.pk)
    assert len(order(session)) == 3


def test_an_appearance_of_nobody_is_refused(session, admin):
    with pytest.raises(ValidationError, match="Selected participant not found"):
        appearance_add(actor=admin, session_id=session.pk, participant_id=987654)


@pytest.mark.django_db(transaction=True)
def test_of_orders_saved_at_once_one_stands(admin):
    session = SessionFactory(title="Evening", description="Five.", starts_at=EVENING)
    ids = [AppearanceFactory(session=session).participant_id for _ in range(4)]
    orders = [ids[start:] + ids[:start] for start in range(4)]
    form = {"title": "Evening", "starts_at": EVENING, "description": "Five.", "youtube_id": ""}
    save = partial(session_update, actor=admin, session_id=session.pk, **form)
    for _ in range(5):
        answers = run_together(*(partial(save, participant_ids=each) for each in orders))
        assert [type(answer).__name__ for answer in answers] == ["Saved"] * 4
        assert [pk for _, pk in order(session)] in orders
        assert numbers(session) == [1, 2, 3, 4]


def test_a_session_is_created_with_its_appearances_on_the_only_stage(admin):
    people = [ParticipantFactory(), ParticipantFactory()]
    create = partial(session_create, actor=admin, title="Morning", starts_at=EVENING)
    session = create(participant_ids=[person.pk for person in people], youtube_id="https://youtu.be/aqz-KE-bpKQ?si=abc")
    assert (session.stage.name, session.youtube_id, session.is_live) == ("Stage I", "aqz-KE-bpKQ", False)
    assert [pk for _, pk in order(session)] == [person.pk for person in people]
    assert create().stage == session.stage
    created = audit_list()[1]
    assert created.details["after"]["participants"] == ", ".join(person.name for person in people)


def test_of_several_stages_one_is_chosen_and_never_an_archived_one(admin, session, save):
    create = partial(session_create, actor=admin, title="Morning", starts_at=EVENING)
    final = stage_create(actor=admin, name="Final")
    with pytest.raises(ValidationError, match="Choose a stage") as caught:
        create()
    assert list(caught.value.message_dict) == ["stage"]
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


def test_what_is_no_video_is_refused_at_its_field(save):
    with pytest.raises(ValidationError) as caught:
        save(youtube_id="https://vimeo.com/1")
    assert list(caught.value.message_dict) == ["youtube_id"]
    with pytest.raises(ValidationError) as caught:
        save(title=" ")
    assert caught.value.message_dict == {"title": ["Title is required."]}


def test_a_session_is_deleted_with_its_appearances_and_with_what_was_rated_when_confirmed(session, admin):
    PieceRatingFactory(entry=session.appearances.first().program.get())
    kept = PieceRatingFactory()
    session_delete(actor=admin, session_id=session.pk, confirmed=True)
    assert list(SessionParticipant.objects.all()) == [kept.session_participant]
    assert list(PieceRating.objects.all()) == [kept]
    assert audit_list()[0].details["before"]["title"] == "Evening"


def test_the_later_editor_is_told_of_the_order_in_names(session, save, admin):
    seen = session_edit(session_id=session.pk).version
    names = [appearance.name for appearance in session_edit(session_id=session.pk).appearances]
    ids = [pk for _, pk in order(session)]
    save(participant_ids=[ids[1], ids[0], ids[2]])
    mine = [ids[2], ids[1], ids[0]]
    with pytest.raises(EditConflict) as caught:
        save(title="Late", participant_ids=mine, version=seen)
    now = ", ".join([names[1], names[0], names[2]])
    assert caught.value.changes == (FieldConflict("participant_ids", "The order of playing", now),)
    assert Session.objects.get().title == "Evening"
    assert save(title="Late", participant_ids=mine, version=caught.value.version).kept_fields == ()
    assert ([pk for _, pk in order(session)], Session.objects.get().title) == (mine, "Late")


def test_whoever_left_the_order_keeps_the_others_even_with_somebody_deleted(session, save, admin):
    edit, ids = session_edit(session_id=session.pk), [pk for _, pk in order(session)]
    stage = Stage.objects.create(name="Final", order_number=9)
    mine = {"starts_at": EVENING + timedelta(hours=1), "stage_id": stage.pk, "version": edit.version}
    save(participant_ids=ids[1:], confirmed=True, **mine)
    participant_delete(actor=admin, participant_id=ids[0])
    Participant.objects.filter(pk=ids[1]).update(name="Another Name")
    mine = {"title": "Late", "participant_ids": ids, "stage_id": edit.stage_id, "version": edit.version}
    saved = save(**mine)
    assert saved.kept_fields == ("Date and time", "Stage", "The order of playing")
    assert (saved.row.title, saved.row.stage) == ("Late", stage)
    assert saved.row.starts_at == EVENING + timedelta(hours=1)
    assert [pk for _, pk in order(session)] == ids[1:]
    with pytest.raises(ValidationError, match="Stage was changed meanwhile"):
        save(**mine | {"stage_id": Stage.objects.create(name="Semi-final", order_number=8).pk})


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_a_session_at_once_one_is_told_of_the_other(admin):
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


def test_nobody_else_edits_sessions(session, nobody):
    before = order(session)
    form = {"title": "No", "starts_at": EVENING, "description": "", "youtube_id": ""}
    for refused in (
        partial(session_create, title="No", starts_at=EVENING),
        partial(session_update, session_id=session.pk, **form),
        partial(session_delete, session_id=session.pk, confirmed=True),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators edit sessions"):
            refused(actor=nobody)
    assert order(session) == before
    assert Session.objects.get().title == "Evening"


def test_a_day_and_a_time_of_the_hall_make_a_moment():
    moment = venue_moment(date=" 2027-10-12 ", time="17:00")
    assert moment.astimezone(UTC) == datetime(2027, 10, 12, 15, tzinfo=UTC)
    twice = venue_moment(date="2027-10-31", time="02:30")
    assert twice.utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize(
    ("day", "clock", "said"),
    [
        ("", "", {"date": ["Date is required."], "time": ["Time is required."]}),
        ("12.10.2027", "17:00", {"date": ["Date is required."]}),
        ("2027-10-12", "25:00", {"time": ["Time is required."]}),
        ("2027-03-28", "02:30", {"time": ["There is no such time that day: clocks are set forward."]}),
    ],
)
def test_what_is_no_moment_is_said_at_its_field(day, clock, said):
    with pytest.raises(ValidationError) as caught:
        venue_moment(date=day, time=clock)
    assert caught.value.message_dict == said


def test_a_session_has_no_more_participants_than_its_page_can_show(session, save):
    people = [each.pk for each in ParticipantFactory.create_batch(PERFORMERS_MOST + 1)]
    with pytest.raises(ValidationError, match=f"A session has at most {PERFORMERS_MOST} participants"):
        save(participant_ids=people)
    assert PERFORMERS_MOST <= MOST_INNER_PARTS, "each row holds a part"
    save(participant_ids=people[1:], confirmed=True)
    assert session.appearances.count() == PERFORMERS_MOST
