"""Make each seeded fault in a copy of the tree and report whether the tests of its package find it.

`python -m tests.faults.run [--tree FOLDER] [--write FILE] [word ...]`: of the faults whose promise contains a word, or
of all. The tests end at the first failure, or after SECONDS of CPU time of their process, so that a busy machine finds
the same faults. `results.toml` has the test that has found each fault; that test runs first, then the modules that name
the changed module, then the others of the package. Exits with 1 if a fault is not found that was found before.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from project.config import ROOT, environment_read
from project.database import embedded

HERE = Path(__file__).parent
SECONDS, LONGEST = 120, 900  # of CPU time, and of wall time on a busy machine
FAILED = range(1, 3)  # exit codes of pytest: tests failed, or could not be collected
LINKED = (".venv", "components/client/node_modules", "components/static/build")
GENERAL = ("tests/project/config", "tests/project/security")  # for the project's own modules


@dataclass(frozen=True, slots=True)
class Fault:
    """One change of the product, and the promise that it breaks."""

    promise: str
    file: str
    old: str
    new: str

    def make(self, tree: Path) -> Callable[[], int]:
        """Write the fault into the tree. Return a function that reverts it. ValueError if its place is not unique."""
        path = tree / self.file
        source = path.read_text(encoding="utf-8")
        if source.count(self.old) != 1:
            raise ValueError(f"{self.file} has {source.count(self.old)} times: {self.old}")
        path.write_text(source.replace(self.old, self.new), encoding="utf-8")
        return lambda: path.write_text(source, encoding="utf-8")

    def tests(self, tree: Path) -> list[str]:
        """Return the test modules of the fault's package; those that name the changed module come first."""
        *package, module = Path(self.file.removesuffix(".py")).parts
        folder = Path("tests", *package[:2])
        folders = [folder] if (tree / folder).is_dir() else [Path(name) for name in GENERAL]
        named = re.compile(rf"\b{re.escape('.'.join(package))}(\.| import .*\b){module}\b")
        words = {*package[2:], *module.split("_")}

        def distance(path: Path) -> tuple[int, Path]:
            is_named = named.search(path.read_text(encoding="utf-8")) is not None
            return -2 * is_named - len(words.intersection(re.split(r"\W|_", str(path)))), path

        modules = sorted((path for one in folders for path in (tree / one).rglob("test_*.py")), key=distance)
        return [str(path.relative_to(tree)) for path in modules]


def faults(*words: str) -> list[Fault]:
    """Return the faults whose promise contains one of the words; without words, all."""
    rows = [row for name in ("written", "drawn") for row in tomllib.loads((HERE / f"{name}.toml").read_text())["fault"]]
    return [Fault(**row) for row in rows if not words or any(word in row["promise"] for word in words)]


def tree_copy(source: Path, target: Path) -> None:
    """Copy the tracked files of a tree, and link what is installed and built."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=source, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, target / name)
    for name in LINKED:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).symlink_to((source / name).resolve())


def check(tree: Path, fault: Fault) -> str:
    """Return the first test that fails with the fault; empty without one."""
    known = known_results().get(fault.promise, "")
    return (known and first_failure(tree, [known])) or first_failure(tree, fault.tests(tree))


def first_failure(tree: Path, tests: list[str]) -> str:
    """Run these tests until one fails and return it; empty if none fails within the limits."""
    command = [".venv/bin/python", "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PARTERRE_DATA": str(environment_read().data)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each fault would compile all sources again
    try:
        ended = subprocess.run(
            [*command, *tests], cwd=tree, env=environment, check=False, capture_output=True, text=True,
            timeout=LONGEST, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    if ended.returncode not in FAILED:  # all passed, the kernel has ended it, or there is no such test
        return ""
    lines = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED tests", "ERROR tests"))]
    return lines[0].split(" - ")[0].partition(" ")[2] if lines else ended.stdout[-200:]


def known_results() -> dict[str, str]:
    """Return the test that has found each fault, by promise; empty for a fault that none has found."""
    path = HERE / "results.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def say(line: str) -> None:
    """Print the line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Check the faults and print each result. Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    results: dict[str, str] = {}
    with TemporaryDirectory() as folder, embedded.database():
        tree = Path(folder) / "tree"
        tree_copy(options.tree, tree)
        for fault in faults(*options.words):
            begun = time.monotonic()
            revert = fault.make(tree)
            results[fault.promise] = check(tree, fault)
            revert()
            say(f"{time.monotonic() - begun:5.0f} s  {fault.promise}: {results[fault.promise] or 'NOT FOUND'}")
            if options.write:
                lines = (f"{json.dumps(name)} = {json.dumps(test)}\n" for name, test in results.items())
                options.write.write_text("".join(lines), encoding="utf-8")
    lost = [name for name, test in results.items() if not test and known_results().get(name)]
    say(f"{len([*filter(None, results.values())])} of {len(results)} found; found before and not now: {lost or 'none'}")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
