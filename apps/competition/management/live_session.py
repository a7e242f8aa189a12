"""What the operator's commands share: the live session as it is, in words for a terminal."""

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from apps.competition import selectors
from apps.competition.selectors import Place, SessionDetail


def live_session_or_stop() -> SessionDetail:
    """Return the live session; raises CommandError, a sentence with the way out, when none is live."""
    session = selectors.live_session()
    if session is None:
        raise CommandError(
            "No session is live. Find its number with `manage.py live list`, then `manage.py live set NUMBER`."
        )
    return session


def place_line(place: Place) -> str:
    """Return one place as a line: order number, who, and whether on stage now."""
    marker = "  << on stage" if place.is_performing else ""
    return f"{place.order_number:>4}  {place.name} ({place.country}){marker}"


def sentence(error: ValidationError) -> str:
    """Return a refusal's sentences."""
    return " ".join(error.messages)
