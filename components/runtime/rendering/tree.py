"""Models of shared parts: conversion of markup to a plain tree, and the difference of two such trees.

The change of a node is another node, which replaces it, or `[children, attributes, removed]` of an element; the last
two are left out if they are empty.
- `children` has the changes of different children by place, `{"2": change}`. If children came, went or moved, it is a
  list of pieces: `[2, 5]` for the old children 2 to 4; `[2, change]` for the old child 2 with this change, which can
  make a new row of it; or a node.
- `attributes` are the new ones by name and the changed ones by the place of their name in the sorted old names;
  `removed` are the names of those that are gone.

The change of a text, also of one in an attribute, is the new text, or `[3, "new", 5]`: the first three and the last
five characters of the old text around a new middle, counted as JavaScript does.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from reactpy.types import Component

from components.runtime.rendering.refusals import SVG_BORDERS, InSvg, allowed, name_of, outside_svg, svg_within

Node = dict[str, Any] | str
Change = Node | list[Any]
PART = "shared-part"  # the placeholder element of a part
HANDLERS = "eventHandlers"
LEAST_KEPT = 9  # characters at both ends of a text, below which the whole text is as short
WHAT = ("tagName", "importSource")  # an element in which these differ is another one


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


def difference(old: Node, new: Node) -> list[Change]:
    """Return the changes that turn `old` into `new`: one, or none if they are equal."""
    return [] if old == new else [_change(old, new)]


def _change(old: Node, new: Node) -> Change:
    """Return the change that turns `old` into `new`, which is different."""
    if isinstance(old, str) and isinstance(new, str):
        return _text(old, new)
    if isinstance(old, str) or isinstance(new, str) or any(old.get(name) != new.get(name) for name in WHAT):
        return new
    before, after = old.get("attributes", {}), new.get("attributes", {})
    others = {name: value for name, value in after.items() if name not in before or before[name] != value}
    if any(isinstance(value, list | tuple) for value in others.values()):
        return new  # a list would be read as the change of a text
    places = {name: str(place) for place, name in enumerate(sorted(before))}
    attributes = {places.get(name, name): _value(before.get(name), value) for name, value in others.items()}
    removed = [name for name in before if name not in after]
    children = _children(old.get("children", []), new.get("children", []))
    if removed:
        return [children, attributes, removed]
    return [children, attributes] if attributes else [children]


def _value(old: Any, new: Any) -> Any:
    """Return the change of an attribute's value."""
    return _text(old, new) if isinstance(old, str) and isinstance(new, str) else new


def _text(old: str, new: str) -> Change:
    """Return the change of a text."""
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    if start + end < LEAST_KEPT:
        return new
    return [_units(new[:start]), new[start : len(new) - end], _units(new[len(new) - end :])]


def _alike(one: str, other: str) -> int:
    """Return the number of equal characters at the beginning of both texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _units(text: str) -> int:
    """Return the length of a text in JavaScript."""
    return len(text.encode("utf-16-le")) // 2


def _children(old: list[Node], new: list[Node]) -> dict[str, Change] | list[Change]:
    """Return the change of an element's children."""
    if [_key(child) for child in old] != [_key(child) for child in new]:
        return _pieces(old, new)
    pairs = enumerate(zip(old, new, strict=True))
    return {str(place): _change(before, after) for place, (before, after) in pairs if before != after}


def _pieces(old: list[Node], new: list[Node]) -> list[Change]:
    """Return the new children as pieces."""
    known: dict[str | None, int] = {key: place for place, child in enumerate(old) if (key := _key(child)) is not None}
    fewer = len(old) - len(new)
    pieces: list[Any] = []
    end: int | None = None  # of the run that is the last piece
    for place, node in enumerate(new):
        source = known.get(_key(node))
        if source is None:  # a new row, or a child without a key: its place is counted from the start or from the end
            near = [each for each in (place, place + fewer) if 0 <= each < len(old)]
            source = next((each for each in near if old[each] == node), near[0] if near else None)
        if source is None or old[source] != node:
            change = node if source is None else _change(old[source], node)
            pieces.append([source, change] if isinstance(change, list) else node)
            end = None
        else:
            if source == end:
                pieces[-1][1] += 1
            else:
                pieces.append([source, source + 1])
            end = source + 1
    return pieces
