"""Enumerations of the competition."""

from enum import StrEnum
from typing import Self

from django.db.models import TextChoices


class Category(TextChoices):
    """The categories of pieces, in the order of every list: key, plural, genres of `works.csv` with opus, and label.

    This is their only table. A new category is one line here, and the migration that `makemigrations` writes. The first
    five are the specification's (section 9); an opus restricts a genre, and the first line that fits a work has it.
    """

    plural: str  # a gettext source, as the label is
    genres: tuple[str, ...]
    opus: str

    def __new__(cls, key: str, plural: str = "", genres: str = "", opus: str = "") -> Self:
        """Make a member of one line of the table."""
        member = str.__new__(cls, key)
        member._value_ = key
        member.plural, member.genres, member.opus = plural, tuple(genres.split()), opus
        return member

    ETIUDA_A = "etiuda_a", "Études, op. 10", "etude", "10", "Etiuda Op. 10"
    ETIUDA_B = "etiuda_b", "Études, op. 25", "etude", "25", "Etiuda Op. 25"
    NOCTURN = "nocturn", "Nocturnes", "nocturne", "", "Nokturn"
    SCHERZO = "scherzo", "Scherzos", "scherzo", "", "Scherzo"
    MAZUREK = "mazurek", "Mazurkas", "mazurka", "", "Mazurek"
    BALLADE = "ballade", "Ballades", "ballade", "", "Ballade"
    WALTZ = "waltz", "Waltzes", "waltz", "", "Waltz"
    POLONAISE = "polonaise", "Polonaises", "polonaise", "", "Polonaise"
    PRELUDE = "prelude", "Preludes", "prelude", "", "Prelude"
    IMPROMPTU = "impromptu", "Impromptus", "impromptu", "", "Impromptu"
    SONATA = "sonata", "Sonatas", "sonata", "", "Sonata"
    CONCERTO = "concerto", "Concertos", "concerto", "", "Concerto"
    FANTASY = "fantasy", "Fantasies", "fantasy", "", "Fantasy"
    BARCAROLLE = "barcarolle", "Barcarolle", "barcarolle", "", "Barcarolle"
    BERCEUSE = "berceuse", "Berceuse", "berceuse", "", "Berceuse"
    RONDO = "rondo", "Rondos", "rondo", "", "Rondo"
    VARIATIONS = "variations", "Variations", "variations", "", "Variations"
    ECOSSAISE = "ecossaise", "Écossaises", "ecossaise", "", "Écossaise"
    ETUDE = "etude", "Other études", "etude", "", "Other étude"
    OTHER = "other", "Other works", "bolero tarantella other", "", "Other work"

    @classmethod
    def of_work(cls, genre: str, opus: str) -> "Category":
        """Return the category of a work of `works.csv`; `OTHER` for an unknown genre."""
        return next((each for each in cls if genre in each.genres and each.opus in ("", opus)), cls.OTHER)


SPECIFIED = tuple(Category)[:5]  # the specification's, which are the slots of a stage without slots of its own


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


class OrderSource(StrEnum):
    """The orders of a stage's performers that are stored; the value is that in the address."""

    JURY = "jury"  # computed from the marks of the jury's sheet
    OFFICIAL = "official"  # imported with it


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


class PrizeListState(TextChoices):
    """The states of a stage's list of prizes; only a published one is public."""

    DRAFT = "draft"
    PUBLISHED = "published"
    REPLACED = "replaced"  # by the published one, whose undo brings it back


class PrizeKind(TextChoices):
    """The kinds of prizes, in the order of every list."""

    PLACE = "place", "Prize"
    DISTINCTION = "distinction", "Distinction"
    SPECIAL = "special", "Special prize"


class PrizeAward(TextChoices):
    """How a prize is awarded."""

    SINGLE = "single", "To one performer"
    SHARED = "shared", "Shared by several"
    NONE = "none", "Not awarded"
