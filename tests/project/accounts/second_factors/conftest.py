"""An account, and a browser that has just signed in to it."""

import pytest

from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import EMAIL
from tests.project.plain_browser import PlainBrowser


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


@pytest.fixture
def browser(fan):
    signed_in = PlainBrowser()
    signed_in.sign_in(EMAIL, PASSWORD)
    return signed_in
