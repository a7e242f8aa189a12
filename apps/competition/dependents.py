"""What other apps hold of sessions, places and pieces, and what becomes of it when those go.

An app that refers to them registers once, in its `AppConfig.ready`; the competition imports none of them.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.core.confirmation import Unconfirmed


@dataclass(frozen=True, slots=True)
class Held:
    """What hangs on one place, or session: a sentence, the source of its translation, with the numbers in it."""

    text: str
    numbers: Mapping[str, int]

    def __str__(self) -> str:
        return self.text % self.numbers


@dataclass(frozen=True, slots=True)
class Holder:
    """One app's answers: what hangs on these places, by place; its end; which of these pieces cannot go."""

    places: Callable[[Sequence[int]], Mapping[int, Held]]
    release: Callable[[Actor, int], object]
    pieces: Callable[[Sequence[int]], AbstractSet[int]]


class Attached(Unconfirmed):
    """Something would go with what others gave for it. A confirmation is missing.

    `places` says whose place, and what; `session` what besides goes with the whole session.
    """

    def __init__(self, places: tuple[tuple[str, Held], ...], session: tuple[Held, ...] = ()) -> None:
        whole = [ValidationError(held.text, params=dict(held.numbers)) for held in session]
        super().__init__([_sentence(name, held) for name, held in places] + whole)
        self.places = places
        self.session = session


_holders: list[Holder] = []
_session_holders: list[Callable[[int], Held | None]] = []


def register(holder: Holder) -> None:
    """Ask this app from now on, whenever a place or a piece is to go."""
    _holders.append(holder)


def session_register(held: Callable[[int], Held | None]) -> None:
    """Ask this from now on, whenever a session is to go: what hangs on it, if anything. The database takes it along."""
    _session_holders.append(held)


def session_held(session_id: int) -> tuple[Held, ...]:
    """Return what hangs on this session besides its places. As many queries as the holders need."""
    return tuple(held for answer in _session_holders if (held := answer(session_id)) is not None)


def places_held(place_ids: Sequence[int]) -> Mapping[int, Held]:
    """Return what hangs on these places, by place, where there is anything. As many queries as the holders need."""
    return {place_id: held for holder in _holders for place_id, held in holder.places(place_ids).items()}


def places_release(actor: Actor, place_ids: Sequence[int]) -> None:
    """Delete what hangs on these places, in the transaction that removes them."""
    for holder in _holders:
        for place_id in place_ids:
            holder.release(actor, place_id)


def pieces_held(piece_ids: Sequence[int]) -> AbstractSet[int]:
    """Return which of these pieces others refer to."""
    return {piece_id for holder in _holders for piece_id in holder.pieces(piece_ids)}


def _sentence(name: str, held: Held) -> ValidationError:
    return ValidationError(
        f"%(name)s would go with what listeners gave. {held.text}", params={"name": name, **held.numbers}
    )
