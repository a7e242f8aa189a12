"""What a fresh installation still lacks before its first evening."""

from dataclasses import astuple, dataclass, fields

from django.db import connection

_DONE = """
SELECT EXISTS (SELECT FROM stages), EXISTS (SELECT FROM participants), EXISTS (SELECT FROM pieces),
    EXISTS (SELECT FROM sessions), EXISTS (SELECT FROM session_participant_pieces),
    EXISTS (SELECT FROM sessions WHERE is_live) OR EXISTS (SELECT FROM performing_times)
"""


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """Which steps are done, in the order in which they are gone."""

    stages: bool
    participants: bool
    pieces: bool
    session: bool
    program: bool
    live: bool  # a session is live, or one was with somebody on stage

    @property
    def all(self) -> tuple[tuple[str, bool], ...]:
        """Each step by its name, and whether it is done."""
        return tuple(zip((field.name for field in fields(self)), astuple(self), strict=True))

    @property
    def next(self) -> str:
        """The first step that is not done; empty when all are."""
        return next((name for name, is_done in self.all if not is_done), "")


def first_steps_get() -> FirstSteps:
    """Return which steps are done. One query, which looks for one row of each table."""
    with connection.cursor() as cursor:
        cursor.execute(_DONE)
        return FirstSteps(*cursor.fetchone())
