"""ReactPy's markup and hooks for components, with signatures that mypy can check."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from django.contrib.staticfiles.storage import staticfiles_storage
from reactpy import component as _component
from reactpy import event, html, use_effect, use_memo, use_ref, use_state
from reactpy.core.vdom import Vdom
from reactpy.types import Component, ImportSourceDict, VdomDict

from components.runtime.rendering.encoding import encode
from components.runtime.rendering.tree import CachedMarkup, plain_tree

__all__ = [
    "Component",
    "Markup",
    "Vdom",
    "VdomDict",
    "cached_markup",
    "component",
    "event",
    "html",
    "key",
    "use_effect",
    "use_memo",
    "use_ref",
    "use_state",
    "web_module",
]

Arguments = ParamSpec("Arguments")
Attributes = TypeVar("Attributes", bound=Mapping[str, Any])
Markup = VdomDict | Component | str | None
MOST_CACHED = 256  # trees that each function keeps


class _Keyed(Protocol[Arguments]):
    """A component's constructor."""

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Component: ...


def component(function: Callable[Arguments, Markup]) -> _Keyed[Arguments]:
    """Return a component of `function` with its typed arguments, which ReactPy's own decorator hides."""
    return cast("_Keyed[Arguments]", _component(cast("Any", function)))


def cached_markup(function: Callable[Arguments, VdomDict]) -> Callable[Arguments, VdomDict]:
    """Return `function` with its markup cached by its (hashable) arguments, for all viewers.

    The markup must have no handlers and hooks and depend on the arguments only. A layout keeps such a tree as one node,
    and a part reuses it when it renders again. Raises NotPublic for a handler, NotEncodable for a value that JSON
    cannot carry.
    """

    @lru_cache(maxsize=MOST_CACHED)
    def made(*args: Arguments.args, **kwargs: Arguments.kwargs) -> CachedMarkup:
        tree = cast("dict[str, Any]", plain_tree(function(*args, **kwargs)))
        encode(tree)
        return CachedMarkup(tree)

    return cast("Callable[Arguments, VdomDict]", made)


def key(name: str, made: Component) -> Component:
    """Return `made` with a key (a string), so that it keeps its state when its siblings change."""
    made.key = name
    return made


def web_module(file: str, export: str) -> Callable[..., VdomDict]:
    """Return the element `export` of one of the site's JavaScript modules, such as `modules/video-player.js`."""

    def element(attributes: Mapping[str, Any], *children: Any) -> VdomDict:
        source = {"source": staticfiles_storage.url(f"build/{file}"), "sourceType": "URL", "fallback": None}
        return Vdom(export, import_source=cast("ImportSourceDict", source))(dict(attributes), *children)

    return element
