"""Orders of rows by their ids, such as a running order: two concurrent edits of one order are merged by row."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

_MARK, _SEPARATOR = "ids", "."  # a digest of another value has no letter i
_DIGITS = 18  # of an id


class IdOrder(tuple[int, ...]):
    """Distinct ids in an order that `apps.core.edits.edit_merge` merges by id."""

    __slots__ = ()

    @property
    def version(self) -> str:
        """Return the part of a version that contains this order: "ids.17.21"."""
        return _SEPARATOR.join([_MARK, *map(str, self)])


def id_order_of(version: str) -> IdOrder | None:
    """Return the order in a part of a version; None for a digest and for ids that are no distinct numbers."""
    mark, *words = version.split(_SEPARATOR)
    if mark != _MARK or not all(word.isascii() and word.isdecimal() and len(word) <= _DIGITS for word in words):
        return None
    order = IdOrder(map(int, words))
    return order if len(set(order)) == len(order) else None


@dataclass(frozen=True, slots=True)
class MergedOrder:
    """The merged order, and the ids that both editors moved to different places, which stay as they are stored.

    `base` is what the next attempt of the same editor compares with: both orders in it, so that the editor's own places
    have precedence, while removed ids stay removed.
    """

    ids: IdOrder
    conflicts: tuple[int, ...]
    base: IdOrder


def orders_merge(base: Sequence[int], mine: Sequence[int], stored: Sequence[int]) -> MergedOrder:
    """Merge the order that one editor made of `base` into the order that other editors have stored since.

    An id that either removed is removed, also if the other one moved it. An id that either added is in the result. An
    id that one of them moved is moved. Ids that nobody moved keep their order.
    """
    common = set(base) & set(mine) & set(stored)
    before, my_order, their_order = ([pk for pk in order if pk in common] for order in (base, mine, stored))
    my_moves, their_moves = _moved(before, my_order), _moved(before, their_order)
    both = my_moves & their_moves
    anchors = common - (my_moves ^ their_moves)
    conflicts = tuple(pk for pk in their_order if pk in both and _differs(pk, my_order, their_order, anchors))
    removed, placed = set(base) - set(mine), (my_moves - their_moves) | (set(mine) - set(base) - set(stored))
    merged = [pk for pk in stored if pk not in removed and pk not in placed]
    _insert(merged, mine, placed)
    remembered = [pk for pk in stored if pk in set(base)]
    return MergedOrder(IdOrder(merged), conflicts, IdOrder([*remembered, *(pk for pk in base if pk not in remembered)]))


def _insert(merged: list[int], mine: Sequence[int], placed: Collection[int]) -> None:
    """Insert each of `placed` after the id before it in `mine`, and after those that another editor put there."""
    own, at = set(mine), 0
    for pk in mine:
        if pk in placed:
            while at < len(merged) and merged[at] not in own:
                at += 1
            merged.insert(at, pk)
        if pk in merged:
            at = merged.index(pk) + 1


def _moved(before: Sequence[int], after: Sequence[int]) -> set[int]:
    """Return the ids that may have moved: all but those of every longest part that kept its order.

    Of two neighbours that changed places, either may have moved.
    """
    place = {pk: at for at, pk in enumerate(before)}
    rising = _lengths([place[pk] for pk in after])
    falling = _lengths([-place[pk] for pk in reversed(after)])[::-1]
    most = max(rising, default=0)
    levels = [up if up + down - 1 == most else 0 for up, down in zip(rising, falling, strict=True)]
    return {pk for pk, level in zip(after, levels, strict=True) if not level or levels.count(level) > 1}


def _lengths(places: Sequence[int]) -> list[int]:
    """Return, for each place, the length of the longest rising part that ends with it."""
    lengths: list[int] = []
    for at, place in enumerate(places):
        lengths.append(1 + max((lengths[other] for other in range(at) if places[other] < place), default=0))
    return lengths


def _differs(pk: int, mine: Sequence[int], stored: Sequence[int], anchors: Collection[int]) -> bool:
    """Return whether the id has other ids before it in the one order than in the other.

    Only those that both editors moved, or neither of them, are compared; all, if there is no such id.
    """
    compared = set(anchors) - {pk} or set(mine)
    return compared & set(mine[: mine.index(pk)]) != compared & set(stored[: stored.index(pk)])
