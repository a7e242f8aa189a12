"""Page with status 404 for a missing object."""

from components.runtime import Page, VdomDict, component
from components.ui.empty_states import not_found
from components.ui.frames import main


def not_found_page(words: str, way: tuple[str, str], topic: str) -> Page:
    """Return a page with status 404, reloaded when `topic` changes; `way` is the link back as (address, label)."""
    return Page(
        title=words.rstrip("."),
        description=words,
        component=missing_page,
        data=(words, way),
        topics=(topic,),
        status=404,
    )


@component
def missing_page(page: Page) -> VdomDict:
    """Render the message as heading, and the link back."""
    words, way = page.data
    return main(not_found(words, way))
