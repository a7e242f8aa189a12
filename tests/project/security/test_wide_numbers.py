"""Integers wider than any column cause no server error, in commands or in addresses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Viewer
from apps.core.commands import REGISTERED, Arguments
from apps.core.texts import texts
from components.routes import Target, find, table
from tests.factories import viewer_of

pytestmark = pytest.mark.django_db(transaction=True)
REFUSALS = (ValidationError, PermissionDenied, ObjectDoesNotExist)
WIDE = (2**15, 2**31, 10**18 - 1)
KNOWN = range(1, 5)  # ids of the test data: few and small
NEW_SESSION = {"title": "x", "date": "2027-10-04", "time": "10:00"}
SESSION_FIELDS: Sequence[dict[str, Any]] = (
    {"participant_ids": "N,1"},
    {"playing": "N", "number-N": "1"},
    {"playing": "1", "number-1": "1000"},
    {"added": "N"},
    {"stage": "N"},
)
NAMES = (
    *("id", "appearance", "stage", "session", "post", "participant", "link"),
    *("file", "slot", "open", "watch", "before", "page", "t"),
    *("order", "stamp", "added", "there", "read", "first"),
)  # the query parameters that pages read
PICKED = {"several-N-N": "1", "take-N-N": "N", "pick-N-N": "N"}
# Commands that parse integers themselves. `N` is the number.
OWN_PARSING: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]] = {
    "advancements_publish": [("N", {"participant": ["N"], "confirmed": "1"}), ("1", {"participant": ["1", "N"]})],
    "prizes_save": [("N", {"name-1": "A"}), ("1", {"name-1": "A", "recipient-1": ["1", "N"]})],
    "report_decide": [("hide:post:N:N", {}), ("dismiss:rating_comment:N:1", {}), ("hide:post:1:N", {})],
    "reports_decide": [("", {"decision": "hide", "report": ["post:N:N", "post_comment:N:N", "session_comment:N:N"]})],
    "rating_decide": [("approve:piece:N.N:N", {}), ("reject:performance:N:N", {}), ("approve:piece:1:N", {})],
    "ratings_decide": [("", {"decision": "approve", "rating": ["piece:N:N", "performance:N:N"]})],
    "reports_decide_matching": [("hide:N:", {})],
    "ratings_decide_matching": [("approve:N:", {}), ("reject:N:session=N&participant=N", {})],
    "rating_keep": [(f"{pk}", {"piece-N": "20", "age-piece-N": "N", "score": "5", "comment": "x"}) for pk in KNOWN],
    "ratings_take_over": [
        ("", {"marks": '{"N": {"piece-N": ["20", N], "score": ["4", 0], "comment": ["x", 0]}}', **more})
        for more in ({}, {"keep": "1"})
    ],
    "ratings_submit": [(f"{pk}", {"piece-N": "20", "score": "5", "comment": "x"}) for pk in KNOWN],
    "session_create": [("", NEW_SESSION | more) for more in SESSION_FIELDS],
    "order_fill": [
        ("", {"fill": "chosen", "have": "1,N", "chosen": ["1-N", "N-1"]}),
        ("1", {"fill": "lines", "lines": "N\n1. N\nx N", "have": "N"}),
        ("N", {"fill": "copy", "copied": "1"}),
    ],
    "planned_times_set": [("1", {"minutes": "5", "intervals": "N: 5"}), ("1", {"intervals": "1: N"})],
    "planned_times_shift_back": [("N:1:5:x", {}), ("1:N:-5:x", {}), ("1:1:N:x", {})],
    "session_series_create": [
        ("", {"sessions": "2027-10-04 10:00 N", "stage": "1", "confirmed": "1"}),
        ("", {"sessions": "2027-10-04 10:00", "stage": "1", "performers": "N", "first_number": "N"}),
    ],
    "jury_file_choose": [("", {"who-N-N": "N", "juror-N-N": "N", "stage": "N"})],
    "jury_file_save": [("", {"version": "N"})],
    "jury_rule_choose": [("", {"rule": "edition=x&stages=N&decimals=N&rounding=down", "version": "N"})],
    "program_import": [
        ("", {"text": "x", "do": "assign", "scope": "N", "who-N-N": "N", "replace": ["N-N:N"], **PICKED}),
        ("1", {"text": "x", "do": "assign", "slot-0-0-N": "etiuda_a", "sets-0-N": "1", **PICKED}),
        ("N", {"text": "x", "do": "assign"}),
    ],
}


@dataclass
class Places:
    """The parts and names of the arguments from which a command has read an integer."""

    parts: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    words: int = 1


class AnyArguments(Arguments):
    """Arguments for any command: every requested value exists and is valid."""

    __slots__ = ("known", "places", "wide", "word_number")

    def of(self, places: Places, *, word_number: int, known: int, wide: Mapping[int, int]) -> "AnyArguments":
        """Record the requested parts in `places`. An id is `known`, except in the parts of `wide`."""
        for name, value in (("places", places), ("word_number", word_number), ("known", known), ("wide", wide)):
            object.__setattr__(self, name, value)
        return self

    def id(self, part: int = 0) -> int:
        self.places.parts.add(part)
        return self.wide.get(part, self.known)

    def word(self, part: int, choices: Sequence[str]) -> str:  # noqa: ARG002 - as in Arguments
        self.places.words = max(self.places.words, len(choices))
        return list(choices)[self.word_number % len(choices)]

    def text(self, name: str, longest: int) -> str:
        return "10:00"[:longest] if name == "time" else "2027-10-04"[:longest] if name == "date" else ""

    def number(self, name: str, least: int, most: int, sentence: str = "") -> int | None:  # noqa: ARG002 - as in Arguments
        self.places.names.add(name)
        return most

    def choice(self, name: str, choices: Sequence[str]) -> str:  # noqa: ARG002 - as in Arguments
        return str(next(iter(choices), ""))

    def flag(self, name: str) -> bool:  # noqa: ARG002 - as in Arguments
        return True


def try_command(name: str, actor: Viewer, arguments: Arguments) -> None:
    """Run a command and roll it back. A refusal is accepted."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                REGISTERED[name].work(actor, arguments, texts("en"))
                connection.check_constraints()
        except REFUSALS:
            pass
        transaction.set_rollback(True)


