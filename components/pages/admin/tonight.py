"""The area Tonight: links to live control, the queue of ratings, reports and unusual marks."""

from components.runtime import Page, PageRequest, VdomDict, component
from components.ui.frames import area_list, backstage


def load(request: PageRequest) -> Page:
    """Return the page of the area."""
    return Page(request.t("Running the session and moderating what listeners send."), tonight_page)


@component
def tonight_page(page: Page) -> VdomDict:
    """Render the links."""
    return backstage(page.title, area_list(page), page=page)
