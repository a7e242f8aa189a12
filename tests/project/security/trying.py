"""Helpers that try every page event and command as an attacker, and compare the rows before and after."""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.db import connection
from django.urls import URLPattern
from psycopg import sql

from apps.competition.models import Session
from apps.core.commands import REGISTERED, Access
from apps.following.limits import SECRET_LENGTH
from project.limits.rates import RESTART
from tests.commanding import answers
from tests.reading import handlers_of, walk
from tests.screen import Screen

IGNORED = {"counters", "django_migrations"}  # attempts of all visitors are counted together
DJANGOS = {"auth_permission", "django_content_type"}  # hundreds of rows that no page shows
OWNERS = ("user_id", "author_id", "owner_id", "updated_by_id")
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
WRITTEN = "A text of the test"

Rows = dict[str, set[str]]


def plain_path_of(pattern: URLPattern) -> str:
    """Return the address of a URL pattern, with the id 1."""
    return "/" + re.sub(r"<[^>]*>", "1", str(pattern.pattern).replace("<stage_file:name>", "ranking.csv"))


def path_of(pattern: URLPattern, session: Session) -> str:
    """Return the address of a URL pattern, with the ids of this session, its stage and first participant."""
    names = {"<id:stage_id>": session.stage_id, "<id:session_id>": session.pk, "<stage_file:name>": "ranking.json"}
    first = session.appearances.order_by("pk").values_list("participant_id", flat=True).first()
    names |= {"<id:participant_id>": first or 1, "<secret:secret>": "A" * SECRET_LENGTH}
    names |= {"<rest:rest>": "rest", "<command:name>": "no_command"}
    path = f"/{pattern.pattern}"
    for name, value in names.items():
        path = path.replace(name, str(value))
    return path


def rows() -> Rows:
    """Return the rows of every table as text, without the tables in `IGNORED`."""
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        stored: Rows = {}
        for (table,) in cursor.fetchall():
            cursor.execute(sql.SQL("SELECT row_to_json(each)::text FROM {} AS each").format(sql.Identifier(table)))
            stored[table] = {row for (row,) in cursor.fetchall()}
    return {table: stored[table] for table in stored.keys() - IGNORED}


def ids() -> list[int]:
    """Return every id in the database that a page could name, and one unused id."""
    known = {json.loads(row).get("id") for table, stored in rows().items() if table not in DJANGOS for row in stored}
    numbers = sorted(number for number in known if type(number) is int)
    return [*numbers, numbers[-1] + 1]


def changed(before: Rows, after: Rows) -> list[tuple[str, dict[str, Any]]]:
    """Return the rows that were added, removed or changed, with their tables."""
    return [(table, json.loads(row)) for table in before for row in before[table] ^ after[table]]


def foreign(before: Rows, after: Rows, account: int | None, *, derived: frozenset[str]) -> list[str]:
    """Return the changed rows that do not belong to this account, except in the `derived` tables."""
    return [
        f"{table}: {row}"
        for table, row in changed(before, after)
        if table not in derived
        and not has_no_account(table, row)
        and (account is None or owner_of(table, row) != account)
    ]


def has_no_account(table: str, row: dict[str, Any]) -> bool:
    """Return whether the row is an auth session that has no account yet, as during a sign-in."""
    return table == "auth_sessions" and row["user_id"] is None


def owner_of(table: str, row: dict[str, Any]) -> int | None:
    """Return the id of the account that owns the row, or None if the row names none."""
    if table == "users":
        return int(row["id"])
    if table == "rate_limits":
        kind, _, number = row["subject"].partition(".")
        return int(number) if kind == "account" else None
    return next((row[name] for name in OWNERS if row.get(name) is not None), None)


@dataclass(slots=True)
class Offers:
    """The arguments and fields that the markup of pages names, by command or page event."""

    commands: dict[str, set[str]] = field(default_factory=dict)
    actions: dict[str, set[str]] = field(default_factory=dict)  # page events
    fields: dict[str, set[str]] = field(default_factory=dict)

    def take(self, screen: Screen) -> None:
        """Add the commands, page events and fields of this page."""
        for node in walk(screen.tree):
            own = node.get("attributes", {})
            argument = str(own.get("data-argument", ""))
            if action := own.get("data-page-event"):
                self.actions.setdefault(action, set()).add(argument)
            if command := own.get("data-command"):
                self.commands.setdefault(command, set()).add(argument)
                inside = (child.get("attributes", {}) for child in walk(node))
                self.fields.setdefault(command, set()).update(field["name"] for field in inside if "name" in field)


def events_of(screen: Screen) -> list[tuple[str, str]]:
    """Return the page events that the page registers, with their targets."""
    nodes = [node for node in walk(screen.model) if node["tagName"] == "page-events"]
    return [pair for node in nodes for pair in handlers_of(node)]


def handlers_of_elements(screen: Screen) -> list[str]:
    """Return the targets of all other handlers, except the navigation handler."""
    nodes = [node for node in walk(screen.model) if node["tagName"] not in ("page-events", "page-navigation")]
    return [target for node in nodes for _, target in handlers_of(node)]


async def try_events(screen: Screen, offers: Offers, known: list[int]) -> None:
    """Send every page event of this page with every known argument and id."""
    numbers = {str(number) for number in known}
    for name, target in events_of(screen):
        for argument in sorted(numbers | offers.actions.get(name, set())):
            screen._event(target, argument)
    for target in handlers_of_elements(screen):
        screen._event(target, {"target": {"value": WRITTEN}, "currentTarget": {"value": WRITTEN}})
    screen.send('{"type":"ping"}')
    await screen._until(lambda: any(frame["type"] == "pong" for frame in screen.frames), "no pong")


async def try_commands(screen: Screen, offers: Offers, known: list[int], role: str) -> list[tuple[str, dict[str, Any]]]:
    """Send every registered command with known arguments and ids, and return the answers with their commands.

    A command that this role may not send is refused before its argument is read, so two arguments suffice; a member's
    are all tried, and of an administrator's all small ids, which include the accounts', and every third of the others.
    Each command waits for the answer to the previous one, as in a browser.
    """
    pairs = []
    for name, command in REGISTERED.items():
        numbers = known if role != "administrator" else [number for number in known if number < 10 or not number % 3]
        arguments = sorted({str(number) for number in numbers} | offers.commands.get(name, set()))
        if role == "anonymous" or (role == "fan" and command.access is not Access.MEMBER):
            arguments = arguments[:2]
        for argument in arguments:
            stored = dict.fromkeys(offers.fields.get(name, ()), WRITTEN)
            pairs += [(name, answer) for answer in await command_answers(screen, name, argument, stored)]
            screen.frames.clear()  # each wait reads all of them
    return pairs


async def command_answers(screen: Screen, name: str, argument: str, fields: dict[str, str]) -> list[dict[str, Any]]:
    """Send a command and return its answers. If the socket closes for new rights, send it again as a browser does."""
    key = uuid4().hex
    screen.command(name, argument=argument, fields=fields, key=key)
    while not answers(screen, key):
        await screen._until(lambda: answers(screen, key) or screen.closed == RESTART, f"no answer to {name}")
        if screen.closed is not None:
            await screen.go_online()
            screen.command(name, argument=argument, fields=fields, key=key)
    return answers(screen, key)
