"""The pages name services, fields, commands and targets as the code has them."""

import inspect
import pkgutil
import re
import subprocess
from argparse import ArgumentParser, _SubParsersAction
from collections import defaultdict
from collections.abc import Callable
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

from django.core.management import get_commands, load_command_class

import apps
from project.config import ROOT
from tests.docs.reading import DOCS, pages
from tests.docs.test_shell import TARGETS
from tests.offenders import check_each

BACKSTAGE = DOCS / "backstage.md"
CALL = re.compile(r"`(\w+)\(([^`]*)\)`")  # `name(*, argument=default)`, `name()`, `Name(field, field)`
FIELDS = re.compile(r"`(?:\w+\[)?([A-Z]\w+)\]?`(?: or None)?: ([a-z_]+(?:, [a-z_]+)+)(?= \(|[,;.|]| \|)")
COMMAND = re.compile(r"manage\.py ([a-z_]+)((?: [a-z-]+)?)")
MAKE = re.compile(r"`make ([a-z-]+)")
HISTORY = "docs/adr/"  # records of decisions name what was there before
SPAN = re.compile(r"`([^`\n]+)`")
EXAMPLE = re.compile(r"^ *```.*?^ *```|^    .*?$", re.MULTILINE | re.DOTALL)
IDENTIFIER = re.compile(r"\b(?:\w+_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z][A-Z]\w*)\b")
SOURCES = ("*.py", "*.js", "*.mjs", "*.css", "*.sql", "*.toml", "*.yaml", "*.conf", "*.ini", "*.txt", ".env.example")
# Names of other programs, and of things that a guide invents.
FOREIGN = {"pg_use_reserved_connections", "on_prize_open", "prize_open", "row_parts"}
_METRIC = re.compile(r"^parterre_|_total$")


@cache
def defined() -> dict[str, list[Callable[..., Any]]]:
    """Return the functions and classes of the apps, and the methods of the classes, by name."""
    found = defaultdict(list)
    for module in pkgutil.walk_packages(apps.__path__, "apps."):
        if ".migrations" not in module.name:
            for name, each in vars(import_module(module.name)).items():
                if callable(each):
                    found[name].append(each)
                if inspect.isclass(each):
                    for method, function in inspect.getmembers(each, inspect.isfunction):
                        found[method].append(function)
    return found


def names_of(found: Callable[..., Any]) -> set[str]:
    """Return the names of a function's parameters, or of a class's fields and properties."""
    if inspect.isclass(found):
        values = {str(member.value) for member in found} if issubclass(found, Enum) else set()
        return values | set(getattr(found, "__dataclass_fields__", ())) | {name for name in dir(found) if name[0] != "_"}
    try:
        return set(inspect.signature(found).parameters) - {"self"}
    except ValueError:  # a builtin that a module imports
        return set()


def is_described(call: tuple[str, str]) -> bool:
    """Return whether a function has exactly these parameters, or a class these fields."""
    name, written = call
    names = {word.partition("=")[0].strip() for word in re.split(r",(?![^()]*\))", written)} - {"", "*"}
    if "…" in written or not all(each.isidentifier() for each in names):  # an example of a call
        return bool(defined()[name])
    return any(
        names <= names_of(found) if inspect.isclass(found) else names == names_of(found) for found in defined()[name]
    )


def test_services_have_the_parameters_that_are_described() -> None:
    check_each(CALL.findall(BACKSTAGE.read_text(encoding="utf-8")), is_described, at_least=60)


def test_results_have_the_fields_that_are_described() -> None:
    found = FIELDS.findall(BACKSTAGE.read_text(encoding="utf-8"))
    described = [(name, field) for name, fields in found for field in fields.split(", ")]
    check_each(described, lambda case: any(case[1] in names_of(each) for each in defined()[case[0]]), at_least=60)


@cache
def words() -> frozenset[str]:
    """Return the words of all sources and the names of their files."""
    git = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [ROOT / line for line in git.stdout.splitlines()]
    texts = " ".join(path.read_text(encoding="utf-8") for path in paths if path.exists())
    return frozenset(re.findall(r"\w+", texts)) | {path.stem for path in paths}


def test_words_of_code_on_the_pages_are_in_the_sources() -> None:
    found = {
        (page, word, " ".join(EXAMPLE.findall(text)))
        for page, text in pages().items()
        if not page.startswith(HISTORY)
        for span in SPAN.findall(EXAMPLE.sub("", text))
        for word in IDENTIFIER.findall(span)
    }
    assert len(found) > 500
    unknown = [(page, word) for page, word, examples in found if word not in examples and word not in FOREIGN]
    assert sorted(each for each in unknown if not {each[1], _METRIC.sub("", each[1])} & words()) == []


def subcommands(command: str) -> set[str]:
    """Return the subcommands of a `manage.py` command; none if it has none."""
    app = get_commands()[command]
    known = load_command_class(app, command) if isinstance(app, str) else app
    parser: ArgumentParser = known.create_parser("manage.py", command)
    return {name for action in parser._actions if isinstance(action, _SubParsersAction) for name in action.choices}


def test_pages_name_existing_commands_and_targets() -> None:
    texts = [(page, text) for page, text in pages().items() if not page.startswith(HISTORY)]

    def check(case: tuple[str, str, str]) -> bool:
        _, command, word = case
        return command in get_commands() and word.strip() in (subcommands(command) or {word.strip()}) | {""}

    check_each(sorted({(page, *named) for page, text in texts for named in COMMAND.findall(text)}), check, at_least=30)
    targets = {(page, target) for page, text in texts for target in MAKE.findall(text)}
    check_each(sorted(targets), lambda case: case[1] in TARGETS, at_least=10)
