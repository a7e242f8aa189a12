"""Test the catalogue: it is complete, has the pieces' names as programs print them, and is loaded once."""

from collections import Counter

import pytest
from django.core.management import call_command

from apps.competition.models import Piece
from apps.competition.services.catalogue import catalogue_load

pytestmark = pytest.mark.django_db


def test_catalogue_load_adds_only_missing_pieces():
    assert catalogue_load() == 105
    ids = set(Piece.objects.values_list("pk", flat=True))
    assert catalogue_load() == 0
    assert set(Piece.objects.values_list("pk", flat=True)) == ids
    Piece.objects.filter(name="Scherzo in E major, Op. 54").delete()
    Piece.objects.filter(name="Scherzo in B minor, Op. 20").update(composer="F. Chopin")
    assert catalogue_load() == 1
    assert Piece.objects.get(name="Scherzo in B minor, Op. 20").composer == "F. Chopin"


def test_catalogue_has_all_pieces_with_key_opus_and_number():
    catalogue_load()
    counts = Counter(Piece.objects.values_list("category", flat=True))
    assert counts == {"etiuda_a": 12, "etiuda_b": 12, "nocturn": 21, "scherzo": 4, "mazurek": 56}
    pieces = [
        ("Etude in C-sharp minor, Op. 10 No. 4", "C-sharp minor", "10", 4),
        ("Mazurka in A minor, BI 134", "A minor", "BI 134", None),
        ("Mazurka in G major, BI 16 No. 1", "G major", "BI 16", 1),
        ("Nocturne in C minor, Op. posth.", "C minor", "posth.", None),
        ("Scherzo in B-flat minor, Op. 31", "B-flat minor", "31", None),
    ]
    named = Piece.objects.filter(name__in=[name for name, *_ in pieces], composer="Fryderyk Chopin")
    assert sorted(named.values_list("name", "key", "opus", "number")) == pieces


def test_command_prints_the_number_of_added_pieces(capsys):
    call_command("catalogue")
    call_command("catalogue")
    assert capsys.readouterr().out == "105 pieces added.\nThe catalogue is complete, nothing to add.\n"
