"""Jurors that the lines of a jury's file are compared with, and how a participant is chosen by hand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from zlib import crc32

from apps.competition.selectors.admin.participants import ParticipantName
from apps.core.people import name_keys, stored_keys
from apps.core.text_rules import fold


@dataclass(frozen=True, slots=True)
class JurorFound:
    """A juror of a file: the spelling that is stored, and whether the juror is new.

    `near` is the nearest spelling of another juror, which differs in signs and accents only; empty without one.
    """

    name: str
    is_new: bool = True
    near: str = ""


class Jurors:
    """The stored jurors, and those of a file in the order in which they are found."""

    def __init__(self, stored: Iterable[str]) -> None:
        self.by_words: dict[tuple[str, ...], JurorFound] = {}
        self.by_key: dict[str, str] = {}
        for name in stored:
            self._add(name, JurorFound(name, is_new=False))

    def find(self, name: str) -> JurorFound:
        """Return the juror with this name in either order; the first spelling of a new one stays."""
        if juror := self.by_words.get(_words(name)):
            return juror
        near = next((self.by_key[key] for key in name_keys(name) if key in self.by_key), "")
        last, _, first = name.partition(",")
        juror = JurorFound(" ".join(f"{first} {last}".replace(",", " ").split()), near=near)
        self._add(name, juror)
        return juror

    def _add(self, name: str, juror: JurorFound) -> None:
        self.by_words.setdefault(_words(name), juror)
        for key in stored_keys(name):
            self.by_key.setdefault(key, juror.name)


def _words(name: str) -> tuple[str, ...]:
    """Return the folded words of a name, in any order and without the comma of "Nowak, Zofia"."""
    return tuple(sorted(fold(name).replace(",", " ").split()))


def mark_of(kind: str, line: int, text: str) -> str:
    """Return the name of a field that chooses by hand: kind, first line and checksum; another file has other names."""
    return f"{kind}-{line}-{crc32(text.encode())}"


def participant_labels(participants: Iterable[ParticipantName]) -> Mapping[str, ParticipantName]:
    """Return the participants by the unique text with which one is chosen by hand."""
    labels: dict[str, ParticipantName] = {}
    for each in participants:
        label = participant_label(each)
        labels[label if label not in labels else f"{label} ({each.id})"] = each
    return labels


def participant_label(participant: ParticipantName) -> str:
    """Return the text with which a participant is chosen: "12 Zofia Nowak, Poland"."""
    number = f"{participant.start_number} " if participant.start_number is not None else ""
    return f"{number}{participant.name}, {participant.country}"
