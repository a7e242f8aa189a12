"""The account for tests of the password reset."""

import pytest

from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.project.accounts.reset.resetting import EMAIL


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")
