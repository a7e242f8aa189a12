"""One participant."""

from dataclasses import dataclass

from apps.accounts.actors import Viewer
from apps.competition.selectors import participant_get
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, component, html
from components.page import Page, Params, Query
from components.pages.public.missing import missing
from components.parts.participant import participant_biography, participant_header, participant_stages
from components.rendering.parts import Ref, shown
from components.ui.blocks import tabs
from components.ui.sheet import main
from components.ui.states import empty

PERFORMANCES, BIOGRAPHY, RATINGS = "", "biography", "ratings"  # the address's `tab`
DESCRIPTION_LENGTH = 155  # characters, as search engines show them


@dataclass(frozen=True, slots=True)
class Shown:
    """Whose page it is, and its open tab."""

    participant_id: int
    tab: str


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the participant's page with the tab in the address, or the page of nobody (404)."""
    _, participant_id = texts(language), int(params["id"])
    topic = f"participant.{participant_id}"
    found = participant_get(participant_id=participant_id)
    if found is None:
        return missing(_("Participant not found."), ("/participants", _("All participants")), topic)
    tab = query.get("tab", PERFORMANCES)
    tab = tab if tab in (BIOGRAPHY, RATINGS) else PERFORMANCES
    about = " ".join(found.biography.split())
    description = _("{name}, {country}: performances, biography and the audience’s ratings.")
    return Page(
        title=found.name,
        description=(
            f"{about[: DESCRIPTION_LENGTH - 1].rsplit(' ', 1)[0]}…" if len(about) > DESCRIPTION_LENGTH else about
        )
        or description.format(name=found.name, country=found.country),
        component=participant_page,
        data=Shown(participant_id, tab),
        parts=_parts(participant_id, tab, language),
        topics=(topic,),
    )


def _parts(participant_id: int, tab: str, language: str) -> tuple[Ref, ...]:
    header = participant_header(participant_id, language=language)
    if tab == RATINGS:
        return (header,)
    content = participant_biography if tab == BIOGRAPHY else participant_stages
    return (header, content(participant_id, language=language))


@component
def participant_page(page: Page) -> VdomDict:
    """The title page, the tabs, and what the open one holds."""
    _ = texts(page.language)
    about: Shown = page.data
    to = f"/participants/{about.participant_id}"
    addresses = {PERFORMANCES: to, BIOGRAPHY: f"{to}?tab={BIOGRAPHY}", RATINGS: f"{to}?tab={RATINGS}"}
    names = {PERFORMANCES: _("Performance & Ratings"), BIOGRAPHY: _("Biography"), RATINGS: _("All Ratings")}
    ways = tabs(
        _("About this participant"), [(addresses[tab], name) for tab, name in names.items()], addresses[about.tab]
    )
    header, *content = page.parts
    return main(
        shown(header),
        html.div({"class": "sheet"}, ways),
        html.div({"class": f"tab tab--{about.tab or 'performances'}"}, *_content(about.tab, content, _)),
    )


def _content(tab: str, content: list[Ref], _: Texts) -> list[Markup]:
    if tab == PERFORMANCES:
        return [shown(part) for part in content]
    if tab == BIOGRAPHY:
        heading = html.div({"class": "hang"}, html.h2(_("Biography")))
        return [html.section({"class": "sheet sheet--next"}, heading, *(shown(part) for part in content))]
    heading = html.div({"class": "hang"}, html.h2(_("All Ratings")))
    words = empty(_("The audience’s ratings will follow here."))
    return [html.section({"class": "sheet sheet--next"}, heading, html.div({"class": "body"}, words))]
