"""Pasted programs and what their lines become."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.imports.enums import LineStatus
from apps.imports.models import ProgramText
from apps.imports.program_lines.lines import ProgramLine, program_read
from apps.imports.selectors.catalogue import catalogue_get


@dataclass(frozen=True, slots=True)
class ProgramPreview:
    """A text with what each of its lines became."""

    text: str
    lines: tuple[ProgramLine, ...]

    def count(self, *statuses: LineStatus) -> int:
        """Return how many lines became one of these."""
        return sum(line.status in statuses for line in self.lines)


def program_text_get(*, user_id: int) -> str:
    """Return the program that this administrator has pasted, empty without one. One query."""
    return ProgramText.objects.filter(user_id=user_id).values_list("text", flat=True).first() or ""


def program_preview(*, user_id: int, names: Sequence[str] = ()) -> ProgramPreview:
    """Return the pasted program and what its lines become; `names` on a line alone are a heading. Two queries."""
    text = program_text_get(user_id=user_id)
    return ProgramPreview(text, program_read(text, catalogue_get(), names=names) if text else ())


def program_texts_own(*, user_id: int) -> Mapping[str, Any]:
    """Return what the download of one's data contains of pasted programs. One query."""
    return {"program_text": program_text_get(user_id=user_id)}
