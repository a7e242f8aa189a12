"""Generated models: what markup of ours may hold, for the serializer and the differences of trees."""

from typing import Any

from hypothesis import strategies as st

from tests.components.rendering import react_tables

# No surrogates (JSON of ours has none), and nothing that an HTML parser itself changes: carriage returns, NUL.
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t<>&\"'"), max_size=12)
NAMES = st.text("abcdefgh", min_size=1, max_size=4)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
FLAGS = st.booleans() | st.none()
SCALARS = st.one_of(TEXTS, st.integers(0, 40), FLAGS)
ADDRESSES = st.sampled_from(["", "/", "/news?page=2&x=<", "https://example.org/a b", "#top", "mailto:a@example.org"])

GLOBAL: dict[str, st.SearchStrategy[Any]] = {
    "className": TEXTS,
    "id": NAMES,
    "title": TEXTS | NUMBERS,
    "lang": st.sampled_from(["en", "pl"]),
    "hidden": FLAGS,
    "inert": FLAGS,
    "tabIndex": st.integers(-1, 3),
    "role": NAMES,
    "contentEditable": FLAGS,
    "draggable": FLAGS,
    "spellCheck": FLAGS,
    "aria-label": TEXTS,
    "aria-hidden": FLAGS,
    "aria-valuenow": NUMBERS,
    "data-name": SCALARS,
    "data-when": NUMBERS,
    "style": st.dictionaries(
        st.sampled_from(["width", "marginTop", "--tone", "color", "WebkitTransform", *sorted(react_tables.unitless())]),
        st.one_of(NUMBERS, st.integers(0, 20), st.sampled_from(["red", "3em", ""]), st.none()),
        max_size=3,
    ),
}
OF_SVG = frozenset({"autoReverse", "externalResourcesRequired", "focusable", "preserveAlpha"})
OF_TAG: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "a": {"href": ADDRESSES, "download": FLAGS | NAMES, "target": NAMES, "rel": NAMES},
    "img": {"src": ADDRESSES, "alt": TEXTS, "width": st.integers(0, 9), "loading": st.just("lazy"), "srcSet": NAMES},
    "button": {"type": st.sampled_from(["button", "submit"]), "disabled": FLAGS, "value": TEXTS, "name": NAMES},
    "form": {"action": ADDRESSES, "method": st.just("get"), "noValidate": FLAGS},
    "label": {"htmlFor": NAMES},
    "time": {"dateTime": NAMES},
    "iframe": {"src": ADDRESSES, "allowFullScreen": FLAGS, "referrerPolicy": st.just("origin")},
    "video": {"controls": FLAGS, "playsInline": FLAGS, "loop": FLAGS, "poster": NAMES},
    "details": {"open": FLAGS},
    "ol": {"start": st.integers(-3, 3), "reversed": FLAGS},
    "td": {"colSpan": st.integers(0, 3), "rowSpan": st.integers(0, 3)},
    "meter": {"min": st.integers(0, 3), "max": st.integers(0, 9), "value": NUMBERS},
    "textarea": {
        "rows": st.integers(0, 4),
        "cols": st.integers(0, 4),
        "readOnly": FLAGS,
        "maxLength": st.integers(0, 9),
    },
    "input": {
        "type": st.sampled_from(["text", "search", "checkbox", "radio", "number", "hidden"]),
        "name": NAMES,
        "value": TEXTS | NUMBERS | st.none(),
        "placeholder": TEXTS,
        "required": FLAGS,
        "autoFocus": FLAGS,
        "autoComplete": NAMES,
        "size": st.integers(0, 3),
        "maxLength": st.integers(0, 3),
    },
    "svg": {"viewBox": NAMES, "width": NUMBERS, "focusable": FLAGS, "preserveAspectRatio": NAMES},
    "path": {"d": NAMES, "strokeWidth": NUMBERS, "stroke-linecap": NAMES, "fillRule": NAMES, "fill": NAMES},
    "use": {"xlinkHref": ADDRESSES},
    "g": {name: NAMES | NUMBERS for name in react_tables.aliases() if name not in {"xlinkHref", "xmlnsXlink"}}
    | dict.fromkeys(OF_SVG, FLAGS | NAMES),
    "span": dict.fromkeys(react_tables.booleans() - {"autoFocus", "multiple", "muted"}, FLAGS)
    | dict.fromkeys(react_tables.enumerated() - OF_SVG, FLAGS | NAMES),
    "x-note": {"title": SCALARS, "tone": SCALARS, "data-when": NUMBERS, "className": TEXTS, "value": SCALARS},
}
HTML_NAMES = {"className": "class", "htmlFor": "for"}


def spelled(attributes: dict[str, Any], own: bool) -> dict[str, Any]:
    """The attributes under React's names, or under HTML's own."""
    return attributes if own else {HTML_NAMES.get(name, name.lower()): value for name, value in attributes.items()}