def wide_ones(places: Places) -> Iterator[tuple[int, Mapping[int, int]]]:
    """Yield each part with each wide number, while the other parts are known ids."""
    for part, number in product(sorted(places.parts), WIDE):
        for known in KNOWN if len(places.parts) > 1 else (1,):
            yield known, {part: number}


def with_number(template: Any, number: int) -> Any:
    """Replace each placeholder with the number."""
    if isinstance(template, str):
        return template.replace("N", str(number))
    if isinstance(template, list):
        return [with_number(each, number) for each in template]
    return {with_number(name, number): with_number(each, number) for name, each in template.items()}


def test_commands_accept_or_refuse_wide_numbers(people: SimpleNamespace) -> None:
    boss = viewer_of(people.administrator)
    names = sorted(name for name, command in REGISTERED.items() if command.work.__module__.startswith("apps."))
    tried = 0
    for name in names:
        places = Places()
        for known in KNOWN:
            try_command(name, boss, AnyArguments("", {}).of(places, word_number=0, known=known, wide={}))
        for word_number in range(places.words):
            for known, wide in wide_ones(places):
                try_command(
                    name, boss, AnyArguments("", {}).of(places, word_number=word_number, known=known, wide=wide)
                )
                tried += 1
        for argument, fields in OWN_PARSING.get(name, ()):
            for number in WIDE:
                try_command(name, boss, Arguments(with_number(argument, number), with_number(dict(fields), number)))
                tried += 1
        assert connection.is_usable(), name
    assert tried > 300


def test_addresses_with_wide_numbers_cause_no_error(people: SimpleNamespace) -> None:
    """Each page is loaded with each number, and with one of them in each of its tabs."""
    boss = viewer_of(people.administrator)
    for route in table():
        for turn, tab in enumerate(("?", "", "?", "?mode=edit&", "?tab=unusual&", "?tab=performances&")):
            number = WIDE[turn % len(WIDE)]
            query = "&".join(f"{name}={number}" for name in NAMES) if tab else ""
            target = find(route.pattern.replace("{id}", str(number)) + tab + query, boss)
            if isinstance(target, Target) and not route.plain:
                target.load(boss, "en")
