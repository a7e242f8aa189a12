"""The catalogue backstage: pieces come and go, by category, for everybody who looks at it."""

import pytest

from apps.accounts.models import User
from apps.competition.models import Piece
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, PieceFactory, ProgramEntryFactory, UserFactory, viewer_of
from tests.screen import open_page

PIECES = "/admin/pieces"
BALLADE = "Scherzo in B-flat minor, Op. 31"
live = pytest.mark.django_db(transaction=True)


@pytest.fixture
def boss(db) -> User:
    return AdminFactory()


@live
async def test_a_piece_comes_and_goes_on_both_administrators_pages():
    halina, ignacy = await in_thread(AdminFactory), await in_thread(AdminFactory)
    async with open_page(PIECES, user=halina) as screen, open_page(PIECES, user=ignacy) as other:
        assert other.text.count("No pieces yet.") == 5
        answer = await command(screen, "piece_add", category="scherzo", name=f"  {BALLADE} ")
        assert (answer["ok"], answer["text"]) == (True, "Piece added successfully")
        await other.until(f"Scherzo 1 piece {BALLADE}")
        button = other.button(f"Delete: {BALLADE}")
        assert button["attributes"]["data-confirm"] == f"Delete the piece {BALLADE}?"
        answer = await command(other, "piece_delete", button["attributes"]["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, "Piece deleted successfully")
        await screen.until_gone(BALLADE)


@live
@pytest.mark.parametrize(
    ("typed", "sentence", "field"),
    [
        ({"category": "scherzo", "name": "  "}, "Please enter a piece name", "name"),
        ({"category": "scherzo"}, "Please enter a piece name", "name"),
        ({"category": "scherzo", "name": BALLADE}, "This piece is in the catalogue already.", "name"),
        ({"category": "waltz", "name": "Waltz"}, "Value 'waltz' is not a valid choice.", "category"),
    ],
)
async def test_what_cannot_be_added_is_said_at_its_field(typed, sentence, field):
    halina = await in_thread(AdminFactory)
    await in_thread(lambda: PieceFactory(category="scherzo", name=BALLADE))
    async with open_page(PIECES, user=halina) as screen:
        answer = await command(screen, "piece_add", **typed)
    assert (answer["ok"], answer["text"], answer["field"]) == (False, sentence, field)
    assert await in_thread(Piece.objects.count) == 1


@live
async def test_what_programs_have_stays_and_says_why():
    halina, entry = await in_thread(AdminFactory), await in_thread(ProgramEntryFactory)
    async with open_page(PIECES, user=halina) as screen:
        assert "in 1 program" in screen.text
        answer = await command(screen, "piece_delete", entry.piece_id)
        assert (answer["ok"], answer["text"]) == (False, "Programs have this piece: 1. Take it out of them first.")
        gone = await command(screen, "piece_delete", 987654)
        assert (gone["ok"], gone["text"]) == (False, "This is no longer there.")


@live
@pytest.mark.parametrize("act", ["piece_add", "piece_delete"])
async def test_whoever_is_no_administrator_any_more_changes_nothing(act):
    halina, piece = await in_thread(AdminFactory), await in_thread(PieceFactory)
    async with open_page(PIECES, user=halina) as screen:
        # not by a service: nobody is told, the window stays
        await in_thread(lambda: User.objects.filter(pk=halina.pk).update(is_admin=False))
        answer = await command(screen, act, piece.pk, category="scherzo", name=BALLADE)
    assert (answer["ok"], answer["text"]) == (False, "Only administrators edit the catalogue.")
    assert await in_thread(Piece.objects.get) == piece


@live
async def test_others_are_led_away():
    fan = await in_thread(UserFactory)
    async with open_page(PIECES, user=fan) as screen:
        assert screen.path == "/"
    async with open_page(PIECES) as screen:
        assert screen.path == "/login?next=%2Fadmin%2Fpieces"


def test_the_categories_have_their_pieces_by_name_and_their_counts(boss):
    for category, name in (("scherzo", "Scherzo B"), ("scherzo", "Scherzo A"), ("nocturn", "Nocturne")):
        PieceFactory(category=category, name=name)
    shelves = every(opened(PIECES, viewer_of(boss)).main, "section", "shelf")
    assert [text(one(shelf, look="shelf__label")) for shelf in shelves] == [
        "Etiuda Op. 100 pieces", "Etiuda Op. 250 pieces", "Nokturn1 piece", "Scherzo2 pieces", "Mazurek0 pieces",
    ]  # fmt: skip
    assert [text(each) for each in every(shelves[3], "p", "shelf__piece")] == ["Scherzo A", "Scherzo B"]


def test_a_search_shows_the_categories_in_which_it_finds_something(boss):
    PieceFactory(category="scherzo", name=BALLADE)
    PieceFactory(category="nocturn", name="Nocturne in D-flat major, Op. 27 No. 2")
    seen = opened(f"{PIECES}?q=minor+b-flat", viewer_of(boss))
    assert [text(each) for each in every(seen.main, "h2")] == ["Scherzo"]
    assert attributes(one(seen.main, "input", name="q"))["defaultValue"] == "minor b-flat"
    assert "No pieces found matching your criteria." in text(opened(f"{PIECES}?q=waltz", viewer_of(boss)).main)


@pytest.mark.parametrize("rows", [1, 60])
def test_one_query_however_many_pieces_there_are(boss, django_assert_num_queries, rows):
    PieceFactory.create_batch(rows)
    viewer = viewer_of(boss)
    with django_assert_num_queries(1):
        page, _ = loaded(PIECES, viewer)
    assert sum(group.count for group in page.data.groups) == rows
