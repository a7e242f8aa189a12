"""Unknown addresses: one that misspells another leads to that one if it exists, all others lead home."""

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import resolve

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import participant_ids
from apps.competition.selectors.public.sessions import session_ids
from apps.competition.selectors.public.stages import stage_ids
from apps.core.addresses import Address, spellings
from apps.core.limits import ADDRESS_LENGTH
from apps.following.selectors import calendar_owner
from components.routes import find
from components.runtime import Redirect
from project.http.addresses import table

# Whether the object exists that a parameter of an address names. One query.
EXISTING: Mapping[str, Callable[[Any], bool]] = {
    "participant_id": lambda pk: pk in participant_ids(),
    "session_id": lambda pk: pk in session_ids(),
    "stage_id": lambda pk: pk in stage_ids(),
    "secret": lambda secret: calendar_owner(secret=secret) is not None,
    "rest": lambda _: False,
}


def meant(address: str, viewer: Viewer) -> str:
    """Return the address (path and query) that this unknown one misspells, or "/". At most one query."""
    path, mark, query = address[:ADDRESS_LENGTH].partition("?")
    rows = {row.pattern[1:]: row for row in table()}
    for spelling in spellings(path):
        to, resolved = f"{spelling}{mark}{query}", resolve(spelling)
        if row := rows.get(resolved.route):
            return to if _is_there(row, resolved.kwargs) else "/"
        target = find(to, viewer)
        if not isinstance(target, Redirect):
            ids = target.route.ids
            return to if ids is None or int(target.params["id"]) in ids() else "/"
        if not target.is_unknown:
            return target.to
    return "/"


def _is_there(row: Address, parameters: Mapping[str, Any]) -> bool:
    known = {name: EXISTING[name] for name in parameters if name in EXISTING}
    return not row.is_posted and all(exists(parameters[name]) for name, exists in known.items())
