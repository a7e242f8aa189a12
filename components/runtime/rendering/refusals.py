"""Markup that no component may show. It is removed when a model is made, before HTML and frames.

The first refusal of a component is logged with its name; with DEBUG its window shows the sentence as well. The
serializer and the client remove the same from every model.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from django.conf import settings
from reactpy.core._life_cycle_hook import HOOK_STACK

from components.runtime.rendering.html_names import ADDRESSES, ATTRIBUTE, TAG, VOID, html_name, safe_address

log = logging.getLogger(__name__)
DOCUMENT = "it is the document's: the page's `load` and components/runtime/rendering/document.py say what stands there"
ELEMENTS = {
    "script": "no model runs a script; use a web module, or Page.scripts on a plain page",
    "style": "the policy blocks it; use classes of the style sheet, or the attribute style",
    **dict.fromkeys(["base", "html", "head", "body"], DOCUMENT),
}
OUTSIDE_SVG = dict.fromkeys(["title", "meta", "link"], DOCUMENT)  # React would move them into the head
SVG_BORDERS = ("svg", "foreignObject")  # elements that begin or end SVG content
TEXT_AREA = "textarea"
HANDLER = "a handler is a function under React's name, such as onClick; a text is never run"


def _address_reason(value: Any) -> str:
    return "" if value is None or safe_address(value) else "addresses are relative, http, https, mailto or webcal"


WATCHED: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(ADDRESSES, _address_reason),
    "children": lambda _: "children stand behind the attributes",
    "dangerouslysetinnerhtml": lambda _: "markup is made of elements, never of a text",
    "srcdoc": lambda _: "a document of its own could run scripts; use a src",
    "style": lambda value: "" if isinstance(value, str | Mapping | None) else "a style is a mapping or a text",
}
MOST = 2000  # the most names and sentences that are remembered
_fine_tags: set[str] = {""}
_fine_names: set[str] = set()
_fine_events: set[str] = set()
_said: set[tuple[str, str]] = set()
_listener: ContextVar[Callable[[str], object] | None] = ContextVar("listener of refusals", default=None)
Markup = dict[str, Any]
InSvg = Callable[[], bool]


def outside_svg() -> bool:
    """Return False."""
    return False


def inside_svg() -> bool:
    """Return True."""
    return True


def is_refused(tag: str, *, in_svg: bool) -> bool:
    """Return whether elements of this tag are refused here."""
    tag = tag.lower()
    return tag in ELEMENTS or (tag in OUTSIDE_SVG and not in_svg)


def svg_within(tag: str, in_svg: InSvg) -> InSvg:
    """Return a predicate: whether the children of an element of this tag are inside `<svg>`."""
    if tag == "svg":
        return inside_svg
    return outside_svg if tag == "foreignObject" else in_svg


@contextmanager
def heard_by(listener: Callable[[str], object]) -> Iterator[None]:
    """Pass every refusal sentence to `listener` within this context."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def allowed(markup: Markup, owner: str = "", in_svg: InSvg = outside_svg) -> Markup:
    """Return an element's markup without refused content: the same object, a copy, or an empty fragment.

    `owner` is the name of the component or part; an empty one means the component that is being rendered.
    """
    tag = markup.get("tagName")  # VdomDict's [] is written in Python
    if tag in _fine_tags or (tag in _VOID and not markup.get("children")):
        attributes = markup.get("attributes")
        if (
            (not attributes or _fine_names.issuperset(attributes) or _are_fine(attributes))
            and ("eventHandlers" not in markup or _fine_events.issuperset(markup["eventHandlers"]))
            and not markup.get("inlineJavaScript")
        ):
            return markup
    return _Check(markup, owner).allowed(in_svg)


_NONE: Markup = {}
_LINKS = ("href", "src")
_VOID = VOID - ELEMENTS.keys() - OUTSIDE_SVG.keys()


def _are_fine(attributes: Mapping[str, Any]) -> bool:
    """Return whether all these attributes are known to be allowed."""
    for name, value in attributes.items():
        if name not in _fine_names and not (name in _LINKS and safe_address(value)):
            return False
    return True


