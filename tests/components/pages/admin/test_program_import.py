"""Imported programs: pasted texts of one or many performers, decisions, assignment, files, and offers of imports."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.models import User
from apps.competition.models import Piece, ProgramEntry, Session
from apps.competition.services.catalogue import catalogue_load
from apps.core.threads import in_thread
from apps.imports.models import ProgramText
from apps.imports.program_lines.lines import program_read
from apps.imports.selectors.programs import catalogue_get
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    ImportedPerformanceFactory,
    ParticipantFactory,
    SessionFactory,
    StageFactory,
    viewer_of,
)
from tests.screen import open_page

DAY = timedelta(days=1)
PAGE = "/admin/program-import"
TEXT = """Etiuda C-dur op. 10 nr 1
Nocturnes Op. 27
Nocturne in C minor
Barcarolle in F-sharp major, Op. 160
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
    found = ProgramEntry.objects.filter(appearance=appearance).order_by("order_number")
    return [f"{opus}/{number or ''}" for opus, number in found.values_list("piece__opus", "piece__number")]


def kinds(screen):
    """Return the shown kind of each line that was read."""
    return [text(line) for line in every(screen.tree, "p", "read__kind")]


def version(screen):
    """Return the version of the lines that were read, empty without a text."""
    return "".join(attributes(field)["defaultValue"] for field in every(screen.tree, "input", name="version"))


async def read(screen, setup, pasted=TEXT):
    return await command(screen, "program_import", setup.first.pk, text=pasted, do="read")


async def assign(screen, setup, pasted=TEXT, **fields):
    go = f"{PAGE}?session={setup.session.pk}"
    sent = {"text": pasted, "do": "assign", "version": version(screen), "go": go, "scope": str(setup.session.pk)}
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
            said = ["Matched", "2 pieces", "2 fit. Which one?", "Not in the catalogue: op. 160", "Left out"]
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
        assert answer["text"] == "Program partially assigned. 3 pieces matched, 1 pieces not found.\nNot found: line 4."
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


async def test_line_of_several_pieces_has_a_box_for_each(setup):
    async with open_page(setup.at(), user=setup.admin) as screen:
        await read(screen, setup, "Nocturnes Op. 9 & 27\nEtudes Op. 10\nEtude in C major, Op. 10 No. 1")
        await screen.until("5 fit. Which ones?")
        assert kinds(screen)[1:] == ["Left out: a heading", "Matched"]
        boxes = [attributes(box) for box in every(screen.tree, "input") if attributes(box).get("type") == "checkbox"]
        assert len([box for box in boxes if box["name"].startswith("take-") and "defaultChecked" not in box]) == 5


async def test_changed_text_is_read_before_assignment(setup):
    async with open_page(setup.at(), user=setup.admin) as screen:
        answer = await assign(screen, setup)
        assert answer["text"] == "The text was changed. Please look at what each line became."
        await screen.until("to decide")
        assert await in_thread(lambda: program(setup.first)) == []


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


def test_session_whose_participants_all_have_programs_says_so(setup):
    for appearance in (setup.first, setup.second):
        appearance.program.create(piece_id=catalogue_get().pieces[0].id, order_number=1, slot="etiuda_a")
    address = f"{PAGE}?session={setup.session.pk}"
    all_have = opened(address, setup.admin).main
    assert "All 2 have a program." in text(all_have)
    to_them = one(all_have, "a", "button", href=f"{address}&programs=with")
    assert text(to_them) == "With Program"
    assert list_of(opened(attributes(to_them)["href"], setup.admin)) == [setup.first.pk, setup.second.pk]
    assert "No participants found." in text(opened(f"{address}&q=nobody", setup.admin).main)


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


MANY = "/admin/program-import?session=all"
ETUDE, SCHERZO = "Etude in C major, Op. 10 No. 1", "Scherzo in B minor, Op. 20"
PASTED = f"""12 Zofia Wróblewska-Łęcka
{ETUDE}
Ballade No. 9

13.
{SCHERZO}

Maria Kowalska
Nocturnes Op. 27"""


class BatchSetup:
    """A session of three participants with start numbers 12 to 14, and an administrator."""

    def __init__(self):
        catalogue_load()
        self.session = SessionFactory()
        names = (("Zofia", "Wróblewska-Łęcka"), ("Chun Lam", "U"), ("Ziye", "Tao"))
        self.people = [
            AppearanceFactory(
                session=self.session,
                participant=ParticipantFactory(first_name=first, second_name=second, start_number=number),
            )
            for number, (first, second) in enumerate(names, start=12)
        ]
        self.admin = viewer_of(AdminFactory())


@pytest.fixture
def batch(db):
    return BatchSetup()


def pieces_of(appearance):
    entries = ProgramEntry.objects.filter(appearance=appearance).order_by("order_number")
    return list(entries.values_list("piece__name", flat=True))


