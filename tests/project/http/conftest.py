"""A session for commands that are posted."""

import pytest

from tests.components.conftest import busy_session_with


@pytest.fixture
def session():
    return busy_session_with(1).session
