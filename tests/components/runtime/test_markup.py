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
ALLOWED = ("components/runtime/markup.py", "components/runtime/rendering/", "components/runtime/hooks.py")


@component
def greeting(name: str, *, loud: bool = False) -> Any:
    return html.p(name.upper() if loud else name)


async def test_component_takes_the_arguments_of_its_function() -> None:
    model = await first_model(greeting("Ewa", loud=True), None)  # type: ignore[arg-type]
    assert "EWA" in str(model)
    assert list(inspect.signature(greeting).parameters) == ["name", "loud"]
    with pytest.raises(TypeError):
        await greeting("Ewa", quiet=True)  # type: ignore[call-arg, misc]


def test_key_is_set_on_the_component() -> None:
    element = greeting("Ewa")
    assert key("row-1", element) is element
    assert element.key == "row-1"


def test_web_module_is_a_hashed_static_file() -> None:
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
