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
    excerpt: str  # the beginning of the biography, a character more than a card shows
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
    has_begun: bool  # before, nobody can rate it
    came_at: datetime | None  # to the stage, the last time
    left_at: datetime | None  # the stage, None as well while on it
    program: tuple[ProgramLine, ...]


@dataclass(frozen=True, slots=True)
class OrderedAppearance:
    """An appearance in its session's order of playing, by ids; `came_at` is when it came to the stage last."""

    id: int
    participant_id: int
    order_number: int
    is_performing: bool
    came_at: datetime | None


@dataclass(frozen=True, slots=True)
class AppearancePlace:
    """Whose an appearance is, and in which stage, by ids."""

    participant_id: int
    stage_id: int


@dataclass(frozen=True, slots=True)
class AppearanceProgram:
    """An appearance in a session by ids: whose it is, and the pieces of its program.

    `next_stage` is the name of the stage after its own, empty before that stage's field is drawn.
    """

    id: int
    session_id: int
    participant_id: int
    piece_ids: frozenset[int]
    has_begun: bool
    next_stage: str


@dataclass(frozen=True, slots=True)
class SessionCard:
    """A session as lists show it."""

    id: int
    title: str
    stage: str
    stage_id: int
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
    stage_id: int
    starts_at: datetime
    description: str
    youtube_id: str
    is_live: bool


@dataclass(frozen=True, slots=True)
class SessionAppearance:
    """An appearance of a participant with its session.

    `next_stage` is the name of the stage after its own, empty before that stage's field is drawn; `has_advanced` to it.
    `previous_name` is who plays before, empty for the first.
    """

    session: SessionDetail
    appearance: Appearance
    next_stage: str = ""
    has_advanced: bool = False
    previous_name: str = ""


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


@dataclass(frozen=True, slots=True)
class Named:
    """A participant or a session that a text names: `kind` is "participant" or "session"."""

    kind: str
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class LiveCard:
    """The live session as lists show it, with who is on stage: `participant_id` is None while nobody is."""

    session: SessionCard
    participant_id: int | None
    name: str
    country: str


@dataclass(frozen=True, slots=True)
class NextAppearance:
    """Where a participant plays next: in a session that lies ahead, or in the live one."""

    session_id: int
    title: str
    starts_at: datetime
    is_live: bool
    is_performing: bool
