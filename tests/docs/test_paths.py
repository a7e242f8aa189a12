"""The documentation names existing paths, describes every package, and keeps its first pages short."""

import re
from ast import get_docstring, parse

import pytest

from project.config import ROOT
from tests.docs.reading import DOCS, folders, pages, paths_in

LENGTHS = {"glossary.md": 32, "tour.md": 120}  # maximum number of lines


@pytest.mark.parametrize("page", pages())
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    assert [name for name in paths_in(pages()[page]) if not (ROOT / name).exists()] == []


def described() -> set[str]:
    """Return the apps whose package docstring describes them; they need no line in the directory."""
    packages = (path.parent for path in (ROOT / "apps").glob("*/__init__.py") if get_docstring(parse(path.read_text())))
    return {str(package.relative_to(ROOT)) for package in packages}


def test_the_directory_has_a_line_for_every_room() -> None:
    table = re.findall(r"^\| `([\w/{},.]+)`", (DOCS / "directory.md").read_text(), re.MULTILINE)
    rooms = {room for room in table if (ROOT / room).is_dir()}
    assert folders("apps", "components", "project") - rooms - described() == set()
    assert [room for room in table if not (ROOT / room).exists()] == []


@pytest.mark.parametrize("name", LENGTHS)
def test_a_page_that_is_read_first_stays_short(name: str) -> None:
    assert len((DOCS / name).read_text().splitlines()) <= LENGTHS[name]
