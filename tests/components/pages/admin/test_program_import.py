"""The page Import Programs: reading a pasted text, decisions, assignment, lists, and refusals."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.competition.models import ProgramEntry, Session
from apps.competition.services.pieces import catalogue_load
from apps.core.threads import in_thread
from apps.imports.models import ProgramText
from apps.imports.program_lines.lines import program_read
from apps.imports.selectors import catalogue_get
from tests.commanding import command
from tests.components.pages.checked_commands import check_refusals
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, PieceRatingFactory, SessionFactory, viewer_of
from tests.screen import open_page

DAY = timedelta(days=1)
PAGE = "/admin/program-import"
TEXT = """Etiuda C-dur op. 10 nr 1
Nocturnes Op. 27
Nocturne in C minor
Barcarolle in F-sharp major, Op. 60
20:40"""


class ImportSetup:
    """A session of two participants, a catalogue, and an administrator."""

    def __init__(self):
        catalogue_load()
        self.session = SessionFactory()
        self.first = AppearanceFactory(session=self.session, order_number=1)
        self.second = AppearanceFactory(session=self.session, order_number=2)
        self.admin = viewer_of(AdminFactory())

    def at(self, appearance=None):
        """Return the address of the page for this appearance, by default the first."""
        return f"{PAGE}?session={self.session.pk}&appearance={(appearance or self.first).pk}"


@pytest.fixture
def setup(db):
    return ImportSetup()


def program(appearance):
    found = ProgramEntry.objects.filter(session_participant=appearance).order_by("order_number")
    return [f"{opus}/{number or ''}" for opus, number in found.values_list("piece__opus", "piece__number")]


def kinds(screen):
    """Return the shown kind of each line that was read."""
    return [text(line) for line in every(screen.tree, "p", "read__kind")]


def version(screen):
    return attributes(one(screen.tree, "input", name="version"))["defaultValue"]


async def read(screen, setup, pasted=TEXT):
    return await command(screen, "program_import", setup.first.pk, text=pasted, do="read")


async def assign(screen, setup, pasted=TEXT, **fields):
    sent = {"text": pasted, "do": "assign", "version": version(screen), "go": f"{PAGE}?session={setup.session.pk}"}
    return await command(screen, "program_import", setup.first.pk, **sent | fields)


async def test_text_is_read_and_assigned_to_a_public_program(setup):
    participant = f"/participants/{setup.first.participant_id}"
    async with (
        open_page(setup.at(), user=setup.admin) as screen,
        open_page(setup.at(), user=setup.admin) as other_window,
        open_page(participant) as anonymous,
    ):
        assert "Each line will say here what it became." in screen.text
        assert (await read(screen, setup))["ok"]
        for window in (screen, other_window):
            await window.until("to decide")
            said = ["Matched", "2 pieces", "2 fit. Which one?", "Not in the catalogue: op. 60", "Left out"]
            assert kinds(window) == said
        lines = await in_thread(lambda: program_read(TEXT, catalogue_get()))
        [nocturne] = [choice.piece.id for choice in lines[2].choices if choice.piece.opus == "48"]
        two = [piece.piece.id for piece in lines[1].pieces]
        answer = await assign(
            screen,
            setup,
            **{f"pick-{lines[2].mark}": str(nocturne), f"several-{lines[1].mark}": "1"},
            **{f"take-{lines[1].mark}": str(two[1]), f"slot-{lines[0].mark}-{lines[0].pieces[0].piece.id}": "nocturn"},
        )
        assert answer["text"] == "Program partially assigned. 3 pieces matched, 1 pieces not found."
        assert await in_thread(lambda: program(setup.first)) == ["10/1", "27/2", "48/1"]
        await anonymous.until("Nocturne in D♭")
        assert await in_thread(lambda: ProgramText.objects.get().text) == TEXT
        await screen.until("Has Program")
        await read(screen, setup, "Scherzo No. 1")
        await screen.until("1 piece matched")
        answer = await assign(screen, setup, "Scherzo No. 1")
        assert answer["text"] == "Program assigned successfully!"
        assert answer["go"] == f"{PAGE}?session={setup.session.pk}"
        assert not await in_thread(ProgramText.objects.exists)
        await other_window.until("Each line will say here what it became.")


async def test_changed_text_is_read_before_assignment(setup):
    async with open_page(setup.at(), user=setup.admin) as screen:
        answer = await assign(screen, setup)
        assert answer["text"] == "The text was changed. Please look at what each line became."
        await screen.until("to decide")
        assert await in_thread(lambda: program(setup.first)) == []


async def test_replacing_a_rated_piece_needs_confirmation(setup):
    async with open_page(setup.at(), user=setup.admin) as screen:
        await read(screen, setup, "Scherzo No. 1")
        await assign(screen, setup, "Scherzo No. 1")
        await in_thread(lambda: PieceRatingFactory(entry=setup.first.program.get()))
        await read(screen, setup, "Scherzo No. 2")
        await screen.until("Scherzo in B minor, Op. 20, 1 rating")
        question = await assign(screen, setup, "Scherzo No. 2")
        assert (question["ok"], question["ask"]) == (False, True)
        assert question["text"] == "Scherzo in B minor, Op. 20 would leave the program, with its ratings: 1."
        assert (await assign(screen, setup, "Scherzo No. 2", confirmed="1"))["ok"]
        assert await in_thread(lambda: program(setup.first)) == ["31/"]


async def test_invalid_imports_are_refused(setup):
    async with open_page(setup.at(), user=setup.admin) as screen:
        await read(screen, setup)
        for argument, fields, field, sentence in (
            ("", {}, None, "Please choose a participant."),
            ("999999", {}, None, "Selected participant not found"),
            ("1", {"text": ""}, "text", "Please paste a program first."),
            ("1", {"text": "a\n" * 201}, "text", "A program has at most 200 lines and 20000 characters."),
        ):
            case = (fields, field, sentence)
            await check_refusals(screen, "program_import", argument, [case], {"text": TEXT, "do": "assign"})


def test_participants_are_filtered_by_program_and_name(setup):
    setup.second.program.create(piece_id=catalogue_get().pieces[0].id, order_number=1, slot="etiuda_a")
    address = f"{PAGE}?session={setup.session.pk}"
    for query, names in (
        ("", [setup.first]),
        ("&programs=with", [setup.second]),
        (f"&q={setup.second.participant.name}&programs=with", [setup.second]),
        ("&q=nobody+of+this+name", []),
        (f"&appearance={setup.second.pk}", [setup.first, setup.second]),
    ):
        seen = opened(address + query, setup.admin)
        links = every(seen.main, "a", "who")
        found = [attributes(link)["href"].rpartition("appearance=")[2] for link in links]
        assert found == [str(name.pk) for name in names], query


def list_of(seen):
    """Return the appearance ids of the listed participants, in their order."""
    return [int(attributes(link)["href"].rpartition("appearance=")[2]) for link in every(seen.main, "a", "who")]


def chosen_session(seen):
    return attributes(one(seen.main, "select", name="session"))["defaultValue"]


def test_default_session_is_the_live_next_or_last_one(setup):
    now = timezone.now()
    last = setup.session
    Session.objects.update(starts_at=now - timedelta(days=1))
    older = SessionFactory(stage=last.stage, starts_at=now - timedelta(days=2))
    assert chosen_session(opened(PAGE, setup.admin)) == str(last.pk)
    later = SessionFactory(stage=last.stage, starts_at=now + timedelta(days=40))
    coming = SessionFactory(stage=last.stage, starts_at=now + timedelta(days=30))
    assert chosen_session(opened(PAGE, setup.admin)) == str(coming.pk)
    Session.objects.filter(pk=older.pk).update(is_live=True)
    assert chosen_session(opened(PAGE, setup.admin)) == str(older.pk)
    assert chosen_session(opened(f"{PAGE}?session={later.pk}", setup.admin)) == str(later.pk)
    assert chosen_session(opened(f"{PAGE}?session=999999", setup.admin)) == str(older.pk)


def test_page_counts_assigned_programs(setup):
    address = f"{PAGE}?session={setup.session.pk}"
    assert "0 of 2 have a program" in text(opened(address, setup.admin).main)
    setup.second.program.create(piece_id=catalogue_get().pieces[0].id, order_number=1, slot="etiuda_a")
    seen = opened(address, setup.admin)
    assert "1 of 2 have a program" in text(seen.main)
    without = one(seen.main, "input", name="programs", value="")
    assert attributes(without)["defaultChecked"] is True
    assert list_of(seen) == [setup.first.pk]
    assert "1 of 2 have a program" in text(opened(f"{address}&q=nobody", setup.admin).main)


def test_participants_of_all_sessions_are_listed(setup):
    other = SessionFactory(stage=setup.session.stage, title="Late evening", starts_at=setup.session.starts_at + DAY)
    third = AppearanceFactory(session=other, order_number=1)
    third.program.create(piece_id=catalogue_get().pieces[0].id, order_number=1, slot="etiuda_a")
    fourth = AppearanceFactory(session=other, order_number=2)
    seen = opened(f"{PAGE}?session=all", setup.admin)
    assert chosen_session(seen) == "all"
    assert list_of(seen) == [fourth.pk, setup.first.pk, setup.second.pk]
    assert "1 of 4 have a program" in text(seen.main)
    assert "Late evening" in text(every(seen.main, "a", "who")[0])
    assert "session=all" in attributes(every(seen.main, "a", "who")[0])["href"]
    assert list_of(opened(f"{PAGE}?session=all&programs=with", setup.admin)) == [third.pk]


@pytest.mark.parametrize("count", [1, 60])
def test_query_count_is_independent_of_participants(count, setup, django_assert_num_queries):
    for number in range(3, 3 + count):
        AppearanceFactory(session=setup.session, order_number=number)
    for session in (setup.session.pk, "all"):
        with django_assert_num_queries(8):
            loaded(f"{PAGE}?session={session}&appearance={setup.first.pk}", setup.admin)


def test_markup_in_a_text_is_escaped(setup):
    ProgramText.objects.create(user_id=setup.admin.id, text="<b>Scherzo</b> op. 20\n<script>alert(1)</script>")
    seen = opened(setup.at(), setup.admin)
    assert [text(line) for line in every(seen.main, "p", "read__text")] == [
        "<b>Scherzo</b> op. 20",
        "<script>alert(1)</script>",
    ]


@pytest.mark.parametrize("count", [1, 200])
def test_query_count_is_independent_of_lines(count, setup, django_assert_num_queries):
    lines = [f"{number}. Mazurka in A minor, Op. 17 No. 4" for number in range(count)]
    ProgramText.objects.create(user_id=setup.admin.id, text="\n".join(lines))
    with django_assert_num_queries(10):
        loaded(setup.at(), setup.admin)
