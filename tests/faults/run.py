"""Make each seeded fault in a copy of the tree and report whether the tests of its package find it.

`python -m tests.faults.run [--tree FOLDER] [--write FILE] [word ...]`: of the faults whose promise contains a word, or
of all. The tests end at the first failure, or after SECONDS of CPU time of their process, so that a busy machine finds
the same faults. Exits with 1 if a fault is not found that `results.toml`, where it exists, has as found.
"""

import argparse
import os
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
FOUND, MISSED = "found", "not found"
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
        """Return the test folders of the fault's package."""
        folder = "/".join(["tests", *Path(self.file).parts[:2]])
        return [folder] if (tree / folder).is_dir() else list(GENERAL)


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


def check(tree: Path, fault: Fault) -> tuple[str, str]:
    """Return whether the tests find the fault, and the first test that fails."""
    command = [".venv/bin/python", "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PARTERRE_DATA": str(environment_read().data), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ended = subprocess.run(
            [*command, *fault.tests(tree)], cwd=tree, env=environment, check=False, capture_output=True, text=True,
            timeout=LONGEST, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return MISSED, ""
    if ended.returncode <= 0:  # all passed, or the kernel has ended it
        return MISSED, ""
    lines = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return FOUND, lines[0].split(" - ")[0].partition(" ")[2] if lines else ended.stdout[-200:]


def known_results() -> dict[str, str]:
    """Return the committed results by promise."""
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
            results[fault.promise], test = check(tree, fault)
            revert()
            say(f"{results[fault.promise]:<10}{time.monotonic() - begun:5.0f} s  {fault.promise}  {test}")
            if options.write:
                options.write.write_text("".join(f'"{name}" = "{result}"\n' for name, result in results.items()))
    lost = [name for name, result in results.items() if result == MISSED and known_results().get(name) == FOUND]
    say(f"{list(results.values()).count(FOUND)} of {len(results)} found; found before and not now: {lost or 'none'}")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
