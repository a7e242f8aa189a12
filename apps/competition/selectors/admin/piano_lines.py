"""Reads lists that give pianos to participants: each line names one, and a piano.

The columns are those of a header ("Number; Name; Maker; Model"); without one they are start number, name, or both, and
then the piano.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from apps.competition.limits import NAME_LENGTH
from apps.competition.models import Piano
from apps.competition.piano_columns import DELIMITERS, PianoRow, cells_of, piano_header
from apps.competition.piano_names import PianoName, by_key, piano_read
from apps.competition.selectors.admin.order_lines import People

_LONG = "Line %(line)d: the name of a piano is too long."


@dataclass(frozen=True, slots=True)
class PianoLine:
    """A line: its number, the participant that it names, None for none and for several, and the piano, None if empty.

    `text` is what it calls the participant.
    """

    number: int
    participant_id: int | None
    text: str
    piano: PianoName | None


def piano_lines_read(text: str, field: str) -> tuple[PianoLine, ...]:
    """Return these lines, without empty ones. Two queries. Raises ValidationError at `field` for a too long piano."""
    people, known = People.read(), by_key(Piano.objects.all())
    return tuple(_line(row, people, known, field) for row in _rows(text, people))


def _line(row: PianoRow, people: People, known: Mapping[str, Piano], field: str) -> PianoLine:
    participant_id, words = people.named(row.person), row.piano
    if participant_id is None and row.others and piano_read(row.others).key in known:
        participant_id, words = people.named(row.person.partition(";")[0]), row.others
    piano = piano_read(words) if words else None
    if piano and max(len(piano.maker), len(piano.model)) > NAME_LENGTH:
        raise ValidationError({field: ValidationError(_LONG, params={"line": row.number})})
    if piano and (stored := known.get(piano.key)):
        piano = PianoName(stored.maker, stored.model)
    return PianoLine(row.number, participant_id, " ".join(row.person.replace(";", " ").split()), piano)


def _rows(text: str, people: People) -> Iterator[PianoRow]:
    header = piano_header(text)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and header is None:
            yield _unheaded(number, line, people)
        elif line.strip() and header and number > header.line:
            yield header.row(number, line)


def _unheaded(number: int, line: str, people: People) -> PianoRow:
    """Return a line without a header: a start number, a name, or both, and then the piano in one cell or two."""
    delimiter = next((sign for sign in DELIMITERS if sign in line), ";")
    cells = [cell for cell in cells_of(line, delimiter) if cell]
    start, rest = (cells[:1], cells[1:]) if cells and cells[0].isdecimal() else ([], cells)
    named = 0 if start and len(rest) <= 1 else 1
    if delimiter == ",":  # "Ushida, Tomoharu, Yamaha CFX"
        named = next((at for at in (2, 1) if len(rest) > at and people.named(", ".join(rest[:at]))), named)
    person = "; ".join((*start, *filter(None, [", ".join(rest[:named])])))
    return PianoRow(number, person, ", ".join(rest[named:]), others=", ".join(rest) if start else "")
