"""What people wrote, with its addresses as links."""

from apps.core.text_rules.text_links import text_links
from components.markup import Markup, VdomDict, html


def linked(text: str) -> list[Markup]:
    """Return a text of the audience with its addresses as links."""
    return [audience_link(each.address, each.text) if each.address else each.text for each in text_links(text)]


def audience_link(address: str, words: str) -> VdomDict:
    """Return a link that the audience wrote: search engines take it for nobody's recommendation."""
    return html.a({"href": address, "rel": "nofollow ugc noopener", "target": "_blank"}, words)
