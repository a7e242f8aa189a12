"""The form of a new or existing participant."""

from dataclasses import dataclass
from typing import Any

from apps.competition.limits import BIOGRAPHY_LENGTH, NAME_LENGTH
from apps.competition.selectors import ParticipantEdit
from apps.core.text_rules.names import initials
from apps.core.texts import Texts, texts
from components.hooks.connection import use_token
from components.markup import Markup, VdomDict, component, html, key
from components.page import Page
from components.pages.admin.picture_field import picture_field
from components.ui.controls import forms
from components.ui.controls.commands import command_form
from components.ui.frames.admin_frame import backstage, form_page
from components.ui.people import cameo

PATH = "/admin/participants"
NEW_PARTICIPANT = ParticipantEdit(0, "", "", "", "", "", None, "", featured=False, family_first=False, version="")


@dataclass(frozen=True, slots=True)
class Portrait:
    """The participant who is edited, None for a new one, and the countries that are known."""

    countries: tuple[str, ...]
    person: ParticipantEdit | None = None


@component
def participant_form(page: Page) -> VdomDict:
    """The fields and the buttons."""
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
    asked: dict[str, Any] = {"required": True, "maxLength": NAME_LENGTH, "autoComplete": "off"}
    return [
        html.div(
            {"class": "form-page__pair"},
            forms.field(t("First name"), "first_name", value=person.first_name, **asked),
            forms.field(t("Last name"), "second_name", value=person.second_name, **asked),
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
