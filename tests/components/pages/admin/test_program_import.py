"""The page Import Programs: reading a pasted text, decisions, assignment, concurrent changes, and refusals."""

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
from tests.components.pages.refusals import check_refusals
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, PieceRatingFactory, SessionFactory, viewer_of
from tests.screen import open_page

DAY = timedelta(days=1)
live = pytest.mark.django_db(transaction=True)
PAGE = "/admin/program-import"
TEXT = """Etiuda C-dur op. 10 nr 1
Nocturnes Op. 27
Nocturne in C minor
Barcarolle in F-sharp major, Op. 60
20:40"""


class Hall:
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
def hall(transactional_db):
    return Hall()


def program(appearance):
    found = ProgramEntry.objects.filter(session_participant=appearance).order_by("order_number")
    return [f"{opus}/{number or ''}" for opus, number in found.values_list("piece__opus", "piece__number")]


def kinds(screen):
    """Return the shown kind of each line that was read."""
    return [text(line) for line in every(screen.tree, "p", "read__kind")]


def version(screen):
    return attributes(one(screen.tree, "input", name="version"))["defaultValue"]


async def read(screen, hall, given=TEXT):
    return await command(screen, "program_import", hall.first.pk, text=given, do="read")


async def assign(screen, hall, given=TEXT, **fields):
    sent = {"text": given, "do": "assign", "version": version(screen), "go": f"{PAGE}?session={hall.session.pk}"}
    return await command(screen, "program_import", hall.first.pk, **sent | fields)


@live
async def test_text_is_read_and_assigned_to_a_public_program(hall):
    participant = f"/participants/{hall.first.participant_id}"
    async with (
        open_page(hall.at(), user=hall.admin) as screen,
        open_page(hall.at(), user=hall.admin) as other_window,
        open_page(participant) as anonymous,
    ):
        assert "Each line will say here what it became." in screen.text
        assert (await read(screen, hall))["ok"]
        for window in (screen, other_window):
            await window.until("to decide")
            said = ["Matched", "2 pieces", "2 fit. Which one?", "Not in the catalogue: op. 60", "Left out"]
            assert kinds(window) == said
        lines = await in_thread(lambda: program_read(TEXT, catalogue_get()))
        [nocturne] = [choice.piece.id for choice in lines[2].choices if choice.piece.opus == "48"]
        two = [piece.piece.id for piece in lines[1].pieces]
        done = await assign(
            screen,
            hall,
            **{f"pick-{lines[2].mark}": str(nocturne), f"several-{lines[1].mark}": "1"},
            **{f"take-{lines[1].mark}": str(two[1]), f"slot-{lines[0].mark}-{lines[0].pieces[0].piece.id}": "nocturn"},
        )
        assert done["text"] == "Program partially assigned. 3 pieces matched, 1 pieces not found."
        assert await in_thread(lambda: program(hall.first)) == ["10/1", "27/2", "48/1"]
        await anonymous.until("Nocturne in D♭")
        assert await in_thread(lambda: ProgramText.objects.get().text) == TEXT
        await screen.until("Has Program")
        await read(screen, hall, "Scherzo No. 1")
        await screen.until("1 piece matched")
        done = await assign(screen, hall, "Scherzo No. 1")
        assert (done["text"], done["go"]) == ("Program assigned successfully!", f"{PAGE}?session={hall.session.pk}")
        assert not await in_thread(ProgramText.objects.exists)
        await other_window.until("Each line will say here what it became.")


@live
async def test_changed_text_is_read_before_assignment(hall):
    async with open_page(hall.at(), user=hall.admin) as screen:
        done = await assign(screen, hall)
        assert done["text"] == "The text was changed. Please look at what each line became."
        await screen.until("to decide")
        assert await in_thread(lambda: program(hall.first)) == []


@live
async def test_replacing_a_rated_piece_needs_confirmation(hall):
    async with open_page(hall.at(), user=hall.admin) as screen:
        await read(screen, hall, "Scherzo No. 1")
        await assign(screen, hall, "Scherzo No. 1")
        await in_thread(lambda: PieceRatingFactory(entry=hall.first.program.get()))
        await read(screen, hall, "Scherzo No. 2")
        await screen.until("Scherzo in B minor, Op. 20, 1 rating")
        asked = await assign(screen, hall, "Scherzo No. 2")
        assert (asked["ok"], asked["ask"]) == (False, True)
        assert asked["text"] == "Scherzo in B minor, Op. 20 would leave the program, with its ratings: 1."
        assert (await assign(screen, hall, "Scherzo No. 2", confirmed="1"))["ok"]
        assert await in_thread(lambda: program(hall.first)) == ["31/"]


@live
async def test_concurrent_assignment_is_a_conflict(hall):
    colleague = await in_thread(lambda: viewer_of(AdminFactory()))
    async with open_page(hall.at(), user=hall.admin) as screen, open_page(hall.at(), user=colleague) as other:
        for window in (screen, other):
            await read(window, hall, "Scherzo No. 1")
        before = version(screen)
        assert (await assign(other, hall, "Scherzo No. 1"))["ok"]
        refused = await assign(screen, hall, "Scherzo No. 1", version=before)
        assert not refused["ok"]
        assert "Scherzo in B minor, Op. 20" in refused["text"]
        assert (await assign(screen, hall, "Scherzo No. 1", version=refused["version"]))["ok"]


