"""The list of news articles."""

from apps.core.database.paging import Cursor
from components.parts.news import news_list
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.frames import main, title


def load(request: PageRequest) -> Page:
    """Return the page of news, starting at the cursor `?before=`."""
    before = Cursor.read(request.query.get("before", ""))  # validated, because it becomes part of the part's key
    return Page(
        description=request.t("What happens in and around the competition, written from the audience."),
        component=news_page,
        parts={"list": news_list(str(before) if before else "", language=request.language)},
    )


@component
def news_page(page: Page) -> VdomDict:
    """Render the heading above the list."""
    head = html.div({"class": "body"}, title(page.title))
    return main(html.section({"class": "sheet sheet--first list"}, head, shared_part(page.parts["list"])))
