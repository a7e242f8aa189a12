"""The list of participants, with search and filters in the address."""

from dataclasses import dataclass

from apps.competition.selectors.public.participants import participant_countries
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import texts
from components.parts.participants import participant_results
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.empty_states import skeleton
from components.ui.forms import check, field, select
from components.ui.frames import main, title


@dataclass(frozen=True, slots=True)
class Search:
    """The search in the address, and the countries as options."""

    query: str
    country: str
    countries: tuple[str, ...]
    still_in: bool


def load(request: PageRequest) -> Page:
    """Return a page of the list for the search in the address (`q`, `country`, `still_in`, `page`).

    An unknown country means all.
    """
    t, countries = request.t, participant_countries()
    country = request.query.get("country", "")
    search = Search(
        query=request.search_text(),
        country=country if country in countries else "",
        countries=countries,
        still_in=request.query.get("still_in") == "on",
    )
    results = participant_results(
        search.query, search.country, int(search.still_in), request.page_number(), language=request.language
    )
    return Page(
        description=t("Everybody who plays in the competition: search by name, choose a country."),
        component=participants_page,
        data=search,
        parts={"results": results},
        topics=("featured_participants",),
    )


@component
def participants_page(page: Page) -> VdomDict:
    """Render the search form above its results."""
    t = texts(page.language)
    search: Search = page.data
    choices = [("", t("All Countries")), *((country, country) for country in search.countries)]
    form = html.form(
        {"class": "filters", "method": "get", "action": "/participants", "role": "search", "data-navigate": ""},
        field(t("Name"), "q", value=search.query, type="search", maxLength=SEARCH_LENGTH, autoComplete="off"),
        select(t("Country"), "country", choices, search.country),
        check(t("Still in the competition"), "still_in", defaultChecked=search.still_in),
        html.button({"class": "button button--plain", "type": "submit"}, t("Search")),
    )
    results = html.div({"data-results": ""}, shared_part(page.parts["results"]))
    return main(
        html.section(
            {"class": "sheet sheet--first"},
            html.div({"class": "body"}, title(page.title), form, skeleton(), results),
        )
    )
