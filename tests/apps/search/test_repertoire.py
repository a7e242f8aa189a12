"""Test that every work, its parts and its sets are found by the names that `works.csv` has for them."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.models import Piece
from apps.competition.services.catalogue import catalogue_load, set_add
from apps.competition.services.pieces import piece_delete, piece_update
from apps.competition.works import works
from apps.search.services import entries_rebuild
from tests.apps.search.places import titles

pytestmark = pytest.mark.django_db

FIRST = {  # what is typed, and the title of the first hit
    "heroic": "Polonaise in A♭ major, op. 53",
    "raindrop": "Prelude in D♭ major, op. 28 no. 15",
    "marche funèbre": "Sonata in B♭ minor, op. 35",
    "funeral march sonata": "Sonata in B♭ minor, op. 35",
    "雨だれ": "Prelude in D♭ major, op. 28 no. 15",
    "koncert e-moll": "Piano Concerto in E minor, op. 11",
    "e minor concerto": "Piano Concerto in E minor, op. 11",
    "ballade 1": "Ballade in G minor, op. 23",
    "ballada nr 4": "Ballade in F minor, op. 52",
    "polonaise-fantaisie": "Polonaise-Fantasy in A♭ major, op. 61",
    "op 28 no 15": "Prelude in D♭ major, op. 28 no. 15",
    "waltz c# minor": "Waltz in C♯ minor, op. 64 no. 2",
    "walc minutowy": "Waltz in D♭ major, op. 64 no. 1",
    "andante spianato": "Andante spianato and Grande Polonaise brillante in E♭ major, op. 22",
    "là ci darem": "Variations on ‘Là ci darem la mano’ in B♭ major, op. 2",
    "barkarole": "Barcarolle in F♯ major, op. 60",
    "BI 133": "Waltz in E♭ major, BI 133",
    "mazurkas op 33": "Mazurkas, op. 33 nos. 1–4",
    "mazurki op. 41": "Mazurkas, op. 41 nos. 1–4",
    "mazurek op 24 1-4": "Mazurkas, op. 24 nos. 1–4",
    "24 preludes op 28": "Preludes, op. 28 nos. 1–24",
    "preludes op. 28 nos. 13-18": "Preludes, op. 28 nos. 13–18",
    "polonaises op 26": "Polonaises, op. 26 nos. 1–2",
    "romance larghetto": "Piano Concerto in E minor, op. 11",
    "scherzo molto vivace": "Sonata in B minor, op. 58",
    "contredanse": "Contredanse in G♭ major, BI 17",
}


def test_works_are_found_by_nickname_language_opus_and_key():
    catalogue_load()
    first = {typed: (titles(typed) or [""])[0] for typed in FIRST}
    assert first == FIRST


def test_each_work_is_found_by_all_names_of_the_table():
    catalogue_load()
    named = {(each.title, each.key, each.opus, each.number): each.pk for each in Piece.objects.filter(parts=None)}
    missing = []
    for work in works():
        names = [*work.nicknames, *(f"{title} {key} {work.opus}" for title, key in work.translations.values())]
        names += [f"{work.title} {work.key} {work.opus} {work.number or ''}"]
        piece = Piece.objects.get(category=work.category, name=work.name)
        shown = titles(work.name)[0] if titles(work.name) else ""
        missing += [(work.name, name) for name in names if shown not in titles(name)]
        assert named.get((work.title, work.key, work.opus, work.number), piece.pk) == piece.pk
    assert missing == []


def test_entries_follow_the_parts_and_pieces_of_sets():
    first, second = (
        Piece.objects.create(name=f"Study {word}", category="other", composer="Ada Byron")
        for word in ("rippling", "thundering")
    )
    entries_rebuild()
    whole = set_add(actor=OPERATOR, piece_ids=[first.pk, second.pk], name="Two studies of water")
    assert titles("water") == ["Ada Byron: Two studies of water"]
    assert titles("byron thundering") == ["Ada Byron: Study thundering", "Ada Byron: Two studies of water"]
    piece_update(actor=OPERATOR, piece_id=second.pk, category="other", name="Study whispering")
    assert titles("whispering")[-1] == "Ada Byron: Two studies of water"
    assert titles("thundering") == []
    piece_delete(actor=OPERATOR, piece_id=whole.pk)
    assert titles("water") == []
    assert {(each.missing, each.different, each.superfluous) for each in entries_rebuild()} == {(0, 0, 0)}
