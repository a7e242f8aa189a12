"""Two administrators edit one running order: single moves by an independent model, and a state machine of both."""

import os

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, ProgramEntry
from apps.competition.selectors.admin.sessions import SessionEdit, session_edit
from apps.competition.services.program_undo import program_undo
from apps.competition.services.sessions import session_update
from apps.core.edits import EditConflict
from apps.core.id_orders import id_order_of, orders_merge
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory, ProgramEntryFactory, SessionFactory

PLACES = st.integers(0, 9)
EXAMPLES = int(os.environ.get("EXAMPLES", "10"))  # of evenings of two administrators; `make soak` tries more


def moved(order: list[int], pk: int, place: int) -> list[int]:
    """Return the order with this id at the place."""
    others = [other for other in order if other != pk]
    return [*others[:place], pk, *others[place:]]


def without(order: list[int], *ids: int) -> list[int]:
    return [pk for pk in order if pk not in ids]


@given(st.data())
def test_changes_of_different_people_are_all_in_the_result(data: st.DataObject) -> None:
    base = list(range(data.draw(st.integers(4, 9))))
    ids = st.permutations(base)
    mine_moved, their_moved, mine_gone, their_gone = data.draw(ids)[:4]
    mine = moved(base, mine_moved, data.draw(PLACES)) if data.draw(st.booleans()) else base
    theirs = moved(base, their_moved, data.draw(PLACES)) if mine == base else base
    changed = moved(without(mine, mine_gone), 100, data.draw(PLACES))
    stored = moved(without(theirs, their_gone), 200, data.draw(PLACES))
    merged = orders_merge(base, changed, stored)
    assert merged.conflicts == ()
    assert set(merged.ids) == {*base, 100, 200} - {mine_gone, their_gone}
    only = mine if mine != base else theirs
    assert without(list(merged.ids), 100, 200) == without(only, mine_gone, their_gone)
    before = [pk for pk in changed[: changed.index(100)] if pk in merged.ids]
    assert not before or merged.ids.index(before[-1]) < merged.ids.index(100)
    assert orders_merge(base, changed, base).ids == tuple(changed)
    assert orders_merge(base, base, stored).ids == tuple(stored)


@given(st.integers(3, 9), st.data())
def test_one_person_moved_to_two_places_is_the_conflict(count: int, data: st.DataObject) -> None:
    base = list(range(count))
    pk, places = data.draw(st.sampled_from(base)), st.integers(0, count - 1)
    mine, stored = moved(base, pk, data.draw(places)), moved(base, pk, data.draw(places))
    merged = orders_merge(base, mine, stored)
    if base in (mine, stored) or mine == stored:
        assert merged.conflicts == ()
        assert list(merged.ids) == (mine if stored == base else stored)
    else:
        assert pk in merged.conflicts
        assert orders_merge(merged.base, mine, stored).ids == tuple(mine), "saved again, the editor's place holds"


def test_versions_of_other_values_are_no_orders() -> None:
    refused = ("", "1234567890", "abcdef0123", "ids.1.1", "ids.-1", "ids.²", f"ids.{'9' * 19}", "ids.1..2")
    assert [id_order_of(version) for version in refused] == [None] * len(refused)
    assert (id_order_of("ids.3.1"), id_order_of("ids")) == ((3, 1), ())


class TwoAdministrators(RuleBasedStateMachine):
    """Two open forms of one session; `form` are their lists, `read` what each was opened with."""

    @initialize()
    def begin(self) -> None:
        self.session = SessionFactory(title="Evening", description="", youtube_id="", starts_at=EVENING)
        self.ids = [AppearanceFactory(session=self.session).participant_id for _ in range(4)]
        for appearance in self.session.appearances.all():
            ProgramEntryFactory(appearance=appearance)
        self.present = set(self.ids)  # the model: who plays, by what was pressed
        self.with_program = set(self.ids)
        self.undos: list[tuple[int, set[int]]] = []
        self.read: list[SessionEdit] = []
        self.form: list[list[int]] = [[], []]
        self.version = ["", ""]
        for who in range(2):
            self.open(who)

    def stored(self) -> list[int]:
        found = Appearance.objects.filter(session=self.session).order_by("order_number")
        return list(found.values_list("participant_id", flat=True))

    def open(self, who: int) -> None:
        edit = session_edit(session_id=self.session.pk)
        assert edit is not None
        self.form[who], self.version[who] = [each.participant_id for each in edit.appearances], edit.version
        self.opened = getattr(self, "opened", [[], []])
        self.opened[who] = list(self.form[who])

    @rule(who=st.integers(0, 1))
    def reload(self, who: int) -> None:
        self.open(who)

    @rule(who=st.integers(0, 1), at=PLACES)
    def remove(self, who: int, at: int) -> None:
        if self.form[who]:
            del self.form[who][at % len(self.form[who])]

    @rule(who=st.integers(0, 1), at=PLACES, to=PLACES)
    def move(self, who: int, at: int, to: int) -> None:
        if self.form[who]:
            self.form[who] = moved(self.form[who], self.form[who][at % len(self.form[who])], to)

    @rule(who=st.integers(0, 1))
    def add(self, who: int) -> None:
        if len(self.form[who]) < 7:
            self.form[who].append(ParticipantFactory().pk)

    @rule(who=st.integers(0, 1))
    def save(self, who: int) -> None:
        before, mine, opened = set(self.stored()), list(self.form[who]), set(self.opened[who])
        try:
            saved = self.update(who)
        except EditConflict as conflict:
            self.version[who] = conflict.version
            moved_names = conflict.changes[0].moved
            saved = self.update(who)
            names = [each.participant.name for each in self.session.appearances.select_related("participant")]
            if any(name not in names for name in moved_names.split(", ")):
                raise
        gone, added = opened - set(mine), set(mine) - opened
        self.present = (before - gone) | added
        self.with_program -= before & gone
        if saved.undo_id:
            self.undos.append((saved.undo_id, before & gone))
        self.open(who)

    def update(self, who: int):  # type: ignore[no-untyped-def]
        with transaction.atomic():
            return session_update(
                actor=OPERATOR,
                session_id=self.session.pk,
                title="Evening",
                starts_at=EVENING,
                description="",
                youtube_id="",
                participant_ids=self.form[who],
                version=self.version[who],
                confirmed=True,
            )

    @rule()
    def take_back(self) -> None:
        if self.undos:
            undo_id, ids = self.undos.pop()
            program_undo(actor=OPERATOR, undo_id=undo_id)
            self.present |= ids
            self.with_program |= ids & set(self.ids)

    @invariant()
    def those_who_play_are_those_of_the_model(self) -> None:
        if not hasattr(self, "session"):
            return
        assert set(self.stored()) == self.present
        numbers = self.session.appearances.order_by("order_number").values_list("order_number", flat=True)
        assert list(numbers) == list(range(1, len(self.present) + 1))
        programs = ProgramEntry.objects.filter(appearance__session=self.session)
        assert set(programs.values_list("appearance__participant_id", flat=True)) == self.with_program


@pytest.mark.django_db
def test_two_administrators_lose_nothing_of_each_other() -> None:
    checks = [HealthCheck.too_slow]
    run_state_machine_as_test(
        TwoAdministrators,
        settings=settings(max_examples=EXAMPLES, stateful_step_count=14, deadline=None, suppress_health_check=checks),
    )