@live
async def test_invalid_imports_are_refused(hall):
    async with open_page(hall.at(), user=hall.admin) as screen:
        await read(screen, hall)
        for argument, fields, field, sentence in (
            ("", {}, None, "Please choose a participant."),
            ("999999", {}, None, "Selected participant not found"),
            ("1", {"text": ""}, "text", "Please paste a program first."),
            ("1", {"text": "a\n" * 201}, "text", "A program has at most 200 lines and 20000 characters."),
        ):
            case = (fields, field, sentence)
            await check_refusals(screen, "program_import", argument, [case], {"text": TEXT, "do": "assign"})


def test_participants_are_filtered_by_program_and_name(hall):
    hall.second.program.create(piece_id=catalogue_get().pieces[0].id, order_number=1, slot="etiuda_a")
    here = f"{PAGE}?session={hall.session.pk}"
    for query, names in (
        ("", [hall.first]),
        ("&programs=with", [hall.second]),
        (f"&q={hall.second.participant.name}&programs=with", [hall.second]),
        ("&q=nobody+of+this+name", []),
        (f"&appearance={hall.second.pk}", [hall.first, hall.second]),
    ):
        seen = opened(here + query, hall.admin)
        links = every(seen.main, "a", "who")
        found = [attributes(link)["href"].rpartition("appearance=")[2] for link in links]
        assert found == [str(name.pk) for name in names], query


def list_of(seen):
    """Return the appearance ids of the listed participants, in their order."""
    return [int(attributes(link)["href"].rpartition("appearance=")[2]) for link in every(seen.main, "a", "who")]


def chosen_session(seen):
    return attributes(one(seen.main, "select", name="session"))["defaultValue"]


def test_default_session_is_the_live_next_or_last_one(hall):
    now = timezone.now()
    last = hall.session
    Session.objects.update(starts_at=now - timedelta(days=1))
    older = SessionFactory(stage=last.stage, starts_at=now - timedelta(days=2))
    assert chosen_session(opened(PAGE, hall.admin)) == str(last.pk)
    later = SessionFactory(stage=last.stage, starts_at=now + timedelta(days=40))
    coming = SessionFactory(stage=last.stage, starts_at=now + timedelta(days=30))
    assert chosen_session(opened(PAGE, hall.admin)) == str(coming.pk)
    Session.objects.filter(pk=older.pk).update(is_live=True)
    assert chosen_session(opened(PAGE, hall.admin)) == str(older.pk)
    assert chosen_session(opened(f"{PAGE}?session={later.pk}", hall.admin)) == str(later.pk)
    assert chosen_session(opened(f"{PAGE}?session=999999", hall.admin)) == str(older.pk)


def test_page_counts_assigned_programs(hall):
    here = f"{PAGE}?session={hall.session.pk}"
    assert "0 of 2 have a program" in text(opened(here, hall.admin).main)
    hall.second.program.create(piece_id=catalogue_get().pieces[0].id, order_number=1, slot="etiuda_a")
    seen = opened(here, hall.admin)
    assert "1 of 2 have a program" in text(seen.main)
    without = one(seen.main, "input", name="programs", value="")
    assert attributes(without)["defaultChecked"] is True
    assert list_of(seen) == [hall.first.pk]
    assert "1 of 2 have a program" in text(opened(f"{here}&q=nobody", hall.admin).main)


def test_participants_of_all_sessions_are_listed(hall):
    other = SessionFactory(stage=hall.session.stage, title="Late evening", starts_at=hall.session.starts_at + DAY)
    third = AppearanceFactory(session=other, order_number=1)
    third.program.create(piece_id=catalogue_get().pieces[0].id, order_number=1, slot="etiuda_a")
    fourth = AppearanceFactory(session=other, order_number=2)
    seen = opened(f"{PAGE}?session=all", hall.admin)
    assert chosen_session(seen) == "all"
    assert list_of(seen) == [fourth.pk, hall.first.pk, hall.second.pk]
    assert "1 of 4 have a program" in text(seen.main)
    assert "Late evening" in text(every(seen.main, "a", "who")[0])
    assert "session=all" in attributes(every(seen.main, "a", "who")[0])["href"]
    assert list_of(opened(f"{PAGE}?session=all&programs=with", hall.admin)) == [third.pk]


@pytest.mark.parametrize("count", [1, 60])
def test_query_count_is_independent_of_participants(count, hall, django_assert_num_queries):
    for number in range(3, 3 + count):
        AppearanceFactory(session=hall.session, order_number=number)
    for session in (hall.session.pk, "all"):
        with django_assert_num_queries(8):
            loaded(f"{PAGE}?session={session}&appearance={hall.first.pk}", hall.admin)


def test_markup_in_a_text_is_escaped(hall):
    ProgramText.objects.create(user_id=hall.admin.id, text="<b>Scherzo</b> op. 20\n<script>alert(1)</script>")
    seen = opened(hall.at(), hall.admin)
    assert [text(line) for line in every(seen.main, "p", "read__text")] == [
        "<b>Scherzo</b> op. 20",
        "<script>alert(1)</script>",
    ]


@pytest.mark.parametrize("count", [1, 200])
def test_query_count_is_independent_of_lines(count, hall, django_assert_num_queries):
    lines = [f"{number}. Mazurka in A minor, Op. 17 No. 4" for number in range(count)]
    ProgramText.objects.create(user_id=hall.admin.id, text="\n".join(lines))
    with django_assert_num_queries(10):
        loaded(hall.at(), hall.admin)
