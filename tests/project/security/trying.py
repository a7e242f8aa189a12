"""Trying everything that a page offers, as somebody who wishes the others ill; and what became of whose rows."""

import json
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.db import connection
from django.urls import URLPattern
from psycopg import sql

from apps.core.commands import REGISTERED
from tests.commanding import answered, answers
from tests.reading import handlers_of, walk
from tests.screen import Screen

FORGOTTEN = {"counters", "django_migrations"}  # how often somebody tried is counted for everybody
DJANGOS = {"auth_permission", "django_content_type"}  # hundreds of rows of which no page knows
OWNERS = ("user_id", "author_id", "owner_id", "updated_by_id")
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
WRITTEN = "Something that nobody asked for"

Rows = dict[str, set[str]]


def path_of(pattern: URLPattern, stage_id: int) -> str:
    """The address of a pattern; where it has a number, that of this stage."""
    return f"/{pattern.pattern}".replace("<id:stage_id>", str(stage_id)).replace("<stage_file:name>", "ranking.json")


def rows() -> Rows:
    """Every row of every table, as text."""
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        found: Rows = {}
        for (table,) in cursor.fetchall():
            cursor.execute(sql.SQL("SELECT row_to_json(each)::text FROM {} AS each").format(sql.Identifier(table)))
            found[table] = {row for (row,) in cursor.fetchall()}
    return {table: found[table] for table in found.keys() - FORGOTTEN}


def ids() -> list[int]:
    """Every id in the database that a page could name, and one that nothing has."""
    known = {json.loads(row).get("id") for table, found in rows().items() if table not in DJANGOS for row in found}
    numbers = sorted(number for number in known if type(number) is int)
    return [*numbers, numbers[-1] + 1]


def changed(before: Rows, after: Rows) -> list[tuple[str, dict[str, Any]]]:
    """The rows that are others than before, with their tables."""
    return [(table, json.loads(row)) for table in before for row in before[table] ^ after[table]]


def foreign(before: Rows, after: Rows, account: int | None, *, derived: frozenset[str]) -> list[str]:
    """What changed that is not this account's; `derived` tables hold sums over everybody."""
    return [
        f"{table}: {row}"
        for table, row in changed(before, after)
        if table not in derived and not _nobodys(table, row) and (account is None or owner_of(table, row) != account)
    ]


def _nobodys(table: str, row: dict[str, Any]) -> bool:
    """Whether it is the session of somebody in the middle of a sign-in, which is no account's yet."""
    return table == "auth_sessions" and row["user_id"] is None


def owner_of(table: str, row: dict[str, Any]) -> int | None:
    """Whose row it is, as far as the row says."""
    if table == "users":
        return int(row["id"])
    if table == "rate_limits":
        kind, _, number = row["subject"].partition(".")
        return int(number) if kind == "account" else None
    return next((row[name] for name in OWNERS if row.get(name) is not None), None)


@dataclass(slots=True)
class Offers:
    """What pages let their viewers do: the arguments and the fields that their markup names, by name."""

    commands: dict[str, set[str]] = field(default_factory=dict)
    actions: dict[str, set[str]] = field(default_factory=dict)  # they show something
    fields: dict[str, set[str]] = field(default_factory=dict)

    def take(self, screen: Screen) -> None:
        """Note what this page names, whoever looks at it."""
        for node in walk(screen.tree):
            given = node.get("attributes", {})
            argument = str(given.get("data-argument", ""))
            if action := given.get("data-page-event"):
                self.actions.setdefault(action, set()).add(argument)
            if command := given.get("data-command"):
                self.commands.setdefault(command, set()).add(argument)
                inside = (each.get("attributes", {}) for each in walk(node))
                self.fields.setdefault(command, set()).update(each["name"] for each in inside if "name" in each)


def events_of(screen: Screen) -> list[tuple[str, str]]:
    """The page events that the page registers, with their targets."""
    nodes = [node for node in walk(screen.model) if node["tagName"] == "page-events"]
    return [pair for node in nodes for pair in handlers_of(node)]


def handlers_of_elements(screen: Screen) -> list[str]:
    """The targets of all other handlers, but the one that navigates."""
    nodes = [node for node in walk(screen.model) if node["tagName"] not in ("page-events", "page-navigation")]
    return [target for node in nodes for _, target in handlers_of(node)]


async def try_events(screen: Screen, offers: Offers, known: list[int]) -> None:
    """Let happen all that this page shows something for, with every argument that was ever seen and every id."""
    numbers = {str(number) for number in known}
    for name, target in events_of(screen):
        for argument in sorted(numbers | offers.actions.get(name, set())):
            screen._event(target, argument)
    for target in handlers_of_elements(screen):
        screen._event(target, {"target": {"value": WRITTEN}, "currentTarget": {"value": WRITTEN}})
    screen.send('{"type":"ping"}')
    await screen._until(lambda: any(frame["type"] == "pong" for frame in screen.frames), "no pong")


async def try_commands(screen: Screen, offers: Offers, known: list[int]) -> list[dict[str, Any]]:
    """Give every command there is with every argument that was ever seen and every id; returns the answers.

    One after the other, as a browser's one person does: each command has an answer, and none waits for hundreds.
    """
    numbers = {str(number) for number in known}
    for name in REGISTERED:
        for argument in sorted(numbers | offers.commands.get(name, set())):
            key, stored = uuid4().hex, dict.fromkeys(offers.fields.get(name, ()), WRITTEN)
            screen.command(name, argument=argument, fields=stored, key=key)
            await answered(screen, key)
    return answers(screen)
