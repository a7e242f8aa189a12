"""Shell lines of the guides use existing make targets, manage.py commands, modules and tests."""

import re
import shlex
from importlib.util import find_spec

from django.core.management import get_commands

from project.config import ROOT
from tests.docs.guides import APP, HOWTO, shell_lines
from tests.offenders import check_each

TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def unknown(words: list[str]) -> list[str]:
    """Return the words of a shell line that this repository does not know."""
    while words and "=" in words[0]:  # environment variables
        words = words[1:]
    match words:
        case ["make", *targets]:
            return [target for target in targets if "=" not in target and target not in TARGETS]
        case [".venv/bin/python", "manage.py", command, *_]:
            return [] if command in get_commands() else [command]
        case [".venv/bin/python", "-m", module, *rest]:
            return [] if find_spec(module) else [module, *rest]
        case [".venv/bin/pytest", *arguments]:
            return [path for path in arguments if path.startswith("tests/") and not (ROOT / path).exists()]
        case _:
            return words


def test_shell_lines_of_guides_use_existing_names() -> None:
    guides = sorted(guide.name for guide in HOWTO.glob("*.md") if guide.name != APP)
    lines = [(guide, line) for guide in guides for line in shell_lines(guide)]
    check_each(lines, lambda guide_line: unknown(shlex.split(guide_line[1])) == [], at_least=11)
