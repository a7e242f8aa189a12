"""Test the services of stages, sessions, participants and programs: stored values and refusals."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from apps.competition.models import Participant, ProgramEntry, Session, Stage
from apps.competition.name_languages import name_language
from apps.competition.selectors.public.participants import participant_list
from apps.competition.services.participants import participant_create, participant_update
from apps.competition.services.programs import NewEntry, program_add
from apps.competition.services.sessions import appearance_add, session_create, session_update
from apps.competition.services.stages import stage_create
from tests.apps.conftest import run_together
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory, PieceFactory, SessionFactory, StageFactory

pytestmark = pytest.mark.django_db
ZOFIA = {"first_name": "Zofia", "second_name": "Wróblewska-Łęcka", "country": "Poland", "biography": "Born in Zamość."}


def test_participant_services_store_all_columns_of_the_name(admin):
    def columns(pk):
        return Participant.objects.values_list("name", "name_folded", "sort_folded", "featured").get(pk=pk)

    pk = participant_create(actor=admin, **{**ZOFIA, "first_name": "  Zofia  "}).pk
    names = ("Zofia Wróblewska-Łęcka", "zofia wroblewska-lecka", "wroblewska-lecka zofia")
    assert columns(pk) == (*names, False)
    form = {**ZOFIA, "second_name": "Łęcka", "birth_year": None, "avatar_url": "", "featured": True}
    participant_update(actor=admin, participant_id=pk, **form)
    assert columns(pk) == ("Zofia Łęcka", "zofia lecka", "lecka zofia", True)
    kanade = {**ZOFIA, "first_name": "Kanade", "second_name": "Himuro", "name": "Himuro Kanade"}
    created = participant_create(actor=admin, **kanade, name_local=" 氷室\u200b  奏 ")
    assert (created.name, created.sort_folded, created.name_local) == ("Himuro Kanade", "himuro kanade", "氷室 奏")
    form |= {"first_name": "Kanade", "second_name": "Himuro"}
    assert participant_update(actor=admin, participant_id=created.pk, **form).row.name_local == "氷室 奏"
    assert [row.name for row in participant_list(query="氷室").rows] == ["Himuro Kanade"]
    assert participant_update(actor=admin, participant_id=created.pk, **form, name_local="").row.name_local == ""


def test_language_of_a_name_is_told_by_its_letters_or_the_country():
    cases = {
        ("조성진", "South Korea"): "ko",
        ("藤田 真央", "Japan"): "ja",
        ("かなで 氷室", "Germany"): "ja",
        ("刘晓禹", "China"): "zh-Hans",
        ("陳", "Taiwan"): "zh-Hant",
        ("陳", "Canada"): "",
        ("დავით", "Georgia"): "ka",
        ("Соломія", "Ukraine"): "uk",
        ("Соломія", "Poland"): "",
        ("Łęcka", "Poland"): "",
    }
    assert {case: name_language(case[0], country=case[1]) for case in cases} == cases


def test_session_create_and_update_store_all_fields(admin):
    stage = StageFactory()
    session = session_create(actor=admin, stage_id=stage.pk, title=" Evening ", starts_at=EVENING)
    assert (session.title, session.is_live, session.youtube_id) == ("Evening", False, "")
    Session.objects.filter(pk=session.pk).update(is_live=True)
    form = {"title": "Morning", "starts_at": EVENING + timedelta(hours=1), "description": "With an interval."}
    form |= {"youtube_id": "aqz-KE-bpKQ"}
    session_update(actor=admin, session_id=session.pk, stage_id=stage.pk, **form)
    session.refresh_from_db()
    assert {name: getattr(session, name) for name in form} == form
    assert session.is_live


def test_session_create_refuses_invalid_values(admin):
    create = partial(session_create, actor=admin, stage_id=StageFactory().pk, title="Evening", starts_at=EVENING)
    for values in ({"title": ""}, {"youtube_id": "short"}, {"stage_id": 987654}):
        with pytest.raises(ValidationError):
            create(**values)


def test_stage_create_refuses_duplicate_names_and_order_numbers(admin):
    stage = stage_create(actor=admin, name="Stage I", order_number=2)
    for values in ({"name": "Stage I", "order_number": 3}, {"name": "Stage II", "order_number": 2}):
        with pytest.raises(ValidationError):
            stage_create(actor=admin, **values)
    assert Stage.objects.get() == stage


def test_appearance_add_takes_the_next_free_order_number(admin):
    session, (first, second, third, fourth) = SessionFactory(), ParticipantFactory.create_batch(4)
    add = partial(appearance_add, actor=admin, session_id=session.pk)
    assert add(participant_id=first.pk).order_number == 1
    assert add(participant_id=second.pk, order_number=5).order_number == 5
    assert add(participant_id=third.pk).order_number == 6
    with pytest.raises(ValidationError, match="has a place in the session already"):
        add(participant_id=first.pk)
    with pytest.raises(ValidationError, match="order number is taken"):
        add(participant_id=fourth.pk, order_number=1)


@pytest.mark.django_db(transaction=True)
def test_concurrently_added_appearances_have_different_order_numbers(admin):
    session, participants = SessionFactory(), ParticipantFactory.create_batch(4)
    add = partial(appearance_add, actor=admin, session_id=session.pk)
    run_together(*(partial(add, participant_id=participant.pk) for participant in participants))
    assert sorted(session.appearances.values_list("order_number", flat=True)) == [1, 2, 3, 4]


def test_program_add_fills_the_slot_of_the_piece_by_default(admin):
    appearance, piece = AppearanceFactory(), PieceFactory(category="etiuda_a")
    entries = [NewEntry(piece.pk), NewEntry(piece.pk, slot="nocturn", timestamp=65)]
    own, other = program_add(actor=admin, appearance_id=appearance.pk, entries=entries)
    assert [(entry.slot, entry.order_number) for entry in (own, other)] == [("etiuda_a", 1), ("nocturn", 2)]
    assert other.timestamp == 65


def test_program_add_stores_all_entries_or_none(admin):
    appearance, pieces = AppearanceFactory(), [PieceFactory() for _ in range(3)]
    valid = [NewEntry(piece_id=piece.pk) for piece in pieces]
    add = partial(program_add, actor=admin, appearance_id=appearance.pk)
    for values in (
        {"piece_id": 987654},
        {"slot": "gigue"},
        {"timestamp": -1},
        {"youtube_url": "https://example.org/watch?v=aqz-KE-bpKQ"},
        {"youtube_url": "http://youtu.be/aqz-KE-bpKQ"},
    ):
        with pytest.raises(ValidationError):
            add(entries=[*valid, NewEntry(**{"piece_id": pieces[0].pk} | values)])
        assert not ProgramEntry.objects.exists()
    add(entries=valid)
    stored = appearance.program.order_by("order_number").values_list("piece_id", flat=True)
    assert list(stored) == [piece.pk for piece in pieces]


def test_program_add_takes_eleven_queries_for_any_number_of_entries(django_assert_num_queries, admin):
    for size in (1, 3):
        appearance = AppearanceFactory()
        entries = [NewEntry(piece_id=PieceFactory().pk) for _ in range(size)]
        with django_assert_num_queries(11):  # including one each for name, audit, stage and notification
            program_add(actor=admin, appearance_id=appearance.pk, entries=entries)
