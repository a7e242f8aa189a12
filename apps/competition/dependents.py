"""What other apps hold of sessions, appearances and pieces, and what becomes of it when those go.

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
    """One app's answers: what hangs on these appearances, by appearance; its end; which of these pieces cannot go."""

    appearances: Callable[[Sequence[int]], Mapping[int, Held]]
    release: Callable[[Actor, int], object]
    pieces: Callable[[Sequence[int]], AbstractSet[int]]


class Attached(Unconfirmed):
    """Something would go with what others gave for it. A confirmation is missing.

    `appearances` says whose appearance, and what; `session` what besides goes with the whole session.
    """

    def __init__(self, appearances: tuple[tuple[str, Held], ...], session: tuple[Held, ...] = ()) -> None:
        whole = [ValidationError(held.text, params=dict(held.numbers)) for held in session]
        super().__init__([_sentence(name, held) for name, held in appearances] + whole)
        self.appearances = appearances
        self.session = session


_holders: list[Holder] = []
_session_holders: list[Callable[[int], Held | None]] = []


def register(holder: Holder) -> None:
    """Ask this app from now on, whenever an appearance or a piece is to go."""
    _holders.append(holder)


def session_register(held: Callable[[int], Held | None]) -> None:
    """Ask this from now on, whenever a session is to go: what hangs on it, if anything. The database takes it along."""
    _session_holders.append(held)


def session_held(session_id: int) -> tuple[Held, ...]:
    """Return what hangs on this session besides its appearances. As many queries as the holders need."""
    return tuple(held for answer in _session_holders if (held := answer(session_id)) is not None)


def appearances_held(appearance_ids: Sequence[int]) -> Mapping[int, Held]:
    """Return what hangs on these appearances, by appearance, where anything does. As many queries as the holders need."""
    return {
        appearance_id: held for holder in _holders for appearance_id, held in holder.appearances(appearance_ids).items()
    }


def appearances_release(actor: Actor, appearance_ids: Sequence[int]) -> None:
    """Delete what hangs on these appearances, in the transaction that removes them."""
    for holder in _holders:
        for appearance_id in appearance_ids:
            holder.release(actor, appearance_id)


def pieces_held(piece_ids: Sequence[int]) -> AbstractSet[int]:
    """Return which of these pieces others refer to."""
    return {piece_id for holder in _holders for piece_id in holder.pieces(piece_ids)}


def _sentence(name: str, held: Held) -> ValidationError:
    return ValidationError(
        f"%(name)s would go with what listeners gave. {held.text}", params={"name": name, **held.numbers}
    )
