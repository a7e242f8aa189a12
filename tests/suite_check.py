"""A part of `make lint`: each test directory has a budget, and each `long` or `limit` marker a reason."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.cost_table import ROOT, budgets, directory_of

TESTS = ROOT / "tests"
WITH_REASON = ("long", "limit")
UNMEASURED = "tests/soak"  # `make test` does not run it


def test_files() -> list[Path]:
    """Return the test modules of `make test`, relative to the root."""
    files = sorted(path.relative_to(ROOT) for path in TESTS.rglob("test_*.py"))
    return [path for path in files if not str(path).startswith(UNMEASURED)]


def directories_without_budget(files: list[Path]) -> Iterator[str]:
    """Yield a line for each test directory that `budget.toml` lacks, and for each that has no tests."""
    used, known = {directory_of(str(path)) for path in files}, set(budgets())
    yield from (f"tests/budget.toml: no budget of {name}" for name in sorted(used - known))
    yield from (f"tests/budget.toml: {name} has no tests" for name in sorted(known - used))


def marks_without_reason(path: Path, source: str) -> Iterator[str]:
    """Yield a line for each marker of a long test without the keyword `reason` and a text."""
    tree = ast.parse(source)
    reasons = {
        id(call.func)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == "reason" and isinstance(keyword.value, ast.Constant) and keyword.value.value
    }
    for node in ast.walk(tree):
        is_mark = (
            isinstance(node, ast.Attribute) and node.attr in WITH_REASON and ast.unparse(node.value).endswith("mark")
        )
        if is_mark and id(node) not in reasons:
            yield f"{path}:{node.lineno}: the marker `{node.attr}` needs a reason"


def main() -> int:
    """Print all faults. Return the exit code."""
    files = test_files()
    faults = list(directories_without_budget(files))
    for path in files:
        faults += marks_without_reason(path, (ROOT / path).read_text(encoding="utf-8"))
    sys.stdout.write("".join(f"{fault}\n" for fault in faults))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
