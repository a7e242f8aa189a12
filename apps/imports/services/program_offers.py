"""Take offered programs: of one appearance, or of all appearances of a session at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.permissions import can_edit_competition
from apps.competition.services.program_batches import NewProgram, programs_set
from apps.competition.services.programs import NewEntry
from apps.core.permissions import require
from apps.imports.enums import OfferSource
from apps.imports.program_offers import AppearanceOffers
from apps.imports.selectors.programs import program_offers
from apps.imports.services.programs import NOT_ALLOWED, item_piece

GONE = "Selected participant not found"


@dataclass(frozen=True, slots=True)
class ProgramsTaken:
    """The result of taking programs. Each of the `all` appearances is in exactly one of the four groups of names.

    `missing` are the lines of taken programs without a certain piece, each with the participant's name.
    """

    taken: tuple[str, ...]
    had_program: tuple[str, ...]
    nothing_offered: tuple[str, ...]
    nothing_found: tuple[str, ...]  # offered, but no line is a piece of the catalogue
    pieces: int
    missing: tuple[tuple[str, str], ...]
    undo_id: int | None

    @property
    def all(self) -> int:
        """The number of appearances."""
        return sum(map(len, (self.taken, self.had_program, self.nothing_offered, self.nothing_found)))


@transaction.atomic
def programs_take(
    *, actor: Actor, session_id: int, source: OfferSource, appearance_id: int | None = None
) -> ProgramsTaken:
    """Fill the empty programs of a session, or of one of its appearances, with what `source` offers.

    A chosen program stays. Raises PermissionDenied, ValidationError without the appearance.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    people = [each for each in program_offers(session_id=session_id) if appearance_id in (None, each.appearance_id)]
    if appearance_id is not None and not people:
        raise ValidationError(GONE)
    offered = [each for each in people if each.can_take(source)]
    done = programs_set(actor=actor, programs=[_program(actor, each, source) for each in offered])
    taken = [each for each in offered if each.appearance_id in done.assigned]
    had = [each for each in people if each.has_program or each.appearance_id in done.kept]
    rest = [each for each in people if each not in taken and each not in had]
    return ProgramsTaken(
        taken=_names(taken),
        had_program=_names(had),
        nothing_offered=_names(each for each in rest if each.offer(source) is None),
        nothing_found=_names(each for each in rest if each.offer(source) is not None),
        pieces=sum(len(offer.items) for each in taken if (offer := each.offer(source))),
        missing=tuple(missing for each in (*taken, *rest) for missing in _missing(each, source)),
        undo_id=done.undo_id,
    )


def _program(actor: Actor, offers: AppearanceOffers, source: OfferSource) -> NewProgram:
    offer = offers.offer(source)
    items = offer.items if offer else ()
    entries = (NewEntry(item_piece(actor, item), slot=item[0].slot) for item in items)
    return NewProgram(offers.appearance_id, tuple(entries))


def _missing(offers: AppearanceOffers, source: OfferSource) -> list[tuple[str, str]]:
    offer = offers.offer(source)
    return [(line, offers.name) for line in offer.missing] if offer else []


def _names(people: Iterable[AppearanceOffers]) -> tuple[str, ...]:
    return tuple(each.name for each in people)
