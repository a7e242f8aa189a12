"""The guide `add-an-app.md`, executed step by step in a copy of this repository.

It is executed with other names, and then as written, so after another app. Commands that read the whole repository run
once, with both apps; the last one, pytest, then also runs tests that a new app can break. `make soak` runs all of them,
and the other app's tests also while it is alone.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from project.config import ROOT, environment_read
from tests.databases import BEFORE, template_name
from tests.docs.guides import APP, HOWTO, examples
from tests.run import LOGS

# One step: a new Python file below its path, a patch below the path of its file, or a shell line.
STEP = re.compile(
    r"^`(?P<path>[\w./-]+)`\n```(?P<kind>python|diff)\n(?P<text>.*?)^```$|^    (?P<line>\S[^\n]*)$",
    re.MULTILINE | re.DOTALL,
)
TEST = re.compile(r"^(?:async )?def test_", re.MULTILINE)
COMMIT = re.compile(r"^\| `([0-9a-f]{7,})` \| (.+?) \|", re.MULTILINE)
# Prefixes of variables of this test run, its coverage and its repository. Commands in the copy do not inherit them.
RUN_VARIABLES = ("PYTEST_", "COV_", "COVERAGE_", "GIT_", "COSTS")
TYPES = "mypy"  # a folder of the data
SECONDS = 900  # generous, for a busy machine
OTHER = {"bookmark": "blessing", "Bookmark": "Blessing"}  # as long and sorted alike, so that lint passes
EVERY_RULE = bool(os.environ.get("EVERY_RULE"))
# The tests of rules for every app.
RULES = (
    *("tests/apps/accounts/test_leaving.py", "tests/apps/test_dates.py", "tests/apps/test_numbers.py"),
    *("tests/apps/test_orphans.py", "tests/components/test_commands_named.py", "tests/components/test_routes.py"),
    *("tests/docs/test_paths.py", "tests/project/http/test_endpoints.py"),
)
# More of them, which take longer, and tests of pages that a new app changes.
LONG_RULES = (
    *("tests/apps/test_plans.py", "tests/components/parts/test_all_parts.py"),
    *("tests/components/pages/test_every_page.py", "tests/components/pages/test_performances.py"),
    *("tests/components/pages/test_privacy.py", "tests/components/pages/test_public.py"),
    *("tests/project/process/test_command_access.py", "tests/project/security/test_walk.py"),
    "tests/project/security/test_roles.py",
)
SUITE = RULES + LONG_RULES if EVERY_RULE else RULES


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the sources, with the built and compiled files and the installed packages of this checkout."""
    folder = tmp_path / "copy"
    unfinished = "*.pyc.*"  # another process compiles it now
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "node_modules", unfinished))
    (folder / ".venv").symlink_to(sys.prefix)
    types_cache_take()
    return folder


def types_cache_take() -> None:
    """Let the first mypy of a new checkout begin with what the step `types` of `make test` has found, if it has ended.

    Without a cache mypy takes 43 CPU seconds, with it two.
    """
    cache, log = environment_read().data / TYPES, LOGS / "types.log"
    if not cache.exists() and log.exists() and "Success: " in log.read_text(encoding="utf-8"):
        shutil.copytree(ROOT / ".mypy_cache", cache)


def run(command: list[str], copy: Path) -> str:
    """Run a command in the copy on this run's database server. Return its output; fail if the command fails."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(RUN_VARIABLES)}
    data = environment_read().data
    environment |= {"PARTERRE_DATA": str(data), "GIT_CEILING_DIRECTORIES": str(copy.parent)}
    environment["MYPY_CACHE_DIR"] = str(data / TYPES)  # kept, so that the next run checks only changed files
    environment[BEFORE] = template_name()
    done = subprocess.run(
        command, check=False, cwd=copy, env=environment, stdin=subprocess.DEVNULL, text=True, timeout=SECONDS,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}"
    return done.stdout


def patched(text: str, patch: str) -> str:
    """Return `text` with each hunk's `+` lines inserted below the hunk's unchanged line, which must occur once."""
    for hunk in patch.split("@@\n"):
        anchor, *added = hunk.splitlines(keepends=True)
        assert anchor.startswith(" "), hunk
        assert added, hunk
        assert all(line.startswith("+") for line in added), hunk
        assert f"\n{text}".count(f"\n{anchor[1:]}") == 1, f"not once: {anchor}"
        before, _, behind = f"\n{text}".partition(f"\n{anchor[1:]}")
        text = f"{before}\n{anchor[1:]}{''.join(line[1:] for line in added)}{behind}".removeprefix("\n")
    return text


def follow(guide: str, copy: Path, app: str, *, is_last: bool) -> str:
    """Execute the steps of the guide before its last command, pytest, and return that one.

    Commands that do not name the app run only if it is the last app.
    """
    steps = list(STEP.finditer(guide))
    for step in steps[:-1]:
        if step["line"]:
            if is_last or app in step["line"]:
                run(shlex.split(step["line"]), copy)
            continue
        file = copy / step["path"]
        if step["kind"] == "diff":
            file.write_text(patched(file.read_text(encoding="utf-8"), step["text"]), encoding="utf-8")
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as new:
            new.write(step["text"])
    return steps[-1]["line"]


def with_other_names(text: str) -> str:
    """Return the guide, or a path in it, as for another app."""
    for name, other in OTHER.items():
        text = text.replace(name, other)
    return text


def passed(copy: Path, command: str, *more_tests: str) -> int:
    """Return the number of tests that pytest has passed in the copy."""
    output = run([*shlex.split(command), *more_tests], copy)
    summary = re.search(r"\b(\d+) passed\b", output)  # " in 3 s" follows, or ", 1 warning in 3 s"
    assert summary, output
    return int(summary[1])


@pytest.mark.long(reason="runs the guide's commands on a copy of the repository")
@pytest.mark.limit(
    2 * SECONDS, reason="mypy reads the whole repository without a cache, and the suite's rules run in one process"
)
def test_guide_adds_an_app_after_another_one(copy: Path) -> None:
    guide = (HOWTO / APP).read_text(encoding="utf-8")
    count = sum(len(TEST.findall(example)) for example in examples(APP))
    assert count > 5
    other = follow(with_other_names(guide), copy, with_other_names("bookmark"), is_last=False)
    assert not EVERY_RULE or passed(copy, other) >= count
    command = follow(guide, copy, "bookmark", is_last=True)
    assert passed(copy, command, *shlex.split(other)[1:], *SUITE) > 20 + 2 * count


def test_commits_named_by_the_guide_are_in_the_history() -> None:
    commits = COMMIT.findall((HOWTO / APP).read_text(encoding="utf-8"))
    assert len(commits) > 1
    if not (ROOT / ".git").exists() or git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("this copy has no history")
    assert [(commit, git("log", "-1", "--format=%s", commit, "--")) for commit, _ in commits] == commits


def git(*arguments: str) -> str:
    """Return git's output for this repository, or an empty string without git history."""
    return subprocess.run(["git", *arguments], check=False, cwd=ROOT, text=True, capture_output=True).stdout.strip()
