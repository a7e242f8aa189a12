"""An account, and a browser that has just signed in to it."""

import pytest

from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import EMAIL
from tests.project.plain_browser import PlainBrowser


@pytest.fixture
def browser(fan):
    signed_in = PlainBrowser()
    signed_in.sign_in(EMAIL, PASSWORD)
    return signed_in
