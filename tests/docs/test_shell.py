"""Shell lines of the guides use existing make targets, manage.py commands, modules and tests."""

import re
import shlex
from importlib.util import find_spec

import pytest
from django.core.management import get_commands

from project.config import ROOT
from tests.docs.guides import APP, HOWTO, shell_lines

TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
GUIDES = sorted(guide.name for guide in HOWTO.glob("*.md") if guide.name != APP)
LINES = [(guide, line) for guide in GUIDES for line in shell_lines(guide)]


def unknown(words: list[str]) -> list[str]:
    """Return the words of a shell line that this repository does not know."""
    while words and "=" in words[0]:  # environment variables
        words = words[1:]
    match words:
        case ["make", *targets]:
            return [each for each in targets if "=" not in each and each not in TARGETS]
        case [".venv/bin/python", "manage.py", command, *_]:
            return [] if command in get_commands() else [command]
        case [".venv/bin/python", "-m", module, *rest]:
            return [] if find_spec(module) else [module, *rest]
        case [".venv/bin/pytest", *arguments]:
            return [each for each in arguments if each.startswith("tests/") and not (ROOT / each).exists()]
        case _:
            return words


def test_the_guides_have_lines_for_a_shell() -> None:
    assert len(LINES) > 10


@pytest.mark.parametrize(("guide", "line"), LINES)
def test_what_a_guide_tells_to_type_is_there(guide: str, line: str) -> None:
    assert unknown(shlex.split(line)) == []
