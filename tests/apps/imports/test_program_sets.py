"""Test sets in pasted programs: one item where the stage has sets, single pieces in the specification's slots."""

import pytest

from apps.competition.models import Piece, StageSlot
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.program_undo import program_undo
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


TIMED = """Sonata in B minor, Op. 58
I. Allegro maestoso 0:00
12:30 II. Scherzo
Mazurkas op. 33
No. 1 in G sharp minor 30:10
No. 2 in C major 32:00
No. 3 in D major 34:20
No. 4 in B minor 37:00
Preludes op. 28 nos. 13-18
No. 13 in F sharp major 41:00
No. 14 in E flat minor 44:00"""
STARTS = {
    "Sonata in B minor, Op. 58": (0, {1: 0, 2: 750}),
    "Mazurkas, Op. 33": (1810, {1: 1810, 2: 1920, 3: 2060, 4: 2220}),
    "Preludes, Op. 28 Nos. 13–18": (2460, {1: 2460, 2: 2640}),
}


def stored_starts(appearance):
    """Return where each item of a program and its parts begin, by the item's name."""
    return {
        item.piece.name: (item.timestamp, dict(item.parts.values_list("part__order_number", "timestamp")))
        for item in appearance.program.select_related("piece").order_by("order_number")
    }


def test_times_on_the_lines_of_parts_are_those_of_the_parts(boss, free):
    programs_assign(actor=boss, text=TIMED, appearance_id=free.pk)
    assert stored_starts(free) == STARTS
    later = TIMED.replace("12:30 II.", "12:40 II.")
    done = programs_assign(actor=boss, text=later, appearance_id=free.pk)
    changed = STARTS | {"Sonata in B minor, Op. 58": (0, {1: 0, 2: 760})}
    assert stored_starts(free) == changed
    program_undo(actor=boss, undo_id=done.undo_id)
    assert stored_starts(free) == STARTS
    others = [AppearanceFactory(session=free.session) for _ in range(2)]
    text = "\n".join(f"{each.participant.name}\n{TIMED}" for each in others)
    programs_assign(actor=boss, text=text)
    assert [stored_starts(each) for each in others] == [STARTS, STARTS]


def test_set_is_joined_below_a_heading_that_names_all_its_pieces(boss, free):
    lines = (("Mazurkas op. 33", "No. 1 in G sharp minor", "No. 2 in C major"), ("Nocturnes op. 27", "No. 1", "No. 2"))
    text = "\n".join(line for group in lines for line in group)
    single = ["Mazurka in G-sharp minor, Op. 33 No. 1", "Mazurka in C major, Op. 33 No. 2"]
    programs_assign(actor=boss, text=text, appearance_id=free.pk)
    assert program(free) == [*single, "Nocturnes, Op. 27"]
    mazurkas, nocturnes = (line.mark for line in program_read(text, catalogue_get()) if line.pieces_below)
    decided = Decisions(sets={mazurkas: True, nocturnes: False})
    programs_assign(actor=boss, text=text, appearance_id=free.pk, decisions=decided)
    assert program(free) == [
        "Mazurkas, Op. 33 Nos. 1–2",
        "Nocturne in C-sharp minor, Op. 27 No. 1",
        "Nocturne in D-flat major, Op. 27 No. 2",
    ]
    programs_assign(actor=boss, text="\n".join(single), appearance_id=free.pk)
    assert program(free) == single


def test_texts_of_many_know_the_stage_of_each_performer(boss, free):
    other = AppearanceFactory()
    text = f"{free.participant.name}\nMazurkas Op. 33\n{other.participant.name}\nMazurkas Op. 33"
    preview = programs_preview(text=text, session_id=None)
    assert [each.performer.takes_sets for each in preview.programs] == [True, False]
    done = programs_assign(actor=boss, text=text)
    assert (program(free), len(program(other)), done.pieces) == (["Mazurkas, Op. 33"], 4, 5)
