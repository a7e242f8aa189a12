"""The reference of `components.runtime`: it uses every public name, and its examples run."""

import ast
import re
from typing import Any

import pytest

from apps.accounts.actors import ANONYMOUS
from components import runtime
from components.runtime.hooks import PageViewConnection
from components.runtime.rendering.layout import HookConnection, rendered
from components.runtime.rendering.parts import REGISTERED
from project.config import ROOT

README = (ROOT / "components" / "runtime" / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that the examples define, with three reads that an app would have."""
    monkeypatch.setattr("components.runtime.rendering.parts.REGISTERED", dict(REGISTERED))
    namespace = {name: getattr(runtime, name) for name in runtime.__all__} | {"Any": Any, "__name__": "reference"}
    namespace["newest_read"] = lambda *, number: list(range(number))
    namespace["rows_read"] = lambda rows: {row: f"Session {row}" for row in rows}
    namespace["waiting_read"] = lambda: 0
    for example in EXAMPLES:
        code = compile(f"from __future__ import annotations\n{example}", "README.md", "exec")
        exec(code, namespace)  # noqa: S102 - our own reference
    return namespace


def test_examples_use_every_public_name() -> None:
    used = {node.id for example in EXAMPLES for node in ast.walk(ast.parse(example)) if isinstance(node, ast.Name)}
    assert sorted(set(runtime.__all__) - used) == []


async def test_examples_render(names: dict[str, Any]) -> None:
    page = names["load"](runtime.PageRequest(query={"page": "2"})).at("/sessions")
    assert page.data == 2
    connection = HookConnection({"type": "http"}, PageViewConnection(page, ANONYMOUS))
    sessions = await rendered(page.component(page), connection)
    assert sessions.targets
    assert "session_list:3:en" in str(sessions.model)
    greeting = await rendered(names["greetings"](("Ewa", "Jan")), connection)
    assert "Ewa: 0" in str(greeting.model)
    assert greeting.has_effects
    waiting = await rendered(names["waiting"](3), connection)
    assert ": 3 of" in str(waiting.model)
    assert "/do/post_create" in str(names["form"])
    row = names["session_row"](7, language="en")
    assert "Session 7" in str(row.part.markup(7, language="en"))
    assert names["bookmark_fills"](viewer=ANONYMOUS, language="en")["bookmark:7"]["text"] == "Bookmarked"
    assert isinstance(names["refused"]({"own": "1"}), runtime.Redirect)
