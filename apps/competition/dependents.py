"""What other apps hold of sessions, appearances and pieces, and what becomes of it when those go.

An app that refers to them registers once, in its `AppConfig.ready`; the competition imports none of them.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.core.edits.confirmation import ConfirmationNeeded


@dataclass(frozen=True, slots=True)
class Dependents:
    """What hangs on one place, or session: a sentence, the source of its translation, with the numbers in it."""

    text: str
    numbers: Mapping[str, int]

    def __str__(self) -> str:
        return self.text % self.numbers


@dataclass(frozen=True, slots=True)
class DependentRows:
    """One app's answers: what hangs on these appearances, by appearance; its end; which of these pieces cannot go."""

    appearances: Callable[[Sequence[int]], Mapping[int, Dependents]]
    delete: Callable[[Actor, int], object]
    pieces: Callable[[Sequence[int]], AbstractSet[int]]


class HasDependents(ConfirmationNeeded):
    """Something would go with what others gave for it. A confirmation is missing.

    `appearances` says whose appearance, and what; `session` what besides goes with the whole session.
    """

    def __init__(self, appearances: tuple[tuple[str, Dependents], ...], session: tuple[Dependents, ...] = ()) -> None:
        session_errors = [ValidationError(dependents.text, params=dict(dependents.numbers)) for dependents in session]
        super().__init__([_sentence(name, dependents) for name, dependents in appearances] + session_errors)
        self.appearances = appearances
        self.session = session


_apps: list[DependentRows] = []
_session_apps: list[Callable[[int], Dependents | None]] = []


def register(app: DependentRows) -> None:
    """Ask this app from now on, whenever an appearance or a piece is to go."""
    _apps.append(app)


def session_register(dependents: Callable[[int], Dependents | None]) -> None:
    """Ask this from now on, whenever a session is to go: what hangs on it, if anything. The database takes it along."""
    _session_apps.append(dependents)


def session_dependents(session_id: int) -> tuple[Dependents, ...]:
    """Return what hangs on this session besides its appearances. As many queries as the apps need."""
    return tuple(dependents for answer in _session_apps if (dependents := answer(session_id)) is not None)


def appearance_dependents(appearance_ids: Sequence[int]) -> Mapping[int, Dependents]:
    """Return what hangs on these appearances, by id, where anything does. As many queries as the apps need."""
    return {
        appearance_id: dependents
        for app in _apps
        for appearance_id, dependents in app.appearances(appearance_ids).items()
    }


def appearance_dependents_delete(actor: Actor, appearance_ids: Sequence[int]) -> None:
    """Delete what hangs on these appearances, in the transaction that removes them."""
    for app in _apps:
        for appearance_id in appearance_ids:
            app.delete(actor, appearance_id)


def pieces_in_use(piece_ids: Sequence[int]) -> AbstractSet[int]:
    """Return which of these pieces others refer to."""
    return {piece_id for app in _apps for piece_id in app.pieces(piece_ids)}


def _sentence(name: str, dependents: Dependents) -> ValidationError:
    return ValidationError(
        f"%(name)s would go with what listeners gave. {dependents.text}", params={"name": name, **dependents.numbers}
    )
