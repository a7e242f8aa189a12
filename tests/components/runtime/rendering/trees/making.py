"""Pseudo-random trees by number: HTML, SVG and custom elements with all attributes in React's tables."""

import random
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from components.runtime.rendering.html_names import VOID
from components.runtime.rendering.refusals import ELEMENTS, OUTSIDE_SVG
from tests.components.runtime.rendering import react_tables
from tests.components.runtime.rendering.models import element

MARKUP = ("a", "Prélude & <b>fugue</b>", "“Étude”", "\n", "\nline", "x  y\t", "")
TEXTS = (*MARKUP, "𝄞", "'", '"', "0", "-1", "1e3", "true")
NUMBERS = (0, 1, 7, -3, 40, 0.5, -2.25, 1e21, 1e-7, 123456789.125, 2**53 - 1, 1 - 2**53)
ADDRESSES = ("", "/", "/news?page=2&x=<", "https://e.org/a b", "#top", "mailto:a@e.org", "JaVaScript:a", "data:,x")
RARE = 0.04  # the share of invalid values
OWN = frozenset("children dangerouslySetInnerHTML style is".split())  # generated separately, or not at all
FIELD_STATES = frozenset("value checked selected defaultValue defaultChecked multiple innerHTML".split())
PHRASES = ("span", "b", "em", "i", "small", "code", "label", "q", "abbr", "cite", "data", "time", "mark", "bdi", "ins")
BLOCKS = ("div", "section", "article", "nav", "aside", "main", "header", "footer", "blockquote", "address", "fieldset")
SHAPES = (
    "path circle rect line ellipse polygon polyline use image text tspan g defs marker mask pattern clipPath "
    "linearGradient radialGradient stop filter feBlend feGaussianBlur feTurbulence symbol animate animateTransform set "
    "title desc metadata switch view textPath"
).split()
USUAL = {  # attributes that are specific to an element
    "a": ("href", "target", "download", "rel"),
    "img": ("src", "alt", "srcSet", "width", "loading"),
    "form": ("action", "method", "encType", "noValidate"),
    "button": ("type", "disabled", "name", "value", "formAction", "formMethod"),
    "input": ("name", "placeholder", "required", "size", "maxLength", "formAction", "autoFocus"),
    "textarea": ("rows", "cols", "readOnly", "name"),
    "select": ("name", "size", "disabled"),
    "option": ("disabled", "label"),
    "td": ("colSpan", "rowSpan"),
    "ol": ("start", "reversed", "type"),
    "li": ("value",),
    "iframe": ("src", "allowFullScreen", "referrerPolicy"),
    "video": ("controls", "playsInline", "loop", "poster", "muted"),
    "audio": ("controls", "src", "autoPlay"),
    "meter": ("min", "max", "value"),
    "progress": ("max", "value"),
    "time": ("dateTime",),
    "label": ("htmlFor",),
    "details": ("open", "name"),
    "svg": ("viewBox", "preserveAspectRatio", "focusable", "width"),
    "use": ("xlinkHref", "href"),
}
CUSTOM = ("x-note", "my-element", "a-b-c")
REFUSED = ("script", "style", "title", "meta", "link", "base", "SCRIPT", "Title")
STYLES = ("width", "marginTop", "--tone", "color", "WebkitTransform", "lineHeight", "opacity")


@cache
def names() -> tuple[str, ...]:
    """Return all attribute names in React's table, in React's and in HTML's spelling."""
    table = react_tables.standard_names()
    own = OWN | FIELD_STATES
    return tuple(sorted(name for name in {*table.values(), *table} if name not in own and table.get(name) not in own))


@cache
def aliased() -> tuple[str, ...]:
    """Return React's names of the attributes that have another name in HTML or SVG."""
    return tuple(sorted(react_tables.aliases()))


