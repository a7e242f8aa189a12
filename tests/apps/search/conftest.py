"""Fixtures of the search tests: the demo and performers to search in, and no cached vocabulary of another test."""

import pytest
from django.db import transaction

from apps.search.corrections import vocabulary_forget
from tests.apps.search.places import places_load


@pytest.fixture(scope="module")
def places(django_db_setup, django_db_blocker):
    """Load the demo with its posts, and the performers, for all tests of a module."""
    with django_db_blocker.unblock(), transaction.atomic():
        places_load()
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def empty_caches():
    """Clear the cache of this process."""
    vocabulary_forget()
