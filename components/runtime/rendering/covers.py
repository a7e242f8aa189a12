"""Covers: the slots of one viewer's page whose inner parts are not sent to this viewer (ADR 26).

    html.span(slot("figures", 17), shared_part(performance_mean(17, language=language)))    # in a shared part
    read(viewer=...) -> {"figures": covered("–"), "figures:17": fill()}       # a slot query: all of them, except one

Viewers with equal covers share one group of sockets and its frames (`live_part.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from components.runtime.rendering.slots import COVERED, Fills

Around = Mapping[str, tuple[frozenset[str], ...]]  # by the key of an inner part: the slots around each of its places


@dataclass(frozen=True, slots=True)
class Cover:
    """The covered slots of a page. Two covers that hide the same slots are equal."""

    names: frozenset[str] = frozenset()  # "figures" stands for all slots of this name
    exceptions: frozenset[str] = frozenset()  # slots that are not covered, although their name is

    @classmethod
    def of(cls, fills: Fills) -> "Cover":
        """Return what these fills cover. A slot's own fill goes before that of its name, as in `fill_of`."""
        covered = {name for name, fill in fills.items() if COVERED in fill}
        if not covered:
            return NOTHING
        common = {name for name in covered if ":" not in name}
        single = {name for name in covered if name not in common and _common(name) not in common}
        exceptions = (name for name in fills if name not in covered and _common(name) in common)
        return cls(frozenset(common | single), frozenset(exceptions))

    def __bool__(self) -> bool:
        """Return whether it covers anything."""
        return bool(self.names)

    def hides(self, places: tuple[frozenset[str], ...]) -> bool:
        """Return whether each of these places of an inner part is inside a covered slot."""
        return all(any(map(self.covers, slots)) for slots in places)

    def covers(self, name: str) -> bool:
        """Return whether the slot with this name is covered."""
        return name in self.names or (_common(name) in self.names and name not in self.exceptions)


NOTHING = Cover()


def _common(name: str) -> str:
    return name.partition(":")[0]
