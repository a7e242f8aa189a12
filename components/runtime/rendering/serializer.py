"""Write the models of this site's pages as the HTML that React 19 hydrates. A test compares every page with React."""

from collections.abc import Callable, Sequence
from html import escape
from itertools import chain, groupby
from typing import Any

from components.runtime.rendering.encoding import encode
from components.runtime.rendering.html_names import TAG, VOID, attributes_text, script_text
from components.runtime.rendering.posting import is_posted
from components.runtime.rendering.refusals import is_refused, outside_svg, svg_within
from components.runtime.rendering.slots import SLOT, Fill, Fills, fill_of, slot_fill
from components.runtime.rendering.tree import PART, CachedMarkup

VALUED = frozenset(["select", "textarea"])  # elements with their value in their content
WITHOUT_HTML = frozenset(["page-navigation", "page-events", "page-slots"])  # elements that only the client reads
MODEL_KEYS = frozenset(["tagName", "attributes", "importSource", "error"])

Model = dict[str, Any]


class Writer:
    """Writes one model. `out` contains the pieces, with a spot for each shared part, slot and form of a command."""

    def __init__(self, apart: frozenset[int] = frozenset()) -> None:
        self.out: list[str] = []
        self.apart = apart  # ids of the nodes whose HTML is cut out
        self.after_text = False  # React separates neighbouring texts with an empty comment
        self.in_pre = False  # directly after <pre>, where parsers drop a newline
        self.in_svg = outside_svg

    def text(self, value: str) -> None:
        """Write a text node."""
        if value == "":
            return
        if self.after_text:
            self.out.append("<!-- -->")
        self.out.append((_leading_newline(value) if self.in_pre else "") + escape(value))
        self.after_text, self.in_pre = True, False

    def node(self, model: Model | str, chosen: str | None = None) -> None:
        """Write a node; `chosen` is the value of the select around it."""
        cut = [CUT] if id(model) in self.apart else []
        self.out += cut
        self.any_node(model, chosen)
        self.out += cut

    def any_node(self, model: Model | str, chosen: str | None) -> None:
        """Write a node without cuts around it."""
        if isinstance(model, str):
            self.text(model)
        elif model["tagName"] == PART or SLOT in (model.get("attributes") or {}):
            self.out.append(Spot.of(model))
            self.after_text = self.in_pre = False
        elif model.get("error") is not None:
            return  # the client shows a sentence in the page's language
        elif "importSource" in model:
            self.fallback(model["importSource"])
        elif model["tagName"] == "":
            for child in model.get("children", ()):
                self.node(child, chosen)
        elif model["tagName"] not in WITHOUT_HTML:
            self.any_element(model, chosen)

    def any_element(self, model: Model, chosen: str | None) -> None:
        """Write an element; cached markup is serialized only once."""
        if isinstance(model, CachedMarkup) and chosen is None:
            self.out += _cached_pieces(model)
            self.after_text = self.in_pre = False
        else:
            self.element(model["tagName"], model.get("attributes") or {}, model.get("children", ()), chosen)

    def fallback(self, source: Model) -> None:
        """Write the fallback that is shown until the browser has loaded the module."""
        if source.get("fallback"):
            self.node(source["fallback"])

    def element(self, tag: str, attributes: Model, children: Sequence[Any], chosen: str | None) -> None:
        """Write an element; a refused one has no HTML."""
        if is_refused(tag, in_svg=self.in_svg()):
            return
        self.opening(tag, attributes, children, chosen)
        self.rest(tag, attributes, children, chosen)

    def opening(self, tag: str, attributes: Model, children: Sequence[Any], chosen: str | None) -> None:
        """Write an element's start tag."""
        if not TAG.match(tag):
            raise ValueError(f"bad tag name {tag!r}")
        self.out.append(f"<{tag}{attributes_text(tag, attributes)}")
        if tag == "input":
            self.out.append(_input_value(attributes))
        elif tag == "option" and _is_selected(attributes, children, chosen):
            self.out.append(' selected=""')
        self.out.append(">")
        self.after_text, self.in_pre = False, tag == "pre"

    def rest(self, tag: str, attributes: Model, children: Sequence[Any], chosen: str | None) -> None:
        """Write an element's content and its end tag."""
        if tag in VOID:
            return
        value = _first(attributes, "value", "defaultValue")
        if tag == "select":
            chosen = None if value is None else script_text(value)
        around, self.in_svg = self.in_svg, svg_within(tag, self.in_svg)
        self.content(tag, attributes, children, chosen, value)
        self.in_svg = around
        self.out.append(f"</{tag}>")
        self.after_text = self.in_pre = False

    def content(self, tag: str, attributes: Model, children: Sequence[Any], chosen: str | None, value: Any) -> None:
        """Write an element's content."""
        if tag == "textarea":
            text = script_text(value) if value is not None else _texts(children)
            self.out.append(_leading_newline(text) + escape(text))
        else:
            for child in children:
                self.node(child, chosen)
            if is_posted(tag, attributes):
                self.out.append(POSTING)


def _cached_pieces(model: CachedMarkup) -> tuple[str, ...]:
    """Return the HTML of cached markup, serialized at most once."""
    if not hasattr(model, "pieces"):
        writer = Writer()
        writer.element(model["tagName"], model.get("attributes") or {}, model.get("children", ()), None)
        model.pieces = _merged(writer.out)
    return model.pieces


def _first(attributes: Model, *names: str) -> Any:
    """Return the first of these attributes that has a value, or None."""
    return next((attributes[name] for name in names if attributes.get(name) is not None), None)


