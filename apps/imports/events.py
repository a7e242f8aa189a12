"""Events of imports, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "account.<id>.jury_file": "the jury's file that one administrator has sent",
        "account.<id>.program_text": "the program that one administrator has pasted",
        "imports": "the participant files that were sent and saved",
    }
)


@dataclass(frozen=True, slots=True)
class ParticipantImportChanged:
    """A participant file was uploaded, read again, saved, undone or discarded, or one of its rows was decided."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("imports",)


@dataclass(frozen=True, slots=True)
class ProgramTextChanged:
    """An administrator's pasted program text was replaced, cleared or assigned."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic of this administrator's text."""
        return (f"account.{self.user_id}.program_text",)


@dataclass(frozen=True, slots=True)
class JuryFileChanged:
    """An administrator's file of the jury was sent, decided, saved or cleared."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic of this administrator's file."""
        return (f"account.{self.user_id}.jury_file",)
