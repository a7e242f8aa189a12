"""Sessions for administrators."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from apps.competition.models import Session
from apps.competition.selectors.admin.appearances import AppearanceRow, appearances_of
from apps.core.database.clock import venue_zone
from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.edits.edit_merge import version_of

PAGE = 20  # sessions
OPTIONS = 200  # sessions to choose from; the lists find older ones
_ROW = ("id", "title", "stage__name", "starts_at", "description", "youtube_id", "is_live")


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as the list for editors shows it."""

    id: int
    title: str
    stage: str
    starts_at: datetime
    description: str
    youtube_id: str
    is_live: bool
    appearances: tuple[AppearanceRow, ...]


@dataclass(frozen=True, slots=True)
class SessionEdit:
    """A session as its form shows it; `version` is the one to send back."""

    id: int
    title: str
    starts_at: datetime
    description: str
    youtube_id: str
    stage_id: int
    is_live: bool
    appearances: tuple[AppearanceRow, ...]
    version: str


@dataclass(frozen=True, slots=True)
class SessionOption:
    """A session as lists to choose from show it."""

    id: int
    title: str
    starts_at: datetime
    is_live: bool


def sessions_admin(*, query: str = "", number: int = 1) -> NumberedPage[SessionRow]:
    """Return a page of sessions, the newest first, whose title has `query`. Three queries."""
    found = Session.objects.order_by("-starts_at", "-id")
    text = query.replace("\x00", "").strip()
    return numbered_page(found.filter(title__icontains=text) if text else found, number=number, size=PAGE, read=_rows)


def session_options(*, chosen: int = 0) -> tuple[SessionOption, ...]:
    """Return the newest sessions, the live one before them, and among them the one with the id `chosen`. One query."""
    lately = Session.objects.order_by("-is_live", "-starts_at", "-id").values("pk")[:OPTIONS]
    found = Session.objects.filter(Q(pk__in=lately) | Q(pk=chosen)).order_by("-is_live", "-starts_at", "-id")
    return tuple(SessionOption(*row) for row in found.values_list("id", "title", "starts_at", "is_live"))


def session_edit(*, session_id: int) -> SessionEdit | None:
    """Return a session to be edited, or None when there is none with that id. Two queries."""
    session = Session.objects.select_related("stage").filter(pk=session_id).first()
    if session is None:
        return None
    appearances = appearances_of([session_id]).get(session_id, ())
    return SessionEdit(
        id=session.pk,
        title=session.title,
        starts_at=session.starts_at,
        description=session.description,
        youtube_id=session.youtube_id,
        stage_id=session.stage_id,
        is_live=session.is_live,
        appearances=appearances,
        version=version_of(session_values(session, [appearance.participant_id for appearance in appearances])),
    )


def session_values(session: Session, participant_ids: Sequence[int]) -> dict[str, Any]:
    """Return a session's editable values by the form's fields; date and time are one value."""
    return {
        "title": session.title,
        "date": session.starts_at,
        "description": session.description,
        "youtube_id": session.youtube_id,
        "stage": session.stage_id,
        "participant_ids": list(participant_ids),
    }


def session_fields(session: Session, names: Sequence[str]) -> dict[str, str]:
    """Return the same as texts for the audit; `names` are the participants in their order."""
    return {
        "title": session.title,
        "starts_at": f"{session.starts_at.astimezone(venue_zone()):%Y-%m-%d %H:%M}",
        "description": session.description,
        "youtube_id": session.youtube_id,
        "stage": session.stage.name,
        "participants": ", ".join(names),
    }


def _rows(found: QuerySet[Session]) -> tuple[SessionRow, ...]:
    rows = tuple(found.values_list(*_ROW))
    appearances = appearances_of([pk for pk, *_ in rows])
    return tuple(SessionRow(*(*row, appearances.get(row[0], ()))) for row in rows)
