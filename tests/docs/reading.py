"""Reading the documentation: its files, and what it names."""

import re
from functools import cache
from pathlib import Path

from project.config import ROOT

DOCS = ROOT / "docs"
NAMED = re.compile(r"`((?:apps|components|project|tests|benchmarks|docs)/[\w./-]*\w/?)")
WRITTEN_HERE = re.compile(r"^`[\w./-]+`\n(?=```)", re.MULTILINE)  # the file that the next example would be
GENERATED = ("components/static/build", "components/client/node_modules")


@cache
def pages() -> dict[str, str]:
    """The text of every page of the documentation, by its path from the root."""
    found = (ROOT / "README.md", ROOT / "benchmarks" / "README.md", *DOCS.rglob("*.md"))
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted(found)}


def paths_in(text: str) -> list[str]:
    """The paths from the root that a text names in code type."""
    return [name for name in NAMED.findall(WRITTEN_HERE.sub("", text)) if not name.startswith(GENERATED)]


def folders(*storeys: str) -> set[str]:
    """The folders that are direct children of these and have sources: Python, JavaScript or style sheets."""
    below = (path for storey in storeys for path in (ROOT / storey).iterdir() if path.is_dir())
    return {str(path.relative_to(ROOT)) for path in below if has_sources(path)}


def has_sources(folder: Path) -> bool:
    """Whether a source lies in this folder or below."""
    return any(each.suffix in {".py", ".js", ".css"} for each in folder.rglob("*") if "__pycache__" not in each.parts)
