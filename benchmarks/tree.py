"""Counts of the source tree: lines by part, and modules by folder."""

import ast
from collections import Counter
from pathlib import Path

from project.config import ROOT

LAYERS = ("apps", "components", "project", "benchmarks")  # layers from the lowest up: each imports those before it
MACHINERY = ("project", "components/runtime/rendering", "components/client", "components/runtime/hooks.py", "apps/core")
BESIDE = frozenset({"node_modules", "migrations", "build", "__pycache__"})  # external and generated sources


def sources() -> dict[str, int]:
    """Return the lines of each Python and JavaScript file of the site by its path, without migrations."""
    found = (
        path for layer in LAYERS[:3] for path in (ROOT / layer).rglob("*") if path.suffix in (".py", ".js", ".mjs")
    )
    return {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in sorted(found)
        if not BESIDE.intersection(path.relative_to(ROOT).parts)
    }


def machinery_percent(lines: dict[str, int]) -> float:
    """Return the share of machinery in all lines, in percent."""
    share = sum(
        count
        for path, count in lines.items()
        if path in MACHINERY or path.startswith(tuple(f"{folder}/" for folder in MACHINERY))
    )
    return 100 * share / sum(lines.values())


def python_counts() -> tuple[int, int, float]:
    """Return the number of Python files with content, their lines, and the percentage of these that are imports."""
    paths = [
        path
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
        if path.stat().st_size > 0 and not BESIDE.intersection(path.relative_to(ROOT).parts)
    ]
    lines = imports = 0
    for path in paths:
        text = path.read_text(encoding="utf-8")
        lines += len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                imports += (node.end_lineno or node.lineno) - node.lineno + 1
    return len(paths), lines, 100 * imports / lines


def largest_folder(lines: dict[str, int]) -> tuple[str, int]:
    """Return the folder with the most modules directly in it and their number, without `__init__.py`."""
    folders = Counter(str(Path(path).parent) for path in lines if not path.endswith("__init__.py"))
    return max(folders.items(), key=lambda item: item[1])
