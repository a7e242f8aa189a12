"""Sessions for administrators."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, DurationField, ExpressionWrapper, F, Q, QuerySet, When
from django.db.models.functions import Now

from apps.competition.limits import OPTIONS_MOST
from apps.competition.models import Session
from apps.competition.selectors.admin.appearances import AppearanceRow, appearances_of
from apps.core.database.clock import venue_zone
from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.database.plain_text import Plain, plain
from apps.core.edits.edit_merge import version_of

PAGE = 20  # sessions
_AHEAD = ExpressionWrapper(F("starts_at") - Now(), output_field=DurationField())
_BEHIND = ExpressionWrapper(Now() - F("starts_at"), output_field=DurationField())
AWAY = Case(When(starts_at__gte=Now(), then=_AHEAD), default=_BEHIND)  # how far from now a session begins
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
    text = plain(query.replace("\x00", "").strip())
    matching = found.alias(plain_title=Plain("title")).filter(plain_title__contains=text) if text else found
    return numbered_page(matching, number=number, size=PAGE, read=_rows)


def session_options(
    *, query: str = "", limit: int = OPTIONS_MOST, chosen: Sequence[int] = ()
) -> tuple[SessionOption, ...]:
    """Return sessions to choose from, the live one, then the nearest to now, at most `limit`, and those `chosen`.

    Their titles have every word of `query`. One query.
    """
    order = ("-is_live", AWAY, "id")
    matching = sessions_with(query).order_by(*order).values("pk")[:limit]
    found = sessions_with("").filter(Q(pk__in=matching) | Q(pk__in=chosen)).order_by(*order)
    return tuple(SessionOption(*row) for row in found.values_list("id", "title", "starts_at", "is_live"))


def sessions_with(words: str) -> QuerySet[Session]:
    """Return the sessions whose title has every one of these words."""
    found = Session.objects.alias(plain_title=Plain("title"))
    for word in plain(words.replace("\x00", "")).split():
        found = found.filter(plain_title__contains=word)
    return found


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
