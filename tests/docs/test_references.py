"""The pages name services, fields, commands and targets as the code has them."""

import inspect
import pkgutil
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

from django.core.management import CommandError, CommandParser, call_command, get_commands, load_command_class

import apps
from apps.competition.selectors.public.programs import performer
from apps.competition.selectors.public.sessions import session_appearances
from project.config import ROOT
from tests.components.conftest import busy_session_with
from tests.docs.guides import APP
from tests.docs.reading import DOCS, pages
from tests.docs.test_shell import TARGETS
from tests.factories import UserFactory
from tests.offenders import check_each

BACKSTAGE = DOCS / "backstage.md"
CALL = re.compile(r"`(\w+)\(([^`]*)\)`")  # `name(*, argument=default)`, `name()`, `Name(field, field)`
FIELDS = re.compile(r"`(?:\w+\[)?([A-Z]\w+)\]?`(?: or None)?: ([a-z_]+(?:, [a-z_]+)+)(?= \(|[,;.|]| \|)")
COMMAND = re.compile(r"manage\.py ([^`\n#]+)")
MAKE = re.compile(r"`make ([a-z-]+)")
HISTORY = "docs/adr/"  # records of decisions name what was there before
SPAN = re.compile(r"`([^`\n]+)`")
EXAMPLE = re.compile(r"^ *```.*?^ *```|^    .*?$", re.MULTILINE | re.DOTALL)
IDENTIFIER = re.compile(r"\b(?:\w+_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z][A-Z]\w*)\b")
SOURCES = ("*.py", "*.js", "*.mjs", "*.css", "*.sql", "*.toml", "*.yaml", "*.conf", "*.ini", "*.txt", ".env.example")
# Names of other programs, and of things that a guide invents.
FOREIGN = {"pg_use_reserved_connections", "on_prize_open", "prize_open", "row_parts"}
WORD = re.compile(r"\w+")
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
        return (
            values | set(getattr(found, "__dataclass_fields__", ())) | {name for name in dir(found) if name[0] != "_"}
        )
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


def words() -> Iterator[set[str]]:
    """Yield the words of each source, and its name. All at once are a million words, which need 130 MiB."""
    git = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True)
    for path in map(ROOT.joinpath, git.stdout.splitlines()):
        if path.exists():
            yield {path.stem, *(match[0] for match in WORD.finditer(path.read_text(encoding="utf-8")))}


def test_words_of_code_on_the_pages_are_in_the_sources() -> None:
    found = {
        (page, word)
        for page, text in pages().items()
        if not page.startswith(HISTORY)
        for examples in [" ".join(EXAMPLE.findall(text))]
        for span in SPAN.findall(EXAMPLE.sub("", text))
        for word in IDENTIFIER.findall(span)
        if word not in examples
    }
    assert len(found) > 500
    unknown = {each: {each, _METRIC.sub("", each)} for _, each in found if each not in FOREIGN}
    for of_source in words():
        unknown = {each: names for each, names in unknown.items() if names.isdisjoint(of_source)}
    assert sorted(each for each in found if each[1] in unknown) == []


def parser_of(command: str) -> CommandParser:
    """Return the parser of a `manage.py` command."""
    app = get_commands()[command]
    return (load_command_class(app, command) if isinstance(app, str) else app).create_parser("manage.py", command)


def commands_named(*, with_arguments: bool) -> set[tuple[str, ...]]:
    """Return the `manage.py` commands on the pages as words: those with arguments, or the bare names."""
    found = {
        tuple(words.split())
        for page, text in pages().items()
        if not page.startswith(HISTORY) and not page.endswith(APP)
        for words in COMMAND.findall(text)
    }
    return {words for words in found if (len(words) > 1) == with_arguments}


def test_pages_name_existing_commands_and_targets() -> None:
    check_each(sorted(commands_named(with_arguments=False)), lambda words: words[0] in get_commands(), at_least=10)

    def is_parsed(words: tuple[str, ...]) -> bool:
        command, *arguments = ("1" if word.startswith("STAGE") else word for word in words)
        try:
            return bool(parser_of(command).parse_args(arguments))
        except (CommandError, KeyError):
            return False

    check_each(sorted(commands_named(with_arguments=True)), is_parsed, at_least=20)
    texts = [(page, text) for page, text in pages().items() if not page.startswith(HISTORY)]
    targets = {(page, target) for page, text in texts for target in MAKE.findall(text)}
    check_each(sorted(targets), lambda case: case[1] in TARGETS, at_least=10)


# Commands that need more than a database: files, a computed ranking, a second factor, an account that has signed in.
NOT_RUN = {"admin grant", "admin revoke", "import_jury", "import_participants", "ranking compute", "ranking export"}
NOT_RUN |= {"ranking show", "second_factor link"}


def test_commands_of_the_pages_run(db, capsys) -> None:
    busy = busy_session_with(7)
    member = UserFactory()
    placeholders = {"ACCOUNT": member.username, "NAME": "Parterre", "EMAIL": "p@example.org"}
    run = [words for words in sorted(commands_named(with_arguments=True)) if " ".join(words[:2]) not in NOT_RUN]
    run = [words for words in run if words[0] not in NOT_RUN]
    check_each(run, lambda words: call_command(*(placeholders.get(word, word) for word in words)), at_least=10)
    capsys.readouterr()
    assert performer(session_appearances(session_id=busy.session.pk)).id == busy.appearances[6].pk
