"""Translate attributes of this site's markup to HTML: names, boolean attributes and addresses.

What the markup does not use is not translated as React does it: attributes of custom elements, numbers with exponents,
lists and mappings as values. `tests/project/security/test_hydration.py` compares every page with React.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from typing import Any

# React's names with another name in HTML or SVG, those that the markup uses.
RENAMED = {
    "className": "class",
    "htmlFor": "for",
    "crossOrigin": "crossorigin",
    "tabIndex": "tabindex",
    "autoFocus": "autofocus",
    "stopColor": "stop-color",
    "strokeLinecap": "stroke-linecap",
    "strokeLinejoin": "stroke-linejoin",
    "strokeWidth": "stroke-width",
}
# HTML's own spelling to React's, as in components/client/src/rendering/props.js.
REACT_NAMES = {
    name.lower(): name
    for name in (
        "allowFullScreen autoComplete autoFocus autoPlay colSpan contentEditable crossOrigin dateTime "
        "disablePictureInPicture disableRemotePlayback encType enterKeyHint fetchPriority formAction formNoValidate "
        "hrefLang inputMode itemScope maxLength minLength noModule noValidate playsInline readOnly referrerPolicy "
        "rowSpan spellCheck srcSet tabIndex"
    ).split()
} | {"class": "className", "for": "htmlFor"}
VOID = frozenset("area base br col embed hr img input keygen link meta param source track wbr".split())
BOOLEAN = frozenset(
    "allowFullScreen async autoFocus autoPlay controls default defer disabled disablePictureInPicture "
    "disableRemotePlayback formNoValidate hidden inert itemScope loop multiple muted noModule noValidate open "
    "playsInline readOnly required reversed scoped seamless".split()
)
OWN_EVERYWHERE = frozenset(
    "key ref children dangerouslySetInnerHTML _reactpy_ack_seq suppressHydrationWarning "
    "suppressContentEditableWarning".split()
)
OF_FIELDS = {  # the serializer writes these
    "input": frozenset(["value", "checked"]),
    "textarea": frozenset(["value"]),
    "select": frozenset(["value"]),
    "option": frozenset(["selected"]),
}
NEVER_WRITTEN = frozenset(["style", "srcdoc"])  # the policy blocks `style`; `srcdoc` could contain scripts
NEVER = frozenset(["defaultValue", "defaultChecked", "innerHTML"])
ADDRESSES = frozenset(["href", "src", "action", "formaction", "xlinkhref", "xlink:href"])
TAG = re.compile(r"[A-Za-z][A-Za-z0-9:._-]*\Z")
_FIRST = (
    r":A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F"
    r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD"
)
ATTRIBUTE = re.compile(rf"[{_FIRST}][{_FIRST}\-.0-9\u00B7\u0300-\u036F\u203F-\u2040]*\Z")
IGNORED_IN_ADDRESS = re.compile(r"[\x00-\x20]")
PATHS = ("", "/", "#", "?")  # first characters of addresses without a scheme
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
SHORT = 64  # characters of a value whose text is kept
SAFE_SCHEMES = ("http:", "https:", "mailto:", "webcal:")


def safe_address(value: Any) -> bool:
    """Return whether following this address runs no script: relative, http, https, mailto or webcal (calendars)."""
    if isinstance(value, str) and value[:1] in PATHS:
        return True
    text = IGNORED_IN_ADDRESS.sub("", str(value))  # browsers skip these before they read the scheme
    return not SCHEME.match(text) or text.lower().startswith(SAFE_SCHEMES)


def script_text(value: Any) -> str:
    """Return the text to which JavaScript converts a text, a boolean or a number without an exponent."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def attributes_text(tag: str, attributes: Mapping[str, Any]) -> str:
    """Return the attributes, each with a leading blank."""
    texts: dict[str, str] = {}
    for name, value in attributes.items():
        text = (_known_text if type(value) is str and len(value) <= SHORT else _text)(tag, name, value)
        if text is not None:
            texts[react_name(tag, name)] = text
    return "".join(texts.values())


def _text(tag: str, name: str, value: Any) -> str | None:
    """Return one attribute, empty if React leaves it out.

    Return None for an unsafe address: a safe one of the same attribute, which may occur in HTML's and in React's
    spelling, is kept.
    """
    html, text_of = _spelling(tag, name)
    text = None if value is None or callable(value) else text_of(value)
    if text is not None:
        return f' {html}="{escape(text)}"'
    return None if text_of in ADDRESS_WAYS and not safe_address(value) else ""


_known_text = lru_cache(maxsize=4096)(_text)  # classes, names and ids repeat


def react_name(tag: str, name: str) -> str:
    """Return React's name of this attribute. Attributes of custom elements keep their names."""
    return name if "-" in tag else REACT_NAMES.get(name, name)


@lru_cache(maxsize=4096)
def _spelling(tag: str, name: str) -> tuple[str, Callable[[Any], str | None]]:
    """Return an attribute's name in HTML or SVG and the function that makes the text of its value.

    The function returns None for a value that leaves the attribute out.
    """
    name, lower = react_name(tag, name), name.lower()
    html = html_name(name)
    if name in OWN_EVERYWHERE or lower.startswith("on") or lower in NEVER_WRITTEN or not ATTRIBUTE.match(html):
        return html, _left_out
    if lower in ADDRESSES:
        return html, _address if name == "src" or (name == "href" and tag != "a") else _any_address
    if name in NEVER or name in OF_FIELDS.get(tag, ()):
        return html, _left_out
    return html, WAYS.get(name, _any if lower.startswith(("data-", "aria-")) else _without_truths)


def _left_out(_value: Any) -> None:
    """Return None, which leaves the attribute out."""


def _any(value: Any) -> str:
    return value if isinstance(value, str) else script_text(value)


def _without_truths(value: Any) -> str | None:
    return None if isinstance(value, bool) else _any(value)


def _boolean(value: Any) -> str | None:
    """Return an empty text for a value that is true, else None."""
    return "" if value else None


def _present(value: Any) -> str | None:
    return _boolean(value) if isinstance(value, bool) else _any(value)


def _any_address(value: Any) -> str | None:
    return None if isinstance(value, bool) or not safe_address(value) else _any(value)


def _address(value: Any) -> str | None:
    """Return a safe address, None for an empty one, with which the browser would load the page itself."""
    return _any_address(value) or None


ADDRESS_WAYS = (_any_address, _address)
WAYS: Mapping[str, Callable[[Any], str | None]] = {
    **dict.fromkeys(BOOLEAN, _boolean),
    **dict.fromkeys(["spellCheck", "value"], _any),
    "download": _present,
}


def html_name(name: str) -> str:
    """Return the attribute's name in HTML or SVG. Names without an entry in the table keep their spelling."""
    return RENAMED.get(name, name)
