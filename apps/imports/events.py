"""What happens to imports, and whose screens it makes out of date.

Topic: `imports` the participant files that were sent and saved.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParticipantImportChanged:
    """A participant file was sent, read anew, decided about, saved, taken back or forgotten."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("imports",)
