"""`components.runtime.markup` is the only module through which product code imports ReactPy."""

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from components.runtime import markup
from components.runtime.markup import component, html, key, web_module
from components.runtime.rendering.layout import first_model

SOURCES = [path for folder in ("components", "project", "apps") for path in (settings.ROOT / folder).rglob("*.py")]
BENEATH = (
    "components/runtime/markup.py",
    "components/runtime/rendering/",
    "components/runtime/hooks.py",
)


@component
def greeting(name: str, *, loud: bool = False) -> Any:
    """A greeting."""
    return html.p(name.upper() if loud else name)


async def test_components_take_their_functions_arguments() -> None:
    model = await first_model(greeting("Ewa", loud=True), None)  # type: ignore[arg-type]
    assert "EWA" in str(model)
    assert list(inspect.signature(greeting).parameters) == ["name", "loud"]
    with pytest.raises(TypeError):
        await greeting("Ewa", quiet=True)  # type: ignore[call-arg, misc]


def test_a_key_is_the_components() -> None:
    made = greeting("Ewa")
    assert key("row-1", made) is made
    assert made.key == "row-1"


def test_a_web_module_is_a_hashed_file_of_ours() -> None:
    element = web_module("modules/video-player.js", "Player")({"frame": "stage-video", "second": 3})
    assert element["tagName"] == "Player"
    assert element["attributes"] == {"frame": "stage-video", "second": 3}
    assert element["importSource"]["source"].startswith("/static/build/modules/video-player")
    assert element["importSource"]["sourceType"] == "URL"


def test_everything_that_is_offered_is_there() -> None:
    assert [name for name in markup.__all__ if not hasattr(markup, name)] == []


def test_reactpy_is_imported_through_this_door_only() -> None:
    assert len(SOURCES) > 100
    past = [name for name in map(relative, SOURCES) if imports_reactpy(name) and not name.startswith(BENEATH)]
    assert past == [], (
        "import from components/runtime/markup.py, and reactpy-django's hooks from components/runtime/hooks.py"
    )
    assert imports_reactpy("components/runtime/markup.py")  # the search works


def relative(path: Path) -> str:
    return str(path.relative_to(settings.ROOT))


def imports_reactpy(name: str) -> bool:
    """Return whether this source imports ReactPy or its Django package."""
    imported = {
        module.split(".")[0]
        for node in ast.walk(ast.parse((settings.ROOT / name).read_text(encoding="utf-8")))
        for module in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [])
        + ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [])
    }
    return not imported.isdisjoint({"reactpy", "reactpy_django"})
