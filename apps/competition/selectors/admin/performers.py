"""Who plays in a session, with both names and the program, as a participant file says it."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count

from apps.competition.models import ProgramEntry, SessionParticipant


@dataclass(frozen=True, slots=True)
class SessionPerformer:
    """A participant of a session; `pieces` are names, in the order of the program."""

    first_name: str
    second_name: str
    country: str
    pieces: tuple[str, ...]


def session_performers(*, session_id: int) -> tuple[SessionPerformer, ...]:
    """Return the participants of a session in its order. Two queries."""
    pieces: dict[int, list[str]] = defaultdict(list)
    entries = ProgramEntry.objects.filter(session_participant__session_id=session_id)
    for appearance_id, piece in entries.order_by("order_number").values_list("session_participant_id", "piece__name"):
        pieces[appearance_id].append(piece)
    found = SessionParticipant.objects.filter(session_id=session_id).order_by("order_number")
    columns = ("id", "participant__first_name", "participant__second_name", "participant__country")
    rows = found.values_list(*columns)
    return tuple(SessionPerformer(first, second, country, tuple(pieces[pk])) for pk, first, second, country in rows)


def programs_longer(*, pieces: int) -> tuple[tuple[str, str], ...]:
    """Return whose programs have more pieces than that, with the title of the session, the newest first. One query."""
    found = SessionParticipant.objects.annotate(entries=Count("program")).filter(entries__gt=pieces)
    ordered = found.order_by("-session__starts_at", "session_id", "order_number")
    return tuple(ordered.values_list("session__title", "participant__name"))
