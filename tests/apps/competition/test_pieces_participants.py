"""Test the editing of pieces and participants: messages, two concurrent editors, and refused deletions."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

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


def refusal(act, **given):
    """Return the fields and messages of a refusal."""
    with pytest.raises(ValidationError) as caught:
        act(**given)
    return getattr(caught.value, "message_dict", {"": caught.value.messages})


def test_a_piece_is_added_once_to_its_category_with_its_name_trimmed(admin):
    add = partial(piece_add, actor=admin)
    piece = add(category="scherzo", name="  Scherzo in  E major, Op. 54 ")
    assert (piece.name, piece.category) == ("Scherzo in E major, Op. 54", "scherzo")
    taken = {"name": ["This piece is in the catalogue already."]}
    assert refusal(add, category="scherzo", name="Scherzo in E major, Op. 54") == taken
    assert add(category="mazurek", name="Scherzo in E major, Op. 54").pk
    assert refusal(add, category="scherzo", name=" \n") == {"name": ["Please enter a piece name"]}
    assert list(refusal(add, category="waltz", name="Waltz")) == ["category"]
    assert [each.action for each in audit_list()] == ["piece.add", "piece.add"]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_add_the_same_piece_at_once_one_is_told(admin):
    add = partial(piece_add, actor=admin, category="scherzo", name="Scherzo")
    answers = run_together(add, add, add)
    assert sorted(type(answer).__name__ for answer in answers) == ["Piece", "ValidationError", "ValidationError"]
    assert all(a.messages == ["This piece is in the catalogue already."] for a in answers if not isinstance(a, Piece))


@pytest.mark.django_db(transaction=True)
def test_of_those_who_create_the_same_participant_at_once_all_but_one_are_asked(admin):
    create = partial(participant_create, actor=admin, **ZOFIA)
    namesake = partial(create, first_name="zofia ", second_name="ŁĘCKA", country="poland")
    answers = run_together(create, namesake, create, namesake)
    names = [type(answer).__name__ for answer in answers]
    assert sorted(names) == ["ConfirmationNeeded"] * 3 + ["Participant"], answers
    assert Participant.objects.count() == 1
    elsewhere, sure = run_together(partial(create, country="Chile"), partial(create, confirmed=True))
    assert (elsewhere.country, sure.country, Participant.objects.count()) == ("Chile", "Poland", 3)


@pytest.mark.parametrize(("first", "second"), [("Juergen", "Mueller"), ("MULLER", "Jürgen"), ("Jür-gen", "Müller")])
def test_a_name_that_is_spelled_alike_is_asked_about(admin, first, second):
    there = {**ZOFIA, "first_name": "Jürgen", "second_name": "Müller"}
    participant_create(actor=admin, **there)
    with pytest.raises(ConfirmationNeeded, match="There is a participant Jürgen Müller from Poland already"):
        participant_create(actor=admin, **{**there, "first_name": first, "second_name": second})


def test_a_piece_goes_unless_programs_have_it(admin):
    delete = partial(piece_delete, actor=admin)
    free = PieceFactory()
    entry = ProgramEntryFactory()
    delete(piece_id=free.pk)
    second = ProgramEntryFactory(piece=entry.piece).session_participant
    first = entry.session_participant
    named = ", ".join(f"{each.participant.name} ({each.session.title})" for each in (first, second))
    in_programs = {"": [f"These programs have this piece: {named}. Take it out of them first."]}
    assert refusal(delete, piece_id=entry.piece_id) == in_programs
    assert set(Piece.objects.values_list("pk", flat=True)) == {entry.piece_id}
    assert audit_list()[0].details == {"before": {"name": free.name, "category": "etiuda_a"}}


@pytest.mark.django_db(transaction=True)
def test_a_piece_that_is_chosen_and_deleted_at_once_is_in_the_program_or_gone(admin):
    appearance = AppearanceFactory()
    for _ in range(5):
        piece = PieceFactory()
        chosen, deleted = run_together(
            partial(program_select, actor=admin, appearance_id=appearance.pk, piece_id=piece.pk),
            partial(piece_delete, actor=admin, piece_id=piece.pk),
        )
        assert isinstance(chosen, ValidationError) == (deleted is None)
        assert Piece.objects.filter(pk=piece.pk).exists() == appearance.program.filter(piece=piece.pk).exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"first_name": " "}, {"first_name": ["First name is required."]}),
        ({"second_name": ""}, {"second_name": ["Last name is required."]}),
        (
            {"first_name": "", "second_name": ""},
            {"first_name": ["First name is required."], "second_name": ["Last name is required."]},
        ),
        ({"country": ""}, {"country": ["Country is required."]}),
        ({"biography": "\n"}, {"biography": ["Biography is required."]}),
        ({"birth_year": 1899}, {"birth_year": ["Birth year must be 1900 or later."]}),
        ({"avatar_url": "javascript:alert(1)"}, {"avatar_url": [PICTURE]}),
    ],
)
def test_what_is_wrong_with_a_participant_is_said_at_its_field(admin, wrong, said):
    assert refusal(participant_create, actor=admin, **{**ZOFIA, **wrong}) == said


def test_an_empty_year_and_picture_are_stored_as_nothing(admin):
    participant = participant_create(actor=admin, **ZOFIA, birth_year=None, avatar_url=" ")
    assert (participant.birth_year, participant.avatar_url) == (None, "")


def test_a_name_keeps_its_order_unless_told(admin):
    person = ParticipantFactory(first_name="Kanade", second_name="Himuro", name="Himuro Kanade")
    update = partial(participant_update, actor=admin, participant_id=person.pk, **REST)
    kana = {**ZOFIA, "first_name": "Kana", "second_name": "Himuro"}
    assert update(**kana).row.name == "Himuro Kana"
    assert update(**kana, family_first=False).row.name == "Kana Himuro"
    assert update(**kana, family_first=True).row.name == "Himuro Kana"
    assert update(**{**kana, "first_name": "Kana", "second_name": "Kana"}, family_first=False).row.name == "Kana Kana"
    assert update(**kana).row.name == "Kana Himuro", "equal names are in the order that names usually have"


def test_a_full_name_that_is_none_of_both_orders_stays_while_no_part_of_it_is_changed(admin):
    person = ParticipantFactory(first_name="Zofia", second_name="Łęcka", name="Zofia z Łąk Łęcka")
    update = partial(participant_update, actor=admin, participant_id=person.pk, family_first=False)
    assert update(**{**ZOFIA, **REST, "country": "Czechia"}).row.name == "Zofia z Łąk Łęcka"
    assert update(**{**ZOFIA, **REST, "second_name": "Łącka"}).row.name == "Zofia Łącka"


def test_two_who_edit_a_participant_lose_nothing(admin):
    person = ParticipantFactory(**ZOFIA, **REST)
    seen = participant_edit(participant_id=person.pk).version
    update = partial(participant_update, actor=admin, participant_id=person.pk, version=seen, **REST)
    update(**{**ZOFIA, "first_name": "Zosia", "country": "Czechia"}, family_first=True)
    with pytest.raises(EditConflict) as caught:
        update(**{**ZOFIA, "second_name": "Łącka", "country": "France"}, family_first=False)
    assert caught.value.changes == (FieldConflict("country", "Country", "Czechia"),)
    update(**{**ZOFIA, "second_name": "Łącka"}, version=caught.value.version, family_first=False)
    stored = Participant.objects.get()
    assert (stored.name, stored.sort_folded, stored.country) == ("Łącka Zosia", "lacka zosia", "Poland")


def test_a_participant_goes_unless_there_are_appearances(admin):
    appearance, person = AppearanceFactory(), ParticipantFactory(biography="")  # as an import may leave it
    participant_delete(actor=admin, participant_id=person.pk)
    delete = partial(participant_delete, actor=admin)
    name = appearance.participant.name
    said = {"": [f"{name} has places in sessions: 1. Remove those first."]}
    assert refusal(delete, participant_id=appearance.participant_id) == said
    assert [each.action for each in audit_list()] == ["participant.delete"]


def test_nobody_else_edits_pieces_or_participants(nobody):
    piece, person = PieceFactory(), ParticipantFactory()
    for refused in (
        partial(piece_add, category="scherzo", name="Scherzo"),
        partial(piece_delete, piece_id=piece.pk),
        partial(participant_delete, participant_id=person.pk),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators"):
            refused(actor=nobody)
    assert (Piece.objects.get(), Participant.objects.get().featured) == (piece, False)
