"""The runtime's pages and public names: refusals of invalid pages, imports of ReactPy, examples of the reference."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.events import TopicUnknown, topics_declare
from components import runtime
from components.routes import Load, Route, Target
from components.runtime import markup
from components.runtime.hooks import PageViewConnection
from components.runtime.markup import component, html, key, web_module
from components.runtime.page import Page, PageInvalid, PageRequest, filled, joined
from components.runtime.rendering.layout import HookConnection, rendered
from components.runtime.rendering.page_slots import SlotQuery, slot_query
from components.runtime.rendering.parts import REGISTERED, PublicPart, Ref
from components.runtime.rendering.slots import Fills, fill
from project.config import ROOT

FAN = Viewer(7, "fan")
topics_declare(dict.fromkeys(("lamp.<id>", "account.<id>.lamps"), "of a test"))


def lamp(number: int, *, topic: str = "lamp") -> Ref:
    """A part that depends on the topic of its number."""
    return PublicPart("lamp", lambda: None, lambda pk: (f"{topic}.{pk}",))(number, language="en")


def page_at(path: str, load: Load) -> Page:
    """Return the page of this `load`, as if it was in the table of routes."""
    return Target(Route(path, load), {}, {}, path, path).load(ANONYMOUS, "en")


def page(**more: Any) -> Load:
    """Return a `load` function of a page with these parts, slots or topics."""
    return lambda _: Page("A test.", lambda _: None, **more)  # type: ignore[arg-type, return-value]


def test_unknown_part_is_rejected_with_the_page_and_its_parts() -> None:
    house = page_at("/house", page(parts={"hall": lamp(1), "stairs": lamp(2)}))
    assert house.parts["stairs"].key == "lamp:2:en"
    with pytest.raises(PageInvalid, match=r"the page /house has no part named 'hell'; its parts: hall, stairs"):
        house.parts["hell"]
    with pytest.raises(PageInvalid, match=r"the page /tent has no part named 'hall'; its parts: none"):
        page_at("/tent", page()).parts["hall"]


def test_two_parts_with_one_name_are_rejected() -> None:
    def load(_: PageRequest) -> Page:
        parts = joined({"hall": lamp(1)}, {"stairs": lamp(2)}, {"hall": lamp(3)})
        return Page("A test.", lambda _: None, parts=parts)  # type: ignore[arg-type, return-value]

    with pytest.raises(PageInvalid, match=r"the page /house: two parts are named 'hall': lamp:1:en and lamp:3:en"):
        page_at("/house", load)
    assert list(joined({"hall": lamp(1)}, {"stairs": lamp(2)})) == ["hall", "stairs"]


def lamp_fills(*, viewer: Viewer) -> Fills:
    return {f"switch:{viewer.id}": fill({"hidden": False})}


def other_fills(*, viewer: Viewer) -> Fills:
    """Fill the same slots for other rows, as another feature does."""
    return {"bulb": fill(text=viewer.username), "switch:1": fill({"hidden": True})}


@pytest.mark.django_db  # the frame of every page reads a member's newest notification
def test_slot_of_two_features_is_rejected() -> None:
    both: tuple[SlotQuery, ...] = (slot_query(lamp_fills), slot_query(other_fills))
    one = page_at("/house", page(slots=both[:1]))
    assert filled(one, FAN).all_fills == {"switch:7": fill({"hidden": False})}
    two = page_at("/house", page(slots=both))
    assert filled(two, ANONYMOUS).fills == ()
    words = r"two features fill the slot 'switch' of the page /house: lamp_fills and other_fills"
    with pytest.raises(PageInvalid, match=words):
        filled(two, FAN)


def test_topics_that_no_event_publishes_are_rejected() -> None:
    slots = (slot_query(lamp_fills, topics=("account.<id>.lamps", "lamb.1")),)
    invalid: list[tuple[dict[str, Any], str]] = [
        ({"topics": ("lamp.1", "lamb.1")}, "the page /house"),
        ({"cache_topics": ("lamb.1",)}, "the page /house"),
        ({"parts": {"hall": lamp(1), "stairs": lamp(1, topic="lamb")}}, "the page /house, its part 'stairs'"),
        ({"slots": slots}, "the page /house, its slots lamp_fills"),
    ]
    for more, where in invalid:
        with pytest.raises(TopicUnknown, match=f"^{where}: no event publishes the topic 'lamb.1'"):
            page_at("/house", page(**more))


SOURCES = [path for folder in ("components", "project", "apps") for path in (settings.ROOT / folder).rglob("*.py")]
ALLOWED = (
    *("components/runtime/markup.py", "components/runtime/rendering/", "components/runtime/hooks.py"),
    # it imports ReactPy first, without packages that no page uses
    "project/launcher/memory.py",
)


@component
def greeting(name: str, *, loud: bool = False) -> Any:
    return html.p(name.upper() if loud else name)


def test_component_takes_the_arguments_of_its_function_and_a_key() -> None:
    element = greeting("Ewa")
    assert key("row-1", element) is element
    assert element.key == "row-1"
    element = web_module("modules/video-player.js", "Player")({"frame": "stage-video", "second": 3})
    assert element["tagName"] == "Player"
    assert element["attributes"] == {"frame": "stage-video", "second": 3}
    assert element["importSource"]["source"].startswith("/static/build/modules/video-player")
    assert element["importSource"]["sourceType"] == "URL"


def test_exported_names_exist() -> None:
    assert [name for name in markup.__all__ if not hasattr(markup, name)] == []


def test_reactpy_is_imported_by_the_runtime_only() -> None:
    """Other modules import from components/runtime/markup.py, and reactpy-django's hooks from .../hooks.py."""
    assert len(SOURCES) > 100
    importing = [str(path.relative_to(settings.ROOT)) for path in SOURCES if imports_reactpy(path)]
    assert "components/runtime/markup.py" in importing  # the search works
    assert [path for path in importing if not path.startswith(ALLOWED)] == []


def imports_reactpy(path: Path) -> bool:
    """Return whether this source imports ReactPy or its Django package."""
    source = path.read_text(encoding="utf-8")
    if "reactpy" not in source:
        return False
    nodes = list(ast.walk(ast.parse(source)))
    modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return not {module.split(".")[0] for module in modules}.isdisjoint({"reactpy", "reactpy_django"})


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
