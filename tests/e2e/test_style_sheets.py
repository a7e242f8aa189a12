"""Every page links the style sheets that define its classes: only parterre.css is on every page."""

import re
from pathlib import Path

import pytest

from tests.e2e.conftest import Site
from tests.e2e.places import BACKSTAGE, MISSING, PLAIN, SHARED
from tests.e2e.test_weight import fetched

CSS = Path(__file__).parents[2] / "components/static/css"
IMPORT = re.compile(r'@import "(?P<file>[^"]+)" layer')
BESIDE = {"print.css", "forced_colors.css"}  # they only change blocks that others define
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTOR = re.compile(r"([^{};]*)\{")
CLASS = re.compile(r"\.([a-z][\w-]*)")
WORN = re.compile(r'\bclass="([^"]*)"')
SHEET = re.compile(r'<link rel="stylesheet" href="/static/build/([a-z]+)\b')
EVERYWHERE = "parterre"


def classes(bundle: Path) -> set[str]:
    """Return the classes that this bundle's blocks define."""
    sources = (CSS / found["file"] for found in IMPORT.finditer(bundle.read_text()))
    texts = [COMMENT.sub("", source.read_text()) for source in sources if source.name not in BESIDE]
    return {name for text in texts for selector in SELECTOR.findall(text) for name in CLASS.findall(selector)}


@pytest.mark.parametrize("name", ["", "una_corda", "halina_k"], ids=["visitor", "member", "administrator"])
async def test_page_links_the_style_sheets_of_its_classes(site: Site, name: str) -> None:
    defined = {bundle.stem: classes(bundle) for bundle in CSS.glob("*.css")}
    some = {bundle: names - defined[EVERYWHERE] for bundle, names in defined.items() if bundle != EVERYWHERE}
    assert "door" in some["home"], "the bundles are read"
    assert "keys" in defined[EVERYWHERE]
    cookie = f"session={site.sign_in(name)}" if name else ""
    bare: dict[str, list[str]] = {}
    for pattern in (*SHARED, *MISSING, *(BACKSTAGE if name == "halina_k" else () if name else PLAIN)):
        _, html = fetched(site.server.address + site.appearances.at(pattern), cookie)
        linked, worn = set(SHEET.findall(html)), {each for text in WORN.findall(html) for each in text.split()}
        assert EVERYWHERE in linked
        styled = set().union(*(some[bundle] for bundle in linked - {EVERYWHERE}))
        if missing := worn & set().union(*some.values()) - styled:
            bare[pattern] = sorted(missing)
    assert not bare
