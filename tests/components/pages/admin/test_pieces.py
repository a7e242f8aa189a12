"""The administrators' page of the catalogue: adding, editing and deleting pieces, search, and live updates."""

from apps.accounts.actors import OPERATOR
from apps.competition.models import Piece
from apps.competition.selectors.admin.pieces import piece_edit
from apps.competition.services.catalogue import set_add
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.checked_commands import check_refusals, succeed
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, PieceFactory, ProgramEntryFactory, viewer_of
from tests.screen import open_page

PIECES = "/admin/pieces"
BALLADE = "Scherzo in B-flat minor, Op. 31"
SEEN, SAID = "Scherzo in B♭ minor op. 31", "Scherzo in B♭ minor, op. 31"


async def test_piece_is_added_and_deleted_in_all_windows(admin, colleague):
    async with open_page(PIECES, user=admin) as screen, open_page(PIECES, user=colleague) as other:
        assert other.text.count("No pieces yet.") == 5
        await succeed(screen, "piece_add", "", "Piece added successfully", category="scherzo", name=f"  {BALLADE} ")
        await other.until(f"Scherzo 1 piece {SEEN}")
        button = other.button(f"Delete: {SAID}")
        assert button["attributes"]["data-confirm"] == f"Delete the piece {SAID}?"
        await succeed(other, "piece_delete", button["attributes"]["data-argument"], "Piece deleted successfully")
        await screen.until_gone(SEEN)


async def test_invalid_pieces_are_refused_at_their_fields():
    admin, _ = await in_thread(lambda: (AdminFactory(), PieceFactory(category="scherzo", name=BALLADE)))
    cases = (
        ({"category": "scherzo", "name": "  "}, "name", "Please enter a piece name"),
        ({"category": "scherzo"}, "name", "Please enter a piece name"),
        ({"category": "scherzo", "name": BALLADE}, "name", "This piece is in the catalogue already."),
        ({"category": "", "name": "Waltz in A minor"}, "category", "Category is required."),
        ({"category": "tango", "name": "Tango"}, "category", "Value 'tango' is not a valid choice."),
    )
    async with open_page(PIECES, user=admin) as screen:
        await check_refusals(screen, "piece_add", "", cases)
    assert await in_thread(Piece.objects.count) == 1


def test_categories_have_sorted_pieces_and_counts(admin):
    for category, name in (("scherzo", "Scherzo B"), ("scherzo", "Scherzo A"), ("nocturn", "Nocturne")):
        PieceFactory(category=category, name=name, title="")
    shelves = every(opened(PIECES, viewer_of(admin)).main, "section", "shelf")
    assert [text(one(shelf, look="shelf__label")) for shelf in shelves] == [
        "Etiuda Op. 100 pieces", "Etiuda Op. 250 pieces", "Nokturn1 piece", "Scherzo2 pieces", "Mazurek0 pieces",
    ]  # fmt: skip
    assert [text(line) for line in every(shelves[3], "p", "shelf__piece")] == ["Scherzo A", "Scherzo B"]


def test_search_shows_categories_with_results(admin):
    PieceFactory(category="scherzo", name=BALLADE)
    PieceFactory(category="nocturn", name="Nocturne in D-flat major, Op. 27 No. 2")
    seen = opened(f"{PIECES}?q=minor+b-flat", viewer_of(admin))
    assert [text(heading) for heading in every(seen.main, "h2")] == ["Scherzo"]
    assert attributes(one(seen.main, "input", name="q"))["defaultValue"] == "minor b-flat"
    assert "No pieces found matching your criteria." in text(opened(f"{PIECES}?q=waltz", viewer_of(admin)).main)
    assert "Piece not found." in text(opened(f"{PIECES}?mode=edit&id=987654", viewer_of(admin)).main)


async def test_names_are_parsed_or_kept_as_typed():
    async with open_page(PIECES, user=await in_thread(AdminFactory)) as screen:
        for typed, shown, stored in (
            ("Nokturn Des-dur op. 27 nr 2", "Nocturne in D♭ major op. 27 no. 2", ("D-flat major", "27", 2)),
            ("Mazurka in A minor, Op. 17 No. 4", "Mazurka in A minor op. 17 no. 4", ("A minor", "17", 4)),
            ("The Minute, as an encore", "The Minute, as an encore", ("", "", None)),
            ("Nocturne in D-flat major, Op. 27 No. 2 (fast)", "No. 2 (fast)", ("", "", None)),
        ):
            assert (await command(screen, "piece_add", category="nocturn", name=typed))["ok"]
            await screen.until(shown)
            piece = await in_thread(lambda: Piece.objects.latest("pk"))
            assert (piece.key, piece.opus, piece.number) == stored