def _input_value(attributes: Model) -> str:
    """Return an input's `checked` and `value`, which React writes after its other attributes."""
    checked = ' checked=""' if _first(attributes, "checked", "defaultChecked") else ""
    value = _first(attributes, "value", "defaultValue")
    if attributes.get("type") == "file":  # browsers refuse to set its value
        value = attributes.get("defaultValue") if attributes.get("value") is None else None
    return checked if value is None else f'{checked} value="{escape(script_text(value))}"'


def _is_selected(attributes: Model, children: Sequence[Any], chosen: str | None) -> bool:
    if chosen is None:
        return bool(attributes.get("selected"))
    value = attributes.get("value")
    return (_texts(children) if value is None else script_text(value)) == chosen


def _texts(children: Sequence[Any]) -> str:
    return "".join(child for child in children if isinstance(child, str))


def _leading_newline(text: str) -> str:
    return "\n" if text.startswith("\n") else ""  # parsers drop one


class Spot(str):
    """A piece of HTML that each page view replaces: a slot's element, or a part within this one (then empty)."""

    __slots__ = ("inside", "model")
    model: Model
    inside: tuple[str, ...]  # the pieces of a slot's element without a fill; the first is its start tag

    @classmethod
    def of(cls, model: Model) -> "Spot":
        """Return the spot of an element. Its text is the HTML for an anonymous visitor, without fills."""
        inside = () if model["tagName"] == PART else _element_pieces(model)
        spot = cls("".join(inside))
        spot.model, spot.inside = model, inside
        return spot


POSTING = Spot("")  # at the end of each form of a command
POSTING.model, POSTING.inside = {"tagName": "posting"}, ()


def pieces(model: Model | str) -> tuple[str, ...]:
    """Return the HTML of a model, cut at its spots."""
    writer = Writer()
    writer.node(model)
    return _merged(writer.out)


CUT = Spot("")  # before and after the HTML of a node that is cut out


def pieces_apart(model: Model, nodes: Sequence[Model]) -> list[tuple[str, ...]]:
    """Return the pieces of a model: by turns those outside of these nodes and those inside one of them."""
    writer = Writer(frozenset(map(id, nodes)))
    writer.node(model)
    runs: list[list[str]] = [[]]
    for text in writer.out:
        if text is CUT:
            runs.append([])
        else:
            runs[-1].append(text)
    return list(map(_merged, runs))


def _merged(out: Sequence[str]) -> tuple[str, ...]:
    """Return the pieces, joined between two spots."""
    runs = groupby(out, lambda text: isinstance(text, Spot))
    return tuple(chain.from_iterable(texts if is_spot else ("".join(texts),) for is_spot, texts in runs))


def _element_pieces(model: Model) -> tuple[str, ...]:
    """Return the HTML of a slot's element: its start tag, and the rest cut at its spots."""
    if is_refused(model["tagName"], in_svg=False):
        return ("",)
    writer, rest = Writer(), Writer()
    element = (model["tagName"], model.get("attributes") or {}, model.get("children", ()), None)
    writer.opening(*element)
    rest.in_pre = writer.in_pre
    rest.rest(*element)
    return ("".join(writer.out), *_merged(rest.out))


def _filled_pieces(spot: "Spot", fill: Fill) -> tuple[str, ...]:
    """Return the HTML of a slot's element with this fill. With attributes only, the content's HTML is reused."""
    model = slot_fill(spot.model, fill)
    if fill.keys() - {"attributes"} or model["tagName"] in VALUED or is_refused(model["tagName"], in_svg=False):
        return _element_pieces(model)
    writer = Writer()
    writer.opening(model["tagName"], model.get("attributes") or {}, model.get("children", ()), None)
    return ("".join(writer.out), *spot.inside[1:])


def pieces_join(pieces: Sequence[str], fills: Fills, part: Callable[[str], Sequence[str]], posting: str = "") -> str:
    """Return the HTML of these pieces for a viewer with these fills; `part` returns the pieces of a part by its key.

    `posting` is the HTML of the hidden inputs in forms of commands (`posting.py`).
    """
    return "".join(pieces_filled(pieces, fills, part, posting))


def pieces_filled(
    pieces: Sequence[str], fills: Fills, part: Callable[[str], Sequence[str]], posting: str = ""
) -> list[str]:
    """Return the same HTML in pieces. Pieces that no viewer changes are the same objects as in `pieces`."""
    out: list[str] = []
    _fill_in(pieces, out, fills, part, posting)
    return out


def _fill_in(
    pieces: Sequence[str], out: list[str], fills: Fills, part: Callable[[str], Sequence[str]], posting: str
) -> None:
    for piece in pieces:
        if not isinstance(piece, Spot):
            out.append(piece)
        elif piece is POSTING:
            out.append(posting)
        elif piece.model["tagName"] == PART:
            _fill_in(part(piece.model["attributes"]["part"]), out, fills, part, posting)
        else:
            fill = fill_of(fills, piece.model["attributes"][SLOT])
            _fill_in(_filled_pieces(piece, fill) if fill else piece.inside, out, fills, part, posting)


def static_model(model: Any) -> Any:
    """Return the model without the event targets of a live layout."""
    if isinstance(model, str):
        return model
    out = {name: value for name, value in model.items() if name in MODEL_KEYS}
    if model.get("children"):
        out["children"] = [static_model(child) for child in model["children"]]
    return out


def inside_script(text: str) -> str:
    """Return JSON that is safe inside a `<script>` element."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def to_json(model: Model) -> str:
    """Return the model as JSON for the page's data block."""
    return inside_script(encode(static_model(model)).decode())
