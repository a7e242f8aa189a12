"""Response times do not reveal whether an account exists: with real password hashing, both take equally long."""

import time

import pytest
from django.conf import global_settings

from tests.project.accounts.test_sign_in_work import ALIKE, WAITING, accounts_create, difference, signing_in, signing_up

pytestmark = pytest.mark.django_db(transaction=True)


def seconds(do):
    """Return the result of `do` and its CPU seconds in this thread, which other load hardly affects."""
    begun = time.thread_time()
    return do(), time.thread_time() - begun


@pytest.mark.parametrize("form", [signing_in, lambda: signing_in(WAITING), signing_up])
def test_response_time_does_not_depend_on_the_account(transactional_db, settings, form):
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS  # as in a real process
    accounts_create()
    assert difference(form(), seconds) < ALIKE
