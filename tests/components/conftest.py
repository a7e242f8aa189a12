"""Database rows of one session of the competition, for the tests of pages and parts."""

from types import SimpleNamespace

import pytest

from tests.factories import AppearanceFactory, ParticipantFactory, PieceFactory, ProgramEntryFactory, SessionFactory

NAMES = (("Maëlle", "d’Hautecombe"), ("Zofia", "Wróblewska-Łęcka"), ("Tomás", "Villaseñor Ibáñez"))


def busy_session_with(count: int, *, is_live: bool = True) -> SimpleNamespace:
    """Return a session with `count` appearances of two pieces each: live without a performer, or over."""
    session = SessionFactory(
        title="Stage I, evening session", stage__name="Stage I", is_live=is_live, description="Five."
    )
    pieces = [
        PieceFactory(),
        PieceFactory(category="nocturn", title="Nocturne", key="D-flat major", opus="27", number=2, name="N"),
    ]
    appearances = []
    for first, second in [*NAMES, *((f"Ewa{n}", f"Nowak{n}") for n in range(count))][:count]:
        appearance = AppearanceFactory(
            session=session, participant=ParticipantFactory(first_name=first, second_name=second)
        )
        for piece in pieces:
            ProgramEntryFactory(appearance=appearance, piece=piece, timestamp=90)
        appearances.append(appearance)
    return SimpleNamespace(session=session, appearances=appearances)


@pytest.fixture
def busy_session(db) -> SimpleNamespace:
    """Return a live session with three appearances; the second is performing."""
    session = busy_session_with(3)
    session.appearances[1].is_performing = True
    session.appearances[1].save()
    return session
