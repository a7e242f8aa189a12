"""Which objects of the competition still exist, for lists that name deleted ones too."""

from collections.abc import Collection, Mapping

from django.db.models import Model

from apps.competition.enums import ObjectKind
from apps.competition.models import Participant, Piece, Session, Stage

_MODELS: Mapping[ObjectKind, type[Model]] = {
    ObjectKind.PARTICIPANT: Participant,
    ObjectKind.PIECE: Piece,
    ObjectKind.SESSION: Session,
    ObjectKind.STAGE: Stage,
}


def objects_existing(*, kind: ObjectKind, ids: Collection[int]) -> frozenset[int]:
    """Return those of these ids that exist. One query."""
    found = _MODELS[kind]._default_manager.filter(pk__in=ids)  # noqa: SLF001 - Django's name for any model's manager
    return frozenset(found.values_list("pk", flat=True))
