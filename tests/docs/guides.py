"""Read and execute the guides: their Python examples share one namespace and run in order."""

import ast
import inspect
import re
from importlib import import_module
from textwrap import dedent
from types import CodeType
from typing import Any

from tests.docs.reading import DOCS

HOWTO = DOCS / "howto"
APP = "add-an-app.md"  # tests/docs/test_add_an_app.py executes all of it, shell lines included
PYTHON = re.compile(r"^([ ]*)```python\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^    (\S.*?)(?:\s{2,}#.*)?$", re.MULTILINE)
# A guide may use the names of these modules without an import. Later modules win.
VOCABULARY = (
    "tests.screen",
    "apps.accounts.actors",
    "components.runtime", "components.routes",
    "apps.core.addresses", "apps.core.commands", "apps.core.events", "apps.core.texts",  # their `Access` wins
    "components.ui.blocks", "components.ui.frames", "components.ui.forms", "components.ui.posted_forms",
    "components.pages.account.screen",
)  # fmt: skip


def examples(guide: str) -> list[str]:
    """Return the Python examples of a guide, in order."""
    return [dedent(match[2]) for match in PYTHON.finditer((HOWTO / guide).read_text(encoding="utf-8"))]


def shell_lines(guide: str) -> list[str]:
    """Return the shell lines of a guide, without their comments."""
    text = re.sub(r"^ *```.*?^ *```", "", (HOWTO / guide).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return COMMAND.findall(text)


def vocabulary() -> dict[str, Any]:
    """Return the public names of the modules above, and `dataclass`."""
    names: dict[str, Any] = {}
    for module in map(import_module, VOCABULARY):
        names |= {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return names | {"dataclass": import_module("dataclasses").dataclass}


async def execute(example: str, names: dict[str, Any]) -> None:
    """Execute an example in this namespace. An example with a top-level `await` runs as a coroutine."""
    code: CodeType = compile(example, "<guide>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if code.co_flags & inspect.CO_COROUTINE:
        await eval(code, names)  # noqa: S307 - our own documentation
    else:
        exec(code, names)  # noqa: S102 - our own documentation
