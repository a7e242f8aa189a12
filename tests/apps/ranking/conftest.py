"""Fixtures of the ranking tests: a stage with an audience."""

import pytest

from tests.apps.ranking.halls import audience, stage_of


@pytest.fixture
def appearances():
    """Return a stage of five performances with twelve listeners."""
    made = stage_of(5)
    audience(made, 12)
    return made


@pytest.fixture
def stage_id(appearances):
    return appearances[0].session.stage_id
