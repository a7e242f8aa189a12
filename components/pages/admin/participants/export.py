"""A session's participants with their programs as a file, as the page Import reads it."""

from collections.abc import Sequence

from apps.competition.selectors import SessionOption
from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from apps.imports.limits import FILE_PIECES
from components.markup import Markup, VdomDict, html
from components.ui.blocks import link
from components.ui.controls import forms
from components.ui.frames.page_grid import section
from components.ui.venue_time import day_text

ADDRESS = "/participant-file"


def export_section(sessions: Sequence[SessionOption], longer: Sequence[tuple[str, str]], language: str) -> VdomDict:
    """Return the form that takes a session away as a file; `longer` are who has more pieces than it holds."""
    t = texts(language)
    choices = [
        (str(each.id), f"{each.title}, {day_text(each.starts_at, zone=venue_zone(), language=language)}")
        for each in sessions
    ]
    form = html.form(
        {"class": "importing", "method": "get", "action": ADDRESS},
        forms.select(t("Session"), "session", choices),
        html.div(html.button({"class": "button button--plain", "type": "submit"}, t("Export"))),
    )
    way = link("/admin/import", t("Import"))
    about = html.p(t("Names, countries and the first {n} pieces.").format(n=FILE_PIECES))
    body = form if sessions else html.p({"class": "muted"}, t("No sessions yet."))
    return section(
        t("As a file"), html.div({"class": "body stack"}, body, _longer(longer, t), html.p(way)), aside=about
    )


def _longer(longer: Sequence[tuple[str, str]], t: Texts) -> Markup:
    if not longer:
        return None
    people = "; ".join(f"{name}, {session}" for session, name in longer)
    words = t("With more pieces, of which a file has the first {n}: {people}.")
    return html.p({"class": "small muted"}, words.format(n=FILE_PIECES, people=people))
