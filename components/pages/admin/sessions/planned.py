"""Planned times: their forms beside a session's form, the form that shifts them, and how lists show them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from apps.competition.limits import INTERVAL_MINUTES_MOST, INTERVALS_LENGTH
from apps.competition.selectors.admin.sessions import AppearanceRow, SessionEdit, session_edit
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.runtime import Markup, VdomDict, command_button, command_form, component, html, use_live_query
from components.ui.forms import area, field, select
from components.ui.frames import answer_line
from components.ui.people import NAMED
from components.ui.venue_time import clock_text, clock_time


def planned(at: datetime | None, language: str) -> tuple[Markup, ...]:
    """Return the planned time beside a name, with a space before it; nothing if it is not known."""
    if at is None:
        return ()
    return " ", html.span({"class": "muted small"}, clock_text(at, zone=venue_zone(), language=language))


@component
def planned_forms(initial: SessionEdit | None, session_id: int, language: str) -> Markup:
    """Render the forms that compute, shift and clear a session's planned times, and notes about them, kept current.

    They are for the stored order of playing; without it, only notes are shown.
    """
    t = texts(language)
    session = use_live_query(session_edit, topics=("sessions",), initial=initial, session_id=session_id)
    if session is None or not (session.appearances or session.notes):
        return None
    heading = html.h2({"id": "planned-heading"}, t("Planned times"))
    own = {"class": "stack planned", "aria-labelledby": "planned-heading", "data-answers": ""}
    notes = _notes(session, t)
    if not session.appearances:
        return html.section(own, heading, notes)
    has_times = session.planned_end is not None or any(each.planned_start for each in session.appearances)
    return html.section(
        own,
        heading,
        html.p({"class": "muted"}, _summary(session, t)),
        notes,
        answer_line(),
        html.div(
            {"class": "form-page__halves"}, _compute(session, t), shift_form(session.id, session.appearances, 0, t)
        ),
        _clear(session, t) if has_times else None,
    )


def _notes(session: SessionEdit, t: Texts) -> Markup:
    """Return what is unusual about the session's times; None if nothing is."""
    sentences = [t(note.text) % note.params for note in session.notes]
    if not sentences:
        return None
    rows = (html.li({"key": sentence}, sentence) for sentence in sentences)
    return html.ul({"class": "lines", "aria-label": t("Notes")}, *rows)


def _summary(session: SessionEdit, t: Texts) -> str:
    starts = [each.planned_start for each in session.appearances if each.planned_start]
    if not starts:
        return t("Not known. They are for the saved order of playing, and shown wherever it is.")
    known = t.plural("%(n)d performance has a planned time", "%(n)d performances have a planned time", len(starts))
    first = clock_time(min(starts), zone=venue_zone(), language=t.language)
    if session.planned_end is None:
        return t("{known}, the first at {first}.").format(known=known, first=first)
    end = clock_time(session.planned_end, zone=venue_zone(), language=t.language)
    return t("{known}, the first at {first}; the end is at {end}.").format(known=known, first=first, end=end)


def _compute(session: SessionEdit, t: Texts) -> VdomDict:
    minutes: dict[str, Any] = {"type": "number", "min": 1, "max": INTERVAL_MINUTES_MOST, "inputMode": "numeric"}
    length = field(t("Minutes for each performance"), "minutes", **minutes)
    hint = t("In each line: after which performance, and how many minutes, such as 7: 20.")
    intervals = "\n".join(f"{number}: {length}" for number, length in session.intervals)
    rows: dict[str, Any] = {"rows": 2, "maxLength": INTERVALS_LENGTH, "autoComplete": "off"}
    return html.form(
        command_form("planned_times_set", session.id) | {"class": "stack", "noValidate": "true"},
        length,
        area(t("Intervals"), "intervals", value=intervals, hint=hint, **rows),
        html.button({"class": "button button--plain", "type": "submit"}, t("Compute the planned times")),
    )


def shift_form(session_id: int, appearances: Sequence[AppearanceRow], chosen: int, t: Texts) -> Markup:
    """Return the form that shifts the planned times from a performer on; None without planned times.

    `chosen` is the appearance that is chosen first, 0 for the first one with a time.
    """
    timed = [each for each in appearances if each.planned_start]
    if not timed:
        return None
    pairs = [(str(each.id), _option(each, t)) for each in timed]
    first = str(chosen) if str(chosen) in dict(pairs) else ""
    most = INTERVAL_MINUTES_MOST
    minutes: dict[str, Any] = {"type": "number", "min": -most, "max": most}
    return html.form(
        command_form("planned_times_shift", session_id) | {"class": "stack", "noValidate": "true"},
        select(t("Shift from this performer on"), "appearance", pairs, first, stored=lambda _name: NAMED),
        field(t("By minutes"), "by", hint=t("Negative ones are earlier."), **minutes),
        html.button({"class": "button button--plain", "type": "submit"}, t("Shift")),
    )


def _option(each: AppearanceRow, t: Texts) -> str:
    at = clock_text(each.planned_start, zone=venue_zone(), language=t.language) if each.planned_start else ""
    return f"{at} {each.order_number} {each.name}"


def _clear(session: SessionEdit, t: Texts) -> VdomDict:
    clears = command_button(
        "planned_times_clear",
        session.id,
        confirm=t("Clear the planned times of {title}?").format(title=session.title),
        words=t("Listeners no longer see them. The intervals stay."),
        yes=t("Clear"),
    )
    return html.button({"class": "link"} | clears, t("Clear the planned times"))
