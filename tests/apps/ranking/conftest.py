"""A stage with an audience, for tests of its ranking."""

import pytest

from tests.apps.ranking.halls import audience, stage_of


@pytest.fixture
def appearances():
    """A stage of five performances with twelve listeners."""
    made = stage_of(5)
    audience(made, 12)
    return made


@pytest.fixture
def stage_id(appearances):
    return appearances[0].session.stage_id
