"""One session: the stage with its video, and the running order."""

from dataclasses import dataclass

from apps.accounts.actors import Viewer
from apps.competition.selectors import SessionDetail, session_get
from apps.core.texts import texts
from components.markup import VdomDict, component, html, still
from components.page import Page, Params, Query
from components.pages.public.missing import missing
from components.pages.public.stage_video import stage_video
from components.pages.public.watching import Watched, watched
from components.parts.session import session_label, session_order, session_stage
from components.rendering.parts import Ref, shown
from components.ui.programme import composer
from components.ui.sheet import main


@dataclass(frozen=True, slots=True)
class Evening:
    """The session as it stood when the page was loaded, and what the address asks to watch."""

    session: SessionDetail
    asked: Watched | None


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the session's page, with what `watch` asks for in the player, or the page of none (404)."""
    _, session_id = texts(language), int(params["id"])
    topic, wish = f"session.{session_id}", query.get("watch", "")
    session = session_get(session_id=session_id)
    if session is None:
        return missing(_("Session not found."), ("/sessions", _("All sessions")), topic)
    words = _("{title}, {stage}: video, participants and their programs.").format(
        title=session.title, stage=session.stage
    )
    return Page(
        title=session.title,
        description=words,
        component=session_page,
        data=Evening(session, watched(session_id=session_id, wish=wish)),
        parts=tuple(part(session_id, language=language) for part in (session_stage, session_order, session_label)),
        topics=(topic, f"{topic}.stage") if wish else (topic,),  # programs hang on the stage
    )


@component
def session_page(page: Page) -> VdomDict:
    """The stage, dark in both themes, above the order of playing."""
    stage, order, label = page.parts
    evening: Evening = page.data
    return main(
        html.div(
            {"class": "sheet stage"},
            html.div(
                {"class": "stage__grid"},
                html.div(
                    {"class": "stage__video"},
                    stage_video(evening.session, evening.asked, page.language),
                    shown(label),
                ),
                shown(stage),
            ),
        ),
        _participants(order, page.language),
    )


@still
def _participants(order: Ref, language: str) -> VdomDict:
    _ = texts(language)
    return html.section(
        {"class": "sheet sheet--first"},
        html.div({"class": "hang"}, html.h2(_("Participants")), html.p(_("Open a name to see the program."))),
        html.div({"class": "body"}, composer(), shown(order)),
    )
