"""Reads of sessions, stages and undos for administrators."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    Count,
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Now

from apps.competition.enums import PrizeListState, UndoKind
from apps.competition.limits import OPTIONS_MOST, UNDO_LIFETIME, UNDOS_SHOWN
from apps.competition.models import Appearance, Prize, PrizeList, ProgramEntry, ProgramUndo, Session, Stage
from apps.competition.piano_names import PianoName
from apps.competition.selectors.admin.session_notes import SessionNote, session_notes
from apps.competition.selectors.public.sessions import Withdrawn, session_withdrawals
from apps.competition.selectors.public.stages import next_names, with_intervals, with_times
from apps.core.database.fields import Plain, plain, venue_clock
from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.edits import version_of
from apps.core.id_orders import IdOrder, id_order_of

_APPEARANCE_ROW = (
    *("id", "order_number", "participant_id", "participant__name", "participant__country"),
    *("participant__avatar_url", "is_performing", "came_at", "stay_id", "left_at", "is_repeated"),
    *("planned_start", "piano_id", "interval_after"),
)


@dataclass(frozen=True, slots=True)
class AppearanceRow:
    """A participant's appearance in a session."""

    id: int
    order_number: int
    participant_id: int
    name: str
    country: str
    avatar_url: str
    is_performing: bool
    came_at: datetime | None  # last entry on stage
    stay_id: int | None  # of that time on stage, in the order of entries
    left_at: datetime | None  # exit after the last entry, None while on stage
    is_repeated: bool
    planned_start: datetime | None  # None if it is not known
    piano_id: int | None
    interval_after: int | None  # minutes of the planned interval that follows, None without one


def appearances_of(session_ids: Sequence[int]) -> Mapping[int, tuple[AppearanceRow, ...]]:
    """Return the appearances of these sessions, by session, in their order. One query."""
    appearances: dict[int, list[AppearanceRow]] = defaultdict(list)
    found = with_intervals(with_times(Appearance.objects.filter(session__in=session_ids)))
    for session_id, *row in found.order_by("session_id", "order_number").values_list("session_id", *_APPEARANCE_ROW):
        appearances[session_id].append(AppearanceRow(*row))
    return {session_id: tuple(rows) for session_id, rows in appearances.items()}


