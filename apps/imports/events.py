"""What happens to imports, and whose screens it makes out of date.

Topic: `account.<id>.program_text` the program that one administrator has pasted.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProgramTextChanged:
    """An administrator has pasted another program, or it is assigned."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic of this person's text."""
        return (f"account.{self.user_id}.program_text",)
