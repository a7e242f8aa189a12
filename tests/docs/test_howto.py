"""The guides' examples, executed in order and checked on the pages and commands that they define."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction

from apps.accounts.actors import OPERATOR
from apps.core import commands
from apps.core.events import publish, topics_declare
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.live import services
from apps.live.limits import COMMENT_LENGTH
from apps.live.models import SessionComment
from components.routes import Route
from components.runtime.rendering import parts
from tests.commanding import command
from tests.docs.guides import APP, HOWTO, examples, execute, vocabulary
from tests.factories import SessionFactory, UserFactory
from tests.project.conftest import Table
from tests.screen import open_page
from tests.serving import page_response, serving

EXECUTED = {"add-a-command.md", "add-a-form.md", "add-a-live-event.md", "add-a-screen.md", APP}


@dataclass(frozen=True, slots=True)
class Prize:
    """A row of the guides' examples."""

    id: int
    name: str


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the namespace of the guides' examples. Their registrations are undone after the test."""
    monkeypatch.setattr(parts, "REGISTERED", dict(parts.REGISTERED))
    other_commands = {name: entry for name, entry in commands.REGISTERED.items() if name != "comment_add"}
    monkeypatch.setattr(commands, "REGISTERED", other_commands)
    rows = [Prize(1, "Grand Prize")]
    namespace = vocabulary() | {
        "OPERATOR": OPERATOR,
        "rows": rows,
        "selectors": SimpleNamespace(prize_list=lambda: tuple(rows)),
        "prize_ids": lambda: tuple(row.id for row in rows),
        "diploma": lambda _request, prize_id: prize_id,
    }

    def load(*arguments: Any) -> Any:  # the `load` that an example defines later
        return namespace["load"](*arguments)

    module = SimpleNamespace(load=load)
    return namespace | {"prizes": module, "prize": module}


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    return lambda *routes: monkeypatch.setattr("components.routes.table", lambda: routes)


def test_guides_with_examples_are_executed() -> None:
    assert {guide.name for guide in HOWTO.glob("*.md") if examples(guide.name)} == EXECUTED


@pytest.mark.django_db(transaction=True)
async def test_guide_adds_a_screen(names: dict[str, Any], table: Table) -> None:
    topics_declare({"prizes": "the list of prizes"})  # as in the guide on live events
    *steps, check = examples("add-a-screen.md")
    for example in steps:
        await execute(example, names)
    table(Route("/prizes", names["load"]))
    await execute(check, names | {"fan": None})


@pytest.mark.django_db(transaction=True)
async def test_guide_adds_a_live_event(names: dict[str, Any], table: Table) -> None:
    event, check = examples("add-a-live-event.md")
    for example in (*examples("add-a-screen.md")[:-1], event):
        await execute(example, names)

    @transaction.atomic
    def prize_award(*, actor: Any, prize_id: int) -> None:
        assert actor is OPERATOR
        names["rows"][0] = Prize(prize_id, "Grand Prize, awarded")
        publish(names["PrizeAwarded"](prize_id=prize_id))

    table(Route("/prizes", names["load"]))
    await execute(check, names | {"prize_award": prize_award})


@pytest.mark.django_db(transaction=True)
async def test_guide_adds_a_form(names: dict[str, Any], table: Table) -> None:
    (screen,) = examples("add-a-form.md")
    await execute(screen, names)
    table(Route("/draw", names["draw"], plain=True))
    async with serving():
        response = await page_response("/draw", [])
    assert response.status_code == 200
    assert "Take part" in response.content.decode()


@pytest.mark.django_db(transaction=True)
async def test_guide_adds_a_command(names: dict[str, Any]) -> None:
    service, registering, markup, check = examples("add-a-command.md")
    fan, session = await in_thread(UserFactory), await in_thread(SessionFactory)
    more = {"services": services, "COMMENT_LENGTH": COMMENT_LENGTH, "SessionComment": SessionComment, "t": texts("en")}
    names |= more | {"transaction": transaction, "session": session, "session_id": session.pk, "comment": Prize(1, "")}
    for example in (service, registering, markup):
        await execute(example, names)
    assert commands.REGISTERED["comment_add"].work is names["comment_add"]
    async with open_page(f"/sessions/{session.pk}", user=fan) as screen, open_page(f"/sessions/{session.pk}") as other:
        await execute(check, names | {"command": command, "screen": screen, "other": other})
