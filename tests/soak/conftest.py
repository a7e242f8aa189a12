"""Fixtures: a database with the demo competition, and a web process that uses it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server
from tests.project.server.test_full_house import HALL


@pytest.fixture
def database(django_db_modify_db_settings: None) -> Iterator[str]:
    """Yield the address of a database of this test."""
    with content.database(f"{PREFIX}{os.getpid()}_soak") as address:
        yield address


@pytest.fixture
def server(database: str, tmp_path: Path) -> Iterator[Server]:
    """Yield a web process with the demo competition; its limits allow many viewers from one address."""
    process = Server(tmp_path, database, **HALL)
    try:
        process.start()
        yield process
    finally:
        process.kill()
