"""The button "Tell me when it begins": one notification when the next performer of a live session is called."""

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import AppearanceDetail
from apps.core.texts import Texts, texts
from apps.notifications.selectors.call_alerts import call_alert_own
from components.runtime import Fills, SlotQuery, VdomDict, command_button, fill, html, slot, slot_query

ALERT, ALERT_WORDS = "call_alert", "call_alert_words"  # the slots' names: the button, and the words before it


def call_alert(session_id: int, last: AppearanceDetail | None, t: Texts) -> VdomDict:
    """Return the button that notifies the viewer when the next performer is called.

    Its slots have the number of the last time on stage, so that a fill counts for this interval only.
    """
    name = f"{session_id}-{(last.stay_id or 0) if last else 0}"
    asked = command_button("call_alert_set", f"{session_id}:on") | slot(ALERT, name)
    return html.div(
        {"class": "alert", "id": "alert", "data-answers": "", "data-wish": ""},
        html.span({"role": "status"} | slot(ALERT_WORDS, name)),
        html.button({"class": "button button--plain"} | asked, t("Tell me when it begins")),
        html.span({"class": "small", "data-answer": "", "role": "status"}),
    )


def call_alert_slots(*, session_id: int, language: str) -> SlotQuery:
    """Return the query for the button of a viewer who waits for the next performer."""
    return slot_query(call_alert_fills, topics=("account.<id>.call_alerts",), session_id=session_id, language=language)


def call_alert_fills(*, viewer: Viewer, session_id: int, language: str) -> Fills:
    """Return the fills of the button that takes the wish back, and of the words beside it. One query."""
    stay_id = call_alert_own(user_id=viewer.id or 0, session_id=session_id)
    if stay_id is None:
        return {}
    t, name, off = texts(language), f"{session_id}-{stay_id}", command_button("call_alert_set", f"{session_id}:off")
    return {
        f"{ALERT_WORDS}:{name}": fill(text=t("You will be told.")),
        f"{ALERT}:{name}": fill({key: off[key] for key in ("data-argument", "formAction")}, t("Undo")),
    }
