"""Building blocks use no hooks, and style sheets no selectors that slow down every page."""

import ast
import re

from project.config import ROOT

UI = ROOT / "components" / "ui"


def test_building_blocks_import_no_hooks() -> None:
    modules = {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in UI.glob("*.py")}
    assert len(modules) > 8
    imported = {
        (name, alias.name)
        for name, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert ("forms.py", "html") in imported
    assert [hook for hook in imported if hook[1].startswith("use_")] == []


# A bare `li` before `:has()`, also with conditions in between: `.queue > li:not([data-own]):has(`.
ANY_ITEM = re.compile(r"(?<![\w.#-])li(?::not\([^)]*\)|\[[^\]]*\])*:has\(")
SHEETS = sorted((ROOT / "components" / "static" / "css").rglob("*.css"))


def test_has_is_never_evaluated_for_bare_list_items() -> None:
    """Browsers evaluate `:has()` before the ancestors, and style such an `li` again after every change inside.

    `:is(.queue > li):has(...)` is evaluated only for the items of that list.
    """
    assert SHEETS
    costly = [f"{sheet.name}: {match[0]}" for sheet in SHEETS for match in ANY_ITEM.finditer(sheet.read_text("utf-8"))]
    assert costly == []
    selectors = {
        ".queue > li:has([open])": True,
        '.rating li:not([data-own]):has(.score[data-value="0"])': True,
        ":is(.queue > li):has([open])": False,
        ":is(.rating li:not([data-own])):has(.score)": False,
        ".todo:not(:has(ol > li:not([hidden])))": False,
        ".list--li:has([open])": False,
    }
    assert {selector: bool(ANY_ITEM.search(selector)) for selector in selectors} == selectors, "the pattern"
