"""Public reads of programs, for pages of sessions and of participants."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import JSONObject

from apps.competition.models import Appearance, Piece, PiecePart, ProgramEntry, ProgramPart
from apps.competition.selectors.public.participants import (
    AppearanceDetail,
    AppearancePlace,
    AppearanceProgram,
    LinePart,
    PieceTitle,
    ProgramLine,
)
from apps.competition.selectors.public.stages import with_intervals, with_outcomes, with_times
from apps.competition.youtube import start_second, video_id


def appearances_with_programs(found: QuerySet[Appearance]) -> tuple[tuple[Any, AppearanceDetail], ...]:
    """Return these appearances in their order, each as stored and as shown. Two queries.

    `found` must have joined the session and the participant.
    """
    appearances = tuple(with_intervals(with_times(found.select_related("piano"))))
    programs = _programs(appearances)
    return tuple((stored, _appearance(stored, programs.get(stored.pk, ()))) for stored in appearances)


def appearance_program(*, appearance_id: int) -> AppearanceProgram | None:
    """Return an appearance's session, participant and pieces; None for an unknown appearance. One query."""
    found = with_outcomes(with_times(Appearance.objects.filter(pk=appearance_id)))
    rows = tuple(found.values_list(*("program__piece_id", "session_id", "participant_id", "has_begun", "is_decided")))
    if not rows:
        return None
    _, session_id, participant_id, has_begun, is_decided = rows[0]
    return AppearanceProgram(
        appearance_id,
        session_id,
        participant_id,
        frozenset(piece_id for piece_id, *_ in rows if piece_id is not None),
        has_begun,
        is_decided,
    )


def appearance_places(*, appearance_ids: Collection[int]) -> Mapping[int, AppearancePlace]:
    """Return the places of these appearances, by appearance; unknown ids are left out. One query."""
    found = _with_pieces(Appearance.objects.filter(pk__in=appearance_ids))
    rows = found.values_list(*("pk", "participant_id", "stage_id", "is_repeated", "pieces"))
    return {
        pk: AppearancePlace(participant_id, stage_id, is_repeated, frozenset(pieces))
        for pk, participant_id, stage_id, is_repeated, pieces in rows
    }


def _with_pieces(found: QuerySet[Appearance]) -> QuerySet[Appearance]:
    """Annotate appearances with the ids of the pieces of their programs (`pieces`)."""
    known = Q(program__isnull=False)
    return found.annotate(pieces=ArrayAgg("program__piece", filter=known, distinct=True, default=Value([])))


