"""Gettext finds the texts: by the name `t`, and the sentences that a service raises where they are raised.

`t` is the keyword that translators extract by, so whatever is called with a text has to have that name. On commit
9a342f9, where the name was `_`, 591 texts were found (SHA-256 of the sorted lines 41d2c6c0df9e1a4f…), and 96 sentences
that are translated when somebody reads them (2376e611a99c0d92…).
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from project.config.environment import ROOT

TEXTS, SENTENCES = 591, 96  # at the least
KEYWORD = "t"
SENTENCE_ARGUMENTS = frozenset({"message", "violation_error_message"})  # of Django's validators and constraints


@cache
def trees() -> dict[Path, ast.Module]:
    """The syntax trees of the site's modules, by path."""
    paths = (path for storey in ("project", "components", "apps") for path in (ROOT / storey).rglob("*.py"))
    return {path: ast.parse(path.read_text()) for path in paths if "migrations" not in path.parts}


def nodes(*kinds: type[ast.AST], below: str = "") -> Iterator[ast.AST]:
    """Every node of these kinds, in the modules of one storey or of all."""
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
    """Every call of the texts function: `t(…)`, `t.plural(…)`, `texts(language)(…)`."""
    for node in nodes(ast.Call):
        match node:
            case ast.Call(
                func=ast.Name(id=name)
                | ast.Attribute(value=ast.Name(id=name), attr="plural")
                | ast.Call(func=ast.Name(id="texts" as name))
            ) if name in {KEYWORD, "texts"} and not (name == "texts" and isinstance(node.func, ast.Name)):
                yield node


def sentences() -> Iterator[str]:
    """What services, validators, constraints and choices say: sources that are translated for whoever reads them."""
    for node in nodes(ast.Raise, ast.Call, ast.ClassDef, below="apps/"):
        match node:
            case ast.Raise(exc=ast.Call(args=[first, *_])) | ast.Call(func=ast.Name(id="require"), args=[_, first]):
                yield from literals(first)
            case ast.Call(keywords=keywords):
                yield from (text for k in keywords if k.arg in SENTENCE_ARGUMENTS for text in literals(k.value))
            case ast.ClassDef(bases=[base], body=body) if ast.unparse(base).endswith("Choices"):
                labels = [each.value.elts[1] for each in body if isinstance(getattr(each, "value", None), ast.Tuple)]
                yield from (text for label in labels for text in literals(label))


def test_as_many_texts_are_found_as_before_the_texts_function_was_renamed() -> None:
    assert len({text for call in asked() for each in call.args[:2] for text in literals(each)}) >= TEXTS


def test_as_many_sentences_are_found_that_are_translated_later() -> None:
    assert len(set(sentences())) >= SENTENCES


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
