"""Fixed sets of words of the competition."""

from enum import StrEnum

from django.db.models import TextChoices


class Category(TextChoices):
    """The categories of pieces; a program slot asks for one of them (specification, section 9)."""

    ETIUDA_A = "etiuda_a", "Etiuda Op. 10"
    ETIUDA_B = "etiuda_b", "Etiuda Op. 25"
    NOCTURN = "nocturn", "Nokturn"
    SCHERZO = "scherzo", "Scherzo"
    MAZUREK = "mazurek", "Mazurek"


class FieldState(StrEnum):
    """Whether it is known who plays in a stage."""

    DRAWN = "drawn"
    OPEN = "open"


class StageState(StrEnum):
    """Whether new sessions may belong to a stage."""

    ARCHIVED = "archived"
    OFFERED = "offered"


class UndoKind(StrEnum):
    """What took programs away that can be brought back for minutes."""

    REMOVAL = "removal"  # of performers from a session
    ASSIGNMENT = "assignment"  # of another program


class SessionFilter(StrEnum):
    """The tabs of the session list."""

    UPCOMING = "upcoming"
    PAST = "past"
    ALL = "all"
