"""Test the programs of many performers in one text: headings, blocks, counts, refusals, undo, race conditions."""

import csv
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection

from apps.competition.models import Participant, Piece, ProgramEntry, ProgramUndo
from apps.competition.selectors.admin.programs import Performer
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.program_undo import program_undo
from apps.core.edits import ConfirmationNeeded
from apps.core.limits import VERSION_LENGTH
from apps.core.texts import texts
from apps.imports.enums import BlockDoubt
from apps.imports.models import ProgramText
from apps.imports.program_lines.blocks import blocks_read, performer_label
from apps.imports.program_summary import assigned_words
from apps.imports.selectors.programs import program_text_get, programs_preview
from apps.imports.services.programs import (
    BlockChoices,
    program_file_store,
    program_text_clear,
    program_text_store,
    programs_assign,
)
from tests.apps.imports.program_lines import short
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    ParticipantFactory,
    PieceRatingFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db
PEOPLE = Path(__file__).with_name("participants_2025.csv")
PUBLISHED = Path(__file__).with_name("programme_lines.csv")
ETUDE, SCHERZO, NOCTURNE = "Etude in C major, Op. 10 No. 1", "Scherzo No. 1", "Nocturne H-dur op. 62 nr 1"
ZOFIA = Performer(1, 3, 12, 1, "Zofia Wróblewska-Łęcka", "Poland", "Stage I", False, ())
LI = Performer(2, 4, 13, 2, "Chun Lam U", "Hong Kong", "Stage I", False, ())
TAO = Performer(3, 5, None, 3, "Ziye Tao", "China", "Stage I", False, ())
NAMESAKES = tuple(
    Performer(number, number, number, number, "Anna Nowak", "Poland", "Stage I", False, ()) for number in (7, 8)
)
PERFORMERS = (ZOFIA, LI, TAO, *NAMESAKES)
CERTAIN = {
    "12 Zofia Wróblewska-Łęcka": ZOFIA,
    "12. Zofia Wróblewska-Łęcka": ZOFIA,
    "12) ZOFIA WRÓBLEWSKA-ŁĘCKA": ZOFIA,
    "#12": ZOFIA,
    "12.": ZOFIA,
    "12": ZOFIA,
    "nr 12 Zofia Wroblewska Lecka": ZOFIA,
    "12 Wróblewska-Łęcka": ZOFIA,
    "Zofia Wróblewska-Łęcka": ZOFIA,
    "Wróblewska-Łęcka, Zofia": ZOFIA,
    "Wróblewska-Łęcka Zofia (Poland)": ZOFIA,
    "**Zofia Wróblewska-Łęcka** – Poland:": ZOFIA,
    "zofia wroblewska-lecka": ZOFIA,
    "13 Chun Lam U, Hong Kong": LI,
    "U Chun Lam": LI,
    "4. Ziye Tao": TAO,  # without a stored start number, the number is that of the list
    "7 Anna Nowak": NAMESAKES[0],
}
DOUBTFUL = {
    "Anna Nowak": BlockDoubt.SEVERAL,
    "9 Anna Nowak": BlockDoubt.OTHER_NUMBER,
    "13 Zofia Wróblewska-Łęcka": BlockDoubt.OTHER_NUMBER,
    "12 Maria Kowalska": BlockDoubt.OTHER_NUMBER,
    "99.": BlockDoubt.NOT_FOUND,
    "Maria Kowalska": BlockDoubt.NOT_FOUND,
    "Wróblewska-Łęcka": BlockDoubt.NOT_FOUND,  # a part of a name is not certain
    "Zofia Wróblewska": BlockDoubt.NOT_FOUND,
    "44 Maria Kowalska": BlockDoubt.NOT_FOUND,
}


def test_heading_by_name_or_start_number_is_certain(catalogue):
    for heading, performer in CERTAIN.items():
        (block,) = blocks_read(f"{heading}\n{ETUDE}", PERFORMERS, catalogue)
        assert (block.performer, block.doubt) == (performer, BlockDoubt.NONE), heading
        assert short(block.lines[0].pieces) == ["10/1"], heading


def test_doubtful_heading_begins_a_block_without_a_performer(catalogue):
    for heading, doubt in DOUBTFUL.items():
        first, block = blocks_read(f"Ziye Tao\n{SCHERZO}\n{heading}\n{ETUDE}", PERFORMERS, catalogue)
        assert (first.performer, [line.number for line in first.lines]) == (TAO, [2]), heading
        assert (block.performer, block.doubt, [line.number for line in block.lines]) == (None, doubt, [4]), heading


