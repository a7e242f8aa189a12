"""The mark of a live session on every page, and the cue bar on administration pages."""

from collections.abc import Mapping

from apps.competition.selectors.admin.live import LiveCue, live_cue_get
from apps.competition.selectors.public.participants import SessionDetail
from apps.competition.selectors.public.sessions import live_session
from apps.core.texts import Texts, texts
from components.parts.failures import read_or_nothing
from components.runtime import Markup, VdomDict, command_button, html, public_part
from components.ui.blocks import link, live_badge, visually_hidden
from components.ui.forms import end_session
from components.ui.frames import answer_line

UNREADABLE = "Error reading what is live"


@public_part(topics=lambda: ("live",))
def live_mark(*, language: str) -> VdomDict:
    """The red mark beside Sessions while a session is live."""
    if read_or_nothing(live_session, None, record=UNREADABLE) is None:
        return html.span({"class": "nav__live", "hidden": True})
    return html.span({"class": "nav__live"}, texts(language)("Live"))


CUE_UNREADABLE = "Error reading who comes next"
ALL = "/admin?tab=live"
CUE_TOPICS = ("live", "sessions")


@public_part(topics=lambda: CUE_TOPICS)
def cue_bar(*, language: str) -> VdomDict:
    """The current performer, the link to live control, and the button for the next performer."""
    t, cue = texts(language), read_or_nothing(live_cue_get, LiveCue(None, ()), record=CUE_UNREADABLE)
    if cue.session is None:
        return html.aside({"class": "cuebar", "hidden": True})
    now = f"{cue.performer.order_number} {cue.performer.name}" if cue.performer else t("Interval")
    return html.aside(
        {"class": "cuebar", "aria-label": t("Next performer"), "data-answers": ""},
        html.p(
            {"class": "cuebar__now"},
            live_badge(t("LIVE")),
            html.span({"class": "cuebar__who"}, visually_hidden(t("Now Performing")), " ", now),
            link(ALL, t("All"), visually_hidden(t(" of live control"))),
        ),
        answer_line(),
        _next(cue, cue.session, t),
    )


def _next(cue: LiveCue, session: SessionDetail, t: Texts) -> Markup:
    following, busy = cue.following, t("Processing...")
    if following is None:
        words = t("All have played") if cue.appearances else t("No order of playing")
        return _button(end_session(session, t), words, t("End Live Session"), t, look="button--plain")
    words = t("Next") if cue.performer else t("Begin with")
    after = f"{session.id}:{cue.performer.id}" if cue.performer else session.id
    command = command_button("performer_next", after, busy=busy)
    return _button(command, words, f"{following.order_number} {following.name}", t)


def _button(command: Mapping[str, str], words: str, what: str, t: Texts, *, look: str = "") -> VdomDict:
    """Return the button. Without a connection it is disabled and its label is replaced by that reason."""
    own = {**command, "class": " ".join(filter(None, ("button", look, "cuebar__next")))}
    own |= {"data-live-only": "", "data-away": t("No connection")}
    return html.button(own, html.span({"class": "cuebar__k"}, words), " ", html.b(what))
