"""Slots of stages, programs of up to 40 items, sets in programs, and what the undo restores."""

import re
from decimal import Decimal
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.enums import Category
from apps.competition.limits import PROGRAM_MOST, SLOTS_MOST
from apps.competition.models import Piano, Piece, ProgramEntry, ProgramPart, Stage, StageSlot
from apps.competition.selectors.admin.programs import program_version, programs_admin
from apps.competition.selectors.admin.stage_programs import stage_programs, work_offers
from apps.competition.selectors.admin.stage_slots import stage_slots
from apps.competition.selectors.admin.works_typed import WorksTyped, works_typed
from apps.competition.services.catalogue import catalogue_load, set_add
from apps.competition.services.pieces import minutes_read, piece_add, piece_delete, piece_update
from apps.competition.services.program_batches import NewProgram, programs_set
from apps.competition.services.program_undo import program_undo
from apps.competition.services.programs import (
    NewEntry,
    PiecesRated,
    program_add,
    program_entry_add,
    program_entry_move,
    program_entry_remove,
    program_part_link,
    program_replace,
    program_select,
    program_set_add,
)
from apps.competition.services.sessions import session_update
from apps.competition.services.slots import (
    ALLOWS_NOTHING,
    SlotForm,
    slot_add,
    slot_move,
    slot_remove,
    slot_update,
    stage_minutes,
    stage_preset,
)
from apps.competition.slot_presets import FIVE, FREE, presets
from apps.core.audit import audit_list
from apps.core.edits import ConfirmationNeeded, EditConflict
from tests.factories import (
    AppearanceFactory,
    ParticipantFactory,
    PieceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    StageFactory,
)

pytestmark = pytest.mark.django_db
LINK = "https://youtu.be/aqz-KE-bpKQ"


@pytest.fixture
def catalogue(db: None) -> None:
    catalogue_load()


def named(name: str) -> int:
    return Piece.objects.get(name=name).pk


def labels(stage: Stage) -> list[str]:
    return list(StageSlot.objects.filter(stage=stage).order_by("order_number").values_list("label", flat=True))


def test_every_preset_is_stored_and_recognised(admin, catalogue):
    stage = StageFactory()
    sets = Piece.objects.filter(parts__member__isnull=False).distinct().count()
    assert stage_slots(stage_id=stage.pk).preset == FIVE
    for name in reversed(presets()):
        assert stage_preset(actor=admin, stage_id=stage.pk, preset=name) == ()
        shown = stage_slots(stage_id=stage.pk)
        assert shown.preset == name
        allowed = [len(slot.allowed) for slot in presets()[name].slots]
        assert [len(each.pieces) for each in shown.slots] == allowed
    assert Piece.objects.filter(parts__member__isnull=False).distinct().count() == sets  # all were in the catalogue
    StageSlot.objects.all().delete()
    Piece.objects.filter(pk=named("Preludes, Op. 28 Nos. 13–18")).delete()
    stage_preset(actor=admin, stage_id=stage.pk, preset="stage II")
    assert named("Preludes, Op. 28 Nos. 13–18")  # made again for the slot
    stage_preset(actor=admin, stage_id=stage.pk, preset=FREE)
    Piece.objects.filter(name__startswith="Scherzo", opus="54").delete()
    assert stage_preset(actor=admin, stage_id=stage.pk, preset="preliminary") == ("Scherzo: op. 54",)
    StageSlot.objects.all().delete()
    Piece.objects.filter(category="scherzo").delete()
    with pytest.raises(ValidationError, match="The catalogue has no work of the slot Scherzo"):
        stage_preset(actor=admin, stage_id=StageFactory().pk, preset="preliminary")


def test_edited_slots_are_replaced_after_a_question(admin, catalogue):
    stage = StageFactory(name="Stage III")
    entry = ProgramEntryFactory(appearance__session__stage=stage)
    choose = partial(stage_preset, actor=admin, stage_id=stage.pk)
    choose(preset="stage III")
    choose(preset="final")  # nothing was edited
    slot_add(actor=admin, stage_id=stage.pk, form=SlotForm("Encore", is_free=True, least=0, most=None))
    with pytest.raises(ConfirmationNeeded, match="The slots of Stage III were edited"):
        choose(preset="stage III")
    assert labels(stage)[-1] == "Encore"
    choose(preset="stage III", confirmed=True)
    assert labels(stage) == ["Sonata", "Full set of mazurkas of one opus", "Other solo works"]
    assert (Stage.objects.get().least_minutes, Stage.objects.get().most_minutes) == (45, 55)
    assert ProgramEntry.objects.filter(pk=entry.pk).exists()
    assert audit_list()[0].action == "stage.slots"


