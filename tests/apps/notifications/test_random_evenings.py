"""Random evenings: an oracle that knows a list of what happened says who should have been notified of what.

The oracle has no tables. It keeps the states of the stage, and of each performer's plan, with the seconds at which they
began. A state is announced when it has lasted for ten seconds: in the first test what follows from it on the stage, in
the second its difference from the last state that was announced, in the third that a planned start is near.
"""

from collections import defaultdict
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session
from apps.competition.services.live import (
    live_restore,
    live_undo_read,
    performer_clear,
    performer_next,
    performer_set,
    session_end,
    session_set_live,
)
from apps.competition.services.planned_times import planned_times_shift
from apps.competition.services.sessions import session_update
from apps.core.database.fields import database_now
from apps.following.services import follow_set
from apps.notifications.models import Announcement, Notification
from tests.apps.notifications.clock import time_pass_working
from tests.factories import AppearanceFactory, SessionFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db
PASS = st.sampled_from([4, 7, 13, 31])  # seconds; no sum of them is ten
FOLLOW = st.tuples(st.just("follow"), st.integers(0, 2), st.integers(0, 4))
HOLD, SOON_BEFORE = 10, 15 * 60  # seconds
DAY = timedelta(days=1)


class World:
    """Members who follow performers, and the clock of the test in seconds."""

    def __init__(self, performers: list[int]) -> None:
        self.performers, self.now = performers, 0
        self.fans = [viewer_of(UserFactory()) for _ in range(3)]
        self.follows: dict[tuple[int, int], int] = {}  # since when, by member and performer

    def follow(self, fan: int, performer: int) -> None:
        """Let a member follow a performer, or no longer follow."""
        key = fan, self.performers[performer]
        is_wanted = key not in self.follows
        follow_set(actor=self.fans[fan], participant_id=key[1], is_wanted=is_wanted)
        if is_wanted:
            self.follows[key] = self.now
        else:
            del self.follows[key]

    def followers(self, performer: int, moment: int) -> list[int]:
        """Return the members who follow a performer now, and did so before this moment."""
        return [fan for (fan, followed), since in self.follows.items() if followed == performer and since <= moment]

    def made(self, *columns: str) -> list[tuple[Any, ...]]:
        """Return the notifications in the order of creation: member, and these columns."""
        numbers = {fan.id: number for number, fan in enumerate(self.fans)}
        rows = Notification.objects.order_by("pk").values_list("user_id", *columns)
        return [(numbers[user_id], *others) for user_id, *others in rows]


