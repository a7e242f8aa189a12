"""Two administrators edit one running order, against an independent model: single merges, and a state machine."""

import os
from collections.abc import Sequence
from itertools import combinations

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, ProgramEntry, Session
from apps.competition.selectors.admin.sessions import session_edit
from apps.competition.services.program_undo import program_undo
from apps.competition.services.sessions import session_update
from apps.core.edits import EditConflict, Saved
from apps.core.id_orders import id_order_of, orders_merge
from tests.factories import EVENING, ParticipantFactory, ProgramEntryFactory, SessionFactory

PLACES = st.integers(0, 9)
EDITS = st.lists(st.tuples(st.sampled_from(["move", "move", "remove", "add"]), PLACES, PLACES), max_size=3)
Edits = list[tuple[str, int, int]]
EXAMPLES = int(os.environ.get("EXAMPLES", "10"))  # of evenings of two administrators; `make soak` tries more


def edited(order: Sequence[int], edits: Edits, known: Sequence[int]) -> list[int]:
    """Return the order after these edits; `known` are the ids that can be added."""
    ids = list(order)
    for edit, at, to in edits:
        more = [pk for pk in known if pk not in ids]
        if edit == "add" and more:
            ids.insert(to, more[at % len(more)])
        elif edit != "add" and ids:
            pk = ids.pop(at % len(ids))
            ids[to:to] = [pk] if edit == "move" else []
    return ids


def of(ids: set[int], order: Sequence[int]) -> list[int]:
    """Return the order of these ids alone."""
    return [pk for pk in order if pk in ids]


def moved(base: Sequence[int], order: Sequence[int]) -> set[int]:
    """Return the ids that may have moved: those outside any longest part that kept its order."""
    for size in range(len(base), -1, -1):
        if kept := [set(part) for part in combinations(base, size) if of(set(part), order) == list(part)]:
            break
    return set(base) - set.intersection(*kept)


class Merge:
    """Two edits of one order: which ids only the first editor placed, and which both moved to different places."""

    def __init__(self, base: Sequence[int], mine: Sequence[int], stored: Sequence[int]) -> None:
        common = set(base) & set(mine) & set(stored)
        my_moves, their_moves = (moved(of(common, base), of(common, order)) for order in (mine, stored))
        self.mine, self.stored = mine, stored
        self.placed = (my_moves - their_moves) | (set(mine) - set(base) - set(stored))
        self.ids = (set(mine) | set(stored)) - (set(base) - set(mine)) - (set(base) - set(stored))
        self.compared = common - (my_moves ^ their_moves)
        if len(self.compared) == 1:
            self.compared = common
        self.conflicts = {pk for pk in my_moves & their_moves if self.before(pk, mine) != self.before(pk, stored)}

    def before(self, pk: int, order: Sequence[int]) -> set[int]:
        return set(order[: order.index(pk)]) & self.compared

    def require(self, merged: Sequence[int]) -> None:
        """Assert that the merged order has the changes of both editors."""
        assert set(merged) == self.ids
        assert len(merged) == len(self.ids)
        others = self.ids - self.placed
        assert of(others, merged) == of(others, self.stored)
        for pk in self.placed:
            ahead = of(self.ids, self.mine[: self.mine.index(pk)])
            first, at = merged.index(ahead[-1]) + 1 if ahead else 0, merged.index(pk)
            assert first <= at
            assert not set(merged[first:at]) & set(self.mine), "after those that the other editor put there"
            assert set(merged[at + 1 : at + 2]) <= set(self.mine)

    def require_mine(self, merged: Sequence[int]) -> None:
        """Assert that the order, saved again after a conflict, is the first editor's, with what the other changed."""
        assert set(merged) == self.ids
        assert of(self.ids, self.mine) == of(set(self.mine), merged)
        assert of(self.ids - set(self.mine), self.stored) == of(self.ids - set(self.mine), merged)


@settings(max_examples=200)
@given(st.integers(1, 7), EDITS, EDITS)
def test_merged_order_has_the_changes_of_both(count: int, edits: Edits, others: Edits) -> None:
    base = list(range(count))
    mine, stored = edited(base, edits, [100, 101]), edited(base, others, [101, 200])
    model, merged = Merge(base, mine, stored), orders_merge(base, mine, stored)
    assert set(merged.conflicts) == model.conflicts
    model.require(merged.ids)
    again = orders_merge(merged.base, mine, stored)
    if merged.conflicts:
        assert again.conflicts == ()
        model.require_mine(again.ids)
    assert orders_merge(base, mine, base).ids == tuple(mine)
    assert orders_merge(base, base, stored).ids == tuple(stored)


