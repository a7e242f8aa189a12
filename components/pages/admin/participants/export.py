"""A session's participants with their programs as a file, as the page Import reads it."""

from collections.abc import Mapping, Sequence

from apps.competition.selectors import SessionOption
from apps.core.texts import Texts, texts
from apps.imports.limits import FILE_PIECES
from components.markup import Markup, VdomDict, html
from components.pages.admin.choices import Choice, session_fields
from components.pages.admin.participants.form import PATH
from components.ui.blocks import link
from components.ui.frames.page_grid import section

ADDRESS = "/participant-file"


def export_section(
    sessions: Choice[SessionOption], longer: Sequence[tuple[str, str]], listed: Mapping[str, str], language: str
) -> VdomDict:
    """Return the form that takes a session away as a file, after the search of sessions where there is one.

    `longer` are who has more pieces than it holds, `listed` the address's fields of the page's list, which stays.
    """
    t = texts(language)
    *searched, choice = session_fields(sessions, None, language)
    found = _search(searched, listed, t) if searched else None
    form = html.form(
        {"class": "importing", "method": "get", "action": ADDRESS},
        choice,
        html.div(html.button({"class": "button button--plain", "type": "submit"}, t("Export"))),
    )
    way = link("/admin/import", t("Import"))
    about = html.p(t("Names, countries and the first {n} pieces.").format(n=FILE_PIECES))
    nothing = html.p({"class": "muted"}, t("No sessions yet."))
    body = [nothing] if sessions.is_empty else [found, form]
    return section(
        t("As a file"), html.div({"class": "body stack"}, *body, _longer(longer, t), html.p(way)), aside=about
    )


def _search(searched: Sequence[VdomDict], listed: Mapping[str, str], t: Texts) -> VdomDict:
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