def test_slots_are_edited_moved_and_removed(admin, catalogue):
    stage = StageFactory()
    add = partial(slot_add, actor=admin, stage_id=stage.pk)
    for most, more in ((1, ""), (1, "  ,; ")):
        with pytest.raises(ValidationError, match=ALLOWS_NOTHING):
            add(form=SlotForm("A", is_free=False, least=1, most=most, more=more))
    with pytest.raises(ValidationError, match="not fewer than the least"):
        add(form=SlotForm("A", is_free=True, least=3, most=2))
    slot = add(form=SlotForm("A", is_free=False, least=1, most=2, more="ballades, op. 44, Polonaises op. 26"))
    assert labels(stage) == [str(each.label) for each in list(Category)[:5]] + ["A"]  # the five became its own
    (read,) = (each for each in stage_slots(stage_id=stage.pk).slots if each.id == slot.pk)
    assert read.categories == (Category.BALLADE,)
    assert [each.piece.name for each in read.pieces] == ["Polonaise in F-sharp minor, Op. 44", "Polonaises, Op. 26"]
    save = partial(slot_update, actor=admin, slot_id=slot.pk, version=read.version)
    kept = WorksTyped(read.categories, tuple(each.piece.id for each in read.pieces))
    slot_update(actor=admin, slot_id=slot.pk, form=SlotForm("B", is_free=False, least=1, most=2, kept=kept))
    merged = save(form=SlotForm("A", is_free=False, least=0, most=2, kept=kept))  # another field than the other editor
    assert (merged.row.label, merged.row.least, merged.kept_fields) == ("B", 0, ("Label",))
    with pytest.raises(EditConflict):
        save(form=SlotForm("C", is_free=False, least=1, most=2, kept=kept))
    slot_move(actor=admin, slot_id=slot.pk, direction="up")
    assert labels(stage)[-2] == "B"
    slot_remove(actor=admin, slot_id=slot.pk)
    assert list(StageSlot.objects.order_by("order_number").values_list("order_number", flat=True)) == [1, 2, 3, 4, 5]
    for number in range(6, SLOTS_MOST + 1):
        add(form=SlotForm(f"Slot {number}", is_free=True, least=0, most=None))
    with pytest.raises(ValidationError, match=f"at most {SLOTS_MOST} slots"):
        add(form=SlotForm("More", is_free=True, least=0, most=None))
    version = stage_slots(stage_id=stage.pk).minutes_version
    stage_minutes(actor=admin, stage_id=stage.pk, least=40, most=50, version=version)
    with pytest.raises(EditConflict):
        stage_minutes(actor=admin, stage_id=stage.pk, least=30, most=50, version=version)
    with pytest.raises(ValidationError, match="not fewer"):
        stage_minutes(actor=admin, stage_id=stage.pk, least=60, most=50)


def test_only_administrators_edit_slots(unprivileged):
    stage = StageFactory()
    form = SlotForm("A", is_free=True, least=0, most=None)
    slot = slot_add(actor=OPERATOR, stage_id=stage.pk, form=form)
    for write in (
        partial(stage_preset, stage_id=stage.pk, preset=FREE),
        partial(stage_minutes, stage_id=stage.pk, least=1, most=2),
        partial(slot_add, stage_id=stage.pk, form=form),
        partial(slot_update, slot_id=slot.pk, form=form),
        partial(slot_move, slot_id=slot.pk, direction="up"),
        partial(slot_remove, slot_id=slot.pk),
    ):
        with pytest.raises(PermissionDenied):
            write(actor=unprivileged)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("Ballade in G minor, Op. 23", ["Ballade in G minor, Op. 23"]),
        ("mazurkas op. 33; barcarolle op. 60", ["Mazurkas, Op. 33", "Barcarolle in F-sharp major, Op. 60"]),
        (
            "Etude op. 10 no. 1\nétude op. 10 no 12",
            ["Etude in C major, Op. 10 No. 1", "Etude in C minor, Op. 10 No. 12"],
        ),
    ],
)
def test_typed_works_are_found(catalogue, typed, names):
    found = works_typed(typed, field="more")
    assert (found.categories, [Piece.objects.get(pk=pk).name for pk in found.piece_ids]) == ((), names)