def test_other_lines_begin_no_block(catalogue):
    for text in (
        *(
            "1. Etude in C major, Op. 10 No. 1",
            "No. 1",
            "20:40",
            "Claude Debussy",
            "Chopin:",
            "—",
            "Steinway & Sons 479",
        ),
        *("Romance. Larghetto", "III. Rondo. Vivace", "Barcarolle"),
    ):
        (block,) = blocks_read(f"Ziye Tao\n{text}\n{ETUDE}", PERFORMERS, catalogue)
        assert [line.number for line in block.lines] == [2, 3], text


def test_published_program_lines_begin_no_block(catalogue):
    lines = [row["raw_line"] for row in rows_of(PUBLISHED)]
    (block,) = blocks_read("\n".join(["Ziye Tao", *lines]), PERFORMERS, catalogue)
    assert len(block.lines) == len(lines)


def test_lines_before_the_first_heading_are_a_block_but_a_title_is_not(catalogue):
    title, block = blocks_read(f"Stage I\n\n12.\n{ETUDE}", PERFORMERS, catalogue)
    assert (title.is_program, title.heading, [line.number for line in title.lines]) == (False, "", [1])
    assert block.performer == ZOFIA
    before, _ = blocks_read(f"{SCHERZO}\n12.\n{ETUDE}", PERFORMERS, catalogue)
    assert (before.is_program, before.doubt, before.lines[0].number) == (True, BlockDoubt.NO_HEADING, 1)


def test_two_blocks_with_one_performer_are_both_uncertain(catalogue):
    blocks = blocks_read(f"12.\n{ETUDE}\nZofia Wróblewska-Łęcka\n{SCHERZO}", PERFORMERS, catalogue)
    assert [(each.performer, each.doubt, each.likely) for each in blocks] == [(None, BlockDoubt.TWICE, (ZOFIA,))] * 2


def test_lines_without_a_heading_belong_to_the_chosen_performer(catalogue):
    text = f"{ETUDE}\nZiye Tao\nMaria Kowalska\n{SCHERZO}\n13 Chun Lam U\n{NOCTURNE}"
    own, other = blocks_read(text, PERFORMERS, catalogue, TAO)
    assert (own.performer, own.doubt, other.performer) == (TAO, BlockDoubt.NONE, LI)
    assert [line.number for line in own.lines] == [1, 2, 3, 4]  # no unknown name begins a block


