"""Ask one question of many items and report all items that fail, not only the first."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

Item = TypeVar("Item")


def check_each(items: Iterable[Item], check: Callable[[Item], object], *, at_least: int = 1) -> None:
    """Call `check` with each item; raise one AssertionError that lists every item for which it raised one.

    `check` fails by an AssertionError, or by returning False. `at_least` is the number of items that must be found.
    """
    known = list(items)
    assert len(known) >= at_least, f"{len(known)} items where at least {at_least} are known"
    offenders = []
    for item in known:
        try:
            if check(item) is False:
                offenders.append(f"{item!r}")
        except (AssertionError, pytest.fail.Exception) as error:  # the second is that of `pytest.raises`
            offenders.append(f"{item!r}: {error}")
    assert not offenders, f"{len(offenders)} of {len(known)}:\n" + "\n".join(offenders)
