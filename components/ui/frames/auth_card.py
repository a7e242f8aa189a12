"""The card of account screens, drawn as a ticket with a stub."""

from apps.core.texts import Texts
from components.markup import Markup, VdomDict, html
from components.ui.frames.page_grid import main, title


def ticket(heading: str, *children: Markup, foot: str, t: Texts) -> VdomDict:
    """Return a page with one ticket: heading and children on it, a seat and the words `foot` on its stub."""
    form = html.div({"class": "ticket__form"}, title(heading), *children)
    card = html.div({"class": "ticket"}, form, _stub(foot, t))
    return main(html.div({"class": "sheet"}, html.div({"class": "ticket-wrap"}, card)))


def _stub(foot: str, t: Texts) -> VdomDict:
    lines = ((t("Parterre"), t("Left")), (t("Row"), "G"), (t("Seat"), "12"))
    return html.div(
        {"class": "ticket__stub", "aria-hidden": "true"},
        html.dl(*(html.div({"key": name}, html.dt(name), html.dd(value)) for name, value in lines)),
        html.div({"class": "ticket__code"}),
        html.p(foot),
    )


def either(words: str) -> VdomDict:
    """Return the line between two ways of doing the same, such as "or"."""
    return html.p({"class": "or"}, words)


def aside(*words: Markup) -> VdomDict:
    """Return the quiet line at the end of a ticket that leads elsewhere."""
    return html.p({"class": "muted"}, *words)
