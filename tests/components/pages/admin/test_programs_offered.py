"""The page Programs: imported pieces and earlier programs are offered, taken for one or for all, and taken back."""

import pytest

from apps.competition.models import Participant, Piece, ProgramEntry
from apps.competition.services.pieces import catalogue_load
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.seen import every, loaded, name, opened, text
from tests.factories import AdminFactory, AppearanceFactory, PerformanceFactory, SessionFactory, StageFactory, viewer_of
from tests.screen import open_page

ETUDE, SCHERZO = "Etude in C major, Op. 10 No. 1", "Scherzo in B minor, Op. 20"


class OfferedPrograms:
    """A session of three participants: two with imported pieces, one of them with a piece that is not known."""

    def __init__(self):
        catalogue_load()
        self.session = SessionFactory(stage=StageFactory())
        self.people = [AppearanceFactory(session=self.session) for _ in range(3)]
        PerformanceFactory(participant=self.people[0].participant, program=f"{ETUDE}\n{SCHERZO}")
        PerformanceFactory(participant=self.people[1].participant, program=f"{ETUDE}\nBarcarolle, Op. 60")
        self.admin = viewer_of(AdminFactory())
        self.page = f"/admin/programs?session={self.session.pk}"


@pytest.fixture
def setup(db):
    return OfferedPrograms()


def buttons(seen):
    return [name(button) for button in every(seen, "button") if name(button).startswith("Take ")]


def test_imported_pieces_are_offered_for_one_and_for_all(setup):
    seen = opened(setup.page, setup.admin)
    first, second, _ = (person.participant.name for person in setup.people)
    assert buttons(seen.main) == [
        "Take the imported pieces for 2 performers",
        f"Take the imported pieces: {first}",
        f"Take the imported pieces: {second}",
    ]
    assert "1 imported piece is not found in the catalogue" in text(seen.main)
    assert f"Not found: Barcarolle, Op. 60 ({second})." in text(seen.main)
    offers = [text(block) for block in every(seen.main, "div", "offer")]
    assert offers[0].startswith("Imported: Étude in C major, op. 10 no. 1; ")
    assert "Not found: Barcarolle, Op. 60." in offers[1]


async def test_all_offers_are_taken_and_undone(setup):
    chosen = setup.people[1]
    async with open_page(setup.page, user=setup.admin) as screen, open_page(setup.page, user=setup.admin) as other:
        piece = await in_thread(lambda: catalogue_piece(SCHERZO))
        await command(other, "program_select", f"{chosen.pk}:{piece}")
        await screen.until("Take the imported pieces for 1 performer")
        answer = await command(screen, "programs_take", f"{setup.session.pk}:imported")
        assert answer["text"].splitlines() == [
            "Program updated successfully: 1 performer, 2 pieces.",
            "Of 3 performers: taken: 1, already with a program: 1, nothing to take: 1.",
        ]
        assert await in_thread(lambda: pieces_of(chosen)) == [SCHERZO]
        assert await in_thread(lambda: pieces_of(setup.people[0])) == [ETUDE, SCHERZO]
        for window in (screen, other):
            await window.until_gone("Take the imported pieces for")
            await window.until(f"the program of {setup.people[0].participant.name}.")
        undone = await command(other, *answer["undo"])
        assert undone["text"] == "The program is as it was before."
        await screen.until("Take the imported pieces for 1 performer")


async def test_offer_never_replaces_a_program(setup):
    async with open_page(setup.page, user=setup.admin) as screen:
        argument = f"{setup.session.pk}:{setup.people[0].pk}:imported"
        assert (await command(screen, "program_take", argument))["ok"]
        await screen.until("2 of 5 chosen")
        refused = await command(screen, "program_take", argument)
        performer = setup.people[0].participant.name
        assert (refused["ok"], refused["text"]) == (False, f"{performer} has a program already. It stays as it is.")
        nothing = await command(screen, "program_take", f"{setup.session.pk}:{setup.people[2].pk}:imported")
        assert (nothing["ok"], nothing["text"]) == (False, "Nothing that is offered is in the catalogue.")
        assert not (await command(screen, "program_take", f"{setup.session.pk}:{setup.people[2].pk}:somewhere"))["ok"]


def test_program_of_an_earlier_stage_is_offered(setup):
    setup.people[0].program.create(piece_id=catalogue_piece(SCHERZO), order_number=1, slot="scherzo")
    later = SessionFactory(stage=StageFactory())
    appearance = AppearanceFactory(session=later, participant=setup.people[0].participant)
    seen = opened(f"/admin/programs?session={later.pk}", setup.admin)
    performer = appearance.participant.name
    assert buttons(seen.main) == [
        "Take the imported pieces for 1 performer",
        "Take the program of an earlier stage for 1 performer",
        f"Take the imported pieces: {performer}",
        f"Take the program of {setup.session.stage.name}: {performer}",
    ]


def test_markup_in_imports_is_escaped(setup):
    Participant.objects.filter(pk=setup.people[1].participant_id).update(name="<b>Zofia</b>")
    PerformanceFactory(
        participant=setup.people[2].participant, program="<script>alert(1)</script>", performance_date="2030-01-01"
    )
    seen = opened(setup.page, setup.admin)
    assert "<script>alert(1)</script>" in text(seen.main)
    assert not every(seen.main, "script")


@pytest.mark.parametrize("count", [1, 60])
def test_query_count_is_independent_of_offers(count, setup, django_assert_num_queries):
    for _ in range(count):
        PerformanceFactory(participant=AppearanceFactory(session=setup.session).participant, program=ETUDE)
    with django_assert_num_queries(7):
        loaded(setup.page, setup.admin)


def catalogue_piece(name):
    return Piece.objects.get(name=name).pk


def pieces_of(appearance):
    entries = ProgramEntry.objects.filter(session_participant=appearance).order_by("order_number")
    return list(entries.values_list("piece__name", flat=True))
