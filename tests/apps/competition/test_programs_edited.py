"""Test the editing of programs: selected pieces, links to a moment of a video, and the order of entries."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError

from apps.competition.models import ProgramEntry
from apps.competition.selectors.admin.programs import programs_admin
from apps.competition.services.programs import (
    program_entry_link,
    program_entry_move,
    program_entry_remove,
    program_select,
)
from apps.core.audit import audit_list
from apps.core.edits import EditConflict, Saved
from tests.apps.conftest import run_together
from tests.factories import AppearanceFactory, PieceFactory, ProgramEntryFactory

pytestmark = pytest.mark.django_db
LINK = "https://youtu.be/aqz-KE-bpKQ"


def program(appearance):
    return list(appearance.program.order_by("order_number").values_list("order_number", "slot", "piece_id"))


def test_program_select_fills_and_replaces_the_slot_of_the_category(admin):
    appearance, other = AppearanceFactory(), ProgramEntryFactory()
    first, second = PieceFactory(category="nocturn"), PieceFactory(category="nocturn")
    etude = PieceFactory(category="etiuda_b")
    select = partial(program_select, actor=admin, appearance_id=appearance.pk)
    entry = select(piece_id=first.pk)
    select(piece_id=etude.pk)
    ProgramEntry.objects.filter(pk=entry.pk).update(youtube_url=LINK)
    again = select(piece_id=second.pk)
    assert program(appearance) == [(1, "nocturn", second.pk), (2, "etiuda_b", etude.pk)]
    assert (again.pk, again.youtube_url) == (entry.pk, LINK)
    select(piece_id=second.pk)
    assert len(audit_list()) == 3
    assert audit_list()[0].details == {
        "name": appearance.participant.name,
        "before": {"piece": first.name},
        "after": {"piece": second.name, "slot": "nocturn"},
    }
    assert ProgramEntry.objects.filter(pk=other.pk).exists()


def test_program_select_replaces_the_last_entry_of_another_slot(admin):
    appearance = AppearanceFactory()
    kept, replaced = (
        ProgramEntryFactory(appearance=appearance, slot="mazurek", piece__category="mazurek") for _ in range(2)
    )
    etude = PieceFactory(category="etiuda_a")
    program_select(actor=admin, appearance_id=appearance.pk, piece_id=etude.pk, slot="mazurek")
    assert program(appearance) == [(1, "mazurek", kept.piece_id), (2, "mazurek", etude.pk)]
    assert not ProgramEntry.objects.filter(piece=replaced.piece_id).exists()
    for wrong in ({"piece_id": 987654}, {"piece_id": etude.pk, "slot": "gigue"}):
        with pytest.raises(ValidationError):
            program_select(actor=admin, appearance_id=appearance.pk, **wrong)


@pytest.mark.django_db(transaction=True)
def test_concurrent_selects_fill_the_slot_once(admin):
    appearance = AppearanceFactory()
    for _ in range(5):
        select = partial(program_select, actor=admin, appearance_id=appearance.pk)
        run_together(*(partial(select, piece_id=PieceFactory(category="scherzo").pk) for _ in range(3)))
        assert len(program(appearance)) == 1


def test_link_is_stored_with_its_moment_or_refused_at_its_field(admin):
    entry = ProgramEntryFactory(youtube_url=f"{LINK}?t=1", timestamp=1)
    link = partial(program_entry_link, actor=admin, entry_id=entry.pk)
    for typed, stored, second in (
        ("", "", None),
        ("youtu.be/aqz-KE-bpKQ?t=1h2m3s", f"{LINK}?t=3723", 3723),
        (f"  {LINK}  ", LINK, None),
        (f"{LINK}?t=95", f"{LINK}?t=95", 95),
    ):
        link(url=typed)
        entry.refresh_from_db()
        assert (entry.youtube_url, entry.timestamp) == (stored, second)
    for typed, sentence in (
        ("https://vimeo.com/1", "This is not the address of a YouTube video."),
        (f"{LINK}?t=-5", "The moment in this address cannot be read. Write it as seconds (t=95) or as t=1h2m3s."),
        (f"{LINK}?t=5&start=9", "This address names two moments (5, 9). Leave one of them."),
    ):
        with pytest.raises(ValidationError) as refusal:
            link(url=typed)
        assert refusal.value.message_dict == {"url": [sentence]}
    entry.refresh_from_db()
    assert (entry.youtube_url, entry.timestamp) == (f"{LINK}?t=95", 95)


def test_link_conflict_has_the_stored_link(admin):
    entry = ProgramEntryFactory()
    (row,) = programs_admin(session_id=entry.appearance.session_id).rows
    seen = row.entries[0].version
    link = partial(program_entry_link, actor=admin, entry_id=entry.pk)
    link(url=f"{LINK}?t=1", version=seen)
    with pytest.raises(EditConflict, match=r"t=1") as conflict:
        link(url=f"{LINK}?t=2", version=seen)
    assert link(url="", version=seen) == Saved(entry, ("YouTube URL",)), "the field was not changed"
    entry.refresh_from_db()
    assert (entry.youtube_url, entry.timestamp) == (f"{LINK}?t=1", 1)
    assert link(url=f"{LINK}?t=2", version=conflict.value.version).row.timestamp == 2


def test_entries_are_moved_and_removed(admin):
    appearance = AppearanceFactory()
    first, second, third = (ProgramEntryFactory(appearance=appearance).pk for _ in range(3))

    def order():
        return list(appearance.program.order_by("order_number").values_list("order_number", "pk"))

    move = partial(program_entry_move, actor=admin)
    move(entry_id=third, direction="up")
    move(entry_id=first, direction="up")
    assert order() == [(1, first), (2, third), (3, second)]
    program_entry_remove(actor=admin, entry_id=first)
    assert order() == [(1, third), (2, second)]
    with pytest.raises(ValidationError, match="up or down"):
        move(entry_id=second, direction="away")
    with pytest.raises(ProgramEntry.DoesNotExist):
        program_entry_remove(actor=admin, entry_id=first)
    assert [entry.action for entry in audit_list()] == ["program.remove", "program.order"]


@pytest.mark.django_db(transaction=True)
def test_concurrent_moves_and_removals_keep_order_numbers_consecutive(admin):
    appearance = AppearanceFactory()
    for _ in range(5):
        ids = [ProgramEntryFactory(appearance=appearance).pk for _ in range(4)]
        answers = run_together(
            partial(program_entry_remove, actor=admin, entry_id=ids[1]),
            partial(program_entry_move, actor=admin, entry_id=ids[2], direction="up"),
            partial(program_entry_move, actor=admin, entry_id=ids[0], direction="down"),
        )
        assert not [answer for answer in answers if isinstance(answer, Exception)]
        assert [number for number, *_ in program(appearance)] == [1, 2, 3]
        appearance.program.all().delete()
