"""React's own tables of names, read in the sources of its server renderer that the client's packages bring."""

import re
from functools import cache
from pathlib import Path

from project.config import ROOT

SOURCE = ROOT / "components/client/node_modules/react-dom/cjs/react-dom-server.node.production.js"


@cache
def source() -> str:
    """Return the renderer's source."""
    return Path(SOURCE).read_text(encoding="utf-8")


def aliases() -> dict[str, str]:
    """Return the attributes that have another name in HTML or SVG, by React's name."""
    table = re.search(r"aliases = new Map\(\[(.*?)\]\)", source(), re.DOTALL)
    spaced = re.findall(r'case "(x\w+)":\s+pushStringAttribute\(target, "(x[a-z]+:[a-z]+)", value\)', source())
    assert table is not None
    return dict(re.findall(r'\["([^"]+)", "([^"]+)"\]', table[1])) | dict(spaced) | {"xlinkHref": "xlink:href"}


def unitless() -> frozenset[str]:
    """Return the styles whose numbers are no pixels."""
    table = re.search(r'unitlessNumbers = new Set\(\s*"([^"]+)"', source())
    assert table is not None
    return frozenset(table[1].split())


def cases(first: str, last: str) -> frozenset[str]:
    """Return the names of neighbouring cases of `pushAttribute`, from one to the other."""
    body = source()[source().index("function pushAttribute(") :]
    run = re.search(rf'case "{first}":(?:\s+case "\w+":)*\s+case "{last}":', body)
    assert run is not None
    return frozenset(re.findall(r'"(\w+)"', run[0]))


def booleans() -> frozenset[str]:
    """Return the attributes that are there or not."""
    return cases("inert", "itemScope") | cases("autoFocus", "muted")


def enumerated() -> frozenset[str]:
    """Return the attributes that say "true" and "false"."""
    return cases("contentEditable", "preserveAlpha") - {"value"}


@cache
def standard_names() -> dict[str, str]:
    """Return React's table of all names of attributes, by their lower case."""
    text = Path(str(SOURCE).replace("production", "development")).read_text(encoding="utf-8")
    table = re.search(r"possibleStandardNames = \{(.*?)\}", text, re.DOTALL)
    assert table is not None
    return {quoted or bare: name for quoted, bare, name in re.findall(r'(?:"([^"]+)"|(\w+)): "([^"]+)"', table[1])}