def a_few(known: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Up to three of these attributes."""
    names = st.lists(st.sampled_from(sorted(known)), max_size=3, unique=True)
    return names.flatmap(lambda drawn: st.fixed_dictionaries({name: known[name] for name in drawn}))


SVG_TAGS = ("svg", "g", "path", "circle", "use")  # their names keep their case
ATTRIBUTES = {
    tag: st.builds(
        spelled,
        st.one_of(st.just({}), a_few(OF_TAG.get(tag, GLOBAL)), a_few(GLOBAL | OF_TAG.get(tag, {}))),
        st.just(True) if tag in SVG_TAGS or "-" in tag else st.booleans(),
    )
    for tag in [*OF_TAG, "p", "div", "b", "pre", "br", "hr", "h2", "ul", "li", "circle", "summary"]
}


def made(tag: str, attributes: dict[str, Any], children: Any = ()) -> dict[str, Any]:
    """A model as ReactPy writes it: no empty attributes, no empty children."""
    model: dict[str, Any] = {"tagName": tag}
    if attributes:
        model["attributes"] = attributes
    if children:
        model["children"] = list(children)
    return model


def element(tag: str, children: Any = None) -> st.SearchStrategy[dict[str, Any]]:
    """Elements of this tag."""
    return st.builds(made, st.just(tag), ATTRIBUTES[tag], children if children is not None else st.just(()))


def some(children: Any) -> st.SearchStrategy[list[Any]]:
    """Up to three children."""
    return st.lists(children, max_size=3)


def fragment(children: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Fragments, as components leave them."""
    return st.builds(made, st.just(""), st.just({}), some(children))


@st.composite
def chooser(draw: Any) -> dict[str, Any]:
    """A select whose value is one of its options', or none of them."""
    options = draw(st.lists(st.tuples(NAMES, st.booleans(), TEXTS), max_size=4))
    multiple = draw(st.booleans())
    names = st.sampled_from([name for name, _, _ in options] or ["none"])
    attributes: dict[str, Any] = {"name": "choice"} | ({"multiple": True} if multiple else {})
    if draw(st.booleans()):
        attributes[draw(st.sampled_from(["value", "defaultValue"]))] = draw(st.lists(names) if multiple else names)
    children = [made("option", {"value": name} if own else {}, [text] if text else []) for name, own, text in options]
    if children and draw(st.booleans()):
        children = [made("optgroup", {"label": "group"}, children)]
    return made("select", attributes, children)


@st.composite
def field(draw: Any) -> dict[str, Any]:
    """An input or a textarea, with a value of the server's or one that is the browser's own."""
    model = draw(st.one_of(element("input"), element("textarea")))
    attributes = dict(model.get("attributes", {}))
    if attributes.get("type") in ("checkbox", "radio"):
        attributes |= draw(st.sampled_from([{}, {"checked": True}, {"checked": False}, {"defaultChecked": True}]))
    elif "value" not in attributes:
        attributes |= draw(st.sampled_from([{}, {"defaultValue": "a"}, {"defaultValue": "\nb<"}, {"value": "\n\nc"}]))
    return made(model["tagName"], attributes)


SVG = st.builds(
    made,
    st.just("svg"),
    ATTRIBUTES["svg"],
    some(st.one_of(element("path"), element("circle"), element("use"), element("g", some(element("path"))))),
)
PHRASE = st.recursive(
    st.one_of(TEXTS, element("img"), element("br"), element("time", some(TEXTS)), chooser(), field(), SVG),
    lambda inner: st.one_of(element("span", some(inner)), element("b", some(inner)), fragment(inner)),
    max_leaves=3,
)
LINE = st.one_of(PHRASE, element("a", some(TEXTS)), element("button", some(TEXTS)), element("label", some(TEXTS)))
TABLE = st.builds(
    lambda cells: made("table", {}, [made("tbody", {}, [made("tr", {}, cells)])]), some(element("td", some(PHRASE)))
)
BLOCK = st.recursive(
    st.one_of(
        LINE,
        TABLE,
        element("p", some(PHRASE)),
        element("pre", st.lists(TEXTS, max_size=1)),
        element("hr"),
        element("iframe"),
        element("x-note", some(TEXTS)),
        element("meter"),
        element("video"),
        element("form", some(LINE)),
        element("ol", some(element("li", some(PHRASE)))),
        element("details", some(element("span", some(TEXTS)))),
        st.sampled_from(["<b>raw</b> text", "", "a<br>b"]).map(
            lambda html: made("div", {"dangerouslySetInnerHTML": {"__html": html}})
        ),
    ),
    lambda inner: st.one_of(element("div", some(inner)), fragment(inner)),
    max_leaves=5,
)
PAGES = st.builds(made, st.just("div"), st.just({}), some(BLOCK))
