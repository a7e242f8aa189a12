"""Shared fixtures of the import tests: the competition's catalogue."""

import pytest

from apps.imports.program_lines.catalogue import Catalogue
from tests.apps.imports.program_lines import whole_catalogue


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    """Return all works of the competition's catalogue, without a database."""
    return whole_catalogue()