def program_pieces(*, appearance_ids: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    """Return the ids of the pieces of these appearances' programs, by appearance, without empty programs. One query."""
    found = ProgramEntry.objects.filter(appearance__in=appearance_ids)
    pieces: dict[int, list[int]] = defaultdict(list)
    for appearance_id, piece_id in found.order_by("order_number").values_list("appearance_id", "piece_id"):
        pieces[appearance_id].append(piece_id)
    return {appearance_id: tuple(program) for appearance_id, program in pieces.items()}


@dataclass(frozen=True, slots=True)
class AppearanceStatus:
    """What a member's marks of an appearance depend on: its stage, whether it has begun, and its pieces."""

    stage_id: int
    has_begun: bool
    pieces: frozenset[int]


def appearance_statuses(
    *,
    participant_id: int | None = None,
    session_id: int | None = None,
    stage_id: int | None = None,
    appearance_ids: Collection[int] = (),
) -> Mapping[int, AppearanceStatus]:
    """Return the status of the appearances of a participant, session or stage, or of these, by id. One query."""
    which = Q(pk__in=appearance_ids)
    of = {"participant": participant_id, "session": session_id, "session__stage": stage_id}
    for name, value in of.items():
        which |= Q(**{name: value}) if value is not None else Q()
    found = with_times(Appearance.objects.filter(which))
    rows = _with_pieces(found).values_list(*("pk", "session__stage_id", "has_begun", "pieces"))
    return {pk: AppearanceStatus(stage_id, has_begun, frozenset(pieces)) for pk, stage_id, has_begun, pieces in rows}


def appearance_names(*, appearance_ids: Collection[int]) -> Mapping[int, str]:
    """Return the performers' names of these appearances, by appearance; unknown ids are left out. One query."""
    found = Appearance.objects.filter(pk__in=appearance_ids).order_by("pk")
    return dict(found.values_list("pk", "participant__name"))


def program_titles(*, appearance_ids: Collection[int]) -> Mapping[int, tuple[PieceTitle, ...]]:
    """Return the pieces of these appearances' programs in their order, by appearance. One query."""
    found = ProgramEntry.objects.filter(appearance__in=appearance_ids).select_related("piece")
    titles: dict[int, list[PieceTitle]] = defaultdict(list)
    for entry in found.order_by("appearance_id", "order_number"):
        titles[entry.appearance_id].append(piece_title(entry.piece))
    return {appearance_id: tuple(program) for appearance_id, program in titles.items()}


def piece_titles(*, piece_ids: Collection[int]) -> Mapping[int, PieceTitle]:
    """Return these pieces by id; unknown ids are left out. One query."""
    return {piece.pk: piece_title(piece) for piece in Piece.objects.filter(pk__in=piece_ids)}


def begun_appearances() -> list[int]:
    """Return the ids of all appearances that have begun. One query."""
    found = with_times(Appearance.objects.all()).values_list(*("pk", "has_begun"))
    return [pk for pk, has_begun in found if has_begun]


def _programs(appearances: Iterable[Appearance]) -> dict[int, tuple[ProgramLine, ...]]:
    """Return the program lines of these appearances, by appearance. One query."""
    videos = {appearance.pk: appearance.session.youtube_id for appearance in appearances}
    lines: dict[int, list[ProgramLine]] = defaultdict(list)
    entries = ProgramEntry.objects.filter(appearance__in=videos).select_related("piece")
    for entry in entries.annotate(part_rows=PART_ROWS).order_by("appearance_id", "order_number"):
        appearance_id = entry.appearance_id
        lines[appearance_id].append(_line(entry, videos[appearance_id]))
    return {appearance_id: tuple(program) for appearance_id, program in lines.items()}


_MEMBER = ("pk", "name", "category", "composer", "title", "key", "opus", "number")
_MOMENT = ProgramPart.objects.filter(part=OuterRef("pk"), entry=OuterRef(OuterRef("pk")))
# the parts of an entry's piece in order, each with its member and the moment that the entry has of it
PART_ROWS = ArraySubquery(
    PiecePart.objects.filter(piece=OuterRef("piece"))
    .order_by("order_number")
    .values(
        row=JSONObject(
            id="pk",
            name="name",
            moment=Subquery(_MOMENT.values(json=JSONObject(second="timestamp", link="youtube_url"))),
            **{f"member_{name}": f"member__{name}" for name in _MEMBER},
        )
    )
)


def _line(entry: Any, session_video: str) -> ProgramLine:
    """Return one line; the entry's own link takes precedence over the session's recording."""
    second = entry.timestamp if entry.timestamp is not None else start_second(entry.youtube_url)
    video = video_id(entry.youtube_url) or session_video
    return ProgramLine(
        id=entry.pk,
        order_number=entry.order_number,
        slot=entry.slot,
        piece=piece_title(entry.piece),
        video_id=video,
        second=second,
        parts=tuple(_part(row, video) for row in entry.part_rows),
    )


def _part(row: dict[str, Any], line_video: str) -> LinePart:
    """Return a part; its own link takes precedence over its line's video."""
    moment = row["moment"] or {"second": None, "link": ""}
    second = moment["second"] if moment["second"] is not None else start_second(moment["link"])
    return LinePart(row["id"], row["name"], member_title(row), video_id(moment["link"]) or line_video, second)


def member_title(row: dict[str, Any]) -> PieceTitle | None:
    """Return the piece of a row of `PART_ROWS`, None for a movement or section."""
    return piece_title(Piece(**{name: row[f"member_{name}"] for name in _MEMBER})) if row["member_pk"] else None


def piece_title(piece: Piece) -> PieceTitle:
    """Return a piece as programs print it."""
    opus = int(piece.opus) if piece.opus.isdecimal() else piece.opus or None
    return PieceTitle(
        piece.pk,
        piece.name,
        piece.category,
        piece.composer,
        piece.title,
        piece.key,
        opus,
        piece.number,
        piece.numbers,
    )


def _appearance(stored: Any, program: tuple[ProgramLine, ...]) -> AppearanceDetail:
    """Return an appearance, with its times, as pages show it."""
    participant = stored.participant
    return AppearanceDetail(
        id=stored.pk,
        order_number=stored.order_number,
        participant_id=participant.pk,
        name=participant.name,
        country=participant.country,
        avatar_url=participant.avatar_url,
        is_performing=stored.is_performing,
        has_begun=stored.has_begun,
        came_at=stored.came_at,
        stay_id=stored.stay_id,
        left_at=stored.left_at,
        is_repeated=stored.is_repeated,
        planned_start=stored.planned_start,
        piano=str(stored.piano or ""),
        interval_after=stored.interval_after,
        program=program,
    )


class InOrder(Protocol):
    """An appearance in the order of playing; `stay_id` is its last time on stage, None before the first."""

    @property
    def order_number(self) -> int:
        """The number in the order of playing, from 1."""

    @property
    def is_performing(self) -> bool:
        """Whether it is on stage."""

    @property
    def stay_id(self) -> int | None:
        """The id of its last time on stage."""


Row = TypeVar("Row", bound=InOrder)


def performer(appearances: Sequence[Row]) -> Row | None:
    """Return the appearance on stage, or None."""
    return next((appearance for appearance in appearances if appearance.is_performing), None)


def last_on_stage(appearances: Sequence[Row]) -> Row | None:
    """Return the appearance that entered the stage last, still there or not; None before the first."""
    came = [appearance for appearance in appearances if appearance.stay_id is not None]
    return performer(appearances) or max(came, key=lambda each: each.stay_id or 0, default=None)


def following(appearances: Sequence[Row]) -> Row | None:
    """Return the appearance after the last one on stage: the first before any was, None after the end."""
    last = last_on_stage(appearances)
    current = last.order_number if last else 0
    return next((appearance for appearance in appearances if appearance.order_number > current), None)
