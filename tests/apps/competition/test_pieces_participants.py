"""Test the editing of pieces and participants: messages, concurrent edits, and refused deletions."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.competition.models import Participant, Piece
from apps.competition.selectors.admin.participants import participant_edit
from apps.competition.services.participants import participant_create, participant_delete, participant_update
from apps.competition.services.pieces import piece_add, piece_delete
from apps.competition.services.programs import program_select
from apps.core.audit import audit_list
from apps.core.edits import ConfirmationNeeded, EditConflict, FieldConflict
from tests.apps.conftest import run_together
from tests.factories import AppearanceFactory, ParticipantFactory, PieceFactory, ProgramEntryFactory

pytestmark = pytest.mark.django_db
ZOFIA = {"first_name": "Zofia", "second_name": "Łęcka", "country": "Poland", "biography": "Born in Zamość."}
PICTURE = "A picture needs an https:// address or a static file of this site, such as /static/picture.webp."
REST = {"birth_year": None, "avatar_url": "", "featured": False}


def refusal(write, **values):
    """Return the fields and messages of a refusal."""
    with pytest.raises(ValidationError) as refusal:
        write(**values)
    return getattr(refusal.value, "message_dict", {"": refusal.value.messages})


def test_piece_is_added_once_to_its_category_with_a_trimmed_name(admin):
    add = partial(piece_add, actor=admin)
    piece = add(category="scherzo", name="  Scherzo in  E major, Op. 54 ")
    assert (piece.name, piece.category) == ("Scherzo in E major, Op. 54", "scherzo")
    taken = {"name": ["This piece is in the catalogue already."]}
    assert refusal(add, category="scherzo", name="Scherzo in E major, Op. 54") == taken
    assert add(category="mazurek", name="Scherzo in E major, Op. 54").pk
    assert refusal(add, category="scherzo", name=" \n") == {"name": ["Please enter a piece name"]}
    assert list(refusal(add, category="gigue", name="Gigue")) == ["category"]
    assert [entry.action for entry in audit_list()] == ["piece.add", "piece.add"]


@pytest.mark.django_db(transaction=True)
def test_concurrently_added_equal_pieces_are_stored_once(admin):
    add = partial(piece_add, actor=admin, category="scherzo", name="Scherzo")
    answers = run_together(add, add, add)
    assert sorted(type(answer).__name__ for answer in answers) == ["Piece", "ValidationError", "ValidationError"]
    assert all(a.messages == ["This piece is in the catalogue already."] for a in answers if not isinstance(a, Piece))


@pytest.mark.django_db(transaction=True)
def test_concurrently_created_equal_participants_need_confirmation(admin):
    create = partial(participant_create, actor=admin, **ZOFIA)
    namesake = partial(create, first_name="zofia ", second_name="ŁĘCKA", country="poland")
    answers = run_together(create, namesake, create, namesake)
    names = [type(answer).__name__ for answer in answers]
    assert sorted(names) == ["ConfirmationNeeded"] * 3 + ["Participant"], answers
    assert Participant.objects.count() == 1
    chilean, confirmed = run_together(partial(create, country="Chile"), partial(create, confirmed=True))
    assert (chilean.country, confirmed.country, Participant.objects.count()) == ("Chile", "Poland", 3)


def test_similar_names_need_confirmation(admin):
    create = partial(participant_create, actor=admin, **{**ZOFIA, "first_name": "Jürgen", "second_name": "Müller"})
    create()
    for first, second in ("Juergen", "Mueller"), ("MULLER", "Jürgen"), ("Jür-gen", "Müller"):
        with pytest.raises(ConfirmationNeeded, match="There is a participant Jürgen Müller from Poland already"):
            create(first_name=first, second_name=second)


def test_piece_in_a_program_cannot_be_deleted(admin):
    delete = partial(piece_delete, actor=admin)
    free = PieceFactory()
    entry = ProgramEntryFactory()
    delete(piece_id=free.pk)
    second = ProgramEntryFactory(piece=entry.piece).appearance
    first = entry.appearance
    names = ", ".join(f"{appearance.participant.name} ({appearance.session.title})" for appearance in (first, second))
    sentence = f"These programs have this piece: {names}. Take it out of them first."
    assert refusal(delete, piece_id=entry.piece_id) == {"": [sentence]}
    assert set(Piece.objects.values_list("pk", flat=True)) == {entry.piece_id}
    noted = audit_list()[0].details["before"]
    assert {field: text for field, text in noted.items() if text} == {
        "name": free.name,
        "category": "etiuda_a",
        "composer": free.composer,
    }


@pytest.mark.django_db(transaction=True)
def test_piece_selected_and_deleted_concurrently_is_in_the_program_or_deleted(admin):
    appearance = AppearanceFactory()
    for _ in range(5):
        piece = PieceFactory()
        chosen, deleted = run_together(
            partial(program_select, actor=admin, appearance_id=appearance.pk, piece_id=piece.pk),
            partial(piece_delete, actor=admin, piece_id=piece.pk),
        )
        assert isinstance(chosen, ValidationError) == (deleted is None)
        assert Piece.objects.filter(pk=piece.pk).exists() == appearance.program.filter(piece=piece.pk).exists()


def test_invalid_values_of_a_participant_are_refused_at_their_fields(admin):
    create = partial(participant_create, actor=admin, **ZOFIA)
    for field, values, sentence in (
        ("first_name", [" "], "First name is required."),
        ("second_name", [""], "Last name is required."),
        ("country", [""], "Country is required."),
        ("biography", ["\n"], "Biography is required."),
        ("birth_year", [1899], "Birth year must be 1900 or later."),
        ("avatar_url", ["javascript:alert(1)", "http://example.org/a.png"], PICTURE),
    ):
        for value in values:
            assert refusal(create, **{field: value}) == {field: [sentence]}
    assert list(refusal(create, first_name="", second_name="")) == ["first_name", "second_name"]
    assert list(refusal(create, birth_year=timezone.now().year + 1)) == ["birth_year"]
    assert not Participant.objects.exists()
    assert create(birth_year=timezone.now().year).pk
    participant = create(birth_year=None, avatar_url=" ", confirmed=True)
    assert (participant.birth_year, participant.avatar_url) == (None, "")


def test_name_keeps_its_order_by_default(admin):
    person = ParticipantFactory(first_name="Kanade", second_name="Himuro", name="Himuro Kanade")
    update = partial(participant_update, actor=admin, participant_id=person.pk, **REST)
    kana = {**ZOFIA, "first_name": "Kana", "second_name": "Himuro"}
    assert update(**kana).row.name == "Himuro Kana"
    assert update(**kana, family_first=False).row.name == "Kana Himuro"
    assert update(**kana, family_first=True).row.name == "Himuro Kana"
    assert update(**{**kana, "first_name": "Kana", "second_name": "Kana"}, family_first=False).row.name == "Kana Kana"
    assert update(**kana).row.name == "Kana Himuro", "equal names are in the order that names usually have"


def test_name_of_another_form_is_kept_until_a_part_changes(admin):
    person = ParticipantFactory(first_name="Zofia", second_name="Łęcka", name="Zofia z Łąk Łęcka")
    update = partial(participant_update, actor=admin, participant_id=person.pk, family_first=False)
    assert update(**{**ZOFIA, **REST, "country": "Czechia"}).row.name == "Zofia z Łąk Łęcka"
    assert update(**{**ZOFIA, **REST, "second_name": "Łącka"}).row.name == "Zofia Łącka"


def test_concurrent_edits_of_a_participant_conflict_in_one_field(admin):
    person = ParticipantFactory(**ZOFIA, **REST)
    seen = participant_edit(participant_id=person.pk).version
    update = partial(participant_update, actor=admin, participant_id=person.pk, version=seen, **REST)
    update(**{**ZOFIA, "first_name": "Zosia", "country": "Czechia"}, family_first=True)
    with pytest.raises(EditConflict) as conflict:
        update(**{**ZOFIA, "second_name": "Łącka", "country": "France"}, family_first=False)
    assert conflict.value.changes == (FieldConflict("country", "Country", "Czechia"),)
    update(**{**ZOFIA, "second_name": "Łącka"}, version=conflict.value.version, family_first=False)
    stored = Participant.objects.get()
    assert (stored.name, stored.sort_folded, stored.country) == ("Łącka Zosia", "lacka zosia", "Poland")


def test_participant_with_appearances_cannot_be_deleted(admin):
    appearance, person = AppearanceFactory(), ParticipantFactory(biography="")  # as an import may leave it
    participant_delete(actor=admin, participant_id=person.pk)
    delete = partial(participant_delete, actor=admin)
    sentence = f"{appearance.participant.name} has places in sessions: 1. Remove those first."
    assert refusal(delete, participant_id=appearance.participant_id) == {"": [sentence]}
    assert [entry.action for entry in audit_list()] == ["participant.delete"]
