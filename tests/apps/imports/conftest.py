"""Shared fixtures of the import tests: the competition's catalogue."""

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from apps.competition.services.catalogue import catalogue_load
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.selectors.programs import catalogue_get


@pytest.fixture(scope="module")
def catalogue(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Catalogue:
    """Return the competition's catalogue, read from the database once."""
    with django_db_blocker.unblock(), transaction.atomic():
        catalogue_load()
        loaded = catalogue_get()
        transaction.set_rollback(True)
    return loaded
