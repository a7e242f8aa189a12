"""Every page's HTML is what React makes of its model, and hydrates without an error."""

from typing import Any

from components.runtime.rendering.serializer import WITHOUT_HTML
from components.runtime.rendering.slots import SLOT
from tests.components.runtime.rendering import conftest as rendering
from tests.components.seen import opened
from tests.factories import viewer_of
from tests.offenders import check_each
from tests.project.security.addresses import addresses
from tests.rendering import to_html

browser = rendering.browser


def as_sent(node: Any) -> Any:
    """Return a tree without what the browser makes itself: times by its own clock, web modules, filled slots."""
    if isinstance(node, str):
        return node
    if "importSource" in node:
        return as_sent(node["importSource"].get("fallback") or "")
    if node["tagName"] in WITHOUT_HTML:
        return {"tagName": ""}
    attributes = {name: value for name, value in (node.get("attributes") or {}).items() if name != SLOT}
    tag = "span" if node["tagName"] == "time" else node["tagName"]
    children = [as_sent(child) for child in node.get("children", ())]
    return {"tagName": tag, "attributes": attributes, "children": children}


def test_every_page_hydrates(people, browser):
    def check(address: str) -> None:
        model = as_sent(opened(address, viewer_of(people.administrator)).main)
        page = browser("page", model=model, html=to_html(model))
        assert page["problems"] == []
        assert page["got"] == page["wanted"]

    check_each(addresses(people), check)
