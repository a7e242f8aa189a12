"""Shared fixtures of the ratings tests: a member and a performance."""

import pytest

from apps.accounts.actors import Viewer
from apps.competition.models import ProgramEntry
from tests.factories import ProgramEntryFactory, UserFactory, viewer_of


@pytest.fixture
def fan(db) -> Viewer:
    """Return a member."""
    return viewer_of(UserFactory())


@pytest.fixture
def program(db) -> tuple[ProgramEntry, ProgramEntry]:
    """Return the program of a performance with two pieces."""
    first = ProgramEntryFactory()
    return first, ProgramEntryFactory(appearance=first.appearance)
