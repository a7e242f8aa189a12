"""Draw 20 faults by chance and print them as TOML: `python -m tests.faults.draw > tests/faults/drawn.toml`.

A fault is one comparison, condition, constant or call, changed or removed, in a function of apps, components or
project that was drawn with a fixed seed. A function without any is replaced by the next.
"""

import ast
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from project.config import ROOT

SEED, NUMBER = 53, 20
FOLDERS = ("apps", "components", "project")
OPPOSITE = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions() -> list[tuple[Path, str, Function]]:
    """Return the functions of the product: file, source, and syntax tree."""
    files = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    sources = [
        (path, path.read_text(encoding="utf-8"))
        for path in files
        if not {"migrations", "node_modules"} & set(path.relative_to(ROOT).parts)
    ]
    return [
        (path, source, node)
        for path, source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, Function)
    ]


def changes(source: str, function: Function) -> Iterator[tuple[ast.AST, str]]:
    """Yield each node of the function's body that can be changed, with the text that replaces it."""
    is_documented = ast.get_docstring(function) is not None
    for statement in function.body[is_documented:]:
        for node in ast.walk(statement):
            if new := change(source, node):
                yield node, new


def change(source: str, node: ast.AST) -> str:
    """Return the text that replaces this node; empty for a node that stays."""

    def text(part: ast.AST) -> str:
        return ast.get_source_segment(source, part) or ""

    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            new = f"{text(left)} {OPPOSITE[type(operator)]} {text(right)}"
        case ast.IfExp(test=test, body=body, orelse=other):
            new = f"({text(other)} if {text(test)} else {text(body)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            new = f"bool({text(operand)})"
        case ast.BoolOp(values=[first, *_]):
            new = f"({text(first)})"
        case ast.Constant(value=bool() | int() as value):
            new = str(not value if isinstance(value, bool) else value + 1)
        case ast.Expr(value=ast.Call()):
            new = "pass"
        case _:
            new = ""
    return new


def draw() -> Iterator[tuple[Path, Function, str, str]]:
    """Yield faults in the order of the seed: file, function, and the lines before and after the change."""
    known = functions()
    chance = random.Random(SEED)  # noqa: S311 - not a secret
    chance.shuffle(known)
    for path, source, function in known:
        if not (found := sorted(changes(source, function), key=lambda pair: (pair[0].lineno, pair[0].col_offset))):
            continue
        node, new = chance.choice(found)
        lines = source.splitlines(keepends=True)
        first, last = node.lineno - 1, node.end_lineno
        old = "".join(lines[first:last])
        tail = len(lines[last - 1].encode()) - node.end_col_offset
        written = old.encode()[: node.col_offset] + new.encode() + old.encode()[len(old.encode()) - tail :]
        while source.count(old) > 1 and first > 0:  # enough lines above that the place is found again
            first -= 1
            old, written = lines[first] + old, lines[first].encode() + written
        yield path, function, old, written.decode()


def main() -> None:
    """Print the faults."""
    for number, (path, function, old, new) in enumerate(draw()):
        if number == NUMBER:
            return
        row = {"promise": f"drawn: {function.name}", "file": str(path.relative_to(ROOT)), "old": old, "new": new}
        lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in row.items()]
        sys.stdout.write(f"[[fault]]\n{''.join(lines)}\n")


if __name__ == "__main__":
    sys.exit(main())
