"""Pages that are not built yet: a heading and a sentence on what will be here."""

from components.markup import VdomDict, component, html
from components.page import Page
from components.ui.frames.page_grid import first_section, main


def placeholder_page(words: str) -> Page:
    """Return a page that says in `words` what will be on it; they are its description, too."""
    return Page(description=words, component=announced_page)


@component
def announced_page(page: Page) -> VdomDict:
    """The heading and the sentence."""
    return main(first_section(page.title, html.p({"class": "lead"}, page.description)))
