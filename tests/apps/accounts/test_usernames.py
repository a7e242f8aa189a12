"""Test the rules of usernames against arbitrary input."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from hypothesis import example, given
from hypothesis import strategies as st

from apps.accounts.limits import USERNAME_LONGEST
from apps.accounts.models import USERNAME_SKELETON, User
from apps.accounts.validators import RESERVED_SKELETONS, USERNAME, username_skeleton, validate_username

RESERVED_NAMES = ("admin", "ADMIN", "a-d-m-i-n", "former_member", "Parterre", "adm1n", "AdrnIn", "m0derator", "Ju-ry")
ALIKE_NAMES = ("Una_Corda", "unacorda", "una-corda", "Una_C0rda", "una--corda")
GOOD = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_-]{2,19}\Z")
LETTERS = "Username can only contain letters, numbers, underscores, and hyphens"
MESSAGES = (
    (lambda name: len(name) < 3, "Username must be at least 3 characters long"),
    (lambda name: len(name) > 20, "Username must be no more than 20 characters long"),
    (lambda name: not re.fullmatch(r"[A-Za-z0-9_-]*", name), LETTERS),
    (lambda name: re.match(r"[0-9_-]", name), "Username must start with a letter"),
)


def test_reserved_usernames_are_refused():
    assert not [name for name in RESERVED_NAMES if "reserved" not in " ".join(messages(name))]


def messages(name: str) -> list[str]:
    try:
        validate_username(name)
    except ValidationError as error:
        return list(error.messages)
    return []


@given(GOOD.filter(lambda name: username_skeleton(name) not in RESERVED_SKELETONS))
def test_username_that_follows_the_rules_is_valid(name):
    assert messages(name) == []
    assert len(name) <= USERNAME_LONGEST


@given(st.text(max_size=30) | st.text("abcXYZ019_-", max_size=24) | GOOD.map(lambda name: f"{name}\n"))
@example("")
@example("ab")
@example("a" * 21)
@example("4ewa")
@example("ewa\n")
@example("ewa ")
@example("éwa")
@example("ewa\u0661")
@example("\u202eewa")
def test_message_names_the_first_broken_rule(name):
    expected = next((message for broken, message in MESSAGES if broken(name)), None)
    assert messages(name) == ([expected] if expected else [])


@pytest.mark.django_db
@given(st.text("abcXYZ019_- é\n", max_size=22))
def test_database_constraint_equals_the_validator(name):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text ~ %s", [name, USERNAME])
        assert cursor.fetchone()[0] is (messages(name) == [])


@pytest.mark.django_db
@given(st.text("abirnmvw01lLIO_-", min_size=3, max_size=20).map(lambda name: f"a{name}"[:20]))
def test_database_skeleton_equals_the_validators(name):
    query, values = User.objects.values_list(USERNAME_SKELETON).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(query.replace('FROM "users"', "FROM (VALUES (%s::text)) AS users (username)"), [*values, name])
        assert cursor.fetchone()[0] == username_skeleton(name)
