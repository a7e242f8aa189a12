"""Who has played, a line each with the way to the rating form.

It is the same for everybody: the slots of a viewer (`own_summary.py`) say how far one has marked, and hide the lines
of those whose pieces one has all marked.
"""

from functools import partial

from django.utils import timezone

from apps.competition.selectors import SessionAppearance, appearances_played
from apps.core.database.clock import venue_day
from apps.core.texts import Texts, texts
from components.markup import VdomDict, html
from components.parts.failures import read_or_nothing
from components.parts.people import oval
from components.rendering.parts import public_part
from components.rendering.slots import slot
from components.ui.blocks import link, visually_hidden
from components.ui.empty_states import empty
from components.ui.people import person

ROW, BAR, WORDS = "played", "played_bar", "played_words"  # the slots' names
MOST = 30  # lines, of which the style sheet shows the first three that one has not marked
TOPICS = ("live", "sessions", "featured_participants", "clock.minute")


@public_part(topics=lambda: TOPICS)
def not_yet_rated(*, language: str) -> VdomDict:
    """Who has played today, else in the last session, in that order: whoever comes is added below and moves nobody."""
    t = texts(language)
    nothing: tuple[SessionAppearance, ...] = ()
    since, until = venue_day(timezone.now())
    played = read_or_nothing(partial(appearances_played, since=since, until=until), nothing)
    shown = [each for each in played if each.appearance.program][:MOST]
    if not shown:
        return html.div({"class": "todo"}, empty(t("Nobody has played yet.")))
    session = shown[-1].session
    everybody = link(f"/sessions/{session.id}", t("Everybody in {title}").format(title=session.title))
    return html.div(
        {"class": "todo todo--live" if session.is_live else "todo"},
        html.ol(*(_row(each, t) for each in shown)),
        html.div({"class": "todo__done"}, empty(t("You have marked everybody who has played."))),
        html.p({"class": "todo__more"}, everybody),
    )


def _row(each: SessionAppearance, t: Texts) -> VdomDict:
    appearance, session = each.appearance, each.session
    where = t("{title}, on stage now").format(title=session.title) if appearance.is_performing else session.title
    name = html.h3(
        {"class": "person__name"}, html.a({"href": f"/participants/{appearance.participant_id}"}, appearance.name)
    )
    form = f"/sessions/{session.id}?open={appearance.id}#appearance-{appearance.id}"
    pieces = len({line.piece.id for line in appearance.program})
    bar = {"max": str(pieces), "value": "0", "aria-hidden": "true"}
    return html.li(
        {"key": f"appearance-{appearance.id}"} | slot(ROW, appearance.id),
        person(oval(appearance, "small"), name, html.p({"class": "person__from"}, where)),
        html.p(
            {"class": "todo__state"},
            html.progress(bar | slot(BAR, appearance.id)),
            " ",
            html.span(slot(WORDS, appearance.id), t("no mark yet")),
        ),
        html.a(
            {"class": "button button--plain button--small", "href": form},
            t("Rate"),
            visually_hidden(f" {appearance.name}"),
        ),
    )
