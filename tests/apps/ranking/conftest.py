"""Fixtures of the ranking tests: a stage with an audience, and how many random draws give the intervals."""

import pytest

from apps.ranking import method, method2
from tests.apps.ranking.halls import audience, stage_of


@pytest.fixture(autouse=True)
def few_draws(request, monkeypatch):
    """Compute intervals from few draws, which takes a fifth of the time, unless the test requests `all_draws`."""
    if "all_draws" not in request.fixturenames:
        for version in (method, method2):
            monkeypatch.setattr(version, "DRAWS", 3 * version.LEFT_OUT)


@pytest.fixture
def all_draws():
    """Compute intervals from the published number of draws."""


@pytest.fixture
def appearances():
    """Return a stage of five performances with twelve listeners."""
    made = stage_of(5)
    audience(made, 12)
    return made


@pytest.fixture
def stage_id(appearances):
    return appearances[0].session.stage_id
