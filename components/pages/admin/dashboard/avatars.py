"""The tab Default Avatars: one picture for the audience, one for participants."""

from dataclasses import dataclass
from typing import Any

from apps.accounts.selectors import default_avatars
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules.names import initials
from apps.core.texts import texts
from components.hooks.live_query import use_live_query
from components.markup import VdomDict, component, html
from components.rendering.parts import DEFAULT_AVATARS
from components.ui.controls import forms
from components.ui.controls.commands import command_form
from components.ui.frames.admin_frame import DASHBOARD, answer_line, form_page
from components.ui.people import cameo, disc

EXAMPLE = "Clara Parterre"


@dataclass(frozen=True, slots=True)
class Pictures:
    """The addresses, empty where initials are drawn; `version` is the one to send back."""

    user_avatar_url: str
    participant_avatar_url: str
    version: str


def pictures_read() -> Pictures:
    """Return the pictures as they are now. One query."""
    now = default_avatars()
    return Pictures(now.user_avatar_url, now.participant_avatar_url, now.version)


@component
def avatars_tab(start: Pictures, language: str) -> VdomDict:
    """The two fields beside the present pictures."""
    t, now = texts(language), use_live_query(pictures_read, DEFAULT_AVATARS, initial=start)
    words = t("They stand wherever somebody has no picture. With both fields empty, initials are drawn.")
    listener = disc(EXAMPLE, initials(EXAMPLE), now.user_avatar_url, size="large")
    performer = cameo(EXAMPLE, initials(EXAMPLE), now.participant_avatar_url)
    return html.section(
        {"aria-label": t("Default Avatars"), "class": "avatars", "data-answers": ""},
        html.p({"class": "lead"}, words),
        answer_line(),
        form_page(
            command_form("default_avatars_set") | {"noValidate": True},
            _picture(listener, t("Picture of listeners (URL)"), "user_avatar_url", start.user_avatar_url),
            _picture(
                performer, t("Picture of participants (URL)"), "participant_avatar_url", start.participant_avatar_url
            ),
            save=t("Save"),
            cancel=DASHBOARD,
            version=start.version,
            language=language,
        ),
    )


def _picture(likeness: VdomDict, words: str, name: str, value: str) -> VdomDict:
    own: dict[str, Any] = {"inputMode": "url", "maxLength": ADDRESS_LENGTH, "autoComplete": "off"}
    return html.div({"class": "avatars__one"}, likeness, forms.field(words, name, value=value, **own))
