"""Participants: searched, narrowed, and the form of one; each has its own address (components/pages/admin/modes.py)."""

from dataclasses import dataclass
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors import default_avatars
from apps.competition.selectors import (
    ParticipantRow,
    SessionOption,
    participant_countries,
    participant_edit,
    participants_admin,
)
from apps.competition.selectors.admin import programs_longer
from apps.core.database.paging import NumberedPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.text_rules.names import initials
from apps.core.texts import Texts, texts
from apps.imports.limits import FILE_PIECES
from components.markup import Component, Markup, VdomDict, component, html, key
from components.page import Page, Params, Query, number_of
from components.pages.admin.choices import Choice, session_choice
from components.pages.admin.modes import Kind, create_at, edit_at, mode_of
from components.pages.admin.participants.export import export_section
from components.pages.admin.participants.form import PATH, Portrait, participant_form
from components.pages.public.not_found import not_found_page
from components.parts.participants import first_characters, origin
from components.rendering.parts import DEFAULT_AVATARS
from components.ui.blocks import badge, button_link, paging
from components.ui.controls import forms
from components.ui.empty_states import empty, skeleton
from components.ui.frames.admin_frame import (
    answered_list,
    backstage,
    delete_button,
    edit_link,
    row,
    rows,
    search,
    tools,
)
from components.ui.people import cameo

TICKED = "1"


@dataclass(frozen=True, slots=True)
class People:
    """The list for the filters in the address."""

    query: str
    country: str
    lacks_avatar: bool  # only those without a picture
    page: NumberedPage[ParticipantRow]
    countries: tuple[str, ...]
    avatar: str  # of those who have none
    sessions: Choice[SessionOption]  # that may be taken away as files
    longer: tuple[tuple[str, str], ...]  # sessions and names of those with more pieces than a file holds


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the list, an empty form, or the form of the participant in the address."""
    t, mode = texts(language), mode_of(query)
    if mode.kind is Kind.LIST:
        people = _people(query)
        programs = (f"session.{each.id}.performer" for each in people.sessions.options)
        topics = ("featured_participants", "sessions", DEFAULT_AVATARS, *programs)
        return _page(t("Participants"), people, t, topics=topics)
    if mode.kind is Kind.CREATE:
        return _page(t("New Participant"), Portrait(participant_countries()), t)
    person = participant_edit(participant_id=mode.id)
    if person is None:
        return not_found_page(
            t("Participant not found."), (PATH, t("Back to the participants")), f"participant.{mode.id}"
        )
    return _page(t("Edit Participant"), Portrait(participant_countries(), person), t)


def _page(title: str, data: Any, t: Texts, topics: tuple[str, ...] = ()) -> Page:
    words = t("Who plays in the competition.")
    return Page(title=title, description=words, component=participants_page, data=data, topics=topics)


def _people(query: Query) -> People:
    text, countries = query.get("q", "").strip()[:SEARCH_LENGTH], participant_countries()
    country, lacks_avatar = query.get("country", ""), query.get("missing", "") == TICKED
    country = country if country in countries else ""
    page = participants_admin(query=text, country=country, needs_avatar=lacks_avatar, number=number_of(query))
    avatar = default_avatars().participant_avatar_url
    sessions, longer = session_choice(query), programs_longer(pieces=FILE_PIECES)
    return People(text, country, lacks_avatar, page, countries, avatar, sessions, longer)


@component
def participants_page(page: Page) -> Component:
    """The list, or one participant's form."""
    match page.data:
        case Portrait(person=person):
            name = f"participant-{person.id if person else 'new'}"
            return key(name, participant_form(page))
        case _:
            return key("participants", participant_list(page))


@component
def participant_list(page: Page) -> VdomDict:
    """The search, the participants, the paging."""
    people: People = page.data
    t, language, found = texts(page.language), page.language, people.page
    query = {"q": people.query, "country": people.country, "missing": TICKED if people.lacks_avatar else ""}
    nothing = t("No participants found matching your criteria.") if any(query.values()) else t("No participants yet.")
    count = t.plural("%(n)d participant", "%(n)d participants", found.total)
    list_of = rows(*(_row(each, people.avatar, language) for each in found.rows)) if found.rows else empty(nothing)
    return backstage(
        t("Participants"),
        tools(_search(people, language), button_link(create_at(PATH), t("New Participant"))),
        skeleton(),
        answered_list(
            html.p({"class": "listed__count", "role": "status"}, count) if found.rows else None,
            list_of,
            paging(found.number, found.pages, path=PATH, query=query, language=language),
        ),
        below=(export_section(people.sessions, people.longer, query, language),),
        page=page,
    )


def _search(people: People, language: str) -> VdomDict:
    t = texts(language)
    countries = [("", t("All Countries")), *((country, country) for country in people.countries)]
    return search(
        PATH,
        forms.field(t("Name"), "q", value=people.query, type="search", maxLength=SEARCH_LENGTH, autoComplete="off"),
        forms.select(t("Country"), "country", countries, people.country),
        forms.check(t("Only profiles missing an avatar"), "missing", value=TICKED, defaultChecked=people.lacks_avatar),
        language=language,
    )


def _row(participant: ParticipantRow, avatar: str, language: str) -> VdomDict:
    t, to = texts(language), edit_at(PATH, participant.id)
    featured = badge(t("Featured"), "now") if participant.featured else None
    needs = badge(t("Needs Avatar"), "quiet") if participant.needs_avatar else None
    played = t.plural("%(n)d performance", "%(n)d performances", participant.appearance_count)
    about = html.span(" · ".join([*origin(participant, t), *([played] if participant.appearance_count else [])]))
    return row(
        f"participant-{participant.id}",
        html.h2(html.a({"href": to}, participant.name)),
        html.p({"class": "entries__about"}, about, " ", featured, " ", needs),
        _biography(participant),
        acts=[
            edit_link(to, participant.name, language=language),
            delete_button(
                "participant_delete",
                participant.id,
                named=participant.name,
                ask=t("Delete the participant {name}?").format(name=participant.name),
                words=t("This cannot be taken back. Who has places in sessions stays until they are removed."),
                language=language,
            ),
        ],
        aside=cameo(participant.name, initials(participant.name), participant.avatar_url or avatar, size="small"),
        look="entries__row--person",
    )


def _biography(participant: ParticipantRow) -> Markup:
    return html.p({"class": "entries__text"}, first_characters(participant.excerpt)) if participant.excerpt else None