def test_lines_are_numbered_as_in_the_text(catalogue):
    _, block = blocks_read(f"13.\n{ETUDE}\n\n12.\n{ETUDE}\nEtiuda C-dur op. 10 nr 1\n{ETUDE}", PERFORMERS, catalogue)
    assert [(line.number, line.same_as) for line in block.lines] == [(5, None), (6, 5), (7, 5)]


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Competition:
    """The 84 participants of 2025 in four sessions, with programs of three published lines each."""

    def __init__(self):
        catalogue_load()
        self.boss = viewer_of(AdminFactory())
        sessions = [SessionFactory() for _ in range(4)]
        self.people = []
        for at, row in enumerate(rows_of(PEOPLE)):
            person = ParticipantFactory(
                first_name=row["first_name"],
                second_name=row["last_name"],
                country=row["country"],
                start_number=int(row["start_number"]),
            )
            self.people.append(AppearanceFactory(session=sessions[at // 21], participant=person))
        rows = [row for row in rows_of(PUBLISHED) if row["opus"].isdigit() and row["number"].isdigit()]
        self.lines = [row for row in rows if row["key"] and "No. 13" not in row["raw_line"]]

    def programs(self):
        """Return three published lines for each participant."""
        lines = cycle(self.lines)
        return [tuple(islice(lines, 3)) for _ in self.people]

    def text(self):
        """Return all programs, with headings by number and name, by name, and by number in turn."""
        blocks = []
        for at, (appearance, rows) in enumerate(zip(self.people, self.programs(), strict=True)):
            person = appearance.participant
            heading = (f"{person.start_number} {person.name}", person.name, f"{person.start_number}.")[at % 3]
            blocks.append("\n".join([heading, *(row["raw_line"] for row in rows)]))
        return "\n\n".join(blocks)


@pytest.fixture
def competition(db):
    return Competition()


def stored(appearance):
    entries = ProgramEntry.objects.filter(appearance=appearance).order_by("order_number")
    return [(opus, str(number)) for opus, number in entries.values_list("piece__opus", "piece__number")]


def test_programs_of_84_performers_are_assigned_together(competition, django_assert_max_num_queries):
    text = competition.text()
    program_text_store(actor=competition.boss, text=text)
    preview = programs_preview(text=text, session_id=None)
    assert [each.performer and each.performer.appearance_id for each in preview.programs] == [
        each.pk for each in competition.people
    ]
    with django_assert_max_num_queries(24):
        done = programs_assign(actor=competition.boss, text=text, session_id=None, version=preview.version)
    assert (done.blocks, len(done.assigned), done.had_program, done.without_performer) == (84, 84, (), ())
    wrong = {}
    for appearance, rows in zip(competition.people, competition.programs(), strict=True):
        expected = list(dict.fromkeys((row["opus"], row["number"]) for row in rows if row["opus"]))
        actual = stored(appearance)
        if not set(actual) <= set(expected) or len(actual) + len(done.missing) < len(expected):
            wrong[appearance.participant.name] = (actual, expected)
    assert wrong == {}
    assert sum(len(stored(each)) for each in competition.people) == done.pieces
    program_undo(actor=competition.boss, undo_id=done.undo_id)
    assert not ProgramEntry.objects.exists()


def test_existing_program_is_replaced_only_if_its_box_is_ticked(competition):
    first, second, third = competition.people[:3]
    before = f"{first.participant.name}\nScherzo No. 2\n{second.participant.name}\nScherzo No. 2"
    programs_assign(actor=competition.boss, text=before, session_id=None)
    text = (
        f"{first.participant.name}\n{ETUDE}\n{second.participant.name}\n{ETUDE}\nBallade No. 9\n"
        f"{third.participant.name}\nBallade No. 9\nMaria Kowalska\n{ETUDE}"
    )
    preview = programs_preview(text=text, session_id=None)
    of_second = preview.programs[1]
    ticked = BlockChoices({}, {of_second.mark: of_second.performer.version})
    done = programs_assign(actor=competition.boss, text=text, session_id=None, choices=ticked)
    assert assigned_words(done, texts("en"), is_single=False) == [
        "Assigned: 1 program, 1 piece.",
        "Of 4 blocks: assigned: 1, already with a program: 1, without a piece: 1, without a performer: 1.",
        "Not found: line 5.",
    ]
    assert (stored(first), stored(second)) == ([("31", "None")], [("10", "1")])
    assert program_text_get(user_id=competition.boss.id) == text
    program_undo(actor=competition.boss, undo_id=done.undo_id)
    assert stored(second) == [("31", "None")]


def test_performer_is_chosen_from_the_list_only(competition):
    text = f"Someone Unknown\n{ETUDE}"
    preview = programs_preview(text=text, session_id=None)
    (block,) = preview.programs
    person = next(each for each in preview.performers if each.appearance_id == competition.people[5].pk)
    with pytest.raises(ValidationError) as error:
        programs_assign(
            actor=competition.boss, text=text, session_id=None, choices=BlockChoices({block.mark: person.name}, {})
        )
    assert list(error.value.message_dict) == [f"who-{block.mark}"]
    chosen = BlockChoices({block.mark: performer_label(person)}, {})
    done = programs_assign(actor=competition.boss, text=text, session_id=None, choices=chosen)
    assert (done.assigned, done.is_complete, stored(competition.people[5])) == ((person.name,), True, [("10", "1")])
    assert not ProgramText.objects.exists()


def test_two_blocks_for_one_performer_are_refused(competition):
    text = f"First Unknown\n{ETUDE}\nSecond Unknown\n{SCHERZO}"
    preview = programs_preview(text=text, session_id=None)
    label = performer_label(preview.performers[0])
    choices = BlockChoices({each.mark: label for each in preview.programs}, {})
    with pytest.raises(ValidationError, match="Two of these programs are for"):
        programs_assign(actor=competition.boss, text=text, session_id=None, choices=choices)
    assert not ProgramEntry.objects.exists()


def test_replacing_a_rated_program_needs_confirmation(competition):
    first, second = competition.people[:2]
    before = f"{first.participant.name}\nScherzo No. 2"
    programs_assign(actor=competition.boss, text=before, session_id=None)
    PieceRatingFactory(entry=first.program.get())
    text = f"{first.participant.name}\n{ETUDE}\n{second.participant.name}\n{ETUDE}"
    block = programs_preview(text=text, session_id=None).programs[0]
    ticked = BlockChoices({}, {block.mark: block.performer.version})
    with pytest.raises(ConfirmationNeeded) as question:
        programs_assign(actor=competition.boss, text=text, session_id=None, choices=ticked)
    assert question.value.messages[0] == f"{first.participant.name}:"
    assert (stored(first), stored(second)) == ([("31", "None")], [])
    programs_assign(actor=competition.boss, text=text, session_id=None, choices=ticked, confirmed=True)
    assert (stored(first), stored(second)) == ([("10", "1")], [("10", "1")])


def test_program_changed_after_the_preview_is_not_replaced(competition):
    first = competition.people[0]
    programs_assign(actor=competition.boss, text=f"{first.participant.name}\nScherzo No. 2", session_id=None)
    text = f"{first.participant.name}\n{ETUDE}"
    block = programs_preview(text=text, session_id=None).programs[0]
    ProgramEntry.objects.all().delete()
    first.program.create(piece=Piece.objects.get(opus="54"), order_number=1, slot="scherzo")
    with pytest.raises(ValidationError, match="was changed meanwhile"):
        programs_assign(
            actor=competition.boss,
            text=text,
            session_id=None,
            choices=BlockChoices({}, {block.mark: block.performer.version}),
        )
    assert stored(first) == [("54", "None")]


def test_performers_changed_after_the_preview_refuse_the_assignment(competition):
    text = f"1.\n{ETUDE}"
    preview = programs_preview(text=text, session_id=None)
    Participant.objects.filter(start_number=1).update(start_number=1000)
    Participant.objects.filter(start_number=2).update(start_number=1)
    with pytest.raises(ValidationError, match="changed meanwhile"):
        programs_assign(actor=competition.boss, text=text, session_id=None, version=preview.version)
    assert not ProgramEntry.objects.exists()


def test_preview_of_many_performers_has_a_short_version(competition):
    preview = programs_preview(text=competition.text(), session_id=None)
    assert len(preview.version) <= VERSION_LENGTH
    assert programs_preview(text=competition.text(), session_id=competition.people[0].session_id).not_found > 40


def test_session_limits_the_performers(competition):
    text = f"{competition.people[0].participant.name}\n{ETUDE}\n{competition.people[30].participant.name}\n{ETUDE}"
    blocks = programs_preview(text=text, session_id=competition.people[30].session_id).programs
    assert [each.doubt for each in blocks] == [BlockDoubt.NOT_FOUND, BlockDoubt.NONE]
    AppearanceFactory(participant=competition.people[0].participant)
    assert programs_preview(text=text, session_id=None).programs[0].doubt == BlockDoubt.SEVERAL


def test_empty_and_long_texts_are_refused(db):
    empty, long = "Please paste a program first.", "A text has at most 4000 lines and 100000 characters."
    boss = viewer_of(AdminFactory())
    for text, sentence in (("", empty), ("a\n" * 4001, long), ("a" * 100_001, long)):
        with pytest.raises(ValidationError) as error:
            program_text_store(actor=boss, text=text)
        assert error.value.message_dict == {"text": [sentence]}


def test_file_is_read_in_its_encoding(db):
    boss = viewer_of(AdminFactory())
    text = f"12 Zofia Wróblewska-Łęcka\n{ETUDE}\nPiotr Żółciński\nGrażyna Świątek\n{SCHERZO}"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1250"):
        program_text_clear(actor=boss)
        program_file_store(actor=boss, content=text.encode(encoding))
        assert program_text_get(user_id=boss.id) == text, encoding


def test_only_administrators_import_programs(db):
    fan = viewer_of(UserFactory())
    for write in (
        lambda: program_text_store(actor=fan, text=ETUDE),
        lambda: program_text_clear(actor=fan),
        lambda: program_file_store(actor=fan, content=b"x"),
        lambda: programs_assign(actor=fan, text=ETUDE, session_id=None),
    ):
        with pytest.raises(PermissionDenied):
            write()


@pytest.mark.django_db(transaction=True)
def test_concurrent_assignments_of_one_text_assign_each_program_once():
    competition = Competition()
    text = competition.text()
    bosses = [competition.boss, viewer_of(AdminFactory())]

    def assign(turn):
        try:
            return programs_assign(actor=bosses[turn], text=text, session_id=None)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(assign, range(2)))
    assert sorted(len(each.assigned) for each in results) == [0, 84]
    assert sorted(len(each.had_program) for each in results) == [0, 84]
    assert ProgramUndo.objects.count() == 1
    for each in competition.people:
        numbers = list(each.program.order_by("order_number").values_list("order_number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers
