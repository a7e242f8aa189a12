"""The summary of an ended session, above the session's video, programme and comments."""

from apps.competition.selectors.public.participants import SessionDetail
from apps.core.texts import texts
from components.parts.sessions.summary import (
    session_applause,
    session_summary,
    session_summary_head,
    summary_slots,
)
from components.runtime import Markup, Parts, SlotQuery, VdomDict, cached_markup, html, shared_part
from components.ui.frames import section

HEAD, ORDER, APPLAUSE = "summary_head", "summary", "applause"  # the parts' names


def summary_parts(session: SessionDetail, language: str) -> Parts:
    """Return the parts of the summary, by name; empty unless the session has ended."""
    if session.ended_at is None:
        return {}
    return {
        HEAD: session_summary_head(session.id, session.stage_id, language=language),
        ORDER: session_summary(session.id, session.stage_id, language=language),
        APPLAUSE: session_applause(session.id, language=language),
    }


def summary_queries(session: SessionDetail, language: str) -> tuple[SlotQuery, ...]:
    """Return the slot queries of the summary; empty unless the session has ended."""
    if session.ended_at is None:
        return ()
    return (summary_slots(session_id=session.id, stage_id=session.stage_id, language=language),)


def picture_address(session: SessionDetail, *, outcome: bool = False) -> str:
    """Return the address of the picture to share, with `outcome` that of the one with the order; empty before."""
    if session.ended_at is None:
        return ""
    return f"/sessions/{session.id}/summary.png" + ("?outcome=1" if outcome else "")


def summary(session: SessionDetail, parts: Parts, language: str) -> VdomDict:
    """Return the summary; an empty element unless the session had ended when its page was loaded (`data-kept`)."""
    return html.div({"key": "summary", "class": "summary", "data-kept": "page"}, *_summary(session, parts, language))


def _summary(session: SessionDetail, parts: Parts, language: str) -> tuple[Markup, ...]:
    if HEAD not in parts:
        return ()
    looks = {HEAD: "summary__head", ORDER: "summary__order", APPLAUSE: "summary__applause"}
    shown = (html.div({"key": name, "class": look}, shared_part(parts[name])) for name, look in looks.items())
    return (*shown, _share(session, language))


@cached_markup
def _share(session: SessionDetail, language: str) -> VdomDict:
    t, plain, whole = texts(language), picture_address(session), picture_address(session, outcome=True)
    shown = {
        "src": plain,
        "width": 1200,
        "height": 630,
        "loading": "lazy",
        "alt": t("Picture to share: {title}").format(title=session.title),
    }
    return section(
        t("To share"),
        html.div(
            {"class": "body shareable"},
            html.img(shown),
            html.p(
                {"class": "row row--loose"},
                html.a({"class": "button button--plain", "href": plain, "download": True}, t("Save the picture")),
                html.a({"class": "link", "href": whole, "download": True}, t("Save it with the scores")),
                " ",
                html.small(t("With these it also shows the order of the audience.")),
            ),
        ),
        aside=html.p(t("The scores are on it only if you choose so.")),
    )
