"""Whose program it is: a session, and a searchable list of its participants."""

from typing import Any

from apps.competition.selectors import SessionOption
from apps.competition.selectors.admin import ParticipantProgram
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, html
from components.pages.admin.choices import Choice, session_fields
from components.pages.admin.imports.programs.query import PATH, WITH, Where
from components.ui.blocks import badge
from components.ui.controls import forms


def whose(
    where: Where, sessions: Choice[SessionOption], people: tuple[ParticipantProgram, ...], language: str
) -> VdomDict:
    """Return the form that chooses the session and who is listed, beside the list."""
    t = texts(language)
    name: dict[str, Any] = {
        "type": "search",
        "maxLength": SEARCH_LENGTH,
        "autoComplete": "off",
        "placeholder": t("Name"),
    }
    form = {"class": "importing", "method": "get", "action": PATH, "role": "search", "data-navigate": ""}
    return html.form(
        form,
        html.div(
            {"class": "stack"},
            *session_fields(sessions, where.session, language),
            html.div({"class": "choice", "role": "group", "aria-label": t("Show")}, *_filters(where, t)),
        ),
        html.div(
            {"class": "stack"},
            forms.field(t("Participant"), "q", value=where.query, **name),
            _list(where, people, t),
        ),
        html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search")),
    )


def _filters(where: Where, t: Texts) -> list[Markup]:
    return [_filter("", t("Without Program"), where), _filter(WITH, t("With Program"), where)]


def _filter(value: str, words: str, where: Where) -> VdomDict:
    own = {"id": f"programs-{value}", "type": "radio", "name": "programs", "value": value}
    button = html.input(own | {"defaultChecked": where.has_program == bool(value)})
    return html.label({"key": own["id"], "htmlFor": own["id"]}, button, words)


def _list(where: Where, people: tuple[ParticipantProgram, ...], t: Texts) -> VdomDict:
    shown = [each for each in people if each.has_program == where.has_program or each.appearance_id == where.appearance]
    if not shown:
        return html.p({"class": "muted"}, t("No participants found."))
    rows = (_person(each, where, t) for each in shown)
    return html.ul({"class": "whos", "aria-label": t("Participants")}, *rows)


def _person(each: ParticipantProgram, where: Where, t: Texts) -> VdomDict:
    current = {"aria-current": "true"} if each.appearance_id == where.appearance else {}
    to = {"class": "who", "href": where.at(appearance=each.appearance_id), "data-stay": ""}
    return html.li(
        {"key": f"who-{each.appearance_id}"},
        html.a(
            to | current,
            html.span({"class": "nr"}, str(each.order_number)),
            html.span(each.name),
            badge(t("Has Program"), "quiet") if each.has_program else None,
        ),
    )
