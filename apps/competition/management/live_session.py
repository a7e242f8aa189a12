"""The live session as lines for a terminal, shared by the operator's commands."""

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.sessions import live_session


def live_session_or_stop() -> SessionDetail:
    """Return the live session. Raises CommandError with instructions if no session is live."""
    session = live_session()
    if session is None:
        raise CommandError(
            "No session is live. Find its number with `manage.py live list`, then `manage.py live set NUMBER`."
        )
    return session


def appearance_line(appearance: AppearanceDetail) -> str:
    """Return one appearance as a line: order number, name, country, and a mark for the performer."""
    marker = "  << on stage" if appearance.is_performing else ""
    return f"{appearance.order_number:>4}  {appearance.name} ({appearance.country}){marker}"


def sentence(error: ValidationError) -> str:
    """Return the messages of a refusal, joined."""
    return " ".join(error.messages)