async def test_concurrent_edit_of_a_piece_is_a_conflict(admin, colleague):
    entry = await in_thread(lambda: ProgramEntryFactory(piece__name="Etude", piece__title=""))
    piece, place = entry.piece, entry.appearance
    address = f"{PIECES}?mode=edit&id={piece.pk}"
    async with (
        open_page(address, user=admin) as screen,
        open_page(PIECES, user=colleague) as other,
        open_page(f"/participants/{place.participant_id}") as audience,
    ):
        seen = attributes(one(screen.tree, "input", name="version"))["defaultValue"]
        first = {"category": "etiuda_a", "name": "Etude Op. 10 no 3 E-dur", "version": seen}
        await succeed(screen, "piece_update", piece.pk, "Piece updated successfully", **first)
        await other.until("Étude in E major op. 10 no. 3")
        await audience.until("Étude in E major op. 10 no. 3")
        second = {"category": "etiuda_a", "name": "Etude in E minor, Op. 25 No. 5", "version": seen}
        refused = await command(other, "piece_update", piece.pk, **second)
        sentence = "Name was changed meanwhile. It is now “Etude in E major, Op. 10 No. 3”."
        assert (refused["ok"], refused["text"].startswith(sentence)) == (False, True)
        again = second | {"category": "etiuda_b", "version": refused["version"]}
        assert (await command(other, "piece_update", piece.pk, **again))["ok"]
    now = await in_thread(lambda: piece_edit(piece_id=piece.pk))
    assert (now.category, now.name) == ("etiuda_b", "Etude in E minor, Op. 25 No. 5")


async def test_form_of_a_stored_piece_edits_movements_or_the_pieces_of_a_set(admin):
    first, second = [await in_thread(lambda n=n: PieceFactory(name=f"Etude, Op. 10 No. {n}", number=n)) for n in (1, 2)]
    whole = await in_thread(lambda: set_add(actor=OPERATOR, piece_ids=[first.pk, second.pk]))
    async with open_page(f"{PIECES}?mode=edit&id={whole.pk}", user=admin) as screen:
        assert (
            attributes(one(screen.tree, "textarea", name="members"))["defaultValue"] == f"{first.name}\n{second.name}"
        )
        assert not {field["attributes"]["name"] for field in every(screen.tree, "input")} & {"composer", "parts"}
        fields = {"category": "etiuda_a", "name": whole.name, "members": f"{second.name}\r\n{first.name}"}
        await succeed(screen, "piece_update", whole.pk, "Piece updated successfully", **fields)
    third = await in_thread(lambda: PieceFactory(name="Study", title="", composer="Ada Byron"))
    async with open_page(f"{PIECES}?mode=edit&id={third.pk}", user=admin) as screen:
        assert attributes(one(screen.tree, "input", name="composer"))["defaultValue"] == "Ada Byron"
        fields = {
            "category": "other",
            "name": "Study",
            "composer": "Chopin, Fryderyk",
            "minutes": "4,5",
            "parts": "A\nB",
        }
        form = one(screen.tree, "form", data_command="piece_update")
        assert {"data-ask": "Save these changes?", "data-ask-yes": "Save"}.items() <= attributes(form).items()
        asked = await command(screen, "piece_update", third.pk, **fields)
        assert (asked["ok"], asked["ask"]) == (False, True)
        assert asked["text"] == "The catalogue writes “Fryderyk Chopin”. Save “Chopin, Fryderyk” as another composer?"
        fields |= {"confirmed": "1"}
        await succeed(screen, "piece_update", third.pk, "Piece updated successfully", **fields)
    now = await in_thread(lambda: piece_edit(piece_id=third.pk))
    assert (now.composer, now.minutes, now.parts) == ("Chopin, Fryderyk", "4.5", "A\nB")
    assert (await in_thread(lambda: piece_edit(piece_id=whole.pk))).members == f"{second.name}\n{first.name}"


def test_pieces_are_sorted_by_opus_and_number(admin):
    for opus, number in (("27", 2), ("9", 1), ("posth.", 1), ("9", None), ("27", 1)):
        PieceFactory(category="nocturn", title="Nocturne", opus=opus, number=number)
    PieceFactory(category="scherzo", title="")
    seen = opened(PIECES, viewer_of(admin)).main
    shelf = next(section for section in every(seen, "section", "shelf") if "Nokturn" in text(section))
    ends = [text(line).replace("\u00a0", " ").partition("minor ")[2] for line in every(shelf, "p", "shelf__piece")]
    assert ends == ["op. 9", "op. 9 no. 1", "op. 27 no. 1", "op. 27 no. 2", "op. posth. no. 1"]
    links = [attributes(link)["href"] for link in every(one(seen, "nav", "jumps"), "a")]
    assert links == ["#category-nocturn", "#category-scherzo"]
