"""Test the catalogue: it is complete, uses the competition's names of pieces, and loads only once."""

import pytest
from django.core.management import call_command

from apps.competition.models import Piece
from apps.competition.services.pieces import catalogue_load

pytestmark = pytest.mark.django_db


def test_catalogue_load_twice_adds_105_pieces_once():
    assert catalogue_load() == 105
    ids = set(Piece.objects.values_list("pk", flat=True))
    assert catalogue_load() == 0
    assert set(Piece.objects.values_list("pk", flat=True)) == ids


def test_catalogue_load_adds_only_what_is_missing_and_leaves_the_rest():
    catalogue_load()
    Piece.objects.filter(name="Scherzo in E major, Op. 54").delete()
    Piece.objects.filter(name="Scherzo in B minor, Op. 20").update(composer="F. Chopin")
    assert catalogue_load() == 1
    assert Piece.objects.get(name="Scherzo in B minor, Op. 20").composer == "F. Chopin"


def test_catalogue_counts_by_category():
    catalogue_load()
    counts = {
        category: Piece.objects.filter(category=category).count()
        for category in set(Piece.objects.values_list("category", flat=True))
    }
    assert counts == {"etiuda_a": 12, "etiuda_b": 12, "nocturn": 21, "scherzo": 4, "mazurek": 56}


@pytest.mark.parametrize(
    ("name", "key", "opus", "number"),
    [
        ("Etude in C-sharp minor, Op. 10 No. 4", "C-sharp minor", "10", 4),
        ("Scherzo in B-flat minor, Op. 31", "B-flat minor", "31", None),
        ("Nocturne in C minor, Op. posth.", "C minor", "posth.", None),
        ("Mazurka in G major, BI 16 No. 1", "G major", "BI 16", 1),
        ("Mazurka in A minor, BI 134", "A minor", "BI 134", None),
    ],
)
def test_catalogue_names_read_as_programs_print_them(name, key, opus, number):
    catalogue_load()
    piece = Piece.objects.get(name=name)
    assert (piece.key, piece.opus, piece.number, piece.composer) == (key, opus, number, "Fryderyk Chopin")


def test_the_command_says_what_it_did(capsys):
    call_command("catalogue")
    call_command("catalogue")
    assert capsys.readouterr().out == "105 pieces added.\nThe catalogue is complete, nothing to add.\n"
