"""How long an answer takes must not tell who has an account: with all rounds of hashing it takes as long for both."""

import time

import pytest
from django.conf import global_settings

from tests.project.accounts.test_sign_in_work import (
    ALIKE,
    WAITING,
    accounts_create,
    difference,
    signing_in,
    signing_up,
)

pytestmark = pytest.mark.django_db(transaction=True)


def seconds(do):
    """The processor's, which somebody else's work does not lengthen much."""
    begun = time.thread_time()
    return do(), time.thread_time() - begun


@pytest.mark.parametrize("form", [signing_in, lambda: signing_in(WAITING), signing_up])
def test_an_answer_takes_as_long(transactional_db, settings, form):
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS  # as a real process has them
    accounts_create()
    assert difference(form(), seconds) < ALIKE