def test_versions_of_other_values_are_no_orders() -> None:
    refused = ("", "1234567890", "abcdef0123", "ids.1.1", "ids.-1", "ids.²", f"ids.{'9' * 19}", "ids.1..2")
    assert [id_order_of(version) for version in refused] == [None] * len(refused)
    assert (id_order_of("ids.3.1"), id_order_of("ids")) == ((3, 1), ())


class TwoAdministrators(RuleBasedStateMachine):
    """Two open forms of one session: a save of one makes that of the other a merge."""

    @initialize()
    def begin(self) -> None:
        self.session = SessionFactory(title="Evening", description="", youtube_id="", starts_at=EVENING)
        entries = [ProgramEntryFactory(appearance__session=self.session) for _ in range(4)]
        self.programs = {each.appearance.participant_id: each.piece_id for each in entries}
        self.known = [*self.programs, ParticipantFactory().pk, ParticipantFactory().pk]
        self.undos: list[tuple[int, dict[int, int | None], list[int], list[int]]] = []
        self.opened: list[list[int]] = [[], []]
        self.version = ["", ""]
        for who in range(2):
            self.open(who)

    def stored(self) -> list[int]:
        found = Appearance.objects.filter(session=self.session).order_by("order_number")
        return list(found.values_list("participant_id", flat=True))

    @rule(who=st.integers(0, 1))
    def open(self, who: int) -> None:
        edit = session_edit(session_id=self.session.pk)
        assert edit is not None
        self.opened[who], self.version[who] = [each.participant_id for each in edit.appearances], edit.version

    @rule(who=st.integers(0, 1), edits=EDITS)
    def save(self, who: int, edits: Edits) -> None:
        before, form = self.stored(), edited(self.opened[who], edits, self.known)
        model = Merge(self.opened[who], form, before)
        if model.conflicts:
            with pytest.raises(EditConflict) as conflict:
                self.update(who, form)
            both = self.session.appearances.filter(participant__in=model.conflicts)
            names = both.order_by("order_number").values_list("participant__name", flat=True)
            assert conflict.value.changes[0].moved == ", ".join(names)
            self.version[who] = conflict.value.version
        saved = self.update(who, form)
        (model.require_mine if model.conflicts else model.require)(self.stored())
        gone = {pk: self.programs.pop(pk, None) for pk in before if pk not in self.stored()}
        assert bool(gone) == bool(saved.undo_id)
        if saved.undo_id:
            self.undos.append((saved.undo_id, gone, before, self.stored()))
        self.open(who)

    def update(self, who: int, form: list[int]) -> Saved[Session]:
        with transaction.atomic():
            return session_update(
                actor=OPERATOR,
                session_id=self.session.pk,
                title="Evening",
                starts_at=EVENING,
                description="",
                youtube_id="",
                participant_ids=form,
                version=self.version[who],
                confirmed=True,
            )

    @rule(at=PLACES)
    def take_back(self, at: int) -> None:
        if not self.undos:
            return
        undo_id, gone, before, after = self.undos.pop(at % len(self.undos))
        stored = self.stored()
        if set(gone) & set(stored) & set(self.programs):
            with pytest.raises(ValidationError, match="in the session again"):
                program_undo(actor=OPERATOR, undo_id=undo_id)
            return
        program_undo(actor=OPERATOR, undo_id=undo_id)
        self.programs |= {pk: piece for pk, piece in gone.items() if piece is not None}
        assert set(self.stored()) == {*stored, *gone}
        assert of(set(stored), self.stored()) == stored
        if stored == after == of(set(stored), before):
            assert self.stored() == before

    @invariant()
    def programs_are_those_of_the_model(self) -> None:
        if not hasattr(self, "session"):
            return
        numbers = self.session.appearances.order_by("order_number").values_list("order_number", flat=True)
        assert list(numbers) == list(range(1, len(numbers) + 1))
        programs = ProgramEntry.objects.filter(appearance__session=self.session)
        assert dict(programs.values_list("appearance__participant_id", "piece_id")) == self.programs


@pytest.mark.django_db
def test_two_administrators_lose_nothing_of_each_other() -> None:
    checks = [HealthCheck.too_slow]
    run_state_machine_as_test(
        TwoAdministrators,
        settings=settings(max_examples=EXAMPLES, stateful_step_count=10, deadline=None, suppress_health_check=checks),
    )
