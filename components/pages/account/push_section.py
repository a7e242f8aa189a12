"""Notifications in this browser: turned on with a script after a press, turned off by a form."""

from apps.core.texts import Texts, texts
from apps.notifications.selectors.push import PushState, push_state
from components.runtime import (
    Markup,
    VdomDict,
    command_button,
    command_form,
    component,
    html,
    use_live_query,
    use_viewer,
    web_module,
)

WORKER = "/service-worker.js"  # also in `project/http/web_app.py`
FORM = "push-subscribe"
PUSH = web_module("modules/push.js", "Push")


@component
def push_section(initial: PushState, *, language: str) -> VdomDict:
    """Return whether notifications are on in the viewer's browser, with a button to change that, kept current.

    `initial` is the `push_state` of the viewer in this session. The caller writes the heading above it.
    """
    t, viewer = texts(language), use_viewer()
    user_id = viewer.id or 0
    topics = (f"account.{user_id}.notifications",)
    state = use_live_query(push_state, topics=topics, initial=initial, user_id=user_id, session=viewer.session)
    about = t(
        "A browser can show a notification even when no page of Parterre is open. A locked screen then shows the "
        "performer’s name and nothing else."
    )
    return html.div(
        {"class": "stack", "data-answers": ""},
        html.p(about),
        *(_controls(state, t) if state.public_key or state.is_on else _not_offered(t)),
        html.p({"class": "small", "data-answer": "", "role": "status"}),
    )


def _not_offered(t: Texts) -> list[Markup]:
    return [html.p({"class": "muted"}, t("This site sends no notifications to browsers."))]


def _controls(state: PushState, t: Texts) -> list[Markup]:
    """Return the state with the buttons; without scripts only the one that turns notifications off."""
    if state.is_on:
        off = command_button("push_unsubscribe") | {"class": "button button--plain"}
        shown: list[Markup] = [
            html.p(t("Notifications are on in this browser, until you sign out.")),
            html.div(html.button(off, t("Turn off in this browser"))),
        ]
    else:
        shown = [html.p({"class": "scriptless"}, t("To turn them on, please allow scripts in this browser."))]
    return [*shown, _form(), _turning_on(state, t)] if state.public_key else shown


def _form() -> VdomDict:
    """Return the form that the script fills and sends."""
    fields = (html.input({"type": "hidden", "name": name}) for name in ("endpoint", "p256dh", "auth"))
    return html.form(command_form("push_subscribe") | {"id": FORM, "hidden": True}, *fields)


def _turning_on(state: PushState, t: Texts) -> VdomDict:
    return PUSH(
        {
            "key": "push",
            "form": FORM,
            "isOn": state.is_on,
            "publicKey": state.public_key,
            "worker": WORKER,
            "label": t("Turn on in this browser"),
            "busy": t("Processing..."),
            "texts": _reasons(t),
        }
    )


def _reasons(t: Texts) -> dict[str, str]:
    """Return the sentences of the script, by state."""
    return {
        "install": t(
            "On an iPhone or iPad, notifications need Parterre on the Home Screen: press Share, then Add to Home "
            "Screen, open Parterre from there, and come back to this page."
        ),
        "unsupported": t("This browser cannot get notifications, or not in a private window."),
        "denied": t(
            "This browser refuses notifications from Parterre. You can allow them in its settings for this site."
        ),
        "undecided": t("The browser asked for your permission and got no answer."),
        "lost": t("This browser no longer accepts notifications from Parterre. Please turn them on again."),
        "failed": t("This browser could not reach its push service. Please try again later."),
    }
