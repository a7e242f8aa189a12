"""The tab "Default Avatars": one picture for listeners, one for participants."""

from dataclasses import dataclass

from apps.accounts.selectors.own_account import default_avatars
from apps.core.text_rules import initials
from apps.core.texts import texts
from components.pages.admin.picture_field import picture_field
from components.runtime import VdomDict, command_form, component, html, key
from components.ui.areas import DASHBOARD
from components.ui.frames import answer_line, form_page
from components.ui.people import cameo, disc

EXAMPLE = "Clara Parterre"


@dataclass(frozen=True, slots=True)
class Pictures:
    """The addresses, empty if initials are drawn; the form sends `version` back to detect conflicting changes."""

    user_avatar_url: str
    participant_avatar_url: str
    version: str


def pictures_read() -> Pictures:
    """Return the current pictures. One query."""
    now = default_avatars()
    return Pictures(now.user_avatar_url, now.participant_avatar_url, now.version)


@component
def avatars_tab(start: Pictures, language: str) -> VdomDict:
    """Render the two fields, each with a preview."""
    t = texts(language)
    words = t("They stand wherever somebody has no picture. With both fields empty, initials are drawn.")
    listeners, participants = t("Picture of listeners (URL)"), t("Picture of participants (URL)")
    return html.section(
        {"aria-label": t("Default Avatars"), "class": "avatars", "data-answers": ""},
        html.p({"class": "lead"}, words),
        answer_line(),
        form_page(
            command_form("default_avatars_set", draft="default-avatars"),
            key("listeners", picture_field(listeners, "user_avatar_url", start.user_avatar_url, _listener, language)),
            key(
                "participants",
                picture_field(
                    participants, "participant_avatar_url", start.participant_avatar_url, _participant, language
                ),
            ),
            save=t("Save"),
            cancel=DASHBOARD,
            version=start.version,
            language=language,
        ),
    )


def _listener(address: str) -> VdomDict:
    return disc(EXAMPLE, initials(EXAMPLE), address)


def _participant(address: str) -> VdomDict:
    return cameo(EXAMPLE, initials(EXAMPLE), address)
