"""Executing the guides: their Python examples in one namespace, in their order."""

import ast
import inspect
import re
from importlib import import_module
from textwrap import dedent
from types import CodeType
from typing import Any

from tests.docs.reading import DOCS

HOWTO = DOCS / "howto"
APP = "add-an-app.md"  # which tests/docs/test_add_an_app.py follows as a whole, its lines of a shell too
PYTHON = re.compile(r"^([ ]*)```python\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^    (\S.*?)(?:\s{2,}#.*)?$", re.MULTILINE)
# What a guide may use without saying where it comes from.
VOCABULARY = (
    "tests.screen",
    "apps.accounts.actors",
    "apps.core.commands", "apps.core.events", "apps.core.texts",
    "components.runtime", "components.routes",
    "components.ui.blocks", "components.ui.frames", "components.ui.forms", "components.ui.posted_forms",
    "components.pages.account.screen",
)  # fmt: skip


def examples(guide: str) -> list[str]:
    """The Python examples of a guide, in their order."""
    return [dedent(found[2]) for found in PYTHON.finditer((HOWTO / guide).read_text(encoding="utf-8"))]


def shell_lines(guide: str) -> list[str]:
    """The lines of a guide that are typed into a shell, without their remarks."""
    text = re.sub(r"^ *```.*?^ *```", "", (HOWTO / guide).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return COMMAND.findall(text)


def vocabulary() -> dict[str, Any]:
    """The public names of the modules above, and those of the standard library that every module here imports."""
    names: dict[str, Any] = {}
    for module in map(import_module, VOCABULARY):
        names |= {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return names | {"dataclass": import_module("dataclasses").dataclass}


async def execute(example: str, names: dict[str, Any]) -> None:
    """Run an example in this namespace, as the body of a coroutine where it awaits."""
    code: CodeType = compile(example, "<guide>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if code.co_flags & inspect.CO_COROUTINE:
        await eval(code, names)  # noqa: S307 - our own documentation
    else:
        exec(code, names)  # noqa: S102 - our own documentation
