"""The list of participants, with search and filters in the address."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.competition.selectors.public.participants import field_countries
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.parts.following import follow_slots
from components.parts.participants import participant_results
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.blocks import link
from components.ui.empty_states import skeleton
from components.ui.forms import check, field, select
from components.ui.frames import main, title


@dataclass(frozen=True, slots=True)
class Search:
    """The search in the address, and the numbers of all participants by country, whose names are the options."""

    query: str
    country: str
    countries: Mapping[str, int]
    still_in: bool


def load(request: PageRequest) -> Page:
    """Return a page of the list for the search in the address (`q`, `country`, `still_in`, `page`).

    An unknown country means all.
    """
    t, countries = request.t, field_countries()
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
        slots=(follow_slots(),),
        topics=("featured_participants",),
    )


@component
def participants_page(page: Page) -> VdomDict:
    """Render the heading with the size of the field, and the search form above its results."""
    t = texts(page.language)
    search: Search = page.data
    explained = html.p(t("By name. A line says what comes next, with the time in the hall, or how far it went."))
    head = html.header(
        {"class": "sheet sheet--first"},
        html.div({"class": "hang hang--low"}, explained),
        html.div(
            {"class": "body"},
            html.div({"class": "row row--apart"}, title(page.title), link("/pieces", t("Pieces"))),
            html.p({"class": "lead cards__sum"}, _size(search.countries, t)),
        ),
    )
    results = html.div({"data-results": ""}, shared_part(page.parts["results"]))
    ranking = html.div({"class": "hang hang--low"}, html.p(link("/ranking", t("Ranking"))))
    body = html.div({"class": "body"}, _form(search, t), skeleton(), results)
    return main(head, html.div({"class": "sheet sheet--search"}, ranking, body))


def _size(countries: Mapping[str, int], t: Texts) -> str:
    """Return the numbers of performers and countries in words, empty without any."""
    count = sum(countries.values())
    if not count:
        return ""
    performers = t.plural("%(n)d performer", "%(n)d performers", count)
    origins = t.plural("%(n)d country", "%(n)d countries", len(countries))
    return t("{performers} from {countries}").format(performers=performers, countries=origins)


def _form(search: Search, t: Texts) -> VdomDict:
    """Return the search. On a phone it folds into one line, which names what is searched."""
    choices = [("", t("All Countries")), *((country, country) for country in search.countries)]
    fields = html.div(
        {"class": "find__in"},
        field(t("Name or number"), "q", value=search.query, type="search", maxLength=SEARCH_LENGTH, autoComplete="off"),
        select(t("Country"), "country", choices, search.country),
        check(t("Still in the competition"), "still_in", defaultChecked=search.still_in),
        html.button({"class": "button button--plain", "type": "submit"}, t("Search")),
    )
    named = (search.query, search.country, t("still in") if search.still_in else "")
    searched = " · ".join(filter(None, named))
    folded = t("Search: {words}").format(words=searched) if searched else t("Search, country")
    return html.form(
        {"class": "find", "method": "get", "action": "/participants", "role": "search", "data-navigate": ""},
        html.details({"class": "find__fold fold"}, html.summary(html.span(folded)), fields),
    )
