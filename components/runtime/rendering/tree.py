"""Models of shared parts: conversion of markup to a plain tree, and the difference of two such trees.

The operations of a difference are in the order in which they must be applied. Paths are JSON pointers into the new
tree:
`["set", path, node]`, `["attributes", path, attributes]`, `["children", path, children]`,
`["rows", path, keys, {key: node}]` (children by key: `keys` is the new order, the mapping holds the new rows).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from reactpy.types import Component

from components.runtime.rendering.refusals import SVG_BORDERS, InSvg, allowed, name_of, outside_svg, svg_within

Node = dict[str, Any] | str
Operation = list[Any]
PART = "shared-part"  # the placeholder element of a part
HANDLERS = "eventHandlers"


class NotPublic(TypeError):
    """A shared part contains values, a hook or a handler of one viewer."""


class DuplicateKey(ValueError):
    """Two children of one element have the same key, so that the browser could not distinguish them."""

    def __init__(self, keys: Sequence[Any]) -> None:
        twice = [key for key, times in Counter(keys).items() if times > 1]
        super().__init__(f"children of one element have the same key: {', '.join(map(repr, twice))}")


class CachedMarkup(dict[str, Any]):
    """A tree that is made once for all viewers. Layouts and parts share the object and never change it."""

    __slots__ = ("pieces",)  # its HTML, after it was serialized (`serializer.py`)
    pieces: tuple[str, ...]


def plain_tree(markup: Any, owner: str = "", in_svg: InSvg = outside_svg) -> Node:
    """Return `markup` as the plain tree that is sent, without refused content. Raises NotPublic for handlers.

    `owner` is the name of the component or part; an empty one means the component that is being rendered.
    """
    if isinstance(markup, CachedMarkup):
        return markup
    if isinstance(markup, Component):
        return _with_key(plain_tree(_rendered(markup), name_of(markup.type), in_svg), markup.key)
    if not isinstance(markup, dict):
        return str(markup)
    markup = allowed(markup, owner, in_svg)
    if markup.get(HANDLERS):
        raise _private(markup)
    tag = markup.get("tagName")
    if tag in SVG_BORDERS:
        in_svg = svg_within(str(tag), in_svg)
    return _element(markup, [plain_tree(each, owner, in_svg) for each in children_of(markup) if each is not None])


def _element(markup: dict[str, Any], children: list[Node]) -> Node:
    get = markup.get  # VdomDict's [] is written in Python
    node: dict[str, Any] = {"tagName": get("tagName")}
    if attributes := get("attributes"):
        node["attributes"] = dict(attributes)
    if source := get("importSource"):
        node["importSource"] = source
    if children:
        _keys_check(children)
        node["children"] = children
    return node


def children_of(markup: dict[str, Any]) -> Sequence[Any]:
    """Return the children of an element; a value that is no list is one child."""
    children = markup.get("children", ())
    return children if isinstance(children, list | tuple) else (children,)


def _keys_check(children: Sequence[Node]) -> None:
    """Raise DuplicateKey when two of these have the same key. The keys 1 and "1" are the same to the browser."""
    elements = [child["attributes"] for child in children if isinstance(child, dict) and "attributes" in child]
    given = [attributes["key"] for attributes in elements if "key" in attributes]
    if len(given) > 1:
        keys = [str(key) for key in given if key is not None]
        if len(keys) != len(set(keys)):
            raise DuplicateKey(keys)


def is_plain(markup: Any) -> bool:
    """Return whether this markup contains neither components nor handlers."""
    if isinstance(markup, Component):
        return False
    if not isinstance(markup, dict) or isinstance(markup, CachedMarkup):
        return True
    return not markup.get(HANDLERS) and all(map(is_plain, children_of(markup)))


def _private(markup: dict[str, Any]) -> NotPublic:
    return NotPublic(
        f"<{markup['tagName']}> in a shared part has {sorted(markup[HANDLERS])}: "
        "use page_event(name, argument) and register the page event on the page"
    )


def _rendered(made: Component) -> Any:
    try:
        return made.render()
    except RuntimeError as error:  # ReactPy raises it for a hook outside of a layout
        raise NotPublic(f"{made!r} in a shared part uses a hook; what is one viewer's stands beside it") from error


def _with_key(node: Node, key: str | int | None) -> Node:
    if key is None or isinstance(node, str):
        return node
    return node | {"attributes": {"key": str(key)} | node.get("attributes", {})}


def _key(node: Node) -> str | None:
    if isinstance(node, str) or "attributes" not in node:
        return None
    key: str | None = node["attributes"].get("key")
    return key


def _keys(children: Sequence[Node]) -> list[str] | None:
    keys = [key for child in children if (key := _key(child)) is not None]
    return keys if len(keys) == len(children) == len(set(keys)) else None


def difference(old: Node, new: Node, path: str = "") -> list[Operation]:
    """Return the operations that turn `old` into `new`."""
    if old == new:
        return []
    if isinstance(old, str) or isinstance(new, str) or _key(old) != _key(new):
        return [["set", path, new]]
    if any(old.get(name) != new.get(name) for name in ("tagName", "importSource")):
        return [["set", path, new]]
    operations: list[Operation] = []
    if old.get("attributes") != new.get("attributes"):
        operations.append(["attributes", path, new.get("attributes") or {}])
    return operations + _children(old.get("children", []), new.get("children", []), path)


def _children(old: list[Node], new: list[Node], path: str) -> list[Operation]:
    old_keys, new_keys = _keys(old), _keys(new)
    if old_keys and new_keys:
        known = dict(zip(old_keys, old, strict=True))
        operations: list[Operation] = []
        if old_keys != new_keys:
            fresh = {key: node for key, node in zip(new_keys, new, strict=True) if key not in known}
            operations.append(["rows", path, new_keys, fresh])
        pairs = [(known.get(key, node), node) for key, node in zip(new_keys, new, strict=True)]
    elif len(old) == len(new) and [_key(n) for n in old] == [_key(n) for n in new]:
        operations, pairs = [], list(zip(old, new, strict=True))
    else:
        return [["children", path, new]] if old != new else []
    for index, (before, after) in enumerate(pairs):
        operations += difference(before, after, f"{path}/children/{index}")
    return operations
