"""The mark of a live session on every page, and the cue bar on administration pages."""

from collections.abc import Mapping, Sequence
from functools import partial

from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.programs import following, last_on_stage, performer
from apps.competition.selectors.public.sessions import live_session, session_appearances
from apps.core.texts import Texts, texts
from components.parts.failures import read_or_nothing
from components.runtime import Markup, VdomDict, command_button, html, public_part, read_once
from components.ui.blocks import link, live_badge, visually_hidden
from components.ui.forms import end_session
from components.ui.frames import answer_line
from components.ui.people import person_name

UNREADABLE = "Error reading what is live"


@public_part(topics=lambda: ("sessions",))  # not "live", which every change of performer publishes
def live_mark(*, language: str) -> VdomDict:
    """The red mark beside Sessions while a session is live."""
    if read_or_nothing(partial(read_once, live_session), None, record=UNREADABLE) is None:
        return html.span({"class": "nav__live", "hidden": True})
    return html.span({"class": "nav__live"}, texts(language)("Live"))


CUE_UNREADABLE = "Error reading who comes next"
ALL = "/admin?tab=live"
CUE_TOPICS = ("live", "sessions")
Cue = tuple[SessionDetail | None, tuple[AppearanceDetail, ...]]  # the live session, and its order of playing
NO_CUE: Cue = (None, ())


@public_part(topics=lambda: CUE_TOPICS)
def cue_bar(*, language: str) -> VdomDict:
    """The current performer, the link to live control, and the button for the next performer."""
    t, (session, appearances) = texts(language), read_or_nothing(_cue_read, NO_CUE, record=CUE_UNREADABLE)
    if session is None:
        return html.aside({"class": "cuebar", "hidden": True})
    on_stage = performer(appearances)
    now = _called(on_stage) if on_stage else [t("Interval")]
    return html.aside(
        {"class": "cuebar", "aria-label": t("Next performer"), "data-answers": ""},
        html.p(
            {"class": "cuebar__now"},
            live_badge(t("LIVE")),
            html.span({"class": "cuebar__who"}, visually_hidden(t("Now Performing")), " ", *now),
            link(ALL, t("All"), visually_hidden(t(" of live control"))),
        ),
        answer_line(),
        _next(appearances, session, t),
    )


def _cue_read() -> Cue:
    """Return who plays and comes next. Two queries, which parts that are rendered together share."""
    session = read_once(live_session)
    return (session, read_once(session_appearances, session_id=session.id)) if session else NO_CUE


def _next(appearances: Sequence[AppearanceDetail], session: SessionDetail, t: Texts) -> Markup:
    now, coming, busy = performer(appearances), following(appearances), t("Processing...")
    if coming is None:
        words = t("All have played") if appearances else t("No order of playing")
        if now is not None:
            words = t("The last performance")
        return _button(end_session(session, t), words, [t("End Live Session")], t, look="button--plain")
    words = t("Next") if last_on_stage(appearances) else t("Begin with")
    after = f"{session.id}:{now.id}" if now else session.id
    command = command_button("performer_next", after, busy=busy)
    return _button(command, words, _called(coming), t)


def _called(appearance: AppearanceDetail) -> list[Markup]:
    """Return the number and the name of a performer."""
    return [f"{appearance.order_number} ", person_name(appearance.name)]


def _button(command: Mapping[str, str], words: str, what: Sequence[Markup], t: Texts, *, look: str = "") -> VdomDict:
    """Return the button. Without a connection it is disabled and its label is replaced by that reason."""
    own = {**command, "class": " ".join(filter(None, ("button", look, "cuebar__next")))}
    own |= {"data-live-only": "", "data-away": t("No connection")}
    return html.button(own, html.span({"class": "cuebar__k"}, words), " ", html.b(*what))
