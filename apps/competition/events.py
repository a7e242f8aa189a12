"""Events of the competition, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "featured_participants": "any participant, and how often each performs",
        "live": "the banner Live Now",
        "sessions": "the list of sessions",
        "session.<id>": "one session's title, date, description and video, and whether it is live",
        "session.<id>.performer": "one session's performer, appearances and programs, and the names in them",
        "participant.<id>": "one participant's page with the performances",
        "participants.removed": "the pages of many participants at once",
        "stages": "the stages, their order, who advances from them, and their prizes",
        "pieces": "the catalogue",
        "programs": "any program",
        "pianos": "the list of pianos",
    }
)


def _performers(session_ids: tuple[int, ...]) -> tuple[str, ...]:
    """Return the topics of these sessions' performers, appearances and programs."""
    return tuple(f"session.{pk}.performer" for pk in session_ids)


def _participants(participant_ids: tuple[int, ...]) -> tuple[str, ...]:
    """Return the topics of these participants' pages."""
    return tuple(f"participant.{pk}" for pk in participant_ids)


@dataclass(frozen=True, slots=True)
class LiveChanged:
    """Sessions went live or ended."""

    session_ids: tuple[int, ...]
    participant_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        own = tuple(f"session.{pk}" for pk in self.session_ids)
        return ("live", "sessions", *own, *_performers(self.session_ids), *_participants(self.participant_ids))


@dataclass(frozen=True, slots=True)
class PerformerChanged:
    """The performer of a session changed."""

    session_id: int
    participant_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("live", *_performers((self.session_id,)), *_participants(self.participant_ids))


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A session was created, or its title, stage, date, description or video changed."""

    session_id: int
    participant_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        own = (f"session.{self.session_id}", *_performers((self.session_id,)))
        return ("live", "sessions", *own, *_participants(self.participant_ids))


@dataclass(frozen=True, slots=True)
class AppearancesChanged:
    """Appearances in a session were added, removed or reordered."""

    session_id: int
    participant_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        pages = _participants(self.participant_ids)
        return ("featured_participants", "sessions", *_performers((self.session_id,)), *pages)


@dataclass(frozen=True, slots=True)
class PlannedTimesChanged:
    """The planned times of a session changed."""

    session_id: int
    participant_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        own = (f"session.{self.session_id}", *_performers((self.session_id,)))
        return ("sessions", *own, *_participants(self.participant_ids))


@dataclass(frozen=True, slots=True)
class ProgramChanged:
    """The program of one appearance changed, and with it the marks that the stage's ranking counts."""

    session_id: int
    participant_id: int
    stage_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        pages = _participants((self.participant_id,))
        return ("programs", *_performers((self.session_id,)), *pages, f"stage.{self.stage_id}.ratings")


@dataclass(frozen=True, slots=True)
class ProgramsChanged:
    """The programs of several appearances changed at once, as `ProgramChanged` for each."""

    session_ids: tuple[int, ...]
    participant_ids: tuple[int, ...]
    stage_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        stages = tuple(f"stage.{pk}.ratings" for pk in self.stage_ids)
        return ("programs", *_performers(self.session_ids), *_participants(self.participant_ids), *stages)


@dataclass(frozen=True, slots=True)
class CountingAppearanceChanged:
    """Other appearances of participants count in the rankings of stages: chosen, or moved with their session."""

    stage_ids: tuple[int, ...]
    session_ids: tuple[int, ...]
    participant_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        stages = tuple(f"stage.{pk}.ratings" for pk in self.stage_ids)
        return (*_performers(self.session_ids), *_participants(self.participant_ids), *stages)


@dataclass(frozen=True, slots=True)
class ParticipantChanged:
    """A participant was created or changed; `session_ids` are the sessions that show the name."""

    participant_id: int
    session_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        page = _participants((self.participant_id,))
        return ("featured_participants", "live", *page, *_performers(self.session_ids))


@dataclass(frozen=True, slots=True)
class ParticipantsChanged:
    """An import filled or changed facts of participants; `session_ids` are the sessions that show their names."""

    participant_ids: tuple[int, ...]
    session_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("featured_participants", "live", *_participants(self.participant_ids), *_performers(self.session_ids))


@dataclass(frozen=True, slots=True)
class ParticipantsAdded:
    """Participants were added. None is in a session or has an open page yet, so that no topic has an id."""

    participant_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("featured_participants",)


@dataclass(frozen=True, slots=True)
class ParticipantsRemoved:
    """Participants without an appearance in any session were deleted."""

    participant_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("featured_participants", "participants.removed")


@dataclass(frozen=True, slots=True)
class StagesChanged:
    """A stage was created, archived, restored or deleted, its outcome published or withdrawn, or slots changed.

    The outcome is who advances, and prizes.

    `stage_ids` are stages that were created or deleted.
    """

    stage_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("stages",)


@dataclass(frozen=True, slots=True)
class StageRenamed:
    """A stage was renamed, or stages were reordered; sessions and participants are those of these stages."""

    session_ids: tuple[int, ...]
    participant_ids: tuple[int, ...]
    stage_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        own = tuple(f"session.{pk}" for pk in self.session_ids)
        pages = _participants(self.participant_ids)
        return ("stages", "featured_participants", "live", "sessions", *own, *_performers(self.session_ids), *pages)


@dataclass(frozen=True, slots=True)
class PiecesChanged:
    """Pieces of the catalogue were added, changed or deleted; sessions and participants are those that show them."""

    session_ids: tuple[int, ...] = ()
    participant_ids: tuple[int, ...] = ()
    piece_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("pieces", *_performers(self.session_ids), *_participants(self.participant_ids))


@dataclass(frozen=True, slots=True)
class PianosChanged:
    """The list of pianos changed, or the pianos of these participants' performances in these sessions."""

    session_ids: tuple[int, ...] = ()
    participant_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        lists = ("sessions",) if self.session_ids else ()
        return ("pianos", *lists, *_performers(self.session_ids), *_participants(self.participant_ids))
