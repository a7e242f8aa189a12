"""Live control, for one hand on a phone: which session is live, who is on stage, who comes next, and the way back."""

from typing import Any

from apps.competition.selectors import SessionCard, SessionDetail
from apps.competition.selectors.admin import AppearanceRow, LiveDesk, live_desk
from apps.competition.services import (
    LiveStep,
    live_restore,
    live_undo_read,
    performer_clear,
    performer_next,
    performer_set,
    session_end,
    session_set_live,
)
from apps.core.clock import venue_zone
from apps.core.texts import Texts, texts
from components.hooks.command import Asked, Back, use_action
from components.hooks.live_query import use_live_query
from components.markup import Markup, VdomDict, component, html, web_module
from components.rendering.parts import act, acts
from components.ui.admin_frame import said
from components.ui.blocks import badge, live_badge, visually_hidden
from components.ui.page_grid import unbroken_words
from components.ui.venue_time import moment

UNDO = web_module("modules/backstage/undo.js", "Undo")
TOPICS = ("live", "sessions")


@component
def live_control(initial: LiveDesk, language: str) -> VdomDict:
    """The controls, kept current; what is done here may be taken back for five seconds."""
    t = texts(language)
    desk = use_live_query(live_desk, *TOPICS, initial=initial)
    answer: dict[str, Any] = {"said": lambda step: t(step.said), "undo": _back}
    registered = {
        "session_set_live": use_action(session_set_live, read=_session, **answer),
        "session_end": use_action(session_end, read=_session, **answer),
        "performer_set": use_action(performer_set, read=_appearance, **answer),
        "performer_next": use_action(performer_next, read=_next, **answer),
        "performer_clear": use_action(performer_clear, read=_session, **answer),
        "live_restore": use_action(live_restore, read=_step, said=lambda step: t(step.said)),
    }
    return html.section(
        {"class": "cue", "aria-labelledby": "cue-heading", "data-answers": ""},
        acts(registered),
        UNDO({"key": "undo", "label": t("Undo"), "busy": t("Processing...")}),
        *(_running(desk, desk.session, language) if desk.session else _quiet(t)),
        _others(desk, language),
    )


def _session(asked: Asked) -> dict[str, Any]:
    return {"session_id": asked.id()}


def _appearance(asked: Asked) -> dict[str, Any]:
    return {"session_participant_id": asked.id()}


def _next(asked: Asked) -> dict[str, Any]:
    """The session, and the appearance that the screen showed on stage: "3:17", or "3" for an empty stage."""
    return {"session_id": asked.id(0), "after": asked.id(1) if ":" in asked.argument else None}


def _step(asked: Asked) -> dict[str, Any]:
    return live_undo_read(asked.argument)


def _back(step: LiveStep) -> Back | None:
    return ("live_restore", step.undo) if step.undo else None


def _running(desk: LiveDesk, session: SessionDetail, language: str) -> list[Markup]:
    t = texts(language)
    when = moment(session.starts_at, zone=venue_zone(), language=language)
    return [
        live_badge(t("LIVE NOW")),
        html.h2({"id": "cue-heading"}, html.a({"href": f"/sessions/{session.id}"}, *unbroken_words(session.title))),
        html.p({"class": "small muted"}, when),
        _now(desk.performer, t),
        said(),
        _following(desk, session.id, t),
        _choice(desk.appearances, t) if desk.appearances else None,
        html.div(
            {"class": "row row--apart"},
            _clear(session.id, t) if desk.performer else html.span(),
            html.button(
                {"type": "button", "class": "button button--plain button--small"}
                | act("session_end", session.id, busy=t("Processing...")),
                t("End Live Session"),
            ),
        ),
    ]


def _quiet(t: Texts) -> list[Markup]:
    words = t("Choose the session that begins now. Everybody who watches sees it at once.")
    return [html.h2({"id": "cue-heading"}, t("No session is live")), html.p({"class": "muted"}, words), said()]


def _now(performer: AppearanceRow | None, t: Texts) -> VdomDict:
    if performer is None:
        inside = html.p({"class": "cue__nobody"}, t("Nobody is on stage."))
    else:
        number = html.span({"class": "nr"}, str(performer.order_number))
        inside = html.p({"class": "person__name"}, number, " ", performer.name)
    return html.div(
        {"class": "cue__now", "aria-live": "polite"}, html.p({"class": "cue__label"}, t("Now Performing")), inside
    )


def _following(desk: LiveDesk, session_id: int, t: Texts) -> VdomDict:
    following = desk.following
    if following is None:
        words = t("Everybody has played.") if desk.appearances else t("Nobody is in the order of playing yet.")
        return html.p({"class": "cue__last muted"}, words)
    after = f"{session_id}:{desk.performer.id}" if desk.performer else session_id
    words = t("Next performer") if desk.performer else t("First performer")
    return html.button(
        {"type": "button", "class": "button cue__next"} | act("performer_next", after, busy=t("Processing...")),
        words,
        " ",
        html.b(f"{following.order_number} {following.name}"),
    )


def _choice(appearances: tuple[AppearanceRow, ...], t: Texts) -> VdomDict:
    heading = html.h3({"class": "cue__label", "id": "cue-choice"}, t("Or choose"))
    rows = [html.li({"key": f"place-{appearance.id}"}, _chosen(appearance, t)) for appearance in appearances]
    return html.div(
        {"class": "cue__choice"}, heading, html.ol({"class": "cue__list", "aria-labelledby": "cue-choice"}, *rows)
    )


def _chosen(appearance: AppearanceRow, t: Texts) -> VdomDict:
    current = {"aria-current": "true"} if appearance.is_performing else {}
    return html.button(
        {"type": "button"} | act("performer_set", appearance.id) | current,
        html.span({"class": "nr", "aria-hidden": "true"}, str(appearance.order_number)),
        html.span(visually_hidden(t("Perform:")), " ", appearance.name),
        badge(t("Now"), "now") if appearance.is_performing else None,
    )


def _clear(session_id: int, t: Texts) -> VdomDict:
    doing = act("performer_clear", session_id, busy=t("Processing..."))
    return html.button({"type": "button", "class": "link"} | doing, t("Clear performer"))


def _others(desk: LiveDesk, language: str) -> Markup:
    t = texts(language)
    if not desk.others:
        return None
    rows = html.ul(
        *(
            html.li({"key": f"other-{card.id}", "class": "row row--apart"}, *_other(card, language))
            for card in desk.others
        )
    )
    if desk.session is None:
        return html.div({"class": "cue__other"}, rows)
    return html.details({"class": "cue__other"}, html.summary({"class": "link"}, t("Other sessions")), rows)


def _other(card: SessionCard, language: str) -> list[Markup]:
    when = html.span({"class": "cue__when"}, moment(card.starts_at, zone=venue_zone(), language=language))
    return [
        html.span(html.span({"class": "cue__title"}, card.title), " ", when),
        set_live(card.id, card.title, language),
    ]


def set_live(session_id: int, title: str, language: str) -> VdomDict:
    """Return the button that sets a session live; its page also shows the live control."""
    t = texts(language)
    name = t("Set as Live: {title}").format(title=title)
    look = {"type": "button", "class": "button button--plain button--small", "aria-label": name}
    return html.button(look | act("session_set_live", session_id, busy=t("Processing...")), t("Set as Live"))
