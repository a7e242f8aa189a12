"""The performers that the member follows, with what comes next, and their private calendar."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.competition.selectors.public.progress import Progress
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.following.selectors import Followed, calendar_secret, follows_own
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
from components.ui.calendar_links import PRIVATE_CALENDARS, calendar_links
from components.ui.empty_states import empty
from components.ui.frames import first_section, main, section, unbroken_words
from components.ui.people import performer_link
from components.ui.venue_time import day_clock

PATH = "/following"


@dataclass(frozen=True, slots=True)
class FollowingData:
    """The performers that the viewer follows, the secret of the private calendar, and push in the viewer's browser.

    The secret is empty without a calendar.
    """

    rows: tuple[Followed, ...]
    secret: str
    push: PushState


def load(request: PageRequest) -> Page:
    """Return the viewer's list and calendar."""
    user_id = request.viewer.id or 0
    return Page(
        title=request.t("Performers you follow"),
        description=request.t("The performers that you follow, with what comes next."),
        component=following_page,
        data=FollowingData(
            follows_own(user_id=user_id),
            calendar_secret(user_id=user_id),
            push_state(user_id=user_id, session=request.viewer.session),
        ),
    )


@component
def following_page(page: Page) -> VdomDict:
    """Render the performers, the one on stage first, and the calendar, both kept current.

    The topic `featured_participants` covers the performers' names.
    """
    t, user_id = texts(page.language), use_viewer().id or 0
    topics = (f"account.{user_id}.follows", "featured_participants", "participants.removed", "sessions", "live")
    rows = use_live_query(follows_own, topics=topics, initial=page.data.rows, user_id=user_id)
    key_topics = (f"account.{user_id}.calendar_key",)
    secret = use_live_query(calendar_secret, topics=key_topics, initial=page.data.secret, user_id=user_id)
    answer = html.p({"class": "small", "data-answer": "", "role": "status"})
    chosen = html.p(link("/profile#notifications", t("Choose your notifications and e-mails")))
    push = html.div({"class": "body stack"}, chosen, push_section(page.data.push, language=page.language))
    shown = _list(rows, page.language) if rows else _none_yet(t)
    return main(
        first_section(page.title, html.div({"data-answers": ""}, *shown, answer)),
        section(t("Notifications"), push, name="notifications"),
        section(t("In your calendar"), *_calendar(secret, page.language), name="calendar"),
    )


def _none_yet(t: Texts) -> list[Markup]:
    return [empty(t("You do not follow a performer yet."), ("/participants", t("All participants")))]


def _list(rows: Sequence[Followed], language: str) -> list[Markup]:
    hall = html.p({"class": "small muted follows__zone"}, texts(language)("All times are those in the hall."))
    return [html.ul({"class": "follows"}, *(_row(row, language) for row in rows)), hall]


def _row(row: Followed, language: str) -> VdomDict:
    t, pk = texts(language), row.participant_id
    button = command_button("follow_set", f"{pk}:off") | {"class": "button button--plain button--small"}
    return html.li(
        {"key": f"follow-{pk}"},
        html.p({"class": "follows__name"}, performer_link(pk, row.name)),
        html.p({"class": "follows__next"}, *_next(row.progress, language)),
        html.button(button, t("Unfollow"), visually_hidden(f" {row.name}", has_name=True)),
    )


def _calendar(secret: str, language: str) -> list[Markup]:
    """Return the way to make the private calendar, or its address and the ways to replace and to end it."""
    t = texts(language)
    about = html.p(t("A private calendar has the performers that you follow, with every change of their times."))
    answer = html.p({"class": "small", "data-answer": "", "role": "status"})
    if not secret:
        make = command_button("calendar_key_make") | {"class": "button button--plain"}
        button = html.button(make, t("Private calendar"))
        return [html.div({"class": "body stack", "data-answers": ""}, about, button, answer)]
    path = f"{PRIVATE_CALENDARS}{secret}.ics"
    warning = t("It works without a password: give it only to people who may see which performers you follow.")
    plain = {"class": "button button--plain button--small"}
    ends = t("Calendars that read the present address no longer change.")
    ask = t("Replace the address?")
    renew = command_button("calendar_key_renew", confirm=ask, words=ends, yes=t("Replace"))
    ask = t("End the private calendar?")
    end = command_button("calendar_key_end", confirm=ask, words=ends, yes=t("End it"))
    return [
        html.div(
            {"class": "body stack", "data-answers": ""},
            about,
            calendar_links(path, language=language),
            html.p({"class": "small muted"}, warning),
            html.p(
                {"class": "row"},
                html.button(renew | plain, t("New address")),
                " ",
                html.button(end | plain, t("End the calendar")),
            ),
            answer,
        )
    ]


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
    return [_state(progress, t), html.a({"href": to}, session), *_when(progress, language)]


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
        before, after = t(", planned for {time}").split("{time}")
        return [before, day_clock(progress.planned_start, zone=zone, language=language), after]
    if progress.is_live:
        return []
    before, after = t(", which begins on {time}").split("{time}")
    return [before, day_clock(progress.starts_at, zone=zone, language=language), after]
