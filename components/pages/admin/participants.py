"""The page "Participants": the filtered list, and the form of a participant, each at its own address (`modes.py`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.accounts.selectors.own_account import default_avatars
from apps.competition.limits import BIOGRAPHY_LENGTH, NAME_LENGTH
from apps.competition.selectors.admin.participants import (
    ParticipantEdit,
    ParticipantRow,
    participant_edit,
    participants_admin,
)
from apps.competition.selectors.admin.sessions import SessionOption, programs_longer
from apps.competition.selectors.public.participants import participant_countries
from apps.core.database.paging import NumberedPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.imports.limits import FILE_PIECES
from components.pages.admin.choices import Choice, session_choice, session_fields
from components.pages.admin.modes import Kind, create_at, edit_at, mode_of
from components.pages.admin.picture_field import picture_field
from components.pages.public.not_found import not_found_page
from components.parts.participants import first_characters, origin
from components.runtime import (
    Component,
    Markup,
    Page,
    PageRequest,
    VdomDict,
    command_form,
    component,
    html,
    key,
    use_token,
)
from components.ui import forms
from components.ui.blocks import badge, button_link, link, paging
from components.ui.empty_states import empty, skeleton
from components.ui.frames import (
    answered_list,
    backstage,
    delete_button,
    edit_link,
    form_page,
    row,
    rows,
    search,
    section,
    tools,
)
from components.ui.people import cameo

PATH = "/admin/participants"
NEW_PARTICIPANT = ParticipantEdit(0, "", "", "", "", "", None, "", featured=False, family_first=False, version="")


@dataclass(frozen=True, slots=True)
class Portrait:
    """The edited participant, None for a new one, and the known countries."""

    countries: tuple[str, ...]
    person: ParticipantEdit | None = None


@component
def participant_form(page: Page) -> VdomDict:
    """Render the form of a participant."""
    portrait: Portrait = page.data
    t, token, language, person = texts(page.language), use_token(), page.language, portrait.person
    own = (
        command_form("participant_update", person.id, draft=f"participant:{person.id}", long=token)
        if person
        else command_form("participant_create", draft="participant:new", long=token)
    )
    asking = {"data-ask": t("Create a second one of this name?"), "data-ask-yes": t("Create Participant")}
    return backstage(
        page.title,
        form_page(
            own | asking,
            *_names(person or NEW_PARTICIPANT, t),
            *_about(person or NEW_PARTICIPANT, portrait.countries, language),
            save=t("Update Participant") if person else t("Create Participant"),
            cancel=PATH,
            version=person.version if person else "",
            language=language,
        ),
        page=page,
        trail=[(PATH, t("Participants"))],
    )


def _names(person: ParticipantEdit, t: Texts) -> list[VdomDict]:
    attributes: dict[str, Any] = {"required": True, "maxLength": NAME_LENGTH, "autoComplete": "off"}
    return [
        html.div(
            {"class": "form-page__pair"},
            forms.field(t("First name"), "first_name", value=person.first_name, **attributes),
            forms.field(t("Last name"), "second_name", value=person.second_name, **attributes),
        ),
        forms.check(
            t("The last name is written first"),
            "family_first",
            hint=t("As in Hungarian or Japanese: Himuro Kanade."),
            defaultChecked=person.family_first,
        ),
    ]


def _about(person: ParticipantEdit, countries: tuple[str, ...], language: str) -> list[Markup]:
    t = texts(language)
    born = str(person.birth_year) if person.birth_year else ""
    year: dict[str, Any] = {"inputMode": "numeric", "maxLength": 4, "autoComplete": "off"}
    known = html.datalist({"id": "countries"}, *(html.option({"key": each, "value": each}) for each in countries))
    country: dict[str, Any] = {"required": True, "maxLength": NAME_LENGTH, "autoComplete": "off", "list": "countries"}

    def likeness(address: str) -> VdomDict:
        return cameo(person.name, initials(person.name), address)

    return [
        html.div(
            {"class": "form-page__pair"},
            html.div(forms.field(t("Country"), "country", value=person.country, **country), known),
            forms.field(t("Birth year (optional)"), "birth_year", value=born, **year),
        ),
        forms.area(
            t("Biography"),
            "biography",
            value=person.biography,
            hint=t("Each line is a paragraph. Lists show the first 100 characters."),
            required=True,
            maxLength=BIOGRAPHY_LENGTH,
            rows=10,
            **{"class": "prose-field"},
        ),
        key("avatar", picture_field(t("Avatar URL (optional)"), "avatar_url", person.avatar_url, likeness, language)),
        forms.check(t("Featured"), "featured", hint=t("Shown on the title page."), defaultChecked=person.featured),
    ]


ADDRESS = "/participant-file"


def export_section(
    sessions: Choice[SessionOption], longer: Sequence[tuple[str, str]], listed: Mapping[str, str], language: str
) -> VdomDict:
    """Return the form that exports a session as a file, after the search of sessions if shown.

    `longer` are participants with more pieces than a file contains. `listed` are the address fields of the page's list,
    which the search keeps.
    """
    t = texts(language)
    *searched, choice = session_fields(sessions, None, language)
    search_form = _export_search(searched, listed, t) if searched else None
    form = html.form(
        {"class": "importing", "method": "get", "action": ADDRESS},
        choice,
        html.div(html.button({"class": "button button--plain", "type": "submit"}, t("Export"))),
    )
    way = link("/admin/import", t("Import"))
    about = html.p(t("Names, countries and the first {n} pieces.").format(n=FILE_PIECES))
    no_sessions = html.p({"class": "muted"}, t("No sessions yet."))
    body = [no_sessions] if sessions.is_empty else [search_form, form]
    return section(
        t("As a file"), html.div({"class": "body stack"}, *body, _longer(longer, t), html.p(way)), aside=about
    )


def _export_search(searched: Sequence[VdomDict], listed: Mapping[str, str], t: Texts) -> VdomDict:
    kept = {name: value for name, value in listed.items() if value}
    hidden = (html.input({"type": "hidden", "key": name, "name": name, "value": kept[name]}) for name in kept)
    form = {"class": "importing", "method": "get", "action": PATH, "role": "search", "data-navigate": ""}
    send = html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search"))
    return html.form(form, *hidden, *searched, send)


def _longer(longer: Sequence[tuple[str, str]], t: Texts) -> Markup:
    if not longer:
        return None
    people = "; ".join(f"{name}, {session}" for session, name in longer)
    words = t("With more pieces, of which a file has the first {n}: {people}.")
    return html.p({"class": "small muted"}, words.format(n=FILE_PIECES, people=people))


TICKED = "1"


@dataclass(frozen=True, slots=True)
class People:
    """The page of participants for the filters in the address."""

    query: str
    country: str
    lacks_avatar: bool  # only participants without a picture
    page: NumberedPage[ParticipantRow]
    countries: tuple[str, ...]
    avatar: str  # the default picture
    sessions: Choice[SessionOption]  # sessions that can be exported
    longer: tuple[tuple[str, str], ...]  # sessions and names of participants with more pieces than a file contains


def load(request: PageRequest) -> Page:
    """Return the list, an empty form, or the form of the participant in the address."""
    t, mode = request.t, mode_of(request.query)
    if mode.kind is Kind.LIST:
        people = _people(request)
        programs = (f"session.{each.id}.performer" for each in people.sessions.options)
        topics = ("featured_participants", "sessions", "default_avatars", *programs)
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


def _people(request: PageRequest) -> People:
    query, text, countries = request.query, request.search_text(), participant_countries()
    country, lacks_avatar = query.get("country", ""), query.get("missing", "") == TICKED
    country = country if country in countries else ""
    page = participants_admin(query=text, country=country, needs_avatar=lacks_avatar, number=request.page_number())
    avatar = default_avatars().participant_avatar_url
    sessions, longer = session_choice(query), programs_longer(pieces=FILE_PIECES)
    return People(text, country, lacks_avatar, page, countries, avatar, sessions, longer)


@component
def participants_page(page: Page) -> Component:
    """Render the list, or the form of a participant."""
    match page.data:
        case Portrait(person=person):
            name = f"participant-{person.id if person else 'new'}"
            return key(name, participant_form(page))
        case _:
            return key("participants", participant_list(page))


@component
def participant_list(page: Page) -> VdomDict:
    """Render the search, the participants, the paging and the export."""
    people: People = page.data
    t, language, listing = texts(page.language), page.language, people.page
    query = {"q": people.query, "country": people.country, "missing": TICKED if people.lacks_avatar else ""}
    empty_text = (
        t("No participants found matching your criteria.") if any(query.values()) else t("No participants yet.")
    )
    count = t.plural("%(n)d participant", "%(n)d participants", listing.total)
    list_of = (
        rows(*(_row(each, people.avatar, language) for each in listing.rows)) if listing.rows else empty(empty_text)
    )
    return backstage(
        t("Participants"),
        tools(_search(people, language), button_link(create_at(PATH), t("New Participant"))),
        skeleton(),
        answered_list(
            html.p({"class": "listed__count", "role": "status"}, count) if listing.rows else None,
            list_of,
            paging(listing.number, listing.pages, path=PATH, query=query, language=language),
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
