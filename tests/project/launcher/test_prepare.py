"""The set-up runs the steps that are missing or out of date, and each of them once."""

import subprocess
import sys
from pathlib import Path

import pytest

from project.launcher import prepare

TOOL = """#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
test ! -e "{broken}" || {{ cat "{reason}"; exit 3; }}
case "$*" in *"-m venv --clear"*) rm -rf "{stamps}" ;; esac
mkdir -p "{built}" "{modules}"
touch "{built}/client.js" "{built}/serif.css"
"""


class Tree:
    """A small project with tools that only record their calls."""

    def __init__(self, root: Path) -> None:
        self.root, self.log, self.broken, self.reason = root, root / "log", root / "broken", root / "reason"
        self.client = root / "components" / "client"
        for folder in (root / ".venv" / "bin", root / ".venv" / "stamps", self.client / "src"):
            folder.mkdir(parents=True)
        (root / ".venv" / "stamps" / "environment").write_text("made")
        for name in ("requirements.txt", "requirements-many.txt", "requirements-dev.txt"):
            (root / name).write_text("one==1\n")
        (self.client / "package-lock.json").write_text("{}")
        (self.client / "src" / "main.js").write_text("1")
        (root / "typeface.py").write_text("1")
        self.reason.write_text("the tool gives the reason\n")
        text = TOOL.format(
            log=self.log, broken=self.broken, reason=self.reason, built=root / "components/static/build",
            modules=self.client / "node_modules", stamps=root / ".venv" / "stamps",
        )  # fmt: skip
        for name in ("python", "npm"):
            tool = root / ".venv" / "bin" / name
            tool.write_text(text)
            tool.chmod(0o755)

    def prepared(self, kind: str = "run") -> list[str]:
        """Run the set-up and return the first words of each recorded call."""
        self.log.write_text("")
        prepare.prepare(kind)
        lines = self.log.read_text().replace(" --disable-pip-version-check", "").splitlines()
        return [" ".join(line.split()[: 4 if " pip " in line else 3]) for line in lines]


VENV, MODULES, BUILD = "python -m venv", "npm ci --no-audit", "npm run build"
TYPE = "python -m project.launcher.typeface"
INSTALL = ("python -m pip install", "python -m pip check")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Point the module's paths at the small project."""
    static = tmp_path / "components" / "static"
    places = {
        "ROOT": tmp_path,
        "VENV": tmp_path / ".venv",
        "BIN": tmp_path / ".venv" / "bin",
        "STAMPS": tmp_path / ".venv" / "stamps",
        "CLIENT": tmp_path / "components" / "client",
        "STATIC": static,
        "BUILT": static / "build",
        "TYPEFACE": tmp_path / "typeface.py",
    }
    for name, place in places.items():
        monkeypatch.setattr(prepare, name, place)
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    return Tree(tmp_path)


def test_each_step_runs_once(tree: Tree) -> None:
    assert tree.prepared() == [*INSTALL, MODULES, TYPE, BUILD]
    command = tree.log.read_text().splitlines()[0]
    assert "--require-hashes" in command
    assert command.endswith(f"-r {tree.root / 'requirements.txt'}")
    assert tree.prepared() == []


def test_only_changed_steps_run_again(tree: Tree) -> None:
    tree.prepared()
    (tree.client / "src" / "main.js").write_text("2")
    assert tree.prepared() == [BUILD]
    (tree.root / "components" / "static" / "site.css").write_text("p { margin: 0 }")
    assert tree.prepared() == [BUILD]
    (tree.client / "package-lock.json").write_text("{ }")
    assert tree.prepared() == [MODULES, BUILD]
    (tree.root / "requirements.txt").write_text("one==2\n")
    assert tree.prepared() == [VENV, *INSTALL, TYPE, BUILD]
    (tree.root / "components" / "static" / "build" / "client.js").unlink()
    assert tree.prepared() == [BUILD]
    (tree.root / "typeface.py").write_text("2")
    assert tree.prepared() == [TYPE, BUILD]
    (tree.root / "components" / "static" / "build" / "serif.css").unlink()
    assert tree.prepared() == [TYPE, BUILD]


def test_development_packages_contain_the_others(tree: Tree) -> None:
    assert tree.prepared("dev") == [*INSTALL, MODULES, TYPE, BUILD]
    assert tree.prepared("run") == []
    (tree.root / "requirements-dev.txt").write_text("one==2\n")
    assert tree.prepared("run") == [VENV, *INSTALL, TYPE, BUILD]
    assert tree.prepared("dev") == [*INSTALL]


def test_npm_development_packages_need_dev_and_run_no_scripts(tree: Tree) -> None:
    tree.prepared("run")
    assert "npm ci --no-audit --no-fund --ignore-scripts --omit=dev" in tree.log.read_text().splitlines()
    assert tree.prepared("dev") == [*INSTALL, MODULES]
    assert "npm ci --no-audit --no-fund --ignore-scripts" in tree.log.read_text().splitlines()
    assert tree.prepared("run") == tree.prepared("dev") == []


def test_packages_for_many_processes_are_optional(tree: Tree) -> None:
    tree.prepared("run")
    assert tree.prepared("many") == [*INSTALL]
    assert tree.log.read_text().splitlines()[0].endswith(f"-r {tree.root / 'requirements-many.txt'}")
    assert tree.prepared("run") == tree.prepared("many") == []


def test_failed_step_is_reported_and_runs_again(tree: Tree) -> None:
    tree.broken.touch()
    with pytest.raises(prepare.SetUpError, match=r"the tool gives the reason\n\nThis failed: .*pip .*install"):
        tree.prepared()
    tree.reason.write_text("THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE")
    with pytest.raises(prepare.SetUpError, match=r"a downloaded file differs .* requirements\.txt"):
        tree.prepared()
    tree.broken.unlink()
    assert tree.prepared() == [*INSTALL, MODULES, TYPE, BUILD]


def test_missing_environment_is_created(tree: Tree) -> None:
    (tree.root / ".venv" / "stamps" / "environment").unlink()
    assert tree.prepared() == [VENV, *INSTALL, MODULES, TYPE, BUILD]
    assert tree.prepared() == []


def test_makefile_reports_a_missing_python() -> None:
    command = ["make", "--no-print-directory", "run", "PYTHON="]
    done = subprocess.run(command, check=False, cwd=prepare.ROOT, capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stderr.startswith("Python 3.11 or newer with its venv module was not found.")
