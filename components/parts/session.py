"""A session's stage and its running order."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from apps.competition.selectors import Appearance, SessionDetail, session_appearances, session_get
from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, cached_markup, html
from components.parts.people import entry
from components.parts.programme import program_lines
from components.parts.sessions import video_label
from components.rendering.parts import public_part, read_once
from components.ui.blocks import badge, link, live_badge
from components.ui.empty_states import empty
from components.ui.frames.page_grid import title, unbroken_words
from components.ui.venue_time import moment


@public_part(topics=lambda session_id: (f"session.{session_id}", f"session.{session_id}.performer"))
def session_stage(session_id: int, *, language: str) -> VdomDict:
    """The text beside the video: live badge, title, date, performer and who is next."""
    t = texts(language)
    session = read_once(session_get, session_id=session_id)
    if session is None:
        return html.div({"class": "stage__side"}, title(t("Session not found.")))
    appearances = read_once(session_appearances, session_id=session_id)
    return html.div(
        {"class": "stage__side"},
        _head(session, language),
        html.div({"class": "stage__now", "aria-live": "polite"}, *_performing(appearances, t)),
    )


def _head(session: SessionDetail, language: str) -> VdomDict:
    live = live_badge(texts(language)("LIVE NOW")) if session.is_live else None
    when = moment(session.starts_at, zone=venue_zone(), language=language)
    about = html.p({"class": "stage__about"}, session.description) if session.description else None
    return html.div(live, title(*unbroken_words(session.title)), html.p({"class": "muted"}, when), about)


def _performing(appearances: Sequence[Appearance], t: Texts) -> list[Markup]:
    order = Order.of(appearances)
    if order.now is None:
        return []
    now = appearances[order.now]
    shown: list[Markup] = [
        html.p({"class": "stage__label"}, t("Now Performing")),
        entry(now, now.participant_id, "p", html.p({"class": "person__from"}, now.country)),
    ]
    if order.next is not None:
        following = appearances[order.next]
        number = html.span({"class": "nr"}, str(following.order_number))
        shown.append(html.p({"class": "stage__next"}, number, " ", t("{name} is next").format(name=following.name)))
    return shown


@dataclass(frozen=True, slots=True)
class Order:
    """Indexes of the performer and the next among the appearances; None for nobody."""

    now: int | None
    next: int | None

    @classmethod
    def of(cls, appearances: Sequence[Appearance]) -> "Order":
        """Return the indexes for these appearances."""
        now = next((index for index, appearance in enumerate(appearances) if appearance.is_performing), None)
        if now is None or now + 1 == len(appearances):
            return cls(now, None)
        return cls(now, now + 1)

    def look(self, index: int) -> str:
        """Return the class of the row at `index`."""
        if self.now is None or index > self.now:
            return "is-coming"
        return "is-now" if index == self.now else "is-done"


@public_part(topics=lambda session_id: (f"session.{session_id}", "clock.minute"))
def session_label(session_id: int, *, language: str) -> VdomDict:
    """The video's label: a stream until the session is over, then a recording."""
    session = read_once(session_get, session_id=session_id)
    label = video_label(session, timezone.now(), texts(language)) if session else ""
    return html.p({"class": "stage__under", "hidden": not label}, badge(label) if label else None)


@public_part(topics=lambda session_id: (f"session.{session_id}.performer",))
def session_order(session_id: int, *, language: str) -> VdomDict:
    """The participants in their order, each opening to the program.

    The rows of the performer and the next are open. React changes `open` only where it differs between two renderings,
    so a row that a viewer opened or closed stays so until its own turn comes or ends.
    """
    appearances = read_once(session_appearances, session_id=session_id)
    if not appearances:
        return html.div(empty(texts(language)("The order of playing is not known yet.")))
    order = Order.of(appearances)
    rows = [
        _row(session_id, appearance, order.look(index), index in (order.now, order.next), language)
        for index, appearance in enumerate(appearances)
    ]
    return html.ol({"class": "order", "data-transition": ""}, *rows)


@cached_markup
def _row(session_id: int, appearance: Appearance, look: str, is_open: bool, language: str) -> VdomDict:  # noqa: FBT001
    t = texts(language)
    more = link(f"/participants/{appearance.participant_id}", t("More about {name}").format(name=appearance.name))
    return html.li(
        {"key": f"appearance-{appearance.id}", "class": look},
        html.details(
            {"open": is_open},
            _summary(appearance, t),
            program_lines(appearance.program, session_id, whose=appearance.name, language=language, acting=True),
            html.p({"class": "order__more"}, more),
        ),
    )


def _summary(appearance: Appearance, t: Texts) -> VdomDict:
    name = html.span({"class": "person__name"}, appearance.name)
    return html.summary(
        html.span({"class": "nr"}, str(appearance.order_number)),
        html.span(name, " ", html.span({"class": "person__from"}, appearance.country)),
        badge(t("Now Performing"), "now") if appearance.is_performing else html.span(),
    )
