"""Test idempotency keys: a repeated command runs once, and a refused one leaves no rows (Zulip's nine cases)."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.db.models.functions import Now

from apps.core.commands import LIFETIME, command_answers_prune, command_once
from apps.core.models import CommandAnswer, ErrorLog
from tests.apps.processes import run_in_processes
from tests.factories import UserFactory

TIMES = 10  # of each process
WAVES = 3


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
    """Return the acting user."""
    return UserFactory()


def once(user, key, work):
    return command_once(user_id=user.pk, key=key, name="note", work=work)


def test_the_same_key_answers_the_first_result(user):
    key = uuid4()
    first = once(user, key, note())
    assert once(user, key, note()) == first
    assert ErrorLog.objects.count() == 1
    act = CommandAnswer.objects.get()
    assert (act.user, act.key, act.name, act.answer) == (user, key, "note", first)


def test_another_wish_with_a_used_key_gets_the_first_answer_too(user):
    key = uuid4()
    first = once(user, key, note())
    assert once(user, key, note("another")) == first
    assert once(user, key, failing(ValidationError("no"))) == first, "even if it would be refused by now"


def test_a_key_belongs_to_one_person(user):
    key = uuid4()
    assert once(user, key, note()) != once(UserFactory(), key, note())


@pytest.mark.parametrize("error", [ValidationError("no"), OperationalError("away"), RuntimeError("a fault")])
def test_what_failed_left_nothing_and_may_be_tried_again(user, error):
    key = uuid4()
    with pytest.raises(type(error)):
        once(user, key, failing(error))
    assert not CommandAnswer.objects.exists()
    assert not ErrorLog.objects.exists()
    assert once(user, key, note())["ok"]


def test_answers_are_forgotten_after_a_week_and_with_their_account(user):
    for age in (LIFETIME - timedelta(hours=1), LIFETIME + timedelta(hours=1)):
        CommandAnswer.objects.create(user=user, key=uuid4(), name="note", answer={}, created_at=Now() - age)
    assert command_answers_prune() == 1
    assert command_answers_prune() == 0
    user.delete()
    assert not CommandAnswer.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_twenty_of_the_same_at_once_from_two_processes_are_one():
    user = UserFactory()
    for _wave in range(WAVES):
        ErrorLog.objects.all().delete()
        answers = run_in_processes("tests.apps.core.repeating:note_once", user.pk, uuid4().hex, times=TIMES)
        assert all(answer == answers[0] for answer in answers)
        assert [row.pk for row in ErrorLog.objects.all()] == [answers[0]["row"]]
