"""Two people who edit one thing: whoever saves later is told what changed in between, and loses nothing.

A version is a short digest for each field, so that it says which fields changed without holding what they said.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType

from django.core.exceptions import ValidationError

SHOWN = 200  # characters of a value in a sentence
_NONE: Mapping[str, str] = MappingProxyType({})
_DIGITS = 10  # of a digest: one change in 10^12 is not noticed


@dataclass(frozen=True, slots=True)
class Change:
    """A field that somebody else changed, as it stands now and as it was to be saved."""

    field: str
    label: str
    theirs: str
    yours: str


class Changed(ValidationError):
    """Somebody else saved in between; nothing of the present save is stored."""

    def __init__(self, changes: tuple[Change, ...], seen: str) -> None:
        super().__init__({each.field: _sentence(each) for each in changes})
        self.changes = changes
        self.seen = seen


def version_of(values: Mapping[str, object]) -> str:
    """Return the version of what an editor reads, by field; fields are named in letters and underscores."""
    return ",".join(f"{field}:{_digest(value)}" for field, value in values.items())


def unchanged_require(
    *,
    seen: str | None,
    stored: Mapping[str, object],
    given: Mapping[str, object],
    labels: Mapping[str, str] = _NONE,
) -> None:
    """Raise Changed when fields changed since the version `seen` to something else than what is `given`.

    Nothing is asked when `seen` is None. `labels` name fields otherwise than their columns do.
    """
    if seen is None:
        return
    read = dict(part.partition(":")[::2] for part in seen.split(","))
    changed = [field for field, value in stored.items() if read.get(field) != _digest(value)]
    differing = tuple(
        Change(field, labels.get(field) or _label(field), _text(stored[field]), _text(given[field]))
        for field in changed
        if _text(stored[field]) != _text(given[field])
    )
    if differing:
        raise Changed(differing, version_of(stored))


def _label(field: str) -> str:
    return field.removeprefix("is_").removesuffix("_id").removesuffix("_at").replace("_", " ").capitalize()


def _sentence(change: Change) -> ValidationError:
    return ValidationError(
        "%(label)s was changed meanwhile. It is now “%(theirs)s”, and you wrote “%(yours)s”.",
        params={"label": change.label, "theirs": _short(change.theirs), "yours": _short(change.yours)},
    )


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _digest(value: object) -> str:
    return sha256(_text(value).encode()).hexdigest()[:_DIGITS]
