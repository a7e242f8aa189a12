"""The form that withdraws a performer from a session, and who withdrew, beside the session's form."""

from apps.competition.selectors.admin.sessions import SessionEdit, session_edit
from apps.core.texts import texts
from components.runtime import Markup, command_form, component, html, use_live_query
from components.ui.forms import select
from components.ui.frames import answer_line
from components.ui.people import NAMED


@component
def withdraw_form(initial: SessionEdit | None, session_id: int, language: str) -> Markup:
    """Render the form, kept current; none while nobody who could withdraw, or has withdrawn, is in the session."""
    t = texts(language)
    session = use_live_query(session_edit, topics=("sessions",), initial=initial, session_id=session_id)
    coming = [each for each in session.appearances if not (each.came_at or each.is_performing)] if session else []
    if session is None or not (coming or session.withdrawn):
        return None
    pairs = [("", t("Choose a performer")), *((str(each.id), f"{each.order_number} {each.name}") for each in coming)]
    asking = {"data-ask": t("Withdraw this performer?"), "data-ask-yes": t("Withdraw")}
    form = html.form(
        command_form("appearance_withdraw", session.id) | asking | {"class": "stack", "noValidate": "true"},
        select(t("Performer who withdrew"), "appearance", pairs, stored=lambda _name: NAMED, id="who-withdrew"),
        html.button({"class": "button button--plain", "type": "submit"}, t("Withdraw")),
    )
    rows = [
        html.li(
            {"key": f"withdrawn-{each.participant_id}"}, f"{each.order_number} ", html.s({"translate": "no"}, each.name)
        )
        for each in session.withdrawn
    ]
    about = t(
        "A performer who withdraws stays in sight, struck out; the others keep their numbers. Whoever plays after all"
        " is added above by name."
    )
    return html.section(
        {"class": "stack planned", "aria-labelledby": "withdrawn-heading", "data-answers": ""},
        html.h2({"id": "withdrawn-heading"}, t("Withdrawn")),
        html.p({"class": "muted"}, about),
        answer_line(),
        html.ul({"class": "lines"}, *rows) if rows else None,
        form if coming else None,
    )
