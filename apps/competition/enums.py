"""Enumerations of the competition."""

from enum import StrEnum

from django.db.models import TextChoices


class Category(TextChoices):
    """The categories of pieces; each program slot has one of them (specification, section 9)."""

    ETIUDA_A = "etiuda_a", "Etiuda Op. 10"
    ETIUDA_B = "etiuda_b", "Etiuda Op. 25"
    NOCTURN = "nocturn", "Nokturn"
    SCHERZO = "scherzo", "Scherzo"
    MAZUREK = "mazurek", "Mazurek"


class StageState(StrEnum):
    """Whether new sessions may use a stage."""

    ARCHIVED = "archived"
    OFFERED = "offered"


class StagePhase(StrEnum):
    """Where a stage is in time; between two of its sessions it is under way."""

    BEFORE = "before"
    LIVE = "live"
    UNDER_WAY = "under way"
    OVER = "over"


class UndoKind(StrEnum):
    """The kind of a change to programs that can be undone."""

    REMOVAL = "removal"  # of performers from a session
    ASSIGNMENT = "assignment"  # of a new program


class OrderFill(StrEnum):
    """The ways to fill the order of playing in a session's form."""

    LINES = "lines"  # of a pasted list
    CHOSEN = "chosen"  # participants for lines that named none
    NEXT = "next"  # participants in no session of the stage
    COPY = "copy"  # of another session
    ADVANCING = "advancing"  # from the stage before


class SessionFilter(StrEnum):
    """The tabs of the session list."""

    UPCOMING = "upcoming"
    PAST = "past"
    ALL = "all"


class ObjectKind(StrEnum):
    """Kinds of objects of the competition that the audit names."""

    PARTICIPANT = "participant"
    PIECE = "piece"
    SESSION = "session"
    STAGE = "stage"