class Maker:
    """Generates one tree; the same number gives the same tree."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)  # noqa: S311 - reproducible numbers

    def tree(self) -> dict[str, Any]:
        return element("div", {}, self.some(self.block, 4, 3))

    def some(self, kind: Callable[[int], Any], most: int, depth: int) -> list[Any]:
        """Return up to `most` nodes of this kind, none at depth 0."""
        return [kind(depth - 1) for _ in range(self.dice.randint(0, most))] if depth > 0 else []

    def block(self, depth: int) -> Any:
        kind = self.dice.choice(
            [self.element, self.element, self.phrase, self.paragraph, self.table, self.items, self.drawing, self.pre]
        )
        return kind(depth)

    def element(self, depth: int) -> Any:
        """Return a block, a fragment, a custom element, raw HTML, or a refused element."""
        if self.dice.random() < RARE:
            return element(self.dice.choice(REFUSED), self.attributes("span"), ["globalThis.ran = true"])
        if self.dice.random() < RARE:
            raw = self.dice.choice(["<b>raw</b> text", "", "\na<br>b"])
            return element("div", self.attributes("div") | {"dangerouslySetInnerHTML": {"__html": raw}})
        tag = self.dice.choice([*BLOCKS, *CUSTOM, "", "details", "form"])
        if tag == "form":
            return element(tag, self.attributes(tag), self.some(self.phrase, 4, depth))
        return element(tag, self.attributes(tag) if tag else {}, self.some(self.block, 3, depth))

    def paragraph(self, depth: int) -> Any:
        tag = self.dice.choice(["p", "h2", "h3", "figcaption"])
        return element(tag, self.attributes(tag), self.some(self.phrase, 4, depth + 1))

    def pre(self, _depth: int) -> Any:
        """Return preformatted text of one piece: with several, React's server renderer loses the first line end."""
        return element("pre", self.attributes("pre"), [self.dice.choice(TEXTS)])

    def table(self, depth: int) -> Any:
        cells = [element("td", self.attributes("td"), self.some(self.phrase, 2, depth)) for _ in range(2)]
        attributes, row = self.attributes("table"), element("tr", self.attributes("tr"), cells)
        return element("table", attributes, [element("tbody", {}, [row])])

    def items(self, depth: int) -> Any:
        tag = self.dice.choice(["ul", "ol"])
        rows = [element("li", self.attributes("li"), self.some(self.phrase, 2, depth)) for _ in range(2)]
        return element(tag, self.attributes(tag), rows)

    def phrase(self, depth: int) -> Any:
        kind = self.dice.randrange(10)
        if kind < 3:
            return self.dice.choice(TEXTS)
        if kind < 6:
            tag = self.dice.choice(PHRASES)
            return element(tag, self.attributes(tag), self.some(self.phrase, 3, depth))
        if kind == 6:
            tag = self.dice.choice(["a", "button"])
            return element(tag, self.attributes(tag), [self.dice.choice(TEXTS)])
        if kind == 7:
            tag = self.dice.choice(["img", "br", "wbr", "iframe", "video", "audio", "meter", "progress", "output"])
            return element(tag, self.attributes(tag))
        return self.drawing(depth) if kind == 8 else self.field()

    def drawing(self, depth: int) -> Any:
        return element("svg", self.attributes("svg"), self.some(self.shape, 4, depth + 1))

    def shape(self, depth: int) -> Any:
        tag = self.dice.choice(SHAPES)
        attributes = self.attributes(tag) | {name: self.value(name) for name in self.dice.sample(aliased(), 2)}
        inside = [self.dice.choice(TEXTS)] if tag in ("title", "desc", "tspan") else self.some(self.shape, 2, depth)
        return element(tag, attributes, inside)

    def field(self) -> Any:
        """Return a form field in a state that a server may render."""
        tag = self.dice.choice(["input", "input", "textarea", "select"])
        if tag == "select":
            return self.chooser()
        attributes = self.attributes(tag)
        if tag == "input":
            if "name" in attributes:
                attributes["name"] = "n"  # React does not find its hidden input by a name that is not text
            attributes["type"] = self.dice.choice(["text", "checkbox", "radio", "number", "hidden", "search", "file"])
            if self.dice.random() < 0.5:
                attributes[self.dice.choice(["checked", "defaultChecked"])] = self.dice.choice([True, False, None])
        if self.dice.random() < 0.7:
            values = [*TEXTS, *NUMBERS, None, True, False]
            attributes[self.dice.choice(["value", "defaultValue"])] = self.dice.choice(values)
        return element(tag, attributes)

    def chooser(self) -> Any:
        options = ["a", "b", "1", "", "𝄞"]
        attributes = self.attributes("select")
        is_multiple = self.dice.random() < 0.4
        if is_multiple:
            attributes["multiple"] = True
        if self.dice.random() < 0.7:
            selected = self.dice.sample(options, 2) if is_multiple else self.dice.choice([*options, 1, None])
            attributes[self.dice.choice(["value", "defaultValue"])] = selected
        rows = [self.option(value) for value in self.dice.sample(options, 3)]
        is_grouped = self.dice.random() < 0.3
        return element("select", attributes, [element("optgroup", {"label": "x"}, rows)] if is_grouped else rows)

    def option(self, value: str) -> Any:
        """Return an option with this text, and perhaps with this value."""
        attributes = self.attributes("option") | self.dice.choice([{}, {"value": value}])
        return element("option", attributes, [value] if value else [])

    def attributes(self, tag: str) -> dict[str, Any]:
        known = names()
        usual = [name for name in USUAL.get(tag, ()) if self.dice.random() < 0.4]
        drawn = self.dice.sample(known, self.dice.randint(0, 3))
        attributes = {name: self.value(name) for name in [*usual, *drawn]}
        if self.dice.random() < 0.2:
            value = self.value("")
            attributes[self.dice.choice(["data-name", "aria-label", "data-X", "aria-hidden", "x:y", "über"])] = value
        if self.dice.random() < 0.1:
            attributes["style"] = {
                name: self.dice.choice([1, "2em", None, 0.5]) for name in self.dice.sample(STYLES, 2)
            }
        if self.dice.random() < RARE:
            attributes[self.dice.choice(["onclick", "onClick", "ONLOAD", "on", "srcDoc"])] = "globalThis.ran = true"
        if tag in VOID or tag == "input":
            attributes.pop("children", None)
        return attributes

    def value(self, name: str) -> Any:
        """Return a value for this attribute; a few are invalid."""
        if name.lower() in ("href", "src", "action", "formaction", "xlinkhref", "data", "poster"):
            return self.dice.choice(ADDRESSES)
        kind = self.dice.random()
        if kind < RARE:
            return self.dice.choice([["a", None, 1.5, True], [], {"a": 1}])
        if kind < 0.4:
            return self.dice.choice(TEXTS)
        return self.dice.choice([True, False, None]) if kind < 0.65 else self.dice.choice(NUMBERS)


@lru_cache(2000)
def tree(number: int) -> dict[str, Any]:
    return Maker(number).tree()


assert {*map(str.lower, REFUSED)} <= {*ELEMENTS, *OUTSIDE_SVG}
