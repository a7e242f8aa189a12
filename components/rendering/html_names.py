"""How HTML spells what markup says: attribute names, boolean attributes, styles, addresses."""

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from html import escape
from typing import Any

# React's own tables; a test reads them in its sources (`tests/components/rendering/test_html_names.py`).
DASHED = frozenset(
    "acceptCharset httpEquiv accentHeight alignmentBaseline arabicForm baselineShift capHeight clipPath clipRule "
    "colorInterpolation colorInterpolationFilters colorProfile colorRendering dominantBaseline enableBackground "
    "fillOpacity fillRule floodColor floodOpacity fontFamily fontSize fontSizeAdjust fontStretch fontStyle fontVariant "
    "fontWeight glyphName glyphOrientationHorizontal glyphOrientationVertical horizAdvX horizOriginX imageRendering "
    "letterSpacing lightingColor markerEnd markerMid markerStart overlinePosition overlineThickness paintOrder "
    "pointerEvents renderingIntent shapeRendering stopColor stopOpacity strikethroughPosition "
    "strikethroughThickness strokeDasharray strokeDashoffset strokeLinecap strokeLinejoin strokeMiterlimit "
    "strokeOpacity strokeWidth textAnchor textDecoration textRendering transformOrigin underlinePosition "
    "underlineThickness unicodeBidi unicodeRange unitsPerEm vAlphabetic vHanging vIdeographic vMathematical "
    "vectorEffect vertAdvY vertOriginX vertOriginY wordSpacing writingMode xHeight".split()
)
SPACED = {
    space + name.capitalize(): f"{space}:{name}"
    for space, names in (
        ("xlink", "actuate arcrole href role show title type"),
        ("xml", "base lang space"),
        ("xmlns", "xlink"),
    )
    for name in names.split()
}
RENAMED = {"className": "class", "htmlFor": "for", "crossOrigin": "crossorigin"} | SPACED
BOOLEAN = frozenset(
    "allowfullscreen async autofocus autoplay checked controls default defer disabled disablepictureinpicture "
    "disableremoteplayback formnovalidate hidden inert itemscope loop muted multiple nomodule novalidate open "
    "playsinline readonly required reversed scoped seamless selected".split()
)
SVG_CASED = frozenset(
    "viewBox preserveAspectRatio gradientUnits gradientTransform patternUnits patternTransform clipPathUnits maskUnits "
    "refX refY markerWidth markerHeight spreadMethod pathLength".split()
)
UNITLESS = frozenset(
    "animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex boxFlexGroup "
    "boxOrdinalGroup columnCount columns flex flexGrow flexPositive flexShrink flexNegative flexOrder gridArea gridRow "
    "gridRowEnd gridRowSpan gridRowStart gridColumn gridColumnEnd gridColumnSpan gridColumnStart fontWeight lineClamp "
    "lineHeight opacity order orphans scale tabSize widows zIndex zoom fillOpacity floodOpacity stopOpacity "
    "strokeDasharray strokeDashoffset strokeMiterlimit strokeOpacity strokeWidth MozAnimationIterationCount MozBoxFlex "
    "MozBoxFlexGroup MozLineClamp msAnimationIterationCount msFlex msZoom msFlexGrow msFlexNegative msFlexOrder "
    "msFlexPositive msFlexShrink msGridColumn msGridColumnSpan msGridRow msGridRowSpan WebkitAnimationIterationCount "
    "WebkitBoxFlex WebKitBoxFlexGroup WebkitBoxOrdinalGroup WebkitColumnCount WebkitColumns WebkitFlex WebkitFlexGrow "
    "WebkitFlexPositive WebkitFlexShrink WebkitLineClamp".split()
)
OWN_EVERYWHERE = frozenset(
    "key ref children dangerouslySetInnerHTML _reactpy_ack_seq suppressHydrationWarning "
    "suppressContentEditableWarning".split()
)
OF_FIELDS = frozenset("defaultValue defaultChecked value checked innerHTML".split())  # written elsewhere, or never
ADDRESSES = frozenset(["href", "src", "action", "formaction", "xlink:href"])
POSITIVE = frozenset(["cols", "rows", "size", "span"])
NUMERIC = POSITIVE | {"rowspan", "start"}
ENUMERATED = frozenset(
    "contenteditable draggable spellcheck focusable autoreverse externalresourcesrequired preservealpha".split()
)
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
    if value is None or callable(value) or name in OWN_EVERYWHERE or _is_handler(name):
        return ""
    if name == "style":
        text = style(value)
        return f' style="{escape(text)}"' if text else ""
    return _custom(name, value) if "-" in tag else _known(tag, name, value)


def _is_handler(name: str) -> bool:
    """Whether an attribute would hold a script, whatever it is given."""
    return len(name) > len("on") and name[:2].lower() == "on"


def _known(tag: str, name: str, value: Any) -> str:
    """One attribute of an element of HTML or SVG."""
    html = html_name(name)
    if name in OF_FIELDS or not ATTRIBUTE.match(html) or _refused(tag, html, value):
        return ""
    if html.startswith(("data-", "aria-")) or html in ENUMERATED:
        value = str(value).lower() if isinstance(value, bool) else value
    elif html in BOOLEAN:
        return f' {html}=""' if value else ""
    elif isinstance(value, bool):
        return f' {html}=""' if value and html in ("download", "capture") else ""
    return f' {html}="{escape(style_text(value))}"'


def _custom(name: str, value: Any) -> str:
    """One attribute of a custom element, which keeps its name; what is no text, number or truth is left out."""
    html = "class" if name == "className" else name
    if value is False or not isinstance(value, (str, int, float)):
        return ""
    if not ATTRIBUTE.match(html) or (html.lower() in ADDRESSES and not safe_address(value)):
        return ""
    return f' {html}="{"" if value is True else escape(style_text(value))}"'


def _refused(tag: str, html: str, value: Any) -> bool:
    """Whether React leaves this value out: scripts, empty addresses (they load the page itself), sizes below one."""
    if html in ADDRESSES and not safe_address(value):
        return True
    if value == "":
        return html == "src" or (html == "href" and tag != "a")
    if html in NUMERIC and not isinstance(value, bool):
        number = _number(value)
        return number is None or (html in POSITIVE and number < 1)
    return False


def _number(value: Any) -> float | None:
    """Return the number that JavaScript reads in a value, None in what is none; an empty text is 0."""
    try:
        number = float(value or 0)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def html_name(name: str) -> str:
    """Return the attribute's name in HTML or SVG."""
    if name in RENAMED:
        return RENAMED[name]
    if name in SVG_CASED or "-" in name:
        return name
    return dashed_name(name) if name in DASHED else name.lower()


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
        parts.append(f"{label}:{f'{style_text(item)}px' if pixels else style_text(item).strip()}")
    return ";".join(parts)
