"""The page Import Programs for many performers: blocks, choices by hand, assignment, files, and refusals."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from apps.competition.models import Piece, ProgramEntry
from apps.competition.services.pieces import catalogue_load
from apps.core.threads import in_thread
from apps.imports.models import ProgramBatch
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory, viewer_of
from tests.screen import open_page

PAGE = "/admin/program-import?many=1"
ETUDE, SCHERZO = "Etude in C major, Op. 10 No. 1", "Scherzo in B minor, Op. 20"
PASTED = f"""12 Zofia Wróblewska-Łęcka
{ETUDE}
Ballade No. 1

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
def setup(db):
    return BatchSetup()


def pieces_of(appearance):
    entries = ProgramEntry.objects.filter(session_participant=appearance).order_by("order_number")
    return list(entries.values_list("piece__name", flat=True))


def headings(screen):
    return [" ".join(text(heading).split()) for heading in every(screen, "h3")]


def field_of(tree, name):
    """Return the full name of the only field that begins with `name`."""
    names = [attributes(field)["name"] for field in every(tree, "input")]
    (only,) = {field_name for field_name in names if field_name.startswith(name)}
    return only


async def assign(screen, setup, pasted=PASTED, **fields):
    version = attributes(one(screen.tree, "input", name="version"))["defaultValue"]
    return await command(screen, "program_batch", "all", text=pasted, do="assign", version=version, go=PAGE, **fields)


async def test_blocks_are_read_assigned_and_undone(setup):
    async with open_page(PAGE, user=setup.admin) as screen, open_page(PAGE, user=setup.admin) as other:
        assert (await command(screen, "program_batch", "all", text=PASTED, do="read"))["ok"]
        for window in (screen, other):
            await window.until("performer to choose")
        title = setup.session.title
        assert headings(screen.tree) == [
            f"12 Zofia Wróblewska-Łęcka, {title}",
            f"13 Chun Lam U, {title}",
            "8 Maria Kowalska",
        ]
        assert "No performer of these sessions has this heading." in screen.text
        who = field_of(screen.tree, "who-")
        refused = await assign(screen, setup, **{who: "Ziye Tao"})
        assert (refused["ok"], refused["field"]) == (False, who)
        answer = await assign(screen, setup, **{who: f"14 Ziye Tao ({title}, 3)"})
        assert answer["text"].splitlines() == [
            "Assigned: 3 programs, 4 pieces.",
            "Of 3 blocks: assigned: 3.",
            "1 line is not found.",
        ]
        programs = await in_thread(lambda: [pieces_of(person) for person in setup.people])
        assert [len(program) for program in programs] == [1, 1, 2]
        assert await in_thread(lambda: ProgramBatch.objects.get().text) == PASTED
        for window in (screen, other):
            await window.until("Has Program")
        second = await assign(screen, setup)
        assert second["text"].splitlines()[1] == ("Of 3 blocks: already with a program: 2, without a performer: 1.")
        undone = await command(other, *answer["undo"])
        assert undone["text"] == "3 programs are as they were before."
        assert await in_thread(ProgramEntry.objects.count) == 0


async def test_complete_assignment_clears_the_text(setup):
    pasted = f"12.\n{ETUDE}\n13.\n{SCHERZO}"
    async with open_page(PAGE, user=setup.admin) as screen:
        await command(screen, "program_batch", "all", text=pasted, do="read")
        await screen.until("2 performers are certain")
        answer = await assign(screen, setup, pasted)
        assert (answer["go"], answer["empty"]) == (PAGE, True)
        await screen.until("Each block will show here")
        assert not await in_thread(ProgramBatch.objects.exists)


async def test_changed_text_is_read_before_assignment(setup):
    async with open_page(PAGE, user=setup.admin) as screen:
        await command(screen, "program_batch", "all", text=PASTED, do="read")
        await screen.until("performer to choose")
        answer = await assign(screen, setup, f"12.\n{ETUDE}")
        assert answer["text"] == "The text was changed. Please look at what each block became."
        assert await in_thread(ProgramEntry.objects.count) == 0


def test_existing_program_has_a_replace_box(setup):
    ProgramBatch.objects.create(user_id=setup.admin.id, text=PASTED)
    setup.people[0].program.create(piece_id=piece_id(ETUDE), order_number=1, slot="etiuda_a")
    seen = opened(PAGE, setup.admin)
    boxes = [attributes(field)["value"] for field in every(seen.main, "input", name="replace")]
    assert len(boxes) == 2
    assert boxes[0].partition(":")[2]
    assert boxes[1].endswith(":")
    assert "already with a program" in text(seen.main)
    other = SessionFactory()
    narrowed = opened(f"{PAGE}&session={other.pk}", setup.admin)
    assert len([field for field in every(narrowed.main, "input") if attributes(field)["name"].startswith("who-")]) == 3


def piece_id(name):

    return Piece.objects.get(name=name).pk


def test_markup_in_a_text_is_escaped(setup):
    ProgramBatch.objects.create(user_id=setup.admin.id, text="12.\n<script>alert(1)</script>\n<b>Maria Kowalska</b>")
    seen = opened(PAGE, setup.admin)
    assert "<script>alert(1)</script>" in text(seen.main)
    assert not every(seen.main, "script")


def test_uploaded_file_is_stored(setup, client):
    client.force_login(User.objects.get(pk=setup.admin.id))
    sent = SimpleUploadedFile("programs.txt", PASTED.encode("utf-16"))
    answer = client.post("/participant-file", {"kind": "programs", "file": sent})
    assert answer.headers["Location"].startswith(f"{PAGE}&answer=")
    assert ProgramBatch.objects.get().text == PASTED


@pytest.mark.parametrize("count", [1, 84])
def test_query_count_is_independent_of_blocks(count, setup, django_assert_num_queries):
    people = [AppearanceFactory(session=setup.session) for _ in range(count)]
    blocks = (f"{person.participant.name}\n{ETUDE}\n{SCHERZO}" for person in people)
    ProgramBatch.objects.create(user_id=setup.admin.id, text="\n".join(blocks))
    with django_assert_num_queries(7):
        loaded(PAGE, setup.admin)


def test_number_of_undecided_lines_is_limited(setup):
    lines = "\n".join(f"Ballade {number} of a composer" for number in range(150))
    ProgramBatch.objects.create(user_id=setup.admin.id, text=f"12.\n{lines}")
    seen = opened(PAGE, setup.admin)
    assert "lines need a decision. Only the first 100 have fields" in text(seen.main)
    names = [field for field in every(seen.main, "input") if attributes(field)["name"].startswith("name-")]
    assert len(names) == 100
