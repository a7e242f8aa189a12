"""A session's order of playing before it is saved: the address of the form that shows it, and what was read.

The order stands in the form's address, so that the form shows it with and without scripts. Nothing is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from urllib.parse import quote, urlencode

from apps.competition.limits import ORDER_MOST, PERFORMERS_MOST
from apps.core.id_orders import IdOrder, id_order_of

PATH = "/admin/sessions"
OPEN_LENGTH = 900  # characters of the open lines in an address
_STAMP = 4  # bytes; makes two equal orders two addresses
_DIGITS = 18  # of an id


@dataclass(frozen=True, slots=True)
class OpenLine:
    """A line of a pasted list that names no participant, or several ones.

    `after` is the participant of the line before it, 0 for the first one; a participant chosen for it comes after that.
    """

    number: int
    after: int
    text: str


@dataclass(frozen=True, slots=True)
class OrderDraft:
    """An order that is not saved yet, and what became of the lines that were read.

    The numbers of lines that are added, there already, repeated and open add up to all lines. `pianos` are ids of
    participants with their piano's. `stamp` tells one draft from the next. `read` is the order that the editor opened,
    if another one is stored since; saving compares with it.
    """

    participant_ids: tuple[int, ...] = ()
    added: int = 0
    there: tuple[int, ...] = ()  # numbers of lines
    repeated: tuple[int, ...] = ()  # numbers of lines
    open_lines: tuple[OpenLine, ...] = ()
    pianos: tuple[tuple[int, int], ...] = ()
    read: IdOrder | None = None
    stamp: str = field(default_factory=lambda: token_hex(_STAMP))

    @property
    def lines(self) -> int:
        """Return how many lines were read."""
        return self.added + len(self.there) + len(self.repeated) + len(self.open_lines)

    def address(self, session_id: int) -> str:
        """Return the address of the session's form that shows this order; the id 0 is a new session."""
        mode = f"mode=edit&id={session_id}" if session_id else "mode=create"
        return f"{PATH}?{mode}&{self.query}"

    @property
    def query(self) -> str:
        """Return the part of a form's address that contains this order."""
        values = {
            "order": _joined(self.participant_ids),
            "stamp": self.stamp,
            "added": str(self.added),
            "there": _joined(self.there),
            "repeated": _joined(self.repeated),
            "open": _open(self.open_lines),
            "pianos": pianos_joined(self.pianos),
            "read": self.read.version if self.read is not None else "",
        }
        return urlencode({name: text for name, text in values.items() if text})

    @property
    def is_long(self) -> bool:
        """Return whether the open lines are too long for an address."""
        return len(quote(_open(self.open_lines))) > OPEN_LENGTH


def order_draft_of(query: Mapping[str, str], most: int = PERFORMERS_MOST) -> OrderDraft | None:
    """Return the order in a form's address, None without one; what cannot be read is left out, and more than `most`."""
    if "stamp" not in query:
        return None
    return OrderDraft(
        participant_ids=tuple(dict.fromkeys(_numbers(query.get("order", ""), most))),
        added=next(iter(_numbers(query.get("added", ""), 1)), 0),
        there=_numbers(query.get("there", ""), ORDER_MOST),
        repeated=_numbers(query.get("repeated", ""), ORDER_MOST),
        open_lines=tuple(filter(None, map(_open_line, query.get("open", "").split("\n")))),
        pianos=pianos_read(query.get("pianos", "")),
        read=id_order_of(query.get("read", "")),
        stamp=query["stamp"][: 2 * _STAMP],
    )


def pianos_joined(pianos: Sequence[tuple[int, int]]) -> str:
    """Return participants with their pianos as a text: "17.2-18.3"."""
    return "-".join(f"{participant_id}.{piano_id}" for participant_id, piano_id in pianos)


def pianos_read(text: str) -> tuple[tuple[int, int], ...]:
    """Return the participants with their pianos in a text; what cannot be read is left out."""
    pairs = (_numbers(pair.replace(".", "-"), 2) for pair in text.split("-")[:PERFORMERS_MOST])
    return tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2)  # noqa: PLR2004 - a pair


def _joined(numbers: Sequence[int]) -> str:
    return "-".join(map(str, numbers))


def _numbers(text: str, most: int) -> tuple[int, ...]:
    words = [word for word in text.split("-") if word.isascii() and word.isdecimal() and len(word) <= _DIGITS]
    return tuple(map(int, words[:most]))


def _open(lines: Sequence[OpenLine]) -> str:
    return "\n".join(f"{line.number}-{line.after}-{line.text}" for line in lines)


def _open_line(text: str) -> OpenLine | None:
    number, _, rest = text.partition("-")
    after, _, words = rest.partition("-")
    found = (*_numbers(number, 1), *_numbers(after, 1))
    return OpenLine(found[0], found[1], words) if len(found) > 1 and words else None
