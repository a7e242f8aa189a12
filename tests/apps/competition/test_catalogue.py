"""Test the catalogue: it is complete, has the works' names as programs print them, and is loaded once."""

import csv
from collections import Counter

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction

from apps.accounts.actors import OPERATOR
from apps.competition.enums import SPECIFIED
from apps.competition.limits import PARTS_MOST
from apps.competition.models import CatalogueLoad, Piece, PiecePart
from apps.competition.services.catalogue import catalogue_load, set_add
from apps.competition.works import WORKS
from tests.factories import MemberFactory, viewer_of

pytestmark = pytest.mark.django_db


def named(name):
    return Piece.objects.get(name=name)


def members(piece):
    return list(piece.parts.order_by("order_number").values_list("member__opus", "member__number"))


def test_catalogue_load_adds_all_works_with_parts_and_the_usual_sets():
    with WORKS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    added = catalogue_load()
    singles = Piece.objects.exclude(parts__member__isnull=False)
    assert (len(rows), singles.count()) == (214, 214)
    counts = Counter(singles.values_list("category", flat=True))
    assert [counts[each.value] for each in SPECIFIED] == [12, 12, 21, 4, 56]
    assert (counts["etude"], counts["prelude"], counts["waltz"], counts["other"]) == (3, 26, 19, 14)
    parts = {row["opus"]: row["movements"] or row["parts"] for row in rows if row["movements"] or row["parts"]}
    stored = {each.opus: each.parts.order_by("order_number") for each in singles.filter(parts__isnull=False).distinct()}
    assert {opus: "|".join(part.name for part in found) for opus, found in stored.items()} == parts
    assert named("Sonata in B-flat minor, Op. 35").minutes == 24
    assert named("Piano Concerto in E minor, Op. 11").with_orchestra
    assert members(named("Mazurkas, Op. 33")) == [("33", 1), ("33", 2), ("33", 3), ("33", 4)]
    assert members(named("Preludes, Op. 28 Nos. 13–18")) == [("28", number) for number in range(13, 19)]
    assert len(members(named("Preludes, Op. 28"))) == 24
    assert named("Mazurkas, Op. 33").minutes == sum(float(r["minutes"]) for r in rows if r["opus"] == "33")
    assert added == Piece.objects.count() > 214 + 30


def test_catalogue_load_of_an_installation_keeps_what_administrators_did():
    """The five categories were loaded by an earlier version; an administrator deleted, renamed and added works."""
    catalogue_load()
    PiecePart.objects.filter(member__isnull=False).delete()
    Piece.objects.exclude(category__in=SPECIFIED).delete()
    Piece.objects.filter(key="", number=None).delete()
    CatalogueLoad.objects.exclude(name__in=SPECIFIED).delete()
    named("Scherzo in E major, Op. 54").delete()
    Piece.objects.filter(name="Mazurka in A minor, BI 134").update(name="Notre temps")
    own = {"composer": "Fryderyk Chopin", "title": "Waltz", "key": "A-flat major", "opus": "42"}
    Piece.objects.create(name="Grande valse", category="mazurek", **own)
    before = {each["id"]: each for each in Piece.objects.values()}
    catalogue_load()
    after = {each["id"]: each for each in Piece.objects.values()}
    assert {pk: after[pk] for pk in before} == before
    assert not Piece.objects.filter(opus__in=("54", "BI 134"), category__in=SPECIFIED).exclude(pk__in=before).exists()
    assert Piece.objects.filter(opus="42").count() == 1
    assert Piece.objects.filter(category="waltz").count() == 18 + 4, "without op. 42, and with four sets"
    assert catalogue_load() == 0


def test_catalogue_has_the_names_of_programs():
    catalogue_load()
    pieces = [
        ("Barcarolle in F-sharp major, Op. 60", "F-sharp major", "60", None),
        ("Etude in C-sharp minor, Op. 10 No. 4", "C-sharp minor", "10", 4),
        ("Mazurka in A minor, BI 134", "A minor", "BI 134", None),
        ("Mazurka in G major, BI 16 No. 1", "G major", "BI 16", 1),
        ("Nocturne in C minor, Op. posth.", "C minor", "posth.", None),
        ("Scherzo in B-flat minor, Op. 31", "B-flat minor", "31", None),
    ]
    found = Piece.objects.filter(name__in=[name for name, *_ in pieces], composer="Fryderyk Chopin")
    assert sorted(found.values_list("name", "key", "opus", "number")) == pieces


def test_command_prints_the_number_of_added_pieces(capsys):
    call_command("catalogue")
    call_command("catalogue")
    total = Piece.objects.count()
    assert capsys.readouterr().out == f"{total} pieces added.\nThe catalogue is complete, nothing to add.\n"


def test_set_add_finds_or_makes_a_set_and_refuses_others():
    catalogue_load()
    op59 = list(Piece.objects.filter(opus="59").exclude(number=None).order_by("number").values_list("pk", flat=True))
    count = Piece.objects.count()
    assert set_add(actor=OPERATOR, piece_ids=op59) == named("Mazurkas, Op. 59")
    assert Piece.objects.count() == count
    pair = set_add(actor=OPERATOR, piece_ids=op59[:0:-1])
    assert (pair.name, pair.numbers, pair.category) == ("Mazurkas, Op. 59 Nos. 3, 2", "3, 2", "mazurek")
    assert set_add(actor=OPERATOR, piece_ids=op59[:0:-1]) == pair
    ballade, sonata = named("Ballade in G minor, Op. 23").pk, named("Sonata in B minor, Op. 58").pk
    refused = {
        "A set has at least two pieces.": op59[:1],
        "A set has each of its pieces once.": [*op59, op59[0]],
        "This piece is not in the catalogue.": [*op59, 10**9],
        "Sonata in B minor, Op. 58 has parts, so it is in no set.": [ballade, sonata],
        "Please enter a name for this set": [ballade, op59[0]],
        f"A set has at most {PARTS_MOST} pieces.": list(range(1, PARTS_MOST + 2)),
    }
    for sentence, piece_ids in refused.items():
        with pytest.raises(ValidationError) as error:
            set_add(actor=OPERATOR, piece_ids=piece_ids)
        assert error.value.messages == [sentence]
    assert set_add(actor=OPERATOR, piece_ids=[ballade, op59[0]], name=" Two  dances ").name == "Two dances"
    with pytest.raises(PermissionDenied):
        set_add(actor=viewer_of(MemberFactory()), piece_ids=op59)


def test_database_refuses_a_part_of_a_part():
    catalogue_load()
    whole, sonata = named("Mazurkas, Op. 59"), named("Sonata in B minor, Op. 58")
    member = named("Mazurka in A minor, Op. 59 No. 1")
    wrong = [
        {"piece": sonata, "member": whole},
        {"piece": sonata, "member": sonata},
        {"piece": member, "name": "Allegro"},
        {"piece": whole, "member": member},
        {"piece": sonata, "name": " "},
        {"piece": sonata, "name": "Largo", "member": named("Ballade in G minor, Op. 23")},
    ]
    for fields in wrong:
        with pytest.raises(IntegrityError), transaction.atomic():
            PiecePart.objects.create(order_number=40, **fields)
