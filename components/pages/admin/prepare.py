"""The area Prepare: what a competition consists of."""

from components.runtime import Page, PageRequest, VdomDict, component
from components.ui.frames import area_list, backstage


def load(request: PageRequest) -> Page:
    """Return the page of the area."""
    return Page(request.t("Participants, pieces, stages, sessions, programs, imports and news."), prepare_page)


@component
def prepare_page(page: Page) -> VdomDict:
    """Render the links."""
    return backstage(page.title, area_list(page), page=page)
