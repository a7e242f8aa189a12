"""Trees as they are sent: components with their keys, static trees as one node, children with places."""

from collections.abc import Sequence
from typing import Any, cast

from reactpy.core import layout as upstream
from reactpy.types import Component

from components.runtime.rendering.refusals import allowed, svg_around
from components.runtime.rendering.tree import DuplicateKey, is_plain, plain_tree


class KeyedComponents:
    """Sends a component's key. Upstream drops it, so that a re-ordered list would keep its DOM nodes in place."""

    async def _render_component(self, *arguments: Any) -> Any:
        state = await super()._render_component(*arguments)  # type: ignore[misc]
        component = arguments[-1]
        if component.key is not None:
            state.model.current["attributes"] = {"key": component.key}
        return state


class PlainTrees:
    """Keeps a tree without components and handlers as one node.

    Upstream makes a state, a path and a copy of every element for every viewer, 1.1 KB each.
    """

    async def _render_model(self, *arguments: Any) -> Any:
        _, old_state, parent, index, key, raw_model = arguments
        in_svg = svg_around(parent)
        if not is_plain(raw_model):
            return await super()._render_model(*arguments[:-1], allowed(raw_model, in_svg=in_svg))  # type: ignore[misc]
        if old_state is not None:
            await self._unmount_model_states([old_state])  # type: ignore[attr-defined]
        state = upstream._make_element_model_state(parent, index, key)  # noqa: SLF001 - see the package's docstring
        state.model.current = cast("Any", plain_tree(raw_model, in_svg=in_svg))
        return state


class Place(int):
    """The place of a child without a key. In a path it is ".1", which differs from a sibling with the key "1"."""

    def __format__(self, _: str) -> str:
        return f".{int(self)}"


PLACES = tuple(map(Place, range(100)))  # shared by all layouts


def children_info(children: Sequence[Any]) -> tuple[list[Any], set[Any]]:
    """Return each child with its kind and its key, and all keys. Raises DuplicateKey for two equal keys.

    Upstream confuses the key 1 with the place 1, and distinguishes it from the key "1", unlike the browser.
    """
    found = [_child_info(place, child) for place, child in enumerate(children) if child is not None]
    keys = {key for _, _, key in found}
    if len(keys) != len(found):
        raise DuplicateKey([key for _, _, key in found])
    return found, keys


def _child_info(place: int, child: Any) -> tuple[Any, Any, Any]:
    if isinstance(child, dict):
        kind, key = upstream._DICT_TYPE, child.get("attributes", {}).get("key")  # noqa: SLF001
    elif isinstance(child, Component):
        kind, key = upstream._COMPONENT_TYPE, child.key  # noqa: SLF001
    else:
        kind, child, key = upstream._STRING_TYPE, f"{child}", None  # noqa: SLF001
    if key is not None:
        return child, kind, str(key)
    return child, kind, PLACES[place] if place < len(PLACES) else Place(place)


upstream._get_children_info = children_info  # noqa: SLF001 - layouts call it by this name
