"""Test the extraction of translatable texts: gettext finds all calls of `t` and all sentences to translate later.

`t` is the keyword of the extraction, so each function that translates a text needs this name. On commit 9a342f9, where
the name was `_`, both ways found 694 texts (SHA-256 of the sorted lines: 8165d1acbe877546…).
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from project.config import ROOT

TEXTS = 694  # at least
KEYWORD = "t"
SENTENCE_ARGUMENTS = frozenset({"message", "violation_error_message", "failed", "confirm"})  # of Django and commands


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax trees of the site's modules, by path."""
    paths = (path for storey in ("project", "components", "apps") for path in (ROOT / storey).rglob("*.py"))
    return {path: ast.parse(path.read_text()) for path in paths if "migrations" not in path.parts}


def nodes(*kinds: type[ast.AST], below: str = "") -> Iterator[ast.AST]:
    """Yield every node of these kinds, in the modules below one folder or in all modules."""
    for path, tree in trees().items():
        if str(path.relative_to(ROOT)).startswith(below):
            yield from (node for node in ast.walk(tree) if isinstance(node, kinds))


def literals(node: ast.AST) -> Iterator[str]:
    """The texts that this may be: a literal, either of two, each of a list, those of an error."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from (*literals(one), *literals(other))
        case ast.List(elts=several) | ast.Tuple(elts=several) | ast.Dict(values=several):
            yield from (text for each in several for text in literals(each))
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name.endswith("Error"):
            yield from literals(first)


def asked() -> Iterator[ast.Call]:
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
                labels = [each.value.elts[1] for each in body if isinstance(getattr(each, "value", None), ast.Tuple)]
                yield from (text for label in labels for text in literals(label))


def constants() -> Iterator[str]:
    """Yield the values of constants that are used as a text: `t(ADDED)`, `failed=services.FAILED`."""
    later = (k.value for call in nodes(ast.Call) for k in vars(call)["keywords"] if k.arg in SENTENCE_ARGUMENTS)
    arguments = (*later, *(each for call in asked() for each in call.args))
    names = {ast.unparse(each).rpartition(".")[2] for each in arguments if isinstance(each, ast.Name | ast.Attribute)}
    for node in nodes(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.isupper() and name in names:
                yield from literals(value)
            case ast.Assign(targets=[ast.Tuple(elts=several)], value=ast.Tuple(elts=values)):
                pairs = [(ast.unparse(each), value) for each, value in zip(several, values, strict=False)]
                yield from (text for name, value in pairs if name in names for text in literals(value))


@pytest.mark.long
def test_as_many_texts_are_found_as_before_the_texts_function_was_renamed() -> None:
    at_once = {text for call in asked() for each in call.args[:2] for text in literals(each)}
    assert len(at_once | {*sentences(), *constants()}) >= TEXTS


def test_whatever_is_called_with_a_text_has_the_name_by_which_texts_are_extracted() -> None:
    arguments = {
        node.arg
        for node in nodes(ast.arg)
        if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Name) and node.annotation.id == "Texts"
    }
    made = {
        ast.unparse(target)
        for node in nodes(ast.Assign)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "texts"
        for target in node.targets
    }
    assert arguments == {KEYWORD}
    assert made <= {KEYWORD}


def test_no_text_is_put_together_before_it_is_translated() -> None:
    made = [ast.unparse(call) for call in asked() if call.args and isinstance(call.args[0], ast.JoinedStr | ast.BinOp)]
    assert made == []