def test_typed_works_are_asked_not_guessed(catalogue):
    with pytest.raises(ValidationError) as error:
        works_typed("op. 26, Fugue in Z", field="more")
    assert error.value.message_dict["more"] == [
        (
            "Several works fit “op. 26”: Polonaise in C-sharp minor, Op. 26 No. 1; "
            "Polonaise in E-flat minor, Op. 26 No. 2; Polonaises, Op. 26. Write more of the name."
        ),
        "No work of the catalogue fits “Fugue in Z”.",
    ]
    with pytest.raises(ValidationError, match="at most 40"):
        works_typed(",".join("x" * 100), field="more")


def test_programs_are_checked_against_the_stage(admin, catalogue, django_assert_num_queries):
    first, third = StageFactory(name="Stage I", order_number=1), StageFactory(name="Stage III", order_number=3)
    stage_preset(actor=admin, stage_id=third.pk, preset="stage III")
    person = ParticipantFactory()
    before = AppearanceFactory(participant=person, session__stage=first)
    now = AppearanceFactory(participant=person, session__stage=third)
    ballade, mazurka = named("Ballade in F minor, Op. 52"), named("Mazurka in B minor, Op. 33 No. 4")
    program_add(actor=admin, appearance_id=before.pk, entries=[NewEntry(ballade), NewEntry(mazurka)])
    sonata = named("Sonata in B minor, Op. 58")
    for piece in (ballade, sonata, named("Mazurkas, Op. 33"), named("Piano Concerto in E minor, Op. 11")):
        program_entry_add(actor=admin, appearance_id=now.pk, piece_id=piece)
    stage = stage_slots(stage_id=third.pk)
    with django_assert_num_queries(4):
        (program,) = stage_programs(stage)
    assert program.check.slots == (2, 0, 1, None)
    assert program.check.outside == (3,)
    assert [each.played and each.played.piece for each in program.items] == [
        "Ballade in F minor, Op. 52",
        None,
        "Mazurka in B minor, Op. 33 No. 4",  # one of the set
        None,
    ]
    assert program.check.is_long
    assert program.items[1].parts == 4
    offers = work_offers(stage, program, query="polonaise 44")
    assert [(each.piece.name, each.slot) for each in offers.works] == [("Polonaise in F-sharp minor, Op. 44", 2)]
    for number in range(5):
        AppearanceFactory(session=now.session, order_number=number + 2)
    with django_assert_num_queries(4):
        stage_programs(stage)


def test_a_program_has_forty_items(admin):
    appearance = AppearanceFactory()
    pieces = [NewEntry(PieceFactory(category="waltz").pk) for _ in range(PROGRAM_MOST)]
    program_add(actor=admin, appearance_id=appearance.pk, entries=pieces)
    more = PieceFactory(category="nocturn")
    refused = f"A program has at most {PROGRAM_MOST} items."
    ids = {"appearance_id": appearance.pk}
    for write in (
        partial(program_add, **ids, entries=[NewEntry(more.pk)]),
        partial(program_replace, **ids, entries=[*pieces, NewEntry(more.pk)]),
        partial(program_select, appearance_id=appearance.pk, piece_id=more.pk),
        partial(program_entry_add, appearance_id=appearance.pk, piece_id=more.pk),
        partial(programs_set, programs=[NewProgram(AppearanceFactory().pk, (*pieces, NewEntry(more.pk)))]),
    ):
        with pytest.raises(ValidationError, match=refused):
            write(actor=admin)
    assert appearance.program.count() == PROGRAM_MOST