class _Check:
    """The full check of one element, for elements that are not known to be allowed."""

    def __init__(self, markup: Markup, owner: str) -> None:
        self.markup, self.owner, self.tag = markup, owner, markup["tagName"]

    def allowed(self, in_svg: InSvg) -> Markup:
        for name in self.markup.get("inlineJavaScript") or ():
            self.say(f"{name} is left out of <{self.tag}>: {HANDLER}")
        without = {name: value for name, value in self.markup.items() if name != "inlineJavaScript"}
        if "importSource" in self.markup:  # its module defines its attributes
            return without
        if reason := self.element_reason(in_svg):
            self.say(f"<{self.tag}> is left out: {reason}")
            key = self.markup.get("attributes", _NONE).get("key")
            return {"tagName": ""} | ({} if key is None else {"attributes": {"key": key}})
        self.keep(without, "attributes", self.attribute_reason)
        self.keep(without, "eventHandlers", self.event_reason)
        if without.get("children") and self.has_no_room(without.get("attributes", _NONE)):
            self.say(f"the children of <{self.tag}> are left out: it has no room for any")
            del without["children"]
        return _with_one_text(without) if self.tag == TEXT_AREA else without

    def has_no_room(self, attributes: Markup) -> bool:
        """Return whether React would fail on children here."""
        if self.tag == TEXT_AREA:
            return any(attributes.get(name) is not None for name in ("value", "defaultValue"))
        return self.tag in VOID

    def keep(self, without: Markup, kind: str, reason: Callable[[str, Any], str]) -> None:
        """Remove the refused values of one kind from the copy, and report each of them."""
        values = without.get(kind)
        if not values:
            return
        against = {name: found for name, value in values.items() if (found := reason(name, value))}
        for name, found in against.items():
            self.say(f"{name} is left out of <{self.tag}>: {found}")
        without[kind] = {name: value for name, value in values.items() if name not in against}
        if not without[kind]:
            del without[kind]

    def element_reason(self, in_svg: InSvg) -> str:
        tag = self.tag.lower()
        if tag in OUTSIDE_SVG:
            return "" if in_svg() else OUTSIDE_SVG[tag]
        if tag in ELEMENTS:
            return ELEMENTS[tag]
        if self.tag and not TAG.match(self.tag):
            return "this is no name of an element"
        if tag not in VOID and tag != TEXT_AREA:
            _remember(_fine_tags, self.tag)
        return ""

    def attribute_reason(self, name: str, value: Any) -> str:
        lower = name.lower()
        if watched := WATCHED.get(lower):
            return watched(value)
        if lower.startswith("on"):
            return HANDLER
        if not ATTRIBUTE.match(html_name(name)):
            return "this is no name of an attribute"
        _remember(_fine_names, name)
        return ""

    def event_reason(self, name: str, _handler: Any) -> str:
        if "-" in self.tag:  # a custom element has events of its own
            return ""
        if not (name.startswith("on") and name[2:3].isupper()):
            return HANDLER
        _remember(_fine_events, name)
        return ""

    def say(self, sentence: str) -> None:
        """Log this sentence about the component once, and pass it to the listener, if any."""
        owner = self.owner or current_component()
        listener = _listener.get()
        if listener is not None:
            listener(f"{owner}: {sentence}")
        if (owner, sentence) not in _said and len(_said) < MOST:
            _said.add((owner, sentence))
            log.warning("%s: %s", owner, sentence)


def _with_one_text(area: Markup) -> Markup:
    """Return a text area with its children joined as its default value, because React accepts only one child."""
    children = area.pop("children", ())
    if not children:
        return area
    text = "".join(child for child in children if isinstance(child, str))
    return area | {"attributes": {**area.get("attributes", _NONE), "defaultValue": text}}


def svg_around(state: Any) -> InSvg:
    """Return a predicate: whether the content of this layout state is inside `<svg>`."""
    return partial(_is_in_svg, state)


def _is_in_svg(state: Any) -> bool:
    while state is not None:
        tag = state.model.current["tagName"]
        if tag in ("svg", "foreignObject"):
            return bool(tag == "svg")
        state = getattr(state, "parent", None)
    return False


def _remember(known: set[str], name: str) -> None:
    if len(known) < MOST:
        known.add(name)


def name_of(function: Callable[..., Any]) -> str:
    """Return the qualified name of a component's or part's function."""
    return f"{function.__module__}.{function.__qualname__}"


def current_component() -> str:
    """Return the name of the component that is being rendered."""
    hooks = HOOK_STACK.get()
    return name_of(hooks[-1].component.type) if hooks else "a component"


class SaysRefusals:
    """Shows refusals in the window with DEBUG, for developers."""

    _send: Callable[[dict[str, Any]], None]

    async def _create_layout_update(self, old_state: Any) -> Any:
        if not settings.DEBUG:
            return await super()._create_layout_update(old_state)  # type: ignore[misc]
        sentences: dict[str, None] = {}
        with heard_by(sentences.setdefault):
            update = await super()._create_layout_update(old_state)  # type: ignore[misc]
        for sentence in sentences:
            self._send({"type": "notice", "text": sentence})
        return update
