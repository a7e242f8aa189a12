"""Digests of what functions of upstream do: comments, docstrings and layout may change, code may not."""

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Callable
from typing import Any


def digest_of(function: Callable[..., Any]) -> str:
    """Eight hexadecimal digits that stand for this function's syntax tree, without docstrings and annotations."""
    return digest_of_text(inspect.getsource(function))


def digest_of_text(text: str) -> str:
    """The same for a function's text."""
    tree = ast.parse(textwrap.dedent(text))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            node.body = [each for each in node.body if not _is_text(each)] or [ast.Pass()]
        elif isinstance(node, ast.arg):
            node.annotation = None
    return hashlib.sha256(repr(_shape(tree)).encode()).hexdigest()[:8]


def calls_of(owner: Any) -> set[str]:
    """All that is called in this class or module, as it is written there: `time.time`, `self.close`."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def _shape(node: Any) -> Any:
    """The tree's kinds, names and constants; what is empty is left out, so that all versions of Python agree."""
    if isinstance(node, list):
        return [_shape(each) for each in node]
    if not isinstance(node, ast.AST):
        return node
    filled = {name: value for name, value in ast.iter_fields(node) if value not in (None, [])}
    return type(node).__name__, {name: _shape(value) for name, value in filled.items()}


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
