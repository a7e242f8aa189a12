"""React's tables of attribute names, read from the source of its server renderer in the client's packages."""

import re
from functools import cache
from pathlib import Path

from project.config import ROOT

SOURCE = ROOT / "components/client/node_modules/react-dom/cjs/react-dom-server.node.production.js"


@cache
def source() -> str:
    return Path(SOURCE).read_text(encoding="utf-8")


def aliases() -> dict[str, str]:
    """Return the HTML or SVG name of each attribute that React names differently, by React's name."""
    table = re.search(r"aliases = new Map\(\[(.*?)\]\)", source(), re.DOTALL)
    spaced = re.findall(r'case "(x\w+)":\s+pushStringAttribute\(target, "(x[a-z]+:[a-z]+)", value\)', source())
    assert table is not None
    return dict(re.findall(r'\["([^"]+)", "([^"]+)"\]', table[1])) | dict(spaced) | {"xlinkHref": "xlink:href"}


def cases(first: str, last: str) -> frozenset[str]:
    """Return the names in a run of consecutive cases of `pushAttribute`, from `first` to `last`."""
    body = source()[source().index("function pushAttribute(") :]
    run = re.search(rf'case "{first}":(?:\s+case "\w+":)*\s+case "{last}":', body)
    assert run is not None
    return frozenset(re.findall(r'"(\w+)"', run[0]))


def booleans() -> frozenset[str]:
    return cases("inert", "itemScope") | cases("autoFocus", "muted")
