"""Writes of the columns that were chosen by hand for a header."""

from collections.abc import Collection, Mapping, Sequence

from django.core.exceptions import ValidationError

from apps.imports.enums import TableKind
from apps.imports.models import HeaderChoice
from apps.imports.selectors.header_choices import header_digest
from apps.imports.tables.headers import UNUSED, FileColumn


def header_choose(
    *, kind: TableKind, columns: Sequence[FileColumn], chosen: Mapping[str, str], allowed: Collection[str]
) -> None:
    """Store what the columns of a header are: by the key of a name a column, UNUSED, or empty for what is found.

    The caller is the service of a file, which checks who may do it. Raises ValidationError for another column, and for
    one that two names are.
    """
    before = {each.key: each.column or UNUSED for each in columns if each.is_chosen}
    keys = {each.key for each in columns}
    kept = {**before, **{key: column for key, column in chosen.items() if key in keys}}
    kept = {key: column for key, column in kept.items() if column}
    found = [each.column for each in columns if each.column and each.key not in kept]
    named = [*found, *(column for column in kept.values() if column != UNUSED)]
    if not set(kept.values()) <= {*allowed, UNUSED}:
        raise ValidationError("Please choose a column of the list.")
    if twice := next((column for column in named if named.count(column) > 1), ""):
        raise ValidationError("Two columns are %(column)s. Please choose one.", params={"column": twice})
    digest = header_digest([each.name for each in columns])
    HeaderChoice.objects.update_or_create(kind=kind, digest=digest, defaults={"columns": kept})
