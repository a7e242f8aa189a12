"""The forms of the pianos beside a session's form: a choice for each performer, and a pasted list."""

from collections.abc import Sequence
from typing import Any

from apps.competition.limits import ORDER_TEXT_LENGTH
from apps.competition.selectors.admin.pianos import PianoRow
from apps.competition.selectors.admin.sessions import AppearanceRow, SessionEdit
from apps.core.texts import Texts
from components.pages.admin.sessions.list_file import list_file
from components.runtime import Markup, VdomDict, command_form, html, key
from components.ui.blocks import link
from components.ui.forms import area, select
from components.ui.frames import answer_line
from components.ui.people import NAMED

PIANOS = "/admin/pianos"


def piano_forms(session: SessionEdit | None, pianos: Sequence[PianoRow], t: Texts) -> Markup:
    """Return the forms, for the stored order of playing; None for a session without performers."""
    if session is None or not session.appearances:
        return None
    way = html.p({"class": "small"}, link(PIANOS, t("The list of pianos")))
    return html.section(
        {"key": "pianos", "class": "stack planned", "aria-labelledby": "pianos-heading", "data-answers": ""},
        html.h2({"id": "pianos-heading"}, t("Pianos")),
        answer_line(),
        html.div({"class": "form-page__halves"}, _choices(session, pianos, t), _pasted(session, t)),
        way,
    )


def _choices(session: SessionEdit, pianos: Sequence[PianoRow], t: Texts) -> VdomDict:
    if not pianos:
        return html.p({"class": "muted"}, t("The list of pianos is empty. Add them there, or paste a list here."))
    read = ",".join(f"{each.id}.{each.piano_id or 0}" for each in session.appearances)
    offered = _offered(pianos, t)
    return html.form(
        command_form("session_pianos_set", session.id) | {"class": "stack", "noValidate": "true"},
        *(_choice(each, offered) for each in session.appearances),
        html.button({"class": "button button--plain", "type": "submit"}, t("Save the pianos")),
        html.input({"type": "hidden", "name": "read", "value": read}),  # last: what follows it has a margin
    )


def piano_form(
    session_id: int, appearance_id: int, piano_id: int | None, pianos: Sequence[PianoRow], t: Texts
) -> Markup:
    """Return the form of one performance's piano, beside its program; None without a list of pianos.

    Its key is the stored piano, so that a change by another administrator replaces what it shows.
    """
    if not pianos:
        return None
    chosen = select(t("Piano"), f"piano-{appearance_id}", _offered(pianos, t), str(piano_id or ""))
    return html.form(
        command_form("session_pianos_set", session_id)
        | {"key": f"piano-{appearance_id}-{piano_id}", "class": "made__find stack", "noValidate": "true"},
        chosen,
        html.p(html.button({"class": "button button--plain", "type": "submit"}, t("Save the piano"))),
        html.input({"type": "hidden", "name": "read", "value": f"{appearance_id}.{piano_id or 0}"}),
        html.input({"type": "hidden", "name": "stay", "value": "1"}),
    )


def _offered(pianos: Sequence[PianoRow], t: Texts) -> list[tuple[str, str]]:
    return [("", t("Not known")), *((str(each.id), each.name) for each in pianos)]


def _choice(each: AppearanceRow, offered: Sequence[tuple[str, str]]) -> VdomDict:
    label = f"{each.order_number} {each.name}"
    chosen = select(label, f"piano-{each.id}", offered, str(each.piano_id or ""))
    return html.div({"key": f"piano-{each.id}"} | NAMED, chosen)


def _pasted(session: SessionEdit, t: Texts) -> VdomDict:
    hint = t(
        "One performer in each line: start number, name, or both, and the piano last. A first line with column names,"
        " such as Number; Name; Maker; Model, may come before."
    )
    lines: dict[str, Any] = {"rows": 4, "autoComplete": "off", "maxLength": ORDER_TEXT_LENGTH}
    return html.form(
        command_form("session_pianos_read", session.id)
        | {"class": "stack", "noValidate": "true"}
        | {"data-ask": t("Add these pianos to the list?"), "data-ask-yes": t("Add them")},
        area(t("Paste a list with pianos"), "piano_lines", hint=hint, **lines),
        key("piano-file", list_file("piano_lines", t, t("Or load the pianos from a file"))),
        html.button({"class": "button button--plain", "type": "submit"}, t("Take over the pianos")),
    )
