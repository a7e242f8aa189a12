"""Rows of other apps that depend on sessions, appearances and pieces, and their deletion.

An app with such rows registers once, in its `AppConfig.ready`; the competition imports none of these apps.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.core.edits import ConfirmationNeeded


@dataclass(frozen=True, slots=True)
class Dependents:
    """The rows that depend on an appearance or session, as a sentence (a gettext source) and its numbers."""

    text: str
    numbers: Mapping[str, int]

    def __str__(self) -> str:
        return self.text % self.numbers


@dataclass(frozen=True, slots=True)
class DependentRows:
    """One app's functions: dependents by appearance id, and their deletion.

    `entries` returns the number of rows that depend on each piece of an appearance, by piece id, without zeros.
    `entries_delete` deletes the rows of some of its pieces.
    """

    appearances: Callable[[Sequence[int]], Mapping[int, Dependents]]
    delete: Callable[[Actor, int], object]
    entries: Callable[[int], Mapping[int, int]]
    entries_delete: Callable[[Actor, int, Collection[int]], object]


PROGRAM_GOES = "%(name)s would be taken out with the program (pieces: %(n)d). It can be brought back for ten minutes."


class HasDependents(ConfirmationNeeded):
    """Raised without confirmation when dependents would be deleted too.

    `appearances` are names with their dependents. `session` are the dependents of the session itself. `programs` are
    names with the number of pieces in their programs.
    """

    def __init__(
        self,
        appearances: tuple[tuple[str, Dependents], ...],
        session: tuple[Dependents, ...] = (),
        programs: tuple[tuple[str, int], ...] = (),
    ) -> None:
        session_errors = [ValidationError(dependents.text, params=dict(dependents.numbers)) for dependents in session]
        program_errors = [ValidationError(PROGRAM_GOES, params={"name": name, "n": n}) for name, n in programs]
        given = [_sentence(name, dependents) for name, dependents in appearances]
        super().__init__([*given, *session_errors, *program_errors])
        self.appearances = appearances
        self.session = session


Effects = Callable[[int, Collection[int]], Sequence[ValidationError]]
_apps: list[DependentRows] = []
_effects: list[Effects] = []
SubjectsEnd = Callable[[Collection[int]], None]
_session_apps: list[Callable[[int], Dependents | None]] = []
_subject_apps: list[SubjectsEnd] = []


def register(app: DependentRows) -> None:
    """Register an app's functions, which are called when an appearance is deleted or a piece leaves its program."""
    _apps.append(app)


def session_register(dependents: Callable[[int], Dependents | None]) -> None:
    """Register a function that returns a session's dependents or None; the database deletes them by cascade."""
    _session_apps.append(dependents)


def subjects_register(end: SubjectsEnd) -> None:
    """Register a function that detaches an app's texts from appearances, given by id, before these are deleted.

    The texts stay, so no confirmation names them.
    """
    _subject_apps.append(end)


def program_effects_register(effects: Effects) -> None:
    """Register a function that returns the effects of a new program, given by piece ids, as sentences."""
    _effects.append(effects)


def program_effects(appearance_id: int, piece_ids: Collection[int]) -> tuple[ValidationError, ...]:
    """Return the effects in other apps if these pieces replaced an appearance's program, one sentence each."""
    return tuple(sentence for effects in _effects for sentence in effects(appearance_id, piece_ids))


def session_dependents(session_id: int) -> tuple[Dependents, ...]:
    """Return the session's dependents, without those of its appearances. Queries depend on the apps."""
    return tuple(dependents for answer in _session_apps if (dependents := answer(session_id)) is not None)


def appearance_dependents(appearance_ids: Sequence[int]) -> Mapping[int, Dependents]:
    """Return the dependents of these appearances by id, without empty ones. Queries depend on the apps."""
    return {
        appearance_id: dependents
        for app in _apps
        for appearance_id, dependents in app.appearances(appearance_ids).items()
    }


def appearance_dependents_delete(actor: Actor, appearance_ids: Sequence[int]) -> None:
    """Delete the dependents of these appearances, in the transaction that removes them."""
    for app in _apps:
        for appearance_id in appearance_ids:
            app.delete(actor, appearance_id)


def subjects_end(appearance_ids: Collection[int]) -> None:
    """Detach the texts about these appearances, in the transaction that locked and deletes them."""
    for end in _subject_apps:
        end(appearance_ids)


def entry_dependents(appearance_id: int) -> Mapping[int, int]:
    """Return the number of rows of other apps that depend on each piece of this appearance, by piece id."""
    counts: Counter[int] = Counter()
    for app in _apps:
        counts.update(app.entries(appearance_id))
    return counts


def entry_dependents_delete(actor: Actor, appearance_id: int, piece_ids: Collection[int]) -> None:
    """Delete the rows of other apps that depend on these pieces, before the pieces leave the program."""
    for app in _apps:
        app.entries_delete(actor, appearance_id, piece_ids)


def _sentence(name: str, dependents: Dependents) -> ValidationError:
    return ValidationError(
        f"%(name)s would go with what listeners gave. {dependents.text}", params={"name": name, **dependents.numbers}
    )
