"""Events of imports, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "account.<id>.program_text": "the program that one administrator has pasted",
        "imports": "the participant files that were sent and saved",
    }
)


@dataclass(frozen=True, slots=True)
class ParticipantImportChanged:
    """A participant file was sent, read anew, decided about, saved, taken back or forgotten."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("imports",)


@dataclass(frozen=True, slots=True)
class ProgramTextChanged:
    """An administrator has pasted another program, or it is assigned."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic of this person's text."""
        return (f"account.{self.user_id}.program_text",)
