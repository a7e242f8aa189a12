"""One step of the living demo."""

import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from random import Random

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError

from apps.demo.enums import Act, DemoState
from apps.demo.life.audience import applaud, comment, post, react, reply
from apps.demo.life.evening import evening_step
from apps.demo.life.hall import Hall, hall_read
from apps.demo.life.marks import approve, mark, recommend
from apps.demo.limits import AFTER_FAILURE
from apps.demo.selectors import demo_state
from apps.demo.services import demo_end, demo_lived

log = logging.getLogger(__name__)
Habits = Mapping[Callable[[Hall], Act | None], int]  # acts with their weights
ON_STAGE: Habits = {react: 50, comment: 12, mark: 14, approve: 12, recommend: 3, post: 2, reply: 4, applaud: 3}
INTERVAL: Habits = {comment: 20, mark: 32, approve: 22, recommend: 8, post: 5, reply: 7, applaud: 6}
NO_SESSION: Habits = {mark: 20, approve: 30, recommend: 10, post: 6, reply: 17, applaud: 17}
_REFUSALS = (ValidationError, PermissionDenied, ObjectDoesNotExist)  # of a service, such as after a concurrent change


class Life:
    """The steps of one process, as long as a window is open; all else is read from the database."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.rests_until = timedelta()  # live control after a failure, counted as `watched_for`

    def step(self, *, watched_for: timedelta) -> Act:
        """Do one act, if the demo may live, and return it. `watched_for` is the time since a window was opened.

        Raises what its service raises for an outage or a bug; then the act has no effect.
        """
        match demo_state():
            case DemoState.ALIVE:
                act = self._act(hall_read(watched_for=watched_for, random=self.random))
            case DemoState.OVER:
                demo_end()
                return Act.OVER
            case _:
                return Act.STOPPED
        if act not in {Act.NOTHING, Act.REFUSED}:
            demo_lived()
        return act

    def _act(self, hall: Hall) -> Act:
        """Do what is due on stage, else one act of the audience."""
        if hall.watched_for >= self.rests_until:
            self.rests_until = hall.watched_for + AFTER_FAILURE  # stays so if the act raises an error
            due = _done(evening_step, hall)
            if due is not Act.REFUSED:
                self.rests_until = timedelta()
            if due is not None:
                return due
        left = dict(_habits(hall))
        while left:
            (chosen,) = self.random.choices(list(left), weights=list(left.values()))
            if act := _done(chosen, hall):
                return act
            del left[chosen]
        return Act.NOTHING


def _habits(hall: Hall) -> Habits:
    if hall.live is None:
        return NO_SESSION
    return ON_STAGE if hall.on_stage is not None else INTERVAL


def _done(act: Callable[[Hall], Act | None], hall: Hall) -> Act | None:
    """Return what was done; REFUSED if a service refused it."""
    try:
        return act(hall)
    except _REFUSALS as error:
        level = logging.WARNING if act is evening_step else logging.DEBUG  # the audience meets its rate limits
        log.log(level, "the demo was refused %s: %s", act.__name__, error)
        return Act.REFUSED