class StageOracle:
    """The stage of one session: what is announced of it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.is_live, self.performer = False, None
        self.on_stage: list[int] = []  # in the order of their last entries
        self.changed_at: int | None = None  # the last change that has not been announced
        self.expected: set[tuple[int, str, int]] = set()

    def change(self, *, is_announced: bool = True, **state: Any) -> None:
        """Note another state of the stage."""
        for name, value in state.items():
            setattr(self, name, value)
        if is_announced:
            self.changed_at = self.world.now

    def settle(self, until: int) -> None:
        """Announce the state if it has lasted for HOLD at that second."""
        if self.changed_at is None or self.changed_at + HOLD > until:
            return
        moment, self.changed_at = self.changed_at, None
        if not self.is_live:
            return
        order = self.world.performers
        if self.performer is not None:
            self._tell("now", self.performer, moment)
        last = self.on_stage[-1] if self.on_stage else None
        after = order[order.index(last) + 1 :] if last is not None else order
        for performer in [each for each in after if each not in self.on_stage][:2]:
            self._tell("soon", performer, moment)

    def _tell(self, kind: str, performer: int, moment: int) -> None:
        self.expected |= {(fan, kind, performer) for fan in self.world.followers(performer, moment)}


STAGE_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pass"), PASS),
        st.tuples(st.just("perform"), st.integers(0, 4)),
        st.sampled_from([("live",), ("end",), ("next",), ("clear",), ("undo",)]),
        FOLLOW,
    ),
    min_size=4,
    max_size=25,
)


@given(steps=STAGE_STEPS)
def test_followers_are_notified_of_what_lasted_on_the_stage(steps):
    with transaction.atomic():
        session = SessionFactory(starts_at=database_now() + DAY)
        appearances = [AppearanceFactory(session=session, order_number=number) for number in range(1, 6)]
        Announcement.objects.all().delete()
        by_performer = {each.participant_id: each.pk for each in appearances}
        world = World(list(by_performer))
        oracle = StageOracle(world)
        undo: tuple[str, dict[str, Any]] = ("", {})

        def note(step: Any, *, is_announced: bool, **after: Any) -> None:
            nonlocal undo
            if step.undo:
                before = {"is_live": oracle.is_live, "performer": oracle.performer, "on_stage": list(oracle.on_stage)}
                undo = step.undo, before
                oracle.change(is_announced=is_announced, **after)

        def entered(performer: int) -> dict[str, Any]:
            others = [each for each in oracle.on_stage if each != performer]
            return {"performer": performer, "on_stage": [*others, performer]}

        world.follow(0, 0), world.follow(0, 1), world.follow(1, 2)
        for step in (*steps, ("pass", 13)):
            match step:
                case ("pass", seconds):
                    time_pass_working(timedelta(seconds=seconds))
                    world.now += seconds
                    oracle.settle(world.now)
                case ("live",):
                    done = session_set_live(actor=OPERATOR, session_id=session.pk)
                    note(done, is_announced=True, is_live=True)
                case ("end",):
                    done = session_end(actor=OPERATOR, session_id=session.pk)
                    note(done, is_announced=False, is_live=False, performer=None)
                case ("perform", number) if oracle.is_live:
                    performer = world.performers[number]
                    done = performer_set(actor=OPERATOR, session_participant_id=by_performer[performer])
                    note(done, is_announced=True, **entered(performer))
                case ("next",) if oracle.is_live:
                    last = world.performers.index(oracle.on_stage[-1]) if oracle.on_stage else -1
                    if last + 1 < len(world.performers):
                        after = by_performer.get(oracle.performer)
                        done = performer_next(actor=OPERATOR, session_id=session.pk, after=after)
                        note(done, is_announced=True, **entered(world.performers[last + 1]))
                case ("clear",):
                    done = performer_clear(actor=OPERATOR, session_id=session.pk)
                    note(done, is_announced=False, performer=None)
                case ("undo",) if undo[0]:
                    live_restore(actor=OPERATOR, **live_undo_read(undo[0]))
                    is_announced = undo[1]["performer"] is not None or undo[1]["is_live"] > oracle.is_live
                    oracle.change(is_announced=is_announced, **undo[1])
                    undo = "", {}
                case ("follow", fan, performer):
                    world.follow(fan, performer)
        made = world.made("kind", "participant_id")
        assert len(set(made)) == len(made)
        assert set(made) == oracle.expected
        transaction.set_rollback(True)


class PlanOracle:
    """The plan of one performer: session and start, or None; what followers know of it, and when it changed."""

    def __init__(self, world: World, performer: int, plan: tuple[int, int] | None) -> None:
        self.world, self.performer = world, performer
        self.plan = self.known = plan
        self.changed_at: int | None = None

    def change(self, plan: tuple[int, int] | None) -> None:
        """Note another plan."""
        if plan != self.plan:
            self.plan, self.changed_at = plan, self.world.now

    def settle(self, until: int) -> list[tuple[int, int, int]]:
        """Return who is notified with which session, if the plan has lasted for HOLD and followers know another one."""
        if self.changed_at is None or self.changed_at + HOLD > until:
            return []
        moment, self.changed_at = self.changed_at, None
        before, self.known = self.known, self.plan
        if before == self.plan:
            return []
        session = (self.plan or before)[0]
        return [(fan, self.performer, session) for fan in self.world.followers(self.performer, moment)]


PLAN_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pass"), PASS),
        st.tuples(st.just("place"), st.integers(0, 4), st.sampled_from([0, 1, 2, None])),
        st.tuples(st.just("start"), st.integers(0, 2), st.sampled_from([0, 30, 60])),
        FOLLOW,
    ),
    min_size=4,
    max_size=20,
)


@given(steps=PLAN_STEPS)
def test_followers_are_notified_of_plans_that_lasted_and_differ_from_what_they_know(steps):
    with transaction.atomic():
        begin = database_now() + 3 * DAY
        first = SessionFactory(starts_at=begin)
        sessions = [first, *(SessionFactory(starts_at=begin + DAY * days, stage=first.stage) for days in (1, 2))]
        performers = [AppearanceFactory(session=first, order_number=number).participant_id for number in range(1, 6)]
        Announcement.objects.all().delete()
        world, starts = World(performers), [0, 0, 0]
        plans = {performer: PlanOracle(world, performer, (0, 0)) for performer in performers}
        expected: list[tuple[int, int, int]] = []
        passed = timedelta()

        def save(number: int) -> None:
            """Store one session as the oracle has it."""
            playing = [performer for performer in performers if (plans[performer].plan or (None,))[0] == number]
            session = Session.objects.get(pk=sessions[number].pk)
            session_update(
                actor=OPERATOR,
                session_id=session.pk,
                title=session.title,
                starts_at=sessions[number].starts_at + timedelta(minutes=starts[number]) - passed,
                description="",
                youtube_id="",
                participant_ids=playing,
                confirmed=True,
            )

        world.follow(0, 0), world.follow(0, 1), world.follow(1, 2)
        for step in (*steps, ("pass", 13)):
            match step:
                case ("pass", seconds):
                    time_pass_working(timedelta(seconds=seconds))
                    world.now += seconds
                    passed += timedelta(seconds=seconds)
                    for oracle in plans.values():
                        expected += oracle.settle(world.now)
                case ("place", performer, number):
                    oracle = plans[performers[performer]]
                    left = oracle.plan[0] if oracle.plan else None
                    oracle.change((number, starts[number]) if number is not None else None)
                    for changed in {left, number} - {None}:
                        save(changed)
                case ("start", number, minutes):
                    starts[number] = minutes
                    for oracle in plans.values():
                        if oracle.plan and oracle.plan[0] == number:
                            oracle.change((number, minutes))
                    save(number)
                case ("follow", fan, performer):
                    world.follow(fan, performer)
        made = [
            (fan, pk, kind, session_id)
            for fan, kind, pk, session_id in world.made("kind", "participant_id", "session_id")
        ]
        ids = [session.pk for session in sessions]
        by_follower, wanted = defaultdict(list), defaultdict(list)
        for fan, performer, kind, session_id in made:
            assert kind == "moved"
            by_follower[fan, performer].append(ids.index(session_id))
        for fan, performer, number in expected:
            wanted[fan, performer].append(number)
        assert by_follower == wanted
        transaction.set_rollback(True)


NEAR_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pass"), st.sampled_from([4, 7, 13, 190, 611])),
        st.tuples(st.just("shift"), st.sampled_from([-20, -3, 5, 25])),
        st.sampled_from([("live",), ("end",), ("perform",)]),
    ),
    min_size=3,
    max_size=16,
)


@given(minutes=st.sampled_from([3, 14, 17, 40]), steps=NEAR_STEPS)
def test_followers_are_notified_of_a_planned_start_that_is_near_while_the_session_is_live(minutes, steps):
    with transaction.atomic():
        now = database_now()
        session = SessionFactory(starts_at=now - timedelta(minutes=30))
        starts = [None, None, None, now + timedelta(minutes=minutes, seconds=23)]
        appearances = [
            AppearanceFactory(session=session, order_number=number, planned_start=start)
            for number, start in enumerate(starts, start=1)
        ]
        Announcement.objects.all().delete()
        last = appearances[-1]
        fan = viewer_of(UserFactory())
        follow_set(actor=fan, participant_id=last.participant_id, is_wanted=True)
        planned, at, changed_at = minutes * 60 + 23, 0, -HOLD
        is_live, has_begun, told_at = False, False, None
        for step in (*steps, ("pass", 13)):
            match step:
                case ("pass", seconds):
                    time_pass_working(timedelta(seconds=seconds))
                    for second in range(at, at + seconds + 1):  # of the time that passed, one by one
                        is_near = 0 < planned - second <= SOON_BEFORE and second - changed_at >= HOLD
                        if is_live and is_near and not has_begun and told_at is None:
                            told_at = second
                    at += seconds
                case ("shift", by) if planned + by * 60 > at - 30 * 60:
                    shift = {"session_id": session.pk, "appearance_id": last.pk, "minutes": by}
                    if planned + by * 60 > 0:
                        planned_times_shift(actor=OPERATOR, **shift)
                        planned, changed_at = planned + by * 60, at
                case ("live",) if not is_live:
                    session_set_live(actor=OPERATOR, session_id=session.pk)
                    is_live, changed_at = True, at
                case ("end",) if is_live:
                    session_end(actor=OPERATOR, session_id=session.pk)
                    is_live = False
                case ("perform",) if is_live and not has_begun:
                    performer_set(actor=OPERATOR, session_participant_id=last.pk)
                    has_begun = True
        assert Notification.objects.filter(kind="soon").count() == (told_at is not None)
        transaction.set_rollback(True)