def test_second_editor_of_a_program_is_told(admin):
    appearance = AppearanceFactory()
    first, second = (PieceFactory(name=name, category="waltz") for name in ("First", "Second"))
    entry = program_entry_add(actor=admin, appearance_id=appearance.pk, piece_id=first.pk)
    version = program_version(["First"])
    program_entry_add(actor=admin, appearance_id=appearance.pk, piece_id=second.pk, version=version)
    name = User.objects.get(pk=admin.id).username
    told = "The program was changed meanwhile. It is now: First; Second. Press again to change that one."
    last_edit = rf"Last edit: {name}, \d\d:\d\d \(time of the venue\)\."
    for write in (
        partial(program_entry_move, entry_id=entry.pk, direction="down"),
        partial(program_entry_remove, entry_id=entry.pk),
        partial(program_entry_add, appearance_id=appearance.pk, piece_id=PieceFactory().pk),
    ):
        with pytest.raises(ValidationError) as refused:
            write(actor=OPERATOR, version=version)
        sentence, by = refused.value.messages
        assert sentence == told
        assert re.fullmatch(last_edit, by)
    with pytest.raises(ValidationError, match="in the program already"):
        program_entry_add(actor=admin, appearance_id=appearance.pk, piece_id=first.pk)
    gone = program_entry_remove(actor=admin, entry_id=entry.pk, version=program_version(["First", "Second"]))
    program_entry_add(actor=admin, appearance_id=appearance.pk, piece_id=gone.piece_id, order_number=gone.order_number)
    names = appearance.program.order_by("order_number").values_list("piece__name", flat=True)
    assert list(names) == ["First", "Second"]


def test_a_piece_is_replaced_by_its_set(admin, catalogue):
    piece = Piece.objects.get(name="Mazurka in B minor, Op. 33 No. 4")
    entry = ProgramEntryFactory(piece=piece)
    appearance = entry.appearance
    PieceRatingFactory(appearance=appearance, piece=piece)
    replace = partial(program_replace, actor=admin, appearance_id=appearance.pk)
    whole = [NewEntry(named("Mazurkas, Op. 33"))]
    with pytest.raises(PiecesRated, match="would leave the program, with its ratings: 1"):
        replace(entries=whole)
    replace(entries=whole, confirmed=True)
    typed = "Mazurka op. 30 no. 1\nMazurka op. 30 no. 3"
    made = program_set_add(actor=admin, appearance_id=appearance.pk, typed=typed).piece
    assert (made.name, made.numbers) == ("Mazurkas, Op. 30 Nos. 1, 3", "1, 3")


def test_used_works_are_not_deleted_and_may_move(admin, catalogue):
    stage = StageFactory(name="Stage II")
    stage_preset(actor=admin, stage_id=stage.pk, preset="stage II")
    first, whole = named("Polonaise in C-sharp minor, Op. 26 No. 1"), named("Polonaises, Op. 26")
    entry = ProgramEntryFactory(appearance__session__stage=stage, piece_id=whole)
    place = f"{entry.appearance.participant.name} ({entry.appearance.session.title})"
    with pytest.raises(ValidationError) as error:
        piece_delete(actor=admin, piece_id=whole)
    assert error.value.messages == [
        f"These programs have this piece: {place}. Take it out of them first.",
        "These slots allow this piece: Polonaise (Stage II). Take it out of them first.",
    ]
    with pytest.raises(ValidationError, match=r"These sets have this piece: Polonaises, Op\. 26\."):
        piece_delete(actor=admin, piece_id=first)
    piece_update(actor=admin, piece_id=first, category="other", name=Piece.objects.get(pk=first).name)
    piece_update(actor=admin, piece_id=whole, category="other", name="Two Polonaises, Op. 26")
    renamed = Piece.objects.get(pk=whole)
    assert (renamed.name, renamed.title, renamed.category, renamed.parts.count()) == (
        "Two Polonaises, Op. 26",
        "",
        "other",
        2,
    )
    (program,) = stage_programs(stage_slots(stage_id=stage.pk))
    assert program.check.slots == (1,)  # the slot allows the set, wherever it is


