"""The catalogue of pieces: one category, or of all categories what is in a program."""

from dataclasses import dataclass

from apps.competition.enums import Category
from apps.core.texts import texts
from components.parts.pieces.catalogue import NO_OPUS, catalogue_slots, category_address, piece_catalogue
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.blocks import tabs
from components.ui.frames import main, title

_OPUS_DIGITS = 3


@dataclass(frozen=True, slots=True)
class CatalogueData:
    """The page data: the category in the address, empty for all."""

    category: str


def load(request: PageRequest) -> Page:
    """Return the catalogue of the `category` and the `opus` in the address; without or with others, of all."""
    category = request.query.get("category", "")
    category = category if category in Category.values else ""
    asked = request.query.get("opus", "")
    is_opus = asked == NO_OPUS or (asked.isascii() and asked.isdecimal() and len(asked) <= _OPUS_DIGITS)
    opus, t = asked if category and is_opus else "", request.t
    return Page(
        title=f"{t('Pieces')}: {t(Category(category).plural)}" if category else "",
        description=t("Every piece of the competition: who played it, and how the audience heard it."),
        component=pieces_page,
        data=CatalogueData(category),
        parts={"catalogue": piece_catalogue(category, opus, language=request.language)},
        slots=(catalogue_slots(category, opus, language=request.language),),
        canonical=category_address(category),
    )


@component
def pieces_page(page: Page) -> VdomDict:
    """Render the row of categories below the heading, and the chosen ones."""
    t, data = texts(page.language), page.data
    choices = [(category_address(""), t("All")), *((category_address(each), t(each.plural)) for each in Category)]
    row = html.div({"class": "catalogue__row"}, tabs(t("Categories"), choices, category_address(data.category)))
    head = html.div({"class": "body"}, title(t("Pieces")))
    body = html.div({"class": "body"}, row, shared_part(page.parts["catalogue"]))
    return main(html.section({"class": "sheet sheet--first"}, head), html.div({"class": "sheet"}, body))