def headings(screen):
    return [" ".join(text(heading).split()) for heading in every(screen, "h3")]


def field_of(tree, name):
    """Return the full name of the only field that begins with `name`."""
    names = [attributes(field)["name"] for field in every(tree, "input")]
    (only,) = {field_name for field_name in names if field_name.startswith(name)}
    return only


async def assign_all(screen, batch, pasted=PASTED, **fields):
    version = attributes(one(screen.tree, "input", name="version"))["defaultValue"]
    sent = {"text": pasted, "do": "assign", "version": version, "go": MANY, "scope": "all"}
    return await command(screen, "program_import", "", **sent | fields)


async def test_blocks_are_read_assigned_and_undone(batch):
    async with open_page(MANY, user=batch.admin) as screen, open_page(MANY, user=batch.admin) as other:
        assert (await command(screen, "program_import", "", text=PASTED, do="read"))["ok"]
        for window in (screen, other):
            await window.until("performer to choose")
        title = batch.session.title
        assert headings(screen.tree) == [
            f"12 Zofia Wróblewska-Łęcka, {title}",
            f"13 Chun Lam U, {title}",
            "8 Maria Kowalska",
        ]
        assert "No performer of these sessions has this heading." in screen.text
        who = field_of(screen.tree, "who-")
        refused = await assign_all(screen, batch, **{who: "Ziye Tao"})
        assert (refused["ok"], refused["field"]) == (False, who)
        answer = await assign_all(screen, batch, **{who: f"14 Ziye Tao ({title}, 3)"})
        assert answer["text"].splitlines() == [
            "Assigned: 3 programs, 4 pieces.",
            "Of 3 blocks: assigned: 3.",
            "Not found: line 3.",
        ]
        programs = await in_thread(lambda: [pieces_of(person) for person in batch.people])
        assert [len(program) for program in programs] == [1, 1, 2]
        assert await in_thread(lambda: ProgramText.objects.get().text) == PASTED
        for window in (screen, other):
            await window.until("Has Program")
        second = await assign_all(screen, batch)
        assert second["text"].splitlines()[1] == ("Of 3 blocks: already with a program: 2, without a performer: 1.")
        undone = await command(other, *answer["undo"])
        assert undone["text"] == "3 programs are as they were before."
        assert await in_thread(ProgramEntry.objects.count) == 0


async def test_complete_assignment_clears_the_text(batch):
    pasted = f"12.\n{ETUDE}\n13.\n{SCHERZO}"
    async with open_page(MANY, user=batch.admin) as screen:
        await command(screen, "program_import", "", text=pasted, do="read")
        await screen.until("2 performers are certain")
        answer = await assign_all(screen, batch, pasted)
        assert (answer["go"], answer["empty"]) == (MANY, True)
        await screen.until("Each line will say here what it became.")
        assert not await in_thread(ProgramText.objects.exists)


def test_existing_program_has_a_replace_box(batch):
    ProgramText.objects.create(user_id=batch.admin.id, text=PASTED)
    batch.people[0].program.create(piece_id=piece_id(ETUDE), order_number=1, slot="etiuda_a")
    seen = opened(MANY, batch.admin)
    boxes = [attributes(field)["value"] for field in every(seen.main, "input", name="replace")]
    assert len(boxes) == 2
    assert boxes[0].partition(":")[2]
    assert boxes[1].endswith(":")
    assert "already with a program" in text(seen.main)
    other = SessionFactory()
    narrowed = opened(f"{PAGE}?session={other.pk}", batch.admin)
    assert "3 headings name no performer of this session." in text(narrowed.main)
    assert name(one(narrowed.main, "a", href=MANY)) == "All sessions"
    assert len([field for field in every(narrowed.main, "input") if attributes(field)["name"].startswith("who-")]) == 3


def piece_id(name):

    return Piece.objects.get(name=name).pk


def test_uploaded_file_is_stored(batch, client):
    client.force_login(User.objects.get(pk=batch.admin.id))
    sent = SimpleUploadedFile("programs.txt", PASTED.encode("utf-16"))
    answer = client.post("/participant-file", {"kind": "programs", "file": sent})
    assert answer.headers["Location"].startswith(f"{MANY}&answer=")
    assert ProgramText.objects.get().text == PASTED


def test_query_count_is_independent_of_blocks(batch, django_assert_num_queries):
    count = 12
    people = [AppearanceFactory(session=batch.session) for _ in range(count)]
    blocks = (f"{person.participant.name}\n{ETUDE}\n{SCHERZO}" for person in people)
    ProgramText.objects.create(user_id=batch.admin.id, text="\n".join(blocks))
    with django_assert_num_queries(9):
        loaded(MANY, batch.admin)


