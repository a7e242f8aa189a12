"""Accounts for the tests of pages. An async test opens live pages, so its rows are committed."""

import inspect
from pathlib import Path

import pytest

from apps.accounts.models import User
from tests.factories import AdminFactory, UserFactory

FOLDER = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before pytest-django sorts the tests by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the async tests of this folder as tests with commits."""
    for item in items:
        if FOLDER in item.path.parents and inspect.iscoroutinefunction(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.django_db(transaction=True), append=False)


@pytest.fixture
def fan(db: None) -> User:
    """Return a member without rights."""
    return UserFactory()


@pytest.fixture
def admin(db: None) -> User:
    """Return an administrator."""
    return AdminFactory()


@pytest.fixture
def colleague(db: None) -> User:
    """Return another administrator."""
    return AdminFactory()
