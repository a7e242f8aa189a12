"""One participant."""

from dataclasses import dataclass

from apps.accounts.actors import Viewer
from apps.competition.selectors import SessionAppearance, participant_appearances, participant_get
from apps.core.database.paging import Cursor
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, component, html
from components.page import Page, Params, Query
from components.pages.public.not_found import not_found_page
from components.pages.public.participant.all_ratings import all_ratings
from components.pages.public.participant.performances import open_at_first, performance_parts, performances
from components.parts.authors import author_fills
from components.parts.participant import participant_biography, participant_header
from components.parts.ratings.own_ratings import rating_fills
from components.parts.ratings.rating_rows import participant_ratings
from components.parts.ratings.statistics import participant_together
from components.rendering.page_slots import SlotQuery, slot_query
from components.rendering.parts import Ref, shared_part
from components.ui.blocks import tabs
from components.ui.controls.rating_script import rating_script
from components.ui.frames.page_grid import main

PERFORMANCES, BIOGRAPHY, RATINGS = "", "biography", "ratings"  # the address's `tab`
SUMMARY_LENGTH = 155  # characters, as search engines show them


@dataclass(frozen=True, slots=True)
class ParticipantData:
    """The participant, the open tab, and the performances where the tab shows them, of which some are open at first."""

    participant_id: int
    tab: str
    session_appearances: tuple[SessionAppearance, ...] = ()
    at_first: tuple[int, ...] = ()


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:
    """Return the participant's page; in the address `tab` is the open tab, `open` a performance that stands open.

    Status 404 for an unknown participant.
    """
    t, participant_id = texts(language), int(params["id"])
    topic = f"participant.{participant_id}"
    found = participant_get(participant_id=participant_id)
    if found is None:
        return not_found_page(t("Participant not found."), ("/participants", t("All participants")), topic)
    tab = query.get("tab", PERFORMANCES)
    tab = tab if tab in (BIOGRAPHY, RATINGS) else PERFORMANCES
    about = " ".join(found.biography.split())
    description = t("{name}, {country}: performances, biography and the audience’s ratings.")
    session_appearances = participant_appearances(participant_id=participant_id) if tab == PERFORMANCES else ()
    at_first = open_at_first(session_appearances, query.get("open", ""))
    return Page(
        title=found.name,
        description=(f"{about[: SUMMARY_LENGTH - 1].rsplit(' ', 1)[0]}…" if len(about) > SUMMARY_LENGTH else about)
        or description.format(name=found.name, country=found.country),
        component=participant_page,
        data=ParticipantData(participant_id, tab, session_appearances, at_first),
        parts=(
            participant_header(participant_id, language=language),
            *_parts(participant_id, tab, query.get("before", ""), language),
            *performance_parts(session_appearances, at_first, is_signed_in=viewer.is_signed_in, language=language),
        ),
        slot_query=_slot_query(participant_id, tab),
        topics=(topic, "participants.removed"),
    )


def _slot_query(participant_id: int, tab: str) -> SlotQuery | None:
    if tab == RATINGS:
        return slot_query(author_fills)
    if tab == PERFORMANCES:
        return slot_query(rating_fills, "account.{id}.ratings", participant_id=participant_id)
    return None


def _parts(participant_id: int, tab: str, before: str, language: str) -> tuple[Ref, ...]:
    if tab == RATINGS:
        known = Cursor.read(before)  # read first: it becomes the part's key
        return (participant_ratings(participant_id, str(known) if known else "", language=language),)
    if tab == BIOGRAPHY:
        return (participant_biography(participant_id, language=language),)
    return (participant_together(participant_id, language=language),)


@component
def participant_page(page: Page) -> VdomDict:
    """The header, the tabs, and the content of the open one."""
    t = texts(page.language)
    about: ParticipantData = page.data
    to = f"/participants/{about.participant_id}"
    addresses = {PERFORMANCES: to, BIOGRAPHY: f"{to}?tab={BIOGRAPHY}", RATINGS: f"{to}?tab={RATINGS}"}
    names = {PERFORMANCES: t("Performance & Ratings"), BIOGRAPHY: t("Biography"), RATINGS: t("All Ratings")}
    ways = tabs(
        t("About this participant"), [(addresses[tab], name) for tab, name in names.items()], addresses[about.tab]
    )
    header, *content = page.parts
    return main(
        shared_part(header),
        html.div({"class": "sheet"}, ways),
        html.div({"key": f"tab-{about.tab}"}, *_content(page, content, t)),
    )


def _content(page: Page, content: list[Ref], t: Texts) -> list[Markup]:
    about: ParticipantData = page.data
    if about.tab == RATINGS:
        return [all_ratings(content[0], page.language)]
    if about.tab == BIOGRAPHY:
        heading = html.div({"class": "hang"}, html.h2(t("Biography")))
        return [html.section({"class": "sheet sheet--next"}, heading, shared_part(content[0]))]
    script = rating_script(page.language) if about.session_appearances else None
    together = shared_part(content[0])
    return [performances(page, about.session_appearances, about.at_first), script, together]
