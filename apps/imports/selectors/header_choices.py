"""Reads of the columns that were chosen by hand for a header."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from apps.imports.enums import TableKind
from apps.imports.models import HeaderChoice
from apps.imports.tables.headers import header_keys


def header_digest(fields: Sequence[str]) -> str:
    """Return the digest of a header: of its names as they are compared, in their order."""
    return sha256("\n".join(header_keys(fields)).encode()).hexdigest()


def header_choice(*, kind: TableKind, fields: Sequence[str]) -> Mapping[str, str]:
    """Return the columns that were chosen for this header, by the key of a name; empty without any. One query."""
    found = HeaderChoice.objects.filter(kind=kind, digest=header_digest(fields))
    return found.values_list("columns", flat=True).first() or {}
