"""Digests of upstream functions by their syntax, without comments, docstrings, formatting and annotations."""

import ast
import functools
import hashlib
import importlib
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

OURS = ("apps", "components", "project")  # packages of this repository


def digest_of(function: Callable[..., Any]) -> str:
    """Return eight hexadecimal digits of the syntax of this function or class, without docstrings and annotations."""
    return digest_of_text(inspect.getsource(function))


def digest_of_text(text: str) -> str:
    """Return the digest of a function's source."""
    tree = ast.parse(textwrap.dedent(text))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.body = [each for each in node.body if not _is_text(each)] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    return hashlib.sha256(repr(_shape(tree)).encode()).hexdigest()[:8]


def calls_of(owner: Any) -> set[str]:
    """Return all called names in this class or module, as written there: `time.time`, `self.close`."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def private_uses(text: str) -> set[str]:
    """Return the private names of other packages in this source: `allauth.core.internal.ratelimit.apply_rate`.

    Attributes without a known import begin with a dot, such as `._meta`. Attributes of `self` do not count.
    """
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] not in OURS
        for alias in node.names
    }
    imported |= {
        alias.asname or alias.name: alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names
    }
    called = [_full_name(node, imported) for node in nodes if isinstance(node, ast.Attribute)]
    found = {name for name in (*imported.values(), *called) if _is_private(name)}
    return {name for name in found if not any(other.startswith(f"{name}.") for other in found)}


def named(path: str) -> Any:
    """Return the object with this full name."""
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        return functools.reduce(getattr, parts[end:], found)
    raise ModuleNotFoundError(path)


def _full_name(node: ast.expr, imported: dict[str, str]) -> str:
    """Return the full name of this expression; empty for attributes of `self`, `super()` or a local variable."""
    if isinstance(node, ast.Name):
        return imported.get(node.id, "")
    if not isinstance(node, ast.Attribute):
        return ""
    owner = _full_name(node.value, imported)
    if owner:
        return f"{owner}.{node.attr}"
    is_own = ast.unparse(node.value) in ("self", "cls", "super()")
    return "" if is_own or not _is_private_part(node.attr) else f".{node.attr}"


def _is_private(name: str) -> bool:
    return any(_is_private_part(part) for part in name.split("."))


def _is_private_part(part: str) -> bool:
    return part == "internal" or (part.startswith("_") and not part.startswith("__"))


def _shape(node: Any) -> Any:
    """Return the tree's node types, names and constants, without empty fields, which differ by Python version."""
    if isinstance(node, list):
        return [_shape(each) for each in node]
    if not isinstance(node, ast.AST):
        return node
    filled = {name: value for name, value in ast.iter_fields(node) if value not in (None, [])}
    return type(node).__name__, {name: _shape(value) for name, value in filled.items()}


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
