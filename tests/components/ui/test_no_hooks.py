"""Building blocks are functions of their arguments: they use no hooks."""

import ast

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
