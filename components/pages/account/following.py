"""The performers that the member follows, with what comes next."""

from dataclasses import dataclass

from apps.competition.selectors.public.progress import Progress
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.following.selectors import Followed, follows_own
from apps.notifications.selectors.push import PushState, push_state
from components.pages.account.push_section import push_section
from components.parts.programme import STAGE_VIDEO
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    VdomDict,
    command_button,
    component,
    html,
    use_live_query,
    use_viewer,
)
from components.ui.blocks import link, live_badge, nth, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames import first_section, main, section, unbroken_words
from components.ui.venue_time import at_venue

PATH = "/following"


@dataclass(frozen=True, slots=True)
class FollowingPageData:
    """The performers that the viewer follows, and the state of notifications in the viewer's browser."""

    rows: tuple[Followed, ...]
    push: PushState


def load(request: PageRequest) -> Page:
    """Return the viewer's list."""
    user_id = request.viewer.id or 0
    return Page(
        description=request.t("The performers that you follow, with what comes next."),
        component=following_page,
        data=FollowingPageData(
            follows_own(user_id=user_id), push_state(user_id=user_id, session=request.viewer.session)
        ),
    )


@component
def following_page(page: Page) -> VdomDict:
    """Render the performers, the one on stage first, kept current; `featured_participants` covers their names."""
    t, user_id = texts(page.language), use_viewer().id or 0
    topics = (f"account.{user_id}.follows", "featured_participants", "participants.removed", "sessions", "live")
    rows = use_live_query(follows_own, topics=topics, initial=page.data.rows, user_id=user_id)
    in_this_browser = html.div({"class": "body"}, push_section(page.data.push, language=page.language))
    push = section(t("Notifications"), in_this_browser, name="notifications")
    answer = html.p({"class": "small", "data-answer": "", "role": "status"})
    if not rows:
        none_yet = empty(t("You do not follow a performer yet."), ("/participants", t("All participants")))
        return main(first_section(page.title, html.div({"data-answers": ""}, none_yet, answer)), push)
    listed = html.ul({"class": "stack"}, *(_row(row, page.language) for row in rows))
    hall = html.p({"class": "small muted"}, t("All times are those in the hall."))
    return main(first_section(page.title, html.div({"data-answers": ""}, listed, answer, hall)), push)


def _row(row: Followed, language: str) -> VdomDict:
    t, pk = texts(language), row.participant_id
    button = command_button("follow_set", f"{pk}:off") | {"class": "button button--plain button--small"}
    return html.li(
        {"key": f"follow-{pk}", "class": "row row--apart"},
        html.div(html.p(html.b(link(f"/participants/{pk}", row.name))), html.p(*_next(row.progress, language))),
        html.button(button, t("Unfollow"), visually_hidden(f" {row.name}")),
    )


def _next(progress: Progress | None, language: str) -> list[Markup]:
    """Return what comes next in words; a time of the performance only where one is planned."""
    t = texts(language)
    if progress is None:
        return [t("Not in a session yet")]
    if progress.is_over:
        return [*unbroken_words(t("{stage}, played").format(stage=progress.stage))]
    to, session = f"/sessions/{progress.session_id}", progress.session
    if progress.is_performing:
        watch = html.a({"class": "watch", "href": f"{to}#{STAGE_VIDEO}"}, t("Watch"), visually_hidden(f": {session}"))
        return [live_badge(t("On stage now")), " ", watch]
    return [_state(progress, t), link(to, session), *_when(progress, language)]


def _state(progress: Progress, t: Texts) -> str:
    """Return the place in the session, before the session's name."""
    if progress.is_next:
        return t("next in") + " "
    place = nth(progress.order_number, t)
    return (t("{nth}, live now, in") if progress.is_live else t("{nth} in")).format(nth=place) + " "


def _when(progress: Progress, language: str) -> list[Markup]:
    """Return the planned time, else the start of a session to come."""
    t, zone = texts(language), venue_zone()
    if progress.planned_start is not None:
        before, after = t(", planned at {time}").split("{time}")
        return [before, at_venue(progress.planned_start, zone=zone, language=language, has_date=True), after]
    if progress.is_live:
        return []
    before, after = t(", which begins on {time}").split("{time}")
    return [before, at_venue(progress.starts_at, zone=zone, language=language, has_date=True), after]
