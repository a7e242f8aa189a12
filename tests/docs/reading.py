"""Read the documentation: its pages, the paths that they name, and the folders that it must describe."""

import re
from functools import cache
from pathlib import Path

from project.config import ROOT

DOCS = ROOT / "docs"
NAMED = re.compile(r"`((?:apps|components|project|tests|benchmarks|docs)/[\w./-]*\w/?)")
WRITTEN_HERE = re.compile(r"^`[\w./-]+`\n(?=```)", re.MULTILINE)  # the path of the file in the next example
GENERATED = ("components/static/build", "components/client/node_modules")


@cache
def pages() -> dict[str, str]:
    """Return the text of every documentation page, by its path from the root."""
    files = (ROOT / "README.md", ROOT / "benchmarks" / "README.md", *DOCS.rglob("*.md"))
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted(files)}


def paths_in(text: str) -> list[str]:
    """Return the paths from the root that a text names in code type, except examples and generated files."""
    return [name for name in NAMED.findall(WRITTEN_HERE.sub("", text)) if not name.startswith(GENERATED)]


def folders(*parents: str) -> set[str]:
    """Return the direct subfolders of these folders that contain sources: Python, JavaScript or style sheets."""
    below = (path for parent in parents for path in (ROOT / parent).iterdir() if path.is_dir())
    return {str(path.relative_to(ROOT)) for path in below if has_sources(path)}


def has_sources(folder: Path) -> bool:
    """Return whether this folder or a subfolder contains a source."""
    return any(path.suffix in {".py", ".js", ".css"} for path in folder.rglob("*") if "__pycache__" not in path.parts)
