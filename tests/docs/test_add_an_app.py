"""The guide that adds an app does what it says: followed step by step in a copy of this repository."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from project.config import ROOT, environment_read
from tests.docs.guides import APP, HOWTO, examples

# In the guide's order: a file of Python below its path, a patch of files that are there, a line for a shell.
STEP = re.compile(
    r"^`(?P<path>[\w./-]+)`\n```python\n(?P<text>.*?)^```$|^```diff\n(?P<patch>.*?)^```$|^    (?P<line>\S[^\n]*)$",
    re.MULTILINE | re.DOTALL,
)
TEST = re.compile(r"^(?:async )?def test_", re.MULTILINE)
COMMIT = re.compile(r"^\| `([0-9a-f]{7,})` \| (.+?) \|", re.MULTILINE)
# What this run, its coverage and its repository say of themselves is nothing to the copy's.
OURS = ("PYTEST_", "COV_", "COVERAGE_", "GIT_")
SECONDS = 300  # a busy machine is slow, not wrong


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the sources, with what is built and installed here."""
    folder = tmp_path / "copy"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "node_modules", "__pycache__"))
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def run(command: list[str], copy: Path, given: str = "") -> str:
    """Run a command in the copy, on this run's database server; returns what it said, fails when it does."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    environment |= {"PARTERRE_DATA": str(environment_read().data), "GIT_CEILING_DIRECTORIES": str(copy.parent)}
    done = subprocess.run(
        command, check=False, cwd=copy, env=environment, input=given, text=True, timeout=SECONDS,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}"
    return done.stdout


def follow(step: re.Match[str], copy: Path) -> str:
    """Do what a step says; returns what the shell said."""
    if step["path"]:
        file = copy / step["path"]
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as new:
            new.write(step["text"])
        return ""
    if step["patch"]:
        return run(["git", "apply", "-"], copy, step["patch"])
    return run(shlex.split(step["line"]), copy)


def test_an_app_is_added_as_the_guide_says(copy: Path) -> None:
    guide = (HOWTO / APP).read_text(encoding="utf-8")
    said = [follow(step, copy) for step in STEP.finditer(guide)]
    shown = sum(len(TEST.findall(example)) for example in examples(APP))
    passed = re.search(r"\b(\d+) passed in ", said[-1])
    assert shown > 5
    assert passed
    assert int(passed[1]) >= shown


def test_the_commits_that_the_guide_names_are_in_the_history() -> None:
    found = COMMIT.findall((HOWTO / APP).read_text(encoding="utf-8"))
    assert len(found) > 1
    if not (ROOT / ".git").exists() or git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("this copy has no history")
    assert [(commit, git("log", "-1", "--format=%s", commit, "--")) for commit, _ in found] == found


def git(*arguments: str) -> str:
    """Return what git says of this repository, nothing where it fails."""
    return subprocess.run(["git", *arguments], check=False, cwd=ROOT, text=True, capture_output=True).stdout.strip()
