"""The session that the tests of the session form edit."""

from types import SimpleNamespace

import pytest

from tests.components.pages.admin.sessions import session_of_three


@pytest.fixture
def busy_session(db: None) -> SimpleNamespace:
    """Return a session of three participants that is not live, and two administrators."""
    return session_of_three()
