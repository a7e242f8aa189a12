"""The section of People and records that exports ratings as a file."""

from collections.abc import Mapping, Sequence

from apps.competition.selectors.admin.sessions import SessionOption
from apps.competition.selectors.public.stages import StageName
from apps.core.texts import Texts, texts
from apps.ratings.enums import ExportKind
from components.pages.admin.choices import Choice, session_fields
from components.runtime import Query, VdomDict, html, number_of
from components.ui import forms
from components.ui.areas import RECORDS
from components.ui.empty_states import message
from components.ui.frames import section

ADDRESS = "/ratings-file"
ANCHOR = "export"
KIND, NUMBER = "export", "of"  # fields of the address


def export_chosen(query: Query) -> tuple[str, int]:
    """Return the kind and the id of what the address chooses for export; empty and 0 for none."""
    kind = query.get(KIND, "")
    return (kind, number_of(query, NUMBER, 0)) if kind in set(ExportKind) else ("", 0)


def export_section(
    stages: Sequence[StageName],
    sessions: Choice[SessionOption],
    chosen: tuple[str, int],
    *,
    is_fresh: bool,
    listed: Mapping[str, str],
    token: str,
    language: str,
) -> VdomDict:
    """Return the forms that export the ratings of a stage or of a session.

    `chosen` are the kind and the id that the forms begin with; with `is_fresh` the viewer came back from the question
    for the password. `listed` are the address fields of the page's list,
    which the search of sessions keeps.
    """
    t = texts(language)
    kind, number = chosen
    stage_options = [(str(each.id), each.name) for each in stages]
    of_stage = forms.select(t("Stage"), ExportKind.STAGE.value, stage_options, _value(chosen, ExportKind.STAGE))
    *searched, of_session = session_fields(sessions, number if kind == ExportKind.SESSION else None, language)
    about = html.p(
        t(
            "One row a mark, with usernames, for the organiser's own archive. Without e-mail addresses, weights and "
            "marks that were not submitted. You confirm first that it is you, and the audit names each export."
        )
    )
    ready = message(t("Thank you. You can export for ten minutes now."), good=True) if is_fresh else None
    body = [ready, _form(ExportKind.STAGE, of_stage, token, t)] if stages else [ready]
    if not sessions.is_empty:
        body += [_search(searched, listed, t) if searched else None, _form(ExportKind.SESSION, of_session, token, t)]
    else:
        body.append(html.p({"class": "muted"}, t("No sessions yet.")))
    return section(t("Ratings as a file"), html.div({"class": "body stack"}, *body), aside=about, name=ANCHOR)


def _value(chosen: tuple[str, int], kind: ExportKind) -> str:
    return str(chosen[1]) if chosen[0] == kind and chosen[1] else ""


def _form(kind: ExportKind, choice: VdomDict, token: str, t: Texts) -> VdomDict:
    words = {ExportKind.STAGE: t("Export the stage"), ExportKind.SESSION: t("Export the session")}[kind]
    return html.form(
        {"key": kind.value, "class": "importing", "method": "post", "action": ADDRESS},
        html.input({"type": "hidden", "name": "csrfmiddlewaretoken", "value": token}),
        choice,
        html.div(html.button({"class": "button button--plain", "type": "submit"}, words)),
    )


def _search(searched: Sequence[VdomDict], listed: Mapping[str, str], t: Texts) -> VdomDict:
    hidden = (html.input({"type": "hidden", "key": name, "name": name, "value": listed[name]}) for name in listed)
    form = {
        "key": "find",
        "class": "importing",
        "method": "get",
        "action": RECORDS,
        "role": "search",
        "data-navigate": "",
    }
    send = html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search"))
    return html.form(form, *hidden, *searched, send)
