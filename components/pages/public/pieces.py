"""The catalogue of pieces."""

from components.parts.pieces.catalogue import catalogue_slots, piece_catalogue
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.frames import main, title


def load(request: PageRequest) -> Page:
    """Return the catalogue."""
    return Page(
        description=request.t("Every piece of the competition: who played it, and how the audience heard it."),
        component=pieces_page,
        parts={"catalogue": piece_catalogue(language=request.language)},
        slots=(catalogue_slots(language=request.language),),
    )


@component
def pieces_page(page: Page) -> VdomDict:
    """Render the catalogue below its heading."""
    head = html.div({"class": "body"}, title(page.title))
    body = html.div({"class": "body"}, shared_part(page.parts["catalogue"]))
    return main(html.section({"class": "sheet sheet--first"}, head), html.div({"class": "sheet"}, body))
