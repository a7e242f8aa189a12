"""The pictures of those who have none: one for the audience, one for participants."""

from dataclasses import dataclass
from typing import Any

from apps.accounts.selectors import default_avatars
from apps.accounts.services import default_avatars_set
from apps.core.names import initials
from apps.core.texts import texts
from apps.core.validators import ADDRESS_LENGTH
from components.hooks.command import Asked, use_action
from components.hooks.live_query import use_live_query
from components.markup import VdomDict, component, html
from components.pages.admin.dashboard.query import Tab, desk_at
from components.rendering.parts import DEFAULT_AVATARS, act_form, acts
from components.ui import forms
from components.ui.admin_frame import DESK, form_page, said
from components.ui.people import cameo, disc

EXAMPLE = "Clara Parterre"
ACT = "default_avatars_set"


@dataclass(frozen=True, slots=True)
class Pictures:
    """The addresses chosen last, empty where initials are drawn; `seen` says which they are to whoever saves."""

    user_avatar_url: str
    participant_avatar_url: str
    seen: str


def pictures_read() -> Pictures:
    """Return the pictures as they are now. One query."""
    now = default_avatars()
    return Pictures(now.user_avatar_url, now.participant_avatar_url, now.seen)


def read_pictures(asked: Asked) -> dict[str, Any]:
    """What `default_avatars_set` takes."""
    names = ("user_avatar_url", "participant_avatar_url")
    return {name: asked.text(name, ADDRESS_LENGTH) for name in names} | {"seen": asked.text("seen", ADDRESS_LENGTH)}


@component
def avatars_tab(start: Pictures, language: str) -> VdomDict:
    """The two addresses beside the pictures that everybody sees now."""
    t, now = texts(language), use_live_query(pictures_read, DEFAULT_AVATARS, initial=start)
    save = use_action(default_avatars_set, read=read_pictures, said=t, go=desk_at(tab=Tab.AVATARS))
    words = t("They stand wherever somebody has no picture. Until both are chosen, initials are drawn.")
    listener = disc(EXAMPLE, initials(EXAMPLE), now.user_avatar_url, size="large")
    performer = cameo(EXAMPLE, initials(EXAMPLE), now.participant_avatar_url)
    return html.section(
        {"aria-label": t("Default Avatars"), "class": "avatars", "data-answers": ""},
        acts({ACT: save}),
        html.p({"class": "lead"}, words),
        said(),
        form_page(
            act_form(ACT) | {"noValidate": True},
            _picture(listener, t("Picture of listeners (URL)"), "user_avatar_url", start.user_avatar_url),
            _picture(
                performer, t("Picture of participants (URL)"), "participant_avatar_url", start.participant_avatar_url
            ),
            save=t("Save"),
            cancel=DESK,
            seen=start.seen,
            language=language,
        ),
    )


def _picture(likeness: VdomDict, words: str, name: str, value: str) -> VdomDict:
    own: dict[str, Any] = {"inputMode": "url", "maxLength": ADDRESS_LENGTH, "autoComplete": "off", "required": True}
    return html.div({"class": "avatars__one"}, likeness, forms.field(words, name, value=value, **own))
