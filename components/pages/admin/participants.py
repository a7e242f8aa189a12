"""The page "Participants": the filtered list, and the form of a participant, each at its own address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from apps.accounts.selectors.own_account import default_avatars
from apps.competition.limits import PARTICIPANT_TEXTS
from apps.competition.selectors.admin.participants import (
    ParticipantEdit,
    ParticipantRow,
    participant_edit,
    participants_admin,
)
from apps.competition.selectors.admin.sessions import SessionOption
from apps.competition.selectors.public.participants import participant_countries
from apps.core.database.paging import NumberedPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from components.pages.admin.choices import Choice, session_choice, session_fields
from components.pages.admin.entity_screen import RowForm, create_at, edit_at, entity_page
from components.pages.public.not_found import not_found_page
from components.parts.participants import first_characters, origin
from components.runtime import Markup, Page, PageRequest, VdomDict, command_form, component, html
from components.ui import forms
from components.ui.blocks import badge, button_link, link, paging
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answered_list, backstage, delete_button, edit_link, row, rows, search, section, tools
from components.ui.people import cameo

PATH = "/admin/participants"


def _form(person: ParticipantEdit | None, t: Texts) -> RowForm[ParticipantEdit]:
    create = command_form("participant_create", draft="participant:new")
    command = command_form("participant_update", person.id, draft=f"participant:{person.id}") if person else create
    asking = {"data-ask": t("Create a second one of this name?"), "data-ask-yes": t("Create Participant")}
    return RowForm(
        person,
        t,
        (PATH, t("Participants")),
        title=t("Edit Participant") if person else t("New Participant"),
        description=t("Who plays in the competition."),
        command=command | asking,
        save=t("Update Participant") if person else t("Create Participant"),
        fields=partial(_fields, countries=participant_countries()),
        lengths=PARTICIPANT_TEXTS,
        has_long_texts=True,
    )


def _fields(form: RowForm[ParticipantEdit], countries: tuple[str, ...]) -> list[Markup]:
    t, own = form.t, {"required": True, "autoComplete": "off"}
    known = html.datalist({"id": "countries"}, *(html.option({"key": each, "value": each}) for each in countries))
    year: dict[str, Any] = {"inputMode": "numeric", "maxLength": 4, "autoComplete": "off"}
    biography: dict[str, Any] = {"required": True, "rows": 10, "class": "prose-field"}

    def likeness(address: str) -> VdomDict:
        return cameo(form.value("name"), initials(form.value("name")), address)

    return [
        html.div(
            {"class": "form-page__pair"},
            form.field(t("First name"), "first_name", **own),
            form.field(t("Last name"), "second_name", **own),
        ),
        form.check(
            t("The last name is written first"), "family_first", hint=t("As in Hungarian or Japanese: Himuro Kanade.")
        ),
        form.field(
            t("Name in another script (optional)"),
            "name_local",
            hint=t("As it is written at home, shown below the name and found by the search: 조성진."),
            autoComplete="off",
        ),
        html.div(
            {"class": "form-page__pair"},
            html.div(form.field(t("Country"), "country", list="countries", **own), known),
            form.field(t("Birth year (optional)"), "birth_year", **year),
        ),
        form.field(
            t("Start number (optional)"),
            "start_number",
            hint=t("Drawn by lot. No other participant has the same."),
            **year,
        ),
        form.area(
            t("Biography"),
            "biography",
            hint=t("Each line is a paragraph. Lists show the first 100 characters."),
            **biography,
        ),
        form.picture(t("Avatar URL (optional)"), "avatar_url", likeness),
        form.check(t("Featured"), "featured", hint=t("Shown on the title page.")),
    ]


ADDRESS = "/participant-file"


def export_section(sessions: Choice[SessionOption], listed: Mapping[str, str], language: str) -> VdomDict:
    """Return the form that exports a session as a file, after the search of sessions if shown.

    `listed` are the address fields of the page's list,
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
    about = html.p(t("Names, countries, programs and pianos."))
    no_sessions = html.p({"class": "muted"}, t("No sessions yet."))
    body = [no_sessions] if sessions.is_empty else [search_form, form]
    return section(t("As a file"), html.div({"class": "body stack"}, *body, html.p(way)), aside=about)


def _export_search(searched: Sequence[VdomDict], listed: Mapping[str, str], t: Texts) -> VdomDict:
    kept = {name: value for name, value in listed.items() if value}
    hidden = (html.input({"type": "hidden", "key": name, "name": name, "value": kept[name]}) for name in kept)
    form = {"class": "importing", "method": "get", "action": PATH, "role": "search", "data-navigate": ""}
    send = html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search"))
    return html.form(form, *hidden, *searched, send)


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


def load(request: PageRequest) -> Page:
    """Return the list, an empty form, or the form of the participant in the address."""
    t = request.t
    back = (PATH, t("Back to the participants"))
    return entity_page(
        request,
        listing=lambda: _listing(request),
        read=lambda pk: participant_edit(participant_id=pk),
        form=lambda person: _form(person, t),
        missing=lambda pk: not_found_page(t("Participant not found."), back, f"participant.{pk}"),
    )


def _listing(request: PageRequest) -> Page:
    t, people = request.t, _people(request)
    programs = (f"session.{each.id}.performer" for each in people.sessions.options)
    topics = ("featured_participants", "sessions", "default_avatars", *programs)
    about = t("Who plays in the competition.")
    return Page(about, participant_list, title=t("Participants"), data=people, topics=topics)


def _people(request: PageRequest) -> People:
    query, text, countries = request.query, request.search_text(), participant_countries()
    country, lacks_avatar = query.get("country", ""), query.get("missing", "") == TICKED
    country = country if country in countries else ""
    page = participants_admin(query=text, country=country, needs_avatar=lacks_avatar, number=request.page_number())
    avatar = default_avatars().participant_avatar_url
    return People(text, country, lacks_avatar, page, countries, avatar, session_choice(query))


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
        below=(export_section(people.sessions, query, language),),
        page=page,
    )


def _search(people: People, language: str) -> VdomDict:
    t = texts(language)
    countries = [("", t("All Countries")), *((country, country) for country in people.countries)]
    return search(
        PATH,
        forms.field(
            t("Name or number"), "q", value=people.query, type="search", maxLength=SEARCH_LENGTH, autoComplete="off"
        ),
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
        html.h2(html.a({"href": to, "translate": "no"}, participant.name)),
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