PAGE = 20  # sessions
_AHEAD = ExpressionWrapper(F("starts_at") - Now(), output_field=DurationField())
_BEHIND = ExpressionWrapper(Now() - F("starts_at"), output_field=DurationField())
AWAY = Case(When(starts_at__gte=Now(), then=_AHEAD), default=_BEHIND)  # distance of a session's start from now
_ROW = ("id", "title", "stage__name", "starts_at", "planned_end", "description", "youtube_id", "is_live")


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as the list for editors shows it."""

    id: int
    title: str
    stage: str
    starts_at: datetime
    planned_end: datetime | None
    description: str
    youtube_id: str
    is_live: bool
    appearances: tuple[AppearanceRow, ...]


@dataclass(frozen=True, slots=True)
class SessionEdit:
    """A session as its form shows it; the form sends `version` back.

    `intervals` are order numbers of performances, each with the minutes of the interval after it.
    """

    id: int
    title: str
    starts_at: datetime
    description: str
    youtube_id: str
    orchestra: str
    conductor: str
    stage_id: int
    is_live: bool
    appearances: tuple[AppearanceRow, ...]
    planned_end: datetime | None
    intervals: tuple[tuple[int, int], ...]
    withdrawn: tuple[Withdrawn, ...]
    notes: tuple[SessionNote, ...]
    version: str


@dataclass(frozen=True, slots=True)
class SessionOption:
    """A session as lists to choose from show it."""

    id: int
    title: str
    starts_at: datetime
    is_live: bool


def sessions_admin(*, query: str = "", number: int = 1) -> NumberedPage[SessionRow]:
    """Return a page of sessions with `query` in the title, newest first. Three queries."""
    found = Session.objects.order_by("-starts_at", "-id")
    text = plain(query.replace("\x00", "").strip())
    matching = found.alias(plain_title=Plain("title")).filter(plain_title__contains=text) if text else found
    return numbered_page(matching, number=number, size=PAGE, read=_rows)


def session_options(
    *, query: str = "", limit: int = OPTIONS_MOST, chosen: Sequence[int] = ()
) -> tuple[SessionOption, ...]:
    """Return at most `limit` sessions to choose from, and those `chosen`: the live one, then the nearest to now.

    Their titles have every word of `query`. One query.
    """
    order = ("-is_live", AWAY, "id")
    found = sessions_with(query).order_by(*order)[:limit]
    if chosen:  # see `participant_options`
        found = sessions_with("").filter(Q(pk__in=found.values("pk")) | Q(pk__in=chosen)).order_by(*order)
    return tuple(SessionOption(*row) for row in found.values_list("id", "title", "starts_at", "is_live"))


_COMING_FIRST = Case(When(starts_at__gte=Now(), then=Value(0)), default=Value(1))


def session_next() -> int | None:
    """Return the live session, else the next one by time, else the last one; None without sessions. One query."""
    found = Session.objects.order_by("-is_live", _COMING_FIRST, AWAY, "id")
    return found.values_list("id", flat=True).first()


def sessions_with(words: str) -> QuerySet[Session]:
    """Return the sessions with every one of these words in the title."""
    found = Session.objects.alias(plain_title=Plain("title"))
    for word in plain(words.replace("\x00", "")).split():
        found = found.filter(plain_title__contains=word)
    return found


def session_start(*, session_id: int) -> datetime | None:
    """Return when a session starts, or None for an unknown id. One query."""
    return Session.objects.filter(pk=session_id).values_list("starts_at", flat=True).first()


def session_edit(*, session_id: int) -> SessionEdit | None:
    """Return a session for its form, or None for an unknown id. Six queries."""
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
        orchestra=session.orchestra,
        conductor=session.conductor,
        stage_id=session.stage_id,
        is_live=session.is_live,
        appearances=appearances,
        planned_end=session.planned_end,
        intervals=tuple(session.intervals.order_by("after_order_number").values_list("after_order_number", "minutes")),
        withdrawn=session_withdrawals(session_ids=[session_id]).get(session_id, ()),
        notes=session_notes(session_ids=[session_id]),
        version=version_of(session_values(session, [appearance.participant_id for appearance in appearances])),
    )


def session_values(session: Session, participant_ids: Sequence[int]) -> dict[str, Any]:
    """Return a session's editable values by the form's fields; date and time are one value."""
    return {
        "title": session.title,
        "date": session.starts_at,
        "description": session.description,
        "youtube_id": session.youtube_id,
        "orchestra": session.orchestra,
        "conductor": session.conductor,
        "stage": session.stage_id,
        "participant_ids": IdOrder(participant_ids),
    }


_ORDER_PART = "participant_ids:"  # in a version


def order_of_version(version: str) -> IdOrder | None:
    """Return the order in the version of a session's form; None without one."""
    parts = [part for part in version.split(",") if part.startswith(_ORDER_PART)]
    return id_order_of(parts[0].removeprefix(_ORDER_PART)) if parts else None


def with_order_read(session: SessionEdit, order: IdOrder) -> SessionEdit:
    """Return the session for a form that was opened with this order."""
    parts = [part for part in session.version.split(",") if not part.startswith(_ORDER_PART)]
    return replace(session, version=",".join([*parts, f"{_ORDER_PART}{order.version}"]))


def session_fields(session: Session, names: Sequence[str]) -> dict[str, str]:
    """Return a session's values as texts for the audit; `names` are the participants in their order."""
    return {
        "title": session.title,
        "starts_at": venue_clock(session.starts_at, "%Y-%m-%d %H:%M"),
        "description": session.description,
        "youtube_id": session.youtube_id,
        "orchestra": session.orchestra,
        "conductor": session.conductor,
        "stage": session.stage.name,
        "participants": ", ".join(names),
    }


def _rows(found: QuerySet[Session]) -> tuple[SessionRow, ...]:
    rows = tuple(found.values_list(*_ROW))
    appearances = appearances_of([pk for pk, *_ in rows])
    return tuple(SessionRow(*(*row, appearances.get(row[0], ()))) for row in rows)


@dataclass(frozen=True, slots=True)
class SessionPerformer:
    """A participant of a session; `pieces` are names, in the order of the program, `piano` is maker and model."""

    first_name: str
    second_name: str
    country: str
    pieces: tuple[str, ...] = ()
    piano: str = ""


