"""How many of a performance's marks arrived in its last hour, which shows a crowd that arrives together. No query."""

from datetime import timedelta

from apps.ranking.counting import CountedMark, Counting, is_of_evening
from apps.ranking.limits import LAST_HOUR
from apps.ranking.publication import Publication, performer_labels


def late_marks(counting: Counting, published: Publication) -> dict[int, int]:
    """Return the number of late marks of each ranked performance, by appearance.

    A mark is late if it arrived in the last hour: LAST_HOUR up to the performance's newest mark, with that mark. Marks
    of the evening itself are never late. A mark that was changed arrived when it was changed.
    """
    labels = performer_labels(counting.field)
    ranked: dict[int, list[CountedMark]] = {}
    for mark in counting.marks:
        if labels[mark.appearance_id] in published.sheets.get(mark.user_id, {}):
            ranked.setdefault(mark.appearance_id, []).append(mark)
    return {appearance_id: _late(marks, counting) for appearance_id, marks in ranked.items()}


def _late(marks: list[CountedMark], counting: Counting) -> int:
    since = max(each.given.given_at for each in marks) - timedelta(seconds=LAST_HOUR)
    return sum(
        each.given.given_at > since and not is_of_evening(each.given.given_at, counting.evenings[each.appearance_id])
        for each in marks
    )