def test_number_of_undecided_lines_is_limited(batch):
    lines = "\n".join(f"Ballade {number} of a composer" for number in range(150))
    ProgramText.objects.create(user_id=batch.admin.id, text=f"12.\n{lines}")
    seen = opened(MANY, batch.admin)
    assert "lines need a decision. Only the first 100 have fields" in text(seen.main)
    names = [field for field in every(seen.main, "input") if attributes(field)["name"].startswith("name-")]
    assert len(names) == 100


class OfferedPrograms:
    """A session of three participants: two with imported pieces, one of them with a piece that is not known."""

    def __init__(self):
        catalogue_load()
        self.session = SessionFactory(stage=StageFactory())
        self.people = [AppearanceFactory(session=self.session) for _ in range(3)]
        ImportedPerformanceFactory(participant=self.people[0].participant, program=f"{ETUDE}\n{SCHERZO}")
        ImportedPerformanceFactory(participant=self.people[1].participant, program=f"{ETUDE}\nBarcarolle, Op. 160")
        self.admin = viewer_of(AdminFactory())
        self.page = f"/admin/programs?session={self.session.pk}"


@pytest.fixture
def offers(db):
    return OfferedPrograms()


def buttons(seen):
    return [name(button) for button in every(seen, "button") if name(button).startswith("Take ")]


def test_imported_pieces_and_earlier_programs_are_offered(offers):
    seen = opened(offers.page, offers.admin)
    first, second, _ = (person.participant.name for person in offers.people)
    assert buttons(seen.main) == [
        "Take the imported pieces for 2 performers",
        f"Take the imported pieces: {first}",
        f"Take the imported pieces: {second}",
    ]
    assert "1 imported piece is not found in the catalogue" in text(seen.main)
    assert f"Not found: Barcarolle, Op. 160 ({second})." in text(seen.main)
    blocks = [text(block) for block in every(seen.main, "div", "offer")]
    assert blocks[0].startswith("Imported: Étude in C major, op. 10 no. 1; ")
    assert "Not found: Barcarolle, Op. 160." in blocks[1]
    offers.people[0].program.create(piece_id=catalogue_piece(SCHERZO), order_number=1, slot="scherzo")
    later = SessionFactory(stage=StageFactory())
    appearance = AppearanceFactory(session=later, participant=offers.people[0].participant)
    seen = opened(f"/admin/programs?session={later.pk}", offers.admin)
    performer = appearance.participant.name
    assert buttons(seen.main) == [
        "Take the imported pieces for 1 performer",
        "Take the program of an earlier stage for 1 performer",
        f"Take the imported pieces: {performer}",
        f"Take the program of {offers.session.stage.name}: {performer}",
    ]


async def test_all_offers_are_taken_and_undone(offers):
    chosen = offers.people[1]
    async with open_page(offers.page, user=offers.admin) as screen, open_page(offers.page, user=offers.admin) as other:
        piece = await in_thread(lambda: catalogue_piece(SCHERZO))
        await command(other, "program_select", f"{chosen.pk}:{piece}")
        await screen.until("Take the imported pieces for 1 performer")
        answer = await command(screen, "programs_take", f"{offers.session.pk}:imported")
        assert answer["text"].splitlines() == [
            "Program updated successfully: 1 performer, 2 pieces.",
            "Of 3 performers: taken: 1, already with a program: 1, nothing to take: 1.",
        ]
        assert await in_thread(lambda: pieces_of(chosen)) == [SCHERZO]
        assert await in_thread(lambda: pieces_of(offers.people[0])) == [ETUDE, SCHERZO]
        for window in (screen, other):
            await window.until_gone("Take the imported pieces for")
            await window.until(f"the program of {offers.people[0].participant.name}.")
        undone = await command(other, *answer["undo"])
        assert undone["text"] == "The program is as it was before."
        await screen.until("Take the imported pieces for 1 performer")


def test_query_count_is_independent_of_offers(offers, django_assert_num_queries):
    count = 12
    for _ in range(count):
        ImportedPerformanceFactory(participant=AppearanceFactory(session=offers.session).participant, program=ETUDE)
    with django_assert_num_queries(8):
        loaded(offers.page, offers.admin)


def catalogue_piece(name):
    return Piece.objects.get(name=name).pk


async def test_offer_never_replaces_a_program(offers):
    async with open_page(offers.page, user=offers.admin) as screen:
        argument = f"{offers.session.pk}:{offers.people[0].pk}:imported"
        assert (await command(screen, "program_take", argument))["ok"]
        await screen.until("2 of 5 chosen")
        refused = await command(screen, "program_take", argument)
        performer = offers.people[0].participant.name
        assert (refused["ok"], refused["text"]) == (False, f"{performer} has a program already. It stays as it is.")
        nothing = await command(screen, "program_take", f"{offers.session.pk}:{offers.people[2].pk}:imported")
        assert (nothing["ok"], nothing["text"]) == (False, "Nothing that is offered is in the catalogue.")
        assert not (await command(screen, "program_take", f"{offers.session.pk}:{offers.people[2].pk}:somewhere"))["ok"]
