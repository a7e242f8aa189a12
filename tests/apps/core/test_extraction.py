"""Test the extraction of translatable texts: gettext finds all calls of `t` and all sentences to translate later.

`t` is the keyword of the extraction, so each function that translates a text needs this name. On commit 9a342f9, where
the name was `_`, both ways found 694 texts (SHA-256 of the sorted lines: 8165d1acbe877546…).
"""

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from project.config import ROOT

TEXTS = 694  # at least
KEYWORD = "t"
SENTENCE_ARGUMENTS = frozenset({"message", "violation_error_message", "failed", "confirm"})  # of Django and commands


@cache
def found() -> dict[type[ast.AST], list[tuple[str, ast.AST]]]:
    """Return the nodes of the site's modules by kind, each with the path of its module."""
    by_kind: dict[type[ast.AST], list[tuple[str, ast.AST]]] = {}
    for package in ("project", "components", "apps"):
        for path in (ROOT / package).rglob("*.py"):
            if "migrations" not in path.parts:
                name = str(path.relative_to(ROOT))
                for node in ast.walk(ast.parse(path.read_text())):
                    by_kind.setdefault(type(node), []).append((name, node))
    return by_kind


def nodes(*kinds: type[ast.AST], below: str = "") -> Iterator[ast.AST]:
    """Yield every node of these kinds, in the modules below one folder or in all modules."""
    yield from (node for kind in kinds for name, node in found()[kind] if name.startswith(below))


def literals(node: ast.AST) -> Iterator[str]:
    """Yield the texts of a literal, of both branches, of each item of a list, or of an error's arguments."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp(body=first_branch, orelse=second_branch):
            yield from (*literals(first_branch), *literals(second_branch))
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Dict(values=items):
            yield from (text for item in items for text in literals(item))
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name.endswith("Error"):
            yield from literals(first)


def text_calls() -> Iterator[ast.Call]:
    """Yield every call of the texts function: `t(…)`, `t.plural(…)`, `texts(language)(…)`."""
    for node in nodes(ast.Call):
        match node:
            case ast.Call(
                func=ast.Name(id=name)
                | ast.Attribute(value=ast.Name(id=name), attr="plural")
                | ast.Call(func=ast.Name(id="texts" as name))
            ) if name in {KEYWORD, "texts"} and not (name == "texts" and isinstance(node.func, ast.Name)):
                yield node


def sentences() -> Iterator[str]:
    """Yield the texts of services, validators, constraints and choices, which are translated later for their reader."""
    for node in nodes(ast.Raise, ast.Call, ast.ClassDef, below="apps/"):
        match node:
            case ast.Raise(exc=ast.Call(args=[first, *_])) | ast.Call(func=ast.Name(id="require"), args=[_, first]):
                yield from literals(first)
            case ast.Call(keywords=keywords):
                yield from (text for k in keywords if k.arg in SENTENCE_ARGUMENTS for text in literals(k.value))
            case ast.ClassDef(bases=[base], body=body) if ast.unparse(base).endswith("Choices"):
                labels = [row.value.elts[1] for row in body if isinstance(getattr(row, "value", None), ast.Tuple)]
                yield from (text for label in labels for text in literals(label))


def constants() -> Iterator[str]:
    """Yield the values of constants that are used as a text: `t(ADDED)`, `failed=services.FAILED`."""
    later = (k.value for call in nodes(ast.Call) for k in vars(call)["keywords"] if k.arg in SENTENCE_ARGUMENTS)
    arguments = (*later, *(argument for call in text_calls() for argument in call.args))
    named = [argument for argument in arguments if isinstance(argument, ast.Name | ast.Attribute)]
    names = {ast.unparse(argument).rpartition(".")[2] for argument in named}
    for node in nodes(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.isupper() and name in names:
                yield from literals(value)
            case ast.Assign(targets=[ast.Tuple(elts=items)], value=ast.Tuple(elts=values)):
                pairs = [(ast.unparse(target), value) for target, value in zip(items, values, strict=False)]
                yield from (text for name, value in pairs if name in names for text in literals(value))


@pytest.mark.long(reason="parses all sources")
def test_number_of_extracted_texts_does_not_fall() -> None:
    at_once = {text for call in text_calls() for argument in call.args[:2] for text in literals(argument)}
    assert len(at_once | {*sentences(), *constants()}) >= TEXTS


def test_texts_function_has_the_extracted_name() -> None:
    arguments = {
        node.arg
        for node in nodes(ast.arg)
        if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Name) and node.annotation.id == "Texts"
    }
    assigned = {
        ast.unparse(target)
        for node in nodes(ast.Assign)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "texts"
        for target in node.targets
    }
    assert arguments == {KEYWORD}
    assert assigned <= {KEYWORD}


def test_texts_are_not_concatenated_before_translation() -> None:
    assigned = [
        ast.unparse(call) for call in text_calls() if call.args and isinstance(call.args[0], ast.JoinedStr | ast.BinOp)
    ]
    assert assigned == []
