"""Test idempotency keys: a repeated command runs once, and a refused one leaves no rows (Zulip's nine cases).

`tests/apps/test_two_processes.py` repeats a command in two processes at the same time.
"""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.db.models.functions import Now

from apps.core.commands import LIFETIME, command_answers_prune, command_once
from apps.core.models import CommandAnswer, ErrorLog
from tests.factories import UserFactory


def note(message="once"):
    """Return an act that stores a row and answers with its id."""
    return lambda: {"ok": True, "row": ErrorLog.objects.create(message=message).pk}


def failing(error):
    """Return an act that stores a row and then fails."""

    def work():
        ErrorLog.objects.create(message="half")
        raise error

    return work


@pytest.fixture
def user(db):
    return UserFactory()


def once(user, key, work, name="note"):
    return command_once(user_id=user.pk, key=key, name=name, work=work)


def test_repeated_key_of_an_account_returns_the_first_answer(user):
    key = uuid4()
    first = once(user, key, note())
    assert once(user, key, note()) == first
    assert ErrorLog.objects.count() == 1
    stored = CommandAnswer.objects.get()
    assert (stored.user, stored.key, stored.name, stored.answer) == (user, key, "note", first)
    assert once(user, key, note("another")) == first
    assert once(user, key, failing(ValidationError("no"))) == first, "even if the command would be refused now"
    assert once(UserFactory(), key, note()) != first
    with pytest.raises(ValidationError, match="This key was used for another command"):
        once(user, key, note(), name="another")


@pytest.mark.parametrize("error", [ValidationError("no"), OperationalError("down"), RuntimeError("a fault")])
def test_failed_command_stores_no_rows_and_can_be_retried(user, error):
    key = uuid4()
    with pytest.raises(type(error)):
        once(user, key, failing(error))
    assert not CommandAnswer.objects.exists()
    assert not ErrorLog.objects.exists()
    assert once(user, key, note())["ok"]


def test_answers_are_deleted_after_a_week_and_with_their_account(user):
    for age in (LIFETIME - timedelta(hours=1), LIFETIME + timedelta(hours=1)):
        CommandAnswer.objects.create(user=user, key=uuid4(), name="note", answer={}, created_at=Now() - age)
    assert command_answers_prune() == 1
    assert command_answers_prune() == 0
    user.delete()
    assert not CommandAnswer.objects.exists()
