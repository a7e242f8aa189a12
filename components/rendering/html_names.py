"""How HTML spells what markup says: attribute names, boolean attributes, styles, addresses."""

import re
from collections.abc import Mapping
from decimal import Decimal
from html import escape
from typing import Any

RENAMED = {
    "className": "class",
    "htmlFor": "for",
    "acceptCharset": "accept-charset",
    "httpEquiv": "http-equiv",
    "crossOrigin": "crossorigin",
    "xlinkHref": "xlink:href",
}
BOOLEAN = frozenset(
    "allowfullscreen async autofocus autoplay checked controls default defer disabled disablepictureinpicture "
    "disableremoteplayback formnovalidate hidden inert itemscope loop muted multiple nomodule novalidate open "
    "playsinline readonly required reversed selected".split()
)
SVG_CASED = frozenset(
    "viewBox preserveAspectRatio gradientUnits gradientTransform patternUnits patternTransform clipPathUnits maskUnits "
    "refX refY markerWidth markerHeight spreadMethod pathLength".split()
)
SVG_DASHED = frozenset(
    "strokeWidth strokeLinecap strokeLinejoin strokeDasharray strokeDashoffset strokeOpacity fillOpacity fillRule "
    "clipRule clipPath textAnchor stopColor stopOpacity fontSize fontFamily fontWeight dominantBaseline".split()
)
UNITLESS = frozenset(
    "animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex columnCount "
    "columns flex flexGrow flexShrink flexOrder gridArea gridRow gridRowEnd gridRowStart gridColumn gridColumnEnd "
    "gridColumnStart fontWeight lineClamp lineHeight opacity order orphans scale tabSize widows zIndex zoom "
    "fillOpacity strokeOpacity strokeWidth".split()
)
OWN = frozenset(
    "key ref children dangerouslySetInnerHTML _reactpy_ack_seq suppressHydrationWarning defaultValue defaultChecked "
    "value checked".split()
)
ADDRESSES = frozenset(["href", "src", "action", "formaction", "xlink:href"])
POSITIVE = frozenset(["cols", "rows", "size", "span"])
ENUMERATED = frozenset(["contenteditable", "draggable", "spellcheck", "focusable"])
UPPER = re.compile(r"(?=[A-Z])")
TAG = re.compile(r"[A-Za-z][A-Za-z0-9:._-]*\Z")
ATTRIBUTE = re.compile(r"[A-Za-z_:][A-Za-z0-9_:.-]*\Z")
IGNORED_IN_ADDRESS = re.compile(r"[\x00-\x20]")
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
PLAIN_FROM, PLAIN_BELOW = 1e-6, 1e21  # between them JavaScript writes numbers without an exponent
SAFE_SCHEMES = ("http:", "https:", "mailto:")


def safe_address(value: Any) -> bool:
    """Whether a browser that follows this address runs no script: relative, http, https or mailto."""
    text = IGNORED_IN_ADDRESS.sub("", str(value))  # browsers skip these before they read the scheme
    return not SCHEME.match(text) or text.lower().startswith(SAFE_SCHEMES)


def style_text(value: Any) -> str:
    """Return the text that JavaScript makes of a value that went there as JSON."""
    if not isinstance(value, float):
        return str(value)
    if value == 0:
        return "0"
    if PLAIN_FROM <= abs(value) < PLAIN_BELOW:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return re.sub(r"e-0", "e-", repr(value))


def attribute(tag: str, name: str, value: Any) -> str:
    """One attribute as React's server renderer writes it, with the blank before it; empty when it is left out."""
    if value is None or name in OWN or callable(value):
        return ""
    if name == "style":
        text = style(value)
        return f' style="{escape(text)}"' if text else ""
    html = html_name(name)
    if not ATTRIBUTE.match(html) or _refused(tag, html, value):
        return ""
    if html.startswith(("data-", "aria-")) or html in ENUMERATED:
        value = str(value).lower() if isinstance(value, bool) else value
    elif html in BOOLEAN:
        return f' {html}=""' if value else ""
    elif isinstance(value, bool):
        return f' {html}=""' if value and html in ("download", "capture") else ""
    return f' {html}="{escape(style_text(value))}"'


def _refused(tag: str, html: str, value: Any) -> bool:
    """Whether React leaves this value out: scripts, empty addresses (they load the page itself), sizes below one."""
    if html in ADDRESSES and not safe_address(value):
        return True
    if value == "":
        return html == "src" or (html == "href" and tag != "a")
    return html in POSITIVE and isinstance(value, (int, float)) and value < 1


def html_name(name: str) -> str:
    """Return the attribute's name in HTML or SVG."""
    if name in RENAMED:
        return RENAMED[name]
    if name in SVG_CASED or "-" in name:
        return name
    return dashed_name(name) if name in SVG_DASHED else name.lower()


def dashed_name(name: str) -> str:
    """Return a camelCase name as a dashed one."""
    return UPPER.sub("-", name).lower()


def style(value: str | Mapping[str, Any]) -> str:
    """Return a style attribute's text; numbers without a unit are pixels, as in React."""
    if isinstance(value, str):
        return value
    parts = []
    for name, item in value.items():
        if item is None or isinstance(item, bool) or item == "":
            continue
        custom = name.startswith("--")
        pixels = isinstance(item, (int, float)) and item != 0 and name not in UNITLESS and not custom
        label = name if custom else re.sub(r"^ms-", "-ms-", dashed_name(name))
        parts.append(f"{label}:{f'{item}px' if pixels else str(item).strip()}")
    return ";".join(parts)
