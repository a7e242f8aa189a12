"""Test sets in pasted programs: one item where the stage has sets, single pieces in the specification's slots."""

import pytest

from apps.competition.models import Piece, StageSlot
from apps.competition.services.catalogue import catalogue_load
from apps.imports.program_lines.decisions import Decisions
from apps.imports.program_lines.lines import program_read
from apps.imports.selectors.programs import catalogue_get, programs_preview
from apps.imports.services.programs import programs_assign
from tests.factories import AdminFactory, AppearanceFactory, viewer_of

TEXT = """Mazurki op. 41
Préludes op. 28 Nr. 13–18
Preludes op. 28 nos. 3-5
Barcarolle
Etudes Op. 10 Nos. 1 and 4
Sonata in B minor, Op. 58
I. Allegro maestoso
Scherzo: Molto vivace"""
ITEMS = [
    "Mazurkas, Op. 41",
    "Preludes, Op. 28 Nos. 13–18",
    "Preludes, Op. 28 Nos. 3–5",
    "Barcarolle in F-sharp major, Op. 60",
    "Etude in C major, Op. 10 No. 1",
    "Etude in C-sharp minor, Op. 10 No. 4",
    "Sonata in B minor, Op. 58",
]


@pytest.fixture
def boss(db):
    catalogue_load()
    return viewer_of(AdminFactory())


@pytest.fixture
def free(boss):
    """Return an appearance in a stage of which the programs are free."""
    appearance = AppearanceFactory()
    StageSlot.objects.create(stage=appearance.session.stage, order_number=1, label="Recital", is_free=True, most=None)
    return appearance


def program(appearance):
    return list(appearance.program.order_by("order_number").values_list("piece__name", flat=True))


def test_set_is_one_item_where_the_stage_has_sets(boss, free):
    pieces = Piece.objects.count()
    for _ in range(2):
        done = programs_assign(actor=boss, text=TEXT, appearance_id=free.pk)
        assert (program(free), done.pieces, done.missing) == (ITEMS, 7, ())
    assert Piece.objects.count() == pieces + 1  # the preludes 3 to 5 are no usual set
    new = Piece.objects.get(name=ITEMS[2])
    assert list(new.parts.order_by("order_number").values_list("member__number", flat=True)) == [3, 4, 5]


def test_set_is_its_pieces_in_the_slots_of_the_specification(boss):
    appearance = AppearanceFactory()
    done = programs_assign(actor=boss, text=TEXT, appearance_id=appearance.pk)
    assert done.pieces == len(program(appearance)) == 4 + 6 + 3 + 1 + 2 + 1


def test_decision_joins_or_divides_a_set(boss, free):
    lines = program_read(TEXT, catalogue_get())
    numbers = {each.piece.number: each.piece.id for each in lines[0].pieces}
    decided = Decisions(
        taken={lines[0].mark: frozenset(numbers[number] for number in (1, 2, 4))}, sets={lines[1].mark: False}
    )
    programs_assign(actor=boss, text=TEXT, appearance_id=free.pk, decisions=decided)
    assert program(free)[:3] == [
        "Mazurkas, Op. 41 Nos. 1–2",
        "Mazurka in C-sharp minor, Op. 41 No. 4",
        "Prelude in F-sharp major, Op. 28 No. 13",
    ]
    other = AppearanceFactory()
    programs_assign(
        actor=boss, text=TEXT, appearance_id=other.pk, decisions=Decisions(sets={lines[0].mark: True}), confirmed=True
    )
    assert program(other)[0] == "Mazurkas, Op. 41"


def test_texts_of_many_know_the_stage_of_each_performer(boss, free):
    other = AppearanceFactory()
    text = f"{free.participant.name}\nMazurkas Op. 33\n{other.participant.name}\nMazurkas Op. 33"
    preview = programs_preview(text=text, session_id=None)
    assert [each.performer.takes_sets for each in preview.programs] == [True, False]
    done = programs_assign(actor=boss, text=text)
    assert (program(free), len(program(other)), done.pieces) == (["Mazurkas, Op. 33"], 4, 5)