def session_performers(*, session_id: int) -> tuple[SessionPerformer, ...]:
    """Return the participants of a session in its order. Two queries."""
    pieces: dict[int, list[str]] = defaultdict(list)
    entries = ProgramEntry.objects.filter(appearance__session_id=session_id)
    for appearance_id, piece in entries.order_by("order_number").values_list("appearance_id", "piece__name"):
        pieces[appearance_id].append(piece)
    found = Appearance.objects.filter(session_id=session_id).order_by("order_number")
    columns = ("id", "participant__first_name", "participant__second_name", "participant__country")
    rows = found.values_list(*columns, "piano__maker", "piano__model")
    return tuple(
        SessionPerformer(first, second, country, tuple(pieces[pk]), str(PianoName(maker, model)) if maker else "")
        for pk, first, second, country, maker, model in rows
    )


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage as the list for editors shows it, and as forms offer it."""

    id: int
    name: str
    is_archived: bool
    session_count: int
    performers: int
    advancing: int
    prizes: int  # published
    has_prize_draft: bool
    next_stage: str  # the name of the stage after it, empty for the last


_PUBLISHED_PRIZES = Prize.objects.filter(list__stage=OuterRef("pk"), list__state=PrizeListState.PUBLISHED)
_PRIZE_DRAFTS = PrizeList.objects.filter(stage=OuterRef("pk"), state=PrizeListState.DRAFT)


@dataclass(frozen=True, slots=True)
class StageEdit:
    """A stage as its form shows it; the form sends `version` back."""

    id: int
    name: str
    version: str


def stages_admin() -> tuple[StageRow, ...]:
    """Return all stages in their order. One query."""
    counted = Stage.objects.order_by("order_number").annotate(
        session_count=Count("sessions", distinct=True),
        performers=Count("sessions__appearances__participant", distinct=True),
        advancing=Count("advancements", distinct=True),
        prizes=Coalesce(Subquery(_PUBLISHED_PRIZES.order_by().values("list").annotate(n=Count("pk")).values("n")), 0),
        has_prize_draft=Exists(_PRIZE_DRAFTS),
    )
    columns = ("id", "name", "archived_at", "session_count", "performers", "advancing", "prizes", "has_prize_draft")
    found = tuple(counted.values_list(*columns))
    names = next_names([(name, archived_at is not None and not count) for _, name, archived_at, count, *_ in found])
    return tuple(
        StageRow(pk, name, archived_at is not None, sessions, performers, advancing, prizes, has_draft, next_stage)
        for (pk, name, archived_at, sessions, performers, advancing, prizes, has_draft), next_stage in zip(
            found, names, strict=True
        )
    )


def stage_edit(*, stage_id: int) -> StageEdit | None:
    """Return a stage for its form, or None for an unknown id. One query."""
    stage = Stage.objects.filter(pk=stage_id).first()
    return StageEdit(stage.pk, stage.name, version_of(stage_fields(stage))) if stage else None


def stage_fields(stage: Stage) -> dict[str, str]:
    """Return a stage's editable values by field."""
    return {"name": stage.name}


@dataclass(frozen=True, slots=True)
class UndoRow:
    """A change that can be undone: its session, and the participants with a removed program."""

    id: int
    session: str
    names: tuple[str, ...]


def undos_recent(*, kind: UndoKind) -> tuple[UndoRow, ...]:
    """Return the changes of this kind that can be undone, newest first, at most UNDOS_SHOWN. One query."""
    found = ProgramUndo.objects.filter(kind=kind, created_at__gt=undo_since()).order_by("-pk")
    rows = found.values_list("pk", "session__title", "content")[:UNDOS_SHOWN]
    return tuple(UndoRow(pk, title, tuple(each["name"] for each in kept["appearances"])) for pk, title, kept in rows)


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """Sessions that were made at once and can be taken back: the id of the first one, and the titles."""

    id: int
    titles: tuple[str, ...]


def series_since() -> QuerySet[Session]:
    """Return the sessions that were made while an undo of them is valid."""
    return Session.objects.filter(created_at__gt=undo_since())


def series_recent() -> tuple[SeriesRow, ...]:
    """Return the series that can be taken back, newest first, at most UNDOS_SHOWN. One query.

    The sessions of a series, two or more, have one time of creation (`session_series_create`).
    """
    made: dict[datetime, list[tuple[int, str]]] = defaultdict(list)
    for created_at, pk, title in series_since().order_by("-created_at", "pk").values_list("created_at", "pk", "title"):
        made[created_at].append((pk, title))
    several = [sessions for sessions in made.values() if len(sessions) > 1]
    return tuple(SeriesRow(rows[0][0], tuple(title for _, title in rows)) for rows in several[:UNDOS_SHOWN])


def undo_since() -> "ExpressionWrapper[Any]":
    """Return the earliest creation time of an undo that is still valid, as a database expression."""
    return ExpressionWrapper(Now() - Value(UNDO_LIFETIME), output_field=DateTimeField())
