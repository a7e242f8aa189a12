"""The order of the tests for several workers: what waits runs beside what computes, and cheap tests come last.

pytest-xdist splits the list into equal parts, one for each worker; a worker that has ended takes tests from the end of
the longest part. So browser journeys begin the parts of one half of the workers, long tests those of the other half,
and all other tests fill the parts.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

import pytest

JOURNEYS = "tests/e2e/"


def ordered(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return all items in the order for this number of workers; the tests of a module stay together."""
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    half = (workers + 1) // 2
    journeys = [item for item in items if item.nodeid.startswith(JOURNEYS)]
    others = [item for item in items if not item.nodeid.startswith(JOURNEYS)]
    deal(journeys, parts[:half])
    deal((item for item in others if _is_long(item)), parts[half:] or parts)
    rest = [item for item in others if not _is_long(item)]
    remaining = len(items)
    for number, part in enumerate(parts):
        size = remaining // (workers - number)  # as xdist splits the list
        remaining -= size
        room = max(0, size - len(part))
        part.extend(rest[:room])
        rest = rest[room:]
    return [item for part in parts for item in part] + rest


def deal(items: Iterable[pytest.Item], parts: Sequence[list[pytest.Item]]) -> None:
    """Append each module's items to the shortest part."""
    for _, module in groupby(items, key=lambda item: item.path):
        min(parts, key=len).extend(module)


def _is_long(item: pytest.Item) -> bool:
    return item.get_closest_marker("long") is not None
