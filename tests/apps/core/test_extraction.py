"""Test the extraction of translatable texts: gettext finds all calls of `t` and all sentences to translate later.

`t` is the keyword of the extraction, so each function that translates a text needs this name. On commit 9a342f9, where
the name was `_`, both ways found 694 texts (SHA-256 of the sorted lines: 8165d1acbe877546…).
"""

import ast
from collections.abc import Iterator, Sequence

import pytest

from project.config import ROOT

Nodes = Sequence[ast.AST]  # of one module
TEXTS = 694  # at least
KEYWORD = "t"
SENTENCE_ARGUMENTS = frozenset({"message", "violation_error_message", "failed", "confirm"})  # of Django and commands


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


def text_calls(nodes: Nodes) -> Iterator[ast.Call]:
    """Yield every call of the texts function: `t(…)`, `t.plural(…)`, `texts(language)(…)`."""
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Name(id=name)
                | ast.Attribute(value=ast.Name(id=name), attr="plural")
                | ast.Call(func=ast.Name(id="texts" as name))
            ) if name in {KEYWORD, "texts"} and not (name == "texts" and isinstance(node.func, ast.Name)):
                yield node


def sentences(nodes: Nodes) -> Iterator[str]:
    """Yield the texts of services, validators, constraints and choices, which are translated later for their reader."""
    for node in nodes:
        match node:
            case ast.Raise(exc=ast.Call(args=[first, *_])) | ast.Call(func=ast.Name(id="require"), args=[_, first]):
                yield from literals(first)
            case ast.Call(keywords=keywords):
                yield from (text for k in keywords if k.arg in SENTENCE_ARGUMENTS for text in literals(k.value))
            case ast.ClassDef(bases=[base], body=body) if ast.unparse(base).endswith("Choices"):
                labels = [row.value.elts[1] for row in body if isinstance(getattr(row, "value", None), ast.Tuple)]
                yield from (text for label in labels for text in literals(label))


def constants_used(nodes: Nodes) -> Iterator[str]:
    """Yield the names of constants that are used as a text: `t(ADDED)`, `failed=services.FAILED`."""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    later = (k.value for call in calls for k in call.keywords if k.arg in SENTENCE_ARGUMENTS)
    for argument in (*later, *(argument for call in text_calls(calls) for argument in call.args)):
        if isinstance(argument, ast.Name | ast.Attribute):
            yield ast.unparse(argument).rpartition(".")[2]


def constants(nodes: Nodes) -> Iterator[tuple[str, str]]:
    """Yield the name and each text of the constants."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.isupper():
                yield from ((name, text) for text in literals(value))
            case ast.Assign(targets=[ast.Tuple(elts=items)], value=ast.Tuple(elts=values)):
                pairs = [(ast.unparse(target), value) for target, value in zip(items, values, strict=False)]
                yield from ((name, text) for name, value in pairs for text in literals(value))


def texts_names(nodes: Nodes) -> Iterator[str]:
    """Yield the names of parameters and variables that hold the texts function."""
    for node in nodes:
        match node:
            case ast.arg(arg=name, annotation=ast.Name(id="Texts")):
                yield name
            case ast.Assign(targets=targets, value=ast.Call(func=ast.Name(id="texts"))):
                yield from map(ast.unparse, targets)


@pytest.mark.long(reason="parses all sources")
def test_texts_are_extracted() -> None:
    """The number of texts does not fall, their function has the name, and none is concatenated before translation."""
    texts, used, known, names, concatenated = set[str](), set[str](), set[tuple[str, str]](), set[str](), list[str]()
    for package in ("project", "components", "apps"):
        for path in (ROOT / package).rglob("*.py"):
            if "migrations" in path.parts:
                continue
            nodes = [*ast.walk(ast.parse(path.read_text()))]  # of one module: those of all need 210 MiB
            calls = [*text_calls(nodes)]
            texts |= {text for call in calls for argument in call.args[:2] for text in literals(argument)}
            texts |= {*sentences(nodes)} if package == "apps" else set()
            used |= {*constants_used(nodes)}
            known |= {*constants(nodes)}
            names |= {*texts_names(nodes)}
            mixed = [call for call in calls if call.args and isinstance(call.args[0], ast.JoinedStr | ast.BinOp)]
            concatenated += map(ast.unparse, mixed)
    assert len(texts | {text for name, text in known if name in used}) >= TEXTS
    assert names == {KEYWORD}
    assert concatenated == []
