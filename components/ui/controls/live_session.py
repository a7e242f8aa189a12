"""The attributes of the button that ends the live session."""

from typing import Protocol

from apps.core.texts import Texts
from components.ui.controls.commands import command_button


class LiveSession(Protocol):
    """The live session."""

    @property
    def id(self) -> int:
        """Its id."""

    @property
    def title(self) -> str:
        """Its title."""


def end_session(session: LiveSession, t: Texts) -> dict[str, str]:
    """Return the attributes of a button that ends this session, with the question that the server may ask."""
    asked = {"data-ask": t("End {title}?").format(title=session.title), "data-ask-yes": t("End Live Session")}
    return command_button("session_end", session.id, busy=t("Processing...")) | asked
