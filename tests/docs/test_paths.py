"""The documentation names existing paths, describes every package, and keeps its first pages short."""

import re
from ast import get_docstring, parse

from project.config import ROOT
from tests.docs.reading import DOCS, folders, pages, paths_in

LENGTHS = {"glossary.md": 33, "tour.md": 120}  # maximum number of lines


def test_pages_name_existing_paths() -> None:
    named = [(page, path) for page, text in pages().items() for path in paths_in(text)]
    assert len(named) > 100
    assert [(page, path) for page, path in named if not (ROOT / path).exists()] == []


def described_apps() -> set[str]:
    """Return the apps with a package docstring, which need no line in the directory."""
    packages = (path.parent for path in (ROOT / "apps").glob("*/__init__.py") if get_docstring(parse(path.read_text())))
    return {str(package.relative_to(ROOT)) for package in packages}


def test_directory_has_a_line_for_every_package() -> None:
    table = re.findall(r"^\| `([\w/{},.]+)`", (DOCS / "directory.md").read_text(), re.MULTILINE)
    packages = {path for path in table if (ROOT / path).is_dir()}
    assert folders("apps", "components", "project") - packages - described_apps() == set()
    assert [path for path in table if not (ROOT / path).exists()] == []


def test_first_pages_are_short() -> None:
    lengths = {name: len((DOCS / name).read_text().splitlines()) for name in LENGTHS}
    assert {name: length for name, length in lengths.items() if length > LENGTHS[name]} == {}
