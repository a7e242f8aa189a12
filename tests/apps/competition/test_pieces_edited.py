"""Edits of stored pieces: composer, length, movements, and the pieces of a set."""

from decimal import Decimal
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from apps.competition.composer_names import composer_alike
from apps.competition.models import Piece, PiecePart, ProgramPart
from apps.competition.selectors.admin.pieces import composers, piece_edit
from apps.competition.services.catalogue import set_add
from apps.competition.services.pieces import piece_add, piece_update
from apps.competition.services.programs import program_part_link
from apps.core.edits import ConfirmationNeeded, EditConflict
from tests.factories import PieceFactory, ProgramEntryFactory

pytestmark = pytest.mark.django_db
LINK = "https://youtu.be/aqz-KE-bpKQ?t=90"
SONATA = "Sonata in B minor, Op. 58"


def parts(piece: Piece) -> list[str]:
    return list(piece.parts.order_by("order_number").values_list("name", flat=True))


def members(whole: Piece) -> list[str]:
    return list(whole.parts.order_by("order_number").values_list("member__name", flat=True))


@pytest.fixture
def edit(admin):
    """Return a function that saves a piece with its stored name and category, and some fields."""

    def save(piece, **fields):
        stored = Piece.objects.get(pk=piece.pk)
        piece_update(actor=admin, piece_id=piece.pk, **{"category": stored.category, "name": stored.name} | fields)
        piece.refresh_from_db()

    return save


@pytest.fixture
def sonata(admin):
    return piece_add(actor=admin, category="sonata", name=SONATA, parts=["Allegro", "Scherzo", "Largo", "Finale"])


@pytest.fixture
def waltzes(admin):
    """Return three waltzes of one opus, and the set of the first two."""
    single = [
        PieceFactory(
            category="waltz", name=f"Waltz Op. 64 No. {number}", title="Waltz", opus="64", number=number, minutes=number
        )
        for number in (1, 2, 3)
    ]
    return single, set_add(actor=admin, piece_ids=[single[0].pk, single[1].pk])


def timed(actor, entry, part) -> None:
    program_part_link(actor=actor, entry_id=entry.pk, part_id=part.pk, url=LINK)


def test_composer_and_length_are_stored_and_none_keeps_them(edit, sonata):
    edit(sonata, composer=" Johannes  Brahms ", minutes="26,5")
    assert (sonata.composer, sonata.minutes) == ("Johannes Brahms", Decimal("26.5"))
    edit(sonata, name="Sonata in B minor, Op. 58 (shortened)")
    shown = piece_edit(piece_id=sonata.pk)
    assert (shown.composer, shown.minutes, shown.parts.splitlines()[2]) == ("Johannes Brahms", "26.5", "Largo")
    edit(sonata, minutes="", composer="")
    assert (sonata.composer, sonata.minutes) == ("", None)
    with pytest.raises(ValidationError, match="Write minutes in digits"):
        edit(sonata, minutes="-4")


def test_movements_keep_their_watch_times(admin, edit, sonata):
    entry, scherzo = ProgramEntryFactory(piece=sonata), sonata.parts.get(name="Scherzo")
    timed(admin, entry, scherzo)
    edit(sonata, parts=["Allegro maestoso", "Scherzo: Molto vivace", "Largo", "Finale"])  # renamed
    assert parts(sonata)[:2] == ["Allegro maestoso", "Scherzo: Molto vivace"]
    edit(sonata, parts=["Largo", "Scherzo: Molto vivace", "Allegro maestoso", "Finale", "Encore"])  # moved, one is new
    assert parts(sonata) == ["Largo", "Scherzo: Molto vivace", "Allegro maestoso", "Finale", "Encore"]
    assert ProgramPart.objects.get(timestamp=90).part_id == scherzo.pk
    edit(sonata, parts=["Largo", "Scherzo: Molto vivace"])  # without a question: the others have no times
    with pytest.raises(ConfirmationNeeded, match="“Scherzo: Molto vivace” would go, and its Watch times with it: 1"):
        edit(sonata, parts=["Largo"])
    assert ProgramPart.objects.exists()
    edit(sonata, parts=["Largo"], confirmed=True)
    assert (parts(sonata), ProgramPart.objects.exists()) == (["Largo"], False)


