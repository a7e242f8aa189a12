"""The list of news."""

from apps.accounts.actors import Viewer
from apps.core.database.paging import Cursor
from apps.core.texts import texts
from components.markup import VdomDict, component, html
from components.page import Page, Params, Query
from components.parts.news import news_list
from components.rendering.parts import shared_part
from components.ui.frames import main, title


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the list of news, from the cursor in the address on."""
    # read first: anything can be in an address, and it becomes the part's key
    t, before = texts(language), Cursor.read(query.get("before", ""))
    return Page(
        description=t("What happens in and around the competition, written from the stalls."),
        component=news_page,
        parts=(news_list(str(before) if before else "", language=language),),
    )


@component
def news_page(page: Page) -> VdomDict:
    """The heading above the list."""
    head = html.div({"class": "body"}, title(page.title))
    return main(html.section({"class": "sheet sheet--first list"}, head, *(shared_part(part) for part in page.parts)))
