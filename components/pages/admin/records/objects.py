"""What audit entries are about: the page or screen of each object, or that it is deleted.

One query for each kind of object among the entries.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from apps.accounts.selectors.people import AuditLine
from apps.competition.enums import ObjectKind
from apps.competition.selectors.admin.existing import objects_existing
from apps.competition.selectors.public.programs import appearance_places
from apps.imports.selectors.participant_files import imports_existing
from apps.jury.selectors import sheets_existing
from apps.news.selectors import posts_existing

APPEARANCE, SESSION, STAGE, ACCOUNT = "appearance", "session", "stage", "account"
PAGES = {
    "post": "/admin/blog?mode=edit&id={id}",
    "participant": "/participants/{id}",
    "piece": "/admin/pieces?mode=edit&id={id}",
    "import": "/admin/import?file={id}",
    "jury": "/admin/jury?sheet={id}",
    STAGE: "/stages/{id}",
    SESSION: "/sessions/{id}",
    ACCOUNT: "/admin/people?q=%23{id}",
}
SCREENS = {  # of subjects without pages of their own
    "default_avatars": "/admin?tab=avatars",
    "contact": "/admin/contact",
    "piano": "/admin/pianos",
    "jury_rule": "/admin/jury",
    "demo": "/admin",
    "ratings": "/admin?show=all",
    "reports": "/admin?tab=reports",
}
PROGRAM = "/admin/programs?appearance={id}"
# The kind of object whose id an entry has, if it is not its subject.
KINDS = {
    "place": APPEARANCE,
    "program": APPEARANCE,
    "performer.set": APPEARANCE,
    "performer.clear": SESSION,
    "ratings.delete": APPEARANCE,
    "ranking": STAGE,
}


@dataclass(frozen=True, slots=True)
class Objects:
    """The addresses of the entries' objects, by entry, and the entries whose object is deleted."""

    addresses: Mapping[int, str] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()


def kind_of(line: AuditLine) -> str:
    """Return the kind of object whose id the entry has."""
    if line.action == "live.restore":
        after = line.details.get("after") or {}
        return APPEARANCE if after.get("performer") else SESSION
    return KINDS.get(line.action) or KINDS.get(line.subject, line.subject)


def objects_of(lines: Iterable[AuditLine]) -> Objects:
    """Return where the objects of these entries are. One query for each of at most eight kinds."""
    lines = tuple(lines)
    ids: defaultdict[str, set[int]] = defaultdict(set)
    for line in lines:
        if line.subject_id is not None:
            ids[kind_of(line)].add(line.subject_id)
    found = {kind: _FOUND[kind](numbers) for kind, numbers in ids.items() if kind in _FOUND}
    accounts = {line.subject_id: PAGES[ACCOUNT].format(id=line.subject_id) for line in lines if line.about}
    found[ACCOUNT] = {pk: address for pk, address in accounts.items() if pk is not None}
    addresses = {line.id: to for line in lines if (to := _address(line, found))}
    return Objects(
        addresses, frozenset(line.id for line in lines if line.id not in addresses and _is_gone(line, found))
    )


Addresses = Mapping[int, str]


def _address(line: AuditLine, found: Mapping[str, Addresses]) -> str:
    """Return the address of the entry's object; empty if it is deleted or has none."""
    kind, number = kind_of(line), line.subject_id or 0
    if line.is_gone:
        return ""
    if line.subject == "program" and number in found.get(kind, {}):
        return PROGRAM.format(id=number)
    return found[kind].get(number, "") if kind in found else SCREENS.get(line.subject, "")


def _is_gone(line: AuditLine, found: Mapping[str, Addresses]) -> bool:
    """Whether the entry is about an object that existed and is not there any more."""
    return line.subject_id is not None and (line.is_gone or kind_of(line) in found)


def _pages(kind: str, existing: Callable[[Collection[int]], Iterable[int]]) -> Callable[[Collection[int]], Addresses]:
    """Return a function from ids to the addresses of those that exist."""
    return lambda ids: {pk: PAGES[kind].format(id=pk) for pk in existing(ids)}


def _appearances(ids: Collection[int]) -> Addresses:
    """Return the pages of the participants of these appearances."""
    places = appearance_places(appearance_ids=ids)
    return {pk: PAGES["participant"].format(id=place.participant_id) for pk, place in places.items()}


def _existing(kind: ObjectKind, ids: Collection[int]) -> Iterable[int]:
    return objects_existing(kind=kind, ids=ids)


_FOUND: Mapping[str, Callable[[Collection[int]], Addresses]] = {
    APPEARANCE: _appearances,
    "post": _pages("post", lambda ids: posts_existing(ids=ids)),
    "import": _pages("import", lambda ids: imports_existing(ids=ids)),
    "jury": _pages("jury", lambda ids: sheets_existing(ids=ids)),
    **{kind.value: _pages(kind.value, partial(_existing, kind)) for kind in ObjectKind},
}
