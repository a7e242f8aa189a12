"""Results of the competition's selectors: frozen and complete, without later queries."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ParticipantCard:
    """A participant as lists show one."""

    id: int
    name: str
    country: str
    birth_year: int | None
    excerpt: str  # the first 100 characters of the biography
    avatar_url: str
    appearance_count: int


@dataclass(frozen=True, slots=True)
class ParticipantDetail:
    """A participant as its own page shows it."""

    id: int
    name: str
    country: str
    birth_year: int | None
    biography: str
    avatar_url: str
    appearance_count: int


@dataclass(frozen=True, slots=True)
class PieceTitle:
    """A piece as a program prints it; `opus` is a number where it is one, else a word such as "posth."."""

    id: int
    name: str
    category: str
    composer: str
    title: str
    key: str
    opus: int | str | None
    number: int | None


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """One line of a program and where it can be watched: `video_id` is empty when nowhere."""

    id: int
    order_number: int
    slot: str
    piece: PieceTitle
    video_id: str
    second: int | None


@dataclass(frozen=True, slots=True)
class Appearance:
    """A participant's appearance in a session, with the program."""

    id: int
    order_number: int
    participant_id: int
    name: str
    country: str
    avatar_url: str
    is_performing: bool
    program: tuple[ProgramLine, ...]


@dataclass(frozen=True, slots=True)
class AppearanceProgram:
    """An appearance in a session by ids: whose it is, and the pieces of its program."""

    id: int
    session_id: int
    participant_id: int
    piece_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class SessionCard:
    """A session as lists show it."""

    id: int
    title: str
    stage: str
    starts_at: datetime
    description: str
    participant_count: int
    youtube_id: str
    is_live: bool


@dataclass(frozen=True, slots=True)
class SessionDetail:
    """A session as its own page shows it."""

    id: int
    title: str
    stage: str
    starts_at: datetime
    description: str
    youtube_id: str
    is_live: bool


@dataclass(frozen=True, slots=True)
class SessionAppearance:
    """An appearance of a participant with its session."""

    session: SessionDetail
    appearance: Appearance


@dataclass(frozen=True, slots=True)
class LiveNow:
    """Who is on stage in the live session."""

    session_id: int
    session_title: str
    stage: str
    participant_id: int
    name: str
    country: str
    avatar_url: str