def test_pieces_of_a_set_are_changed_and_the_set_follows(edit, waltzes):
    (_, second, third), whole = waltzes
    edit(whole, members=["Waltz Op. 64 No. 2", "Waltz op. 64 no. 3"])
    assert (members(whole), whole.name) == ([second.name, third.name], "Waltzes, Op. 64 Nos. 2–3")
    assert (whole.numbers, whole.minutes) == ("2–3", 5)
    edit(third, minutes="7.5", composer="Ada Byron")
    whole.refresh_from_db()
    assert (whole.minutes, whole.composer) == (Decimal("9.5"), "")
    edit(whole, name="Two waltzes", minutes="12")
    edit(whole, members=members(whole)[::-1])
    assert (whole.name, whole.title, members(whole)) == ("Two waltzes", "", [third.name, second.name])
    entry = ProgramEntryFactory(piece=whole)
    with pytest.raises(ConfirmationNeeded, match="Programs with this set: 1"):
        edit(whole, members=[second.name, third.name])
    edit(whole, note="Elegant.", members=members(whole))  # the same pieces ask nothing
    assert entry.piece == whole


def test_bad_parts_and_pieces_are_refused(admin, edit, sonata, waltzes):
    (first, second, third), whole = waltzes
    other = set_add(actor=admin, piece_ids=[second.pk, third.pk])
    refused = [
        (whole, {"members": []}, "members", "A set has at least two pieces."),
        (whole, {"members": [first.name]}, "members", "A set has at least two pieces."),
        (whole, {"members": [first.name, first.name]}, "members", "A set has each of its pieces once."),
        (whole, {"members": [first.name, SONATA]}, "members", f"{SONATA} has parts, so it is in no set."),
        (
            whole,
            {"members": [second.name, third.name]},
            "members",
            f"The catalogue has this set already: {other.name}.",
        ),
        (whole, {"members": [first.name, "Toccata"]}, "members", "No work of the catalogue fits “Toccata”."),
        (whole, {"parts": ["Allegro"]}, "parts", "This piece is a set: its parts are its pieces."),
        (sonata, {"members": [first.name, second.name]}, "members", "This piece is no set."),
        (first, {"parts": ["Allegro"]}, "parts", f"{whole.name} has this piece, so it has no parts of its own."),
        (sonata, {"parts": ["x"] * 41}, "parts", "A piece has at most 40 parts."),
        (sonata, {"parts": ["x" * 201]}, "parts", "The name of a part has at most 200 characters."),
    ]
    before = list(PiecePart.objects.order_by("pk").values())
    for piece, fields, field, sentence in refused:
        with pytest.raises(ValidationError) as error:
            edit(piece, **fields)
        assert error.value.message_dict == {field: [sentence]}, fields
    assert list(PiecePart.objects.order_by("pk").values()) == before


def test_the_second_of_two_editors_is_told(admin, edit, sonata):
    read = piece_edit(piece_id=sonata.pk)
    edit(sonata, parts=["Allegro", "Largo"], composer="Ada Byron")
    save = partial(piece_update, actor=admin, piece_id=sonata.pk, category="sonata", name=SONATA, version=read.version)
    with pytest.raises(EditConflict, match="Movements or sections was changed meanwhile"):
        save(parts=["Allegro"])
    unchanged = {"composer": read.composer, "parts": read.parts.splitlines()}
    assert save(minutes="26", **unchanged).kept_fields == ("Composer", "Movements or sections")
    sonata.refresh_from_db()
    assert (parts(sonata), sonata.composer, sonata.minutes) == (["Allegro", "Largo"], "Ada Byron", 26)


def test_a_second_spelling_of_a_composer_is_asked(admin, edit, sonata):
    add = partial(piece_add, actor=admin, category="sonata")
    brahms = add(name="Sonata of a friend", composer="Johannes Brahms")
    question = "The catalogue writes “Johannes Brahms”. Save “J. BRÄHMS” as another composer?"
    with pytest.raises(ConfirmationNeeded) as error:
        add(name="Another sonata", composer="J. BRÄHMS")
    assert error.value.messages == [question]
    with pytest.raises(ConfirmationNeeded):
        edit(sonata, composer="J. BRÄHMS")
    edit(sonata, composer="Johannes Brahms")
    edit(sonata, composer="J. BRÄHMS", confirmed=True)
    edit(brahms, composer="Ada Byron")  # alone with its spelling
    assert composers() == ("Ada Byron", "J. BRÄHMS")


def test_composers_that_may_be_one():
    stored = ("Fryderyk Chopin", "Camille Saint-Saëns", "Johann Sebastian Bach")
    for typed, found in (
        ("Chopin", stored[0]), ("Frédéric Chopin", stored[0]), ("Chopin, F.", stored[0]), (stored[0], ""),
        ("camille saint saens", stored[1]), ("J. S. Bach", stored[2]), ("Carl Philipp Emanuel Bach", ""),
        ("Johann Christian Bach", ""), ("Clara Schumann", ""), ("?", ""),
    ):  # fmt: skip
        assert composer_alike(typed, stored) == found, typed
