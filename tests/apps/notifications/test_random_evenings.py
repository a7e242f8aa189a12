"""Test random evenings against an oracle, which computes the expected notifications from the list of events.

The oracle has no tables. It keeps the states of the stage, with the seconds at which they began. A state is announced
after ten seconds, by its consequences. Examples are discarded if a busy machine makes it unclear whether the ten
seconds are over.
"""

import os
from datetime import timedelta
from time import monotonic
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import (
    live_restore,
    live_undo_read,
    performer_clear,
    performer_next,
    performer_set,
    session_end,
    session_set_live,
)
from apps.core.database.fields import database_now
from apps.following.services import follow_set
from apps.notifications.models import Announcement, Notification
from tests.apps.notifications.clock import time_pass_working
from tests.factories import AppearanceFactory, SessionFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db
few = settings(
    max_examples=int(os.environ.get("EXAMPLES", "6")),
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
WAIT = st.sampled_from([4, 14, 31])  # seconds; no sum of them is close to ten
FOLLOW = st.tuples(st.just("follow"), st.integers(0, 2), st.integers(0, 4))
HOLD, SLACK = 10, 1  # seconds
DAY = timedelta(days=1)


class Clock:
    """The seconds since the beginning of an example: simulated and real ones."""

    def __init__(self) -> None:
        self.passed, self.began_at = 0, monotonic()

    @property
    def now(self) -> float:
        """Return the present second."""
        return self.passed + monotonic() - self.began_at

    def let_pass(self, seconds: int) -> None:
        """Let time pass; the worker runs."""
        time_pass_working(timedelta(seconds=seconds))
        self.passed += seconds

    def has_lasted(self, since: tuple[float, float]) -> bool:
        """Return whether a change that began and ended at these seconds was HOLD ago."""
        begin, end = since
        assume(self.now < begin + HOLD or end + HOLD + SLACK < self.now)
        return end + HOLD + SLACK < self.now


class World(Clock):
    """Members who follow performers."""

    def __init__(self, performers: list[int]) -> None:
        super().__init__()
        self.performers = performers
        self.fans = [viewer_of(UserFactory()) for _ in range(3)]
        self.follows: dict[tuple[int, int], float] = {}  # since when, by member and performer

    def follow(self, fan: int, performer: int) -> None:
        """Let a member follow a performer, or stop following."""
        key = fan, self.performers[performer]
        is_wanted = key not in self.follows
        follow_set(actor=self.fans[fan], participant_id=key[1], is_wanted=is_wanted)
        if is_wanted:
            self.follows[key] = self.now
        else:
            del self.follows[key]

    def followers(self, performer: int, moment: float) -> list[int]:
        """Return the members who have followed a performer since before this moment."""
        return [fan for (fan, followed), since in self.follows.items() if followed == performer and since <= moment]

    def follow_first(self) -> None:
        """Let two members follow the first three performers."""
        for fan, performer in ((0, 0), (0, 1), (1, 2)):
            self.follow(fan, performer)

    def made(self, *columns: str) -> list[tuple[Any, ...]]:
        """Return the notifications in the order of creation: member, and these columns."""
        numbers = {fan.id: number for number, fan in enumerate(self.fans)}
        rows = Notification.objects.order_by("pk").values_list("user_id", *columns)
        return [(numbers[user_id], *others) for user_id, *others in rows]


class StageOracle:
    """The stage of one session, and its expected announcements."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.is_live, self.performer = False, None
        self.on_stage: list[int] = []  # in the order of their last entries
        self.changed_at: tuple[float, float] | None = None  # begin and end of the last change that is not announced
        self.expected: set[tuple[int, str, int]] = set()

    def change(self, since: float, *, is_announced: bool = True, **state: Any) -> None:
        """Record a new state of the stage; its change began at that second."""
        for name, value in state.items():
            setattr(self, name, value)
        if is_announced:
            self.changed_at = since, self.world.now

    def settle(self) -> None:
        """Announce the state if it has lasted for HOLD."""
        if self.changed_at is None or not self.world.has_lasted(self.changed_at):
            return
        (moment, _), self.changed_at = self.changed_at, None
        if not self.is_live:
            return
        order = self.world.performers
        if self.performer is not None:
            self._tell("now", self.performer, moment)
        last = self.on_stage[-1] if self.on_stage else None
        after = order[order.index(last) + 1 :] if last is not None else order
        for performer in [each for each in after if each not in self.on_stage][:2]:
            self._tell("soon", performer, moment)

    def _tell(self, kind: str, performer: int, moment: float) -> None:
        self.expected |= {(fan, kind, performer) for fan in self.world.followers(performer, moment)}


class StageEvening(World):
    """One session with a changing stage, and its oracle."""

    def __init__(self) -> None:
        self.session = SessionFactory(starts_at=database_now() + DAY)
        made = [AppearanceFactory(session=self.session, order_number=number) for number in range(1, 6)]
        Announcement.objects.all().delete()
        self.appearances = {each.participant_id: each.pk for each in made}
        super().__init__([*self.appearances])
        self.oracle = StageOracle(self)
        self.last: tuple[str, dict[str, Any]] = ("", {})  # the step that an undo takes back, and the state before it
        self.follow_first()

    def wait(self, seconds: int) -> None:
        """Let time pass."""
        self.let_pass(seconds)
        self.oracle.settle()

    def _note(self, since: float, undo: str, *, is_announced: bool, **after: Any) -> None:
        if undo:
            self.last = undo, {name: getattr(self.oracle, name) for name in ("is_live", "performer", "on_stage")}
            self.oracle.change(since, is_announced=is_announced, **after)

    def _enter(self, since: float, performer: int, undo: str) -> None:
        others = [each for each in self.oracle.on_stage if each != performer]
        self._note(since, undo, is_announced=True, performer=performer, on_stage=[*others, performer])

    def go_live(self) -> None:
        """Set the session live."""
        since = self.now
        undo = session_set_live(actor=OPERATOR, session_id=self.session.pk).undo
        self._note(since, undo, is_announced=True, is_live=True)

    def end(self) -> None:
        """End the session."""
        since, undo = self.now, session_end(actor=OPERATOR, session_id=self.session.pk).undo
        self._note(since, undo, is_announced=False, is_live=False, performer=None)

    def perform(self, number: int) -> None:
        """Put a performer on stage."""
        if self.oracle.is_live:
            since, performer = self.now, self.performers[number]
            step = performer_set(actor=OPERATOR, appearance_id=self.appearances[performer])
            self._enter(since, performer, step.undo)

    def next(self) -> None:
        """Put the next performer on stage, if there is one."""
        last = self.performers.index(self.oracle.on_stage[-1]) if self.oracle.on_stage else -1
        if self.oracle.is_live and last + 1 < len(self.performers):
            since, after = self.now, self.appearances.get(self.oracle.performer)
            step = performer_next(actor=OPERATOR, session_id=self.session.pk, after=after)
            self._enter(since, self.performers[last + 1], step.undo)

    def clear(self) -> None:
        """Clear the stage."""
        since, undo = self.now, performer_clear(actor=OPERATOR, session_id=self.session.pk).undo
        self._note(since, undo, is_announced=False, performer=None)

    def undo(self) -> None:
        """Undo the last step, once."""
        since, (undo, before) = self.now, self.last
        if undo:
            live_restore(actor=OPERATOR, **live_undo_read(undo))
            is_announced = before["performer"] is not None or before["is_live"] > self.oracle.is_live
            self.oracle.change(since, is_announced=is_announced, **before)
            self.last = "", {}


STAGE_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), WAIT),
        st.tuples(st.just("perform"), st.integers(0, 4)),
        st.sampled_from([("go_live",), ("end",), ("next",), ("clear",), ("undo",)]),
        FOLLOW,
    ),
    min_size=4,
    max_size=18,
)


@few
@given(steps=STAGE_STEPS)
def test_stage_changes_that_last_are_announced(steps):
    with transaction.atomic():
        evening = StageEvening()
        for name, *arguments in (*steps, ("wait", 14)):
            getattr(evening, name)(*arguments)
        made = evening.made("kind", "participant_id")
        assert len(set(made)) == len(made)
        assert set(made) == evening.oracle.expected
        transaction.set_rollback(True)