def test_pieces_have_movements_and_other_composers(admin):
    parts = ["Allegro", "  Adagio  molto ", ""]
    piece = piece_add(
        actor=admin, category="sonata", name="Sonata in F minor, Op. 5", composer="Johannes  Brahms", parts=parts
    )
    assert piece.composer == "Johannes Brahms"
    assert list(piece.parts.order_by("order_number").values_list("name", flat=True)) == ["Allegro", "Adagio molto"]
    piece_update(actor=admin, piece_id=piece.pk, category="sonata", name="Sonata No. 3 in F minor, Op. 5")
    piece.refresh_from_db()
    assert (piece.composer, piece.parts.count()) == ("Johannes Brahms", 2)
    assert (minutes_read(""), minutes_read("16,5")) == (None, Decimal("16.5"))
    for typed in ("0", "-1", "1e3", "0.0", "9999"):
        with pytest.raises(ValidationError, match="Write minutes in digits"):
            minutes_read(typed)
    with pytest.raises(ValidationError, match="at most 40 parts"):
        piece_add(actor=admin, category="other", name="Long", parts=["x"] * 41)


def test_a_moved_work_leaves_the_slot_of_its_category(admin):
    stage = StageFactory()
    form = SlotForm("Waltz", is_free=False, least=1, most=1, kept=WorksTyped((Category.WALTZ,)))
    slot = slot_add(actor=admin, stage_id=stage.pk, form=form)
    for each in StageSlot.objects.filter(stage=stage).exclude(pk=slot.pk):
        slot_remove(actor=admin, slot_id=each.pk)
    entry = ProgramEntryFactory(appearance__session__stage=stage, piece__category="waltz", slot="waltz")
    assert stage_programs(stage_slots(stage_id=stage.pk))[0].check.slots == (0,)
    piece_update(actor=admin, piece_id=entry.piece_id, category="rondo", name=entry.piece.name)
    check = stage_programs(stage_slots(stage_id=stage.pk))[0].check
    assert (check.slots, check.missing, check.outside) == ((None,), ((0, 1),), (0,))


def test_entries_of_other_categories_are_shown_with_the_five(admin):
    entry = ProgramEntryFactory(piece__category="waltz", slot="waltz")
    (row,) = programs_admin(session_id=entry.appearance.session_id).rows
    assert [each.slot for each in row.slots] == [*(each.value for each in list(Category)[:5]), "waltz"]


def test_undo_restores_moments_of_parts_and_the_piano(admin, catalogue):
    appearance = AppearanceFactory(piano=Piano.objects.create(maker="Kitamori", model="EX"))
    sonata = Piece.objects.get(name="Sonata in B minor, Op. 58")
    entry = program_entry_add(actor=admin, appearance_id=appearance.pk, piece_id=sonata.pk)
    parts = list(sonata.parts.order_by("order_number"))
    link = partial(program_part_link, actor=admin, entry_id=entry.pk)
    link(part_id=parts[1].pk, url=f"{LINK}?t=95", version=None)
    link(part_id=parts[2].pk, url=f"{LINK}?t=200", version=None)
    link(part_id=parts[2].pk, url="")
    with pytest.raises(ValidationError, match="YouTube"):
        link(part_id=parts[0].pk, url="https://example.org")
    with pytest.raises(sonata.parts.model.DoesNotExist):
        link(part_id=Piece.objects.get(name="Sonata in B-flat minor, Op. 35").parts.first().pk, url=LINK)

    def moments() -> list[tuple[int, int | None]]:
        return list(ProgramPart.objects.values_list("part_id", "timestamp"))

    assert moments() == [(parts[1].pk, 95)]
    session = appearance.session
    emptied = session_update(
        actor=admin,
        session_id=session.pk,
        title=session.title,
        description="",
        starts_at=session.starts_at,
        youtube_id=session.youtube_id,
        participant_ids=[],
        confirmed=True,
    )
    assert moments() == []
    program_undo(actor=admin, undo_id=emptied.undo_id)
    assert moments() == [(parts[1].pk, 95)]
    appearance.refresh_from_db()
    assert str(appearance.piano) == "Kitamori EX"
    waltz = PieceFactory(category="waltz")
    new = NewProgram(appearance.pk, (NewEntry(waltz.pk),), replaces="")
    changed = programs_set(actor=admin, programs=[new])
    assert moments() == []
    program_undo(actor=admin, undo_id=changed.undo_id)
    assert moments() == [(parts[1].pk, 95)]


def test_a_set_of_the_catalogue_is_found_again(admin, catalogue):
    ids = [named(f"Prelude in {key}, Op. 28 No. {n}") for key, n in (("A major", 7), ("F-sharp minor", 8))]
    made = set_add(actor=admin, piece_ids=ids)
    assert set_add(actor=admin, piece_ids=ids).pk == made.pk
