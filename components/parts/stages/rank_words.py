"""A rank and its interval in words, the same for the eye and for screen readers; shares in percent.

The sentences about scores and the file of marks stand on several pages.
"""

from decimal import Decimal

from apps.core.rounding import rounded
from apps.core.texts import Texts
from apps.ranking.method2 import ADDED, FEW_RATERS, LEAST_RATERS
from apps.ranking.selectors.results import Place
from components.runtime import Markup, html
from components.ui.blocks import nth
from components.ui.frames import HARD

LAST_HOUR = (  # source of gettext
    "The last hour of a performance is the one up to its newest rating. Ratings of the evening itself are not in it."
)


PUBLISHED = (  # source of gettext; a text that says "without names" contains it
    "When the ranking of a stage is closed, all counted marks are published without names. Whoever knows two marks of "
    "a listener can usually find all others. The public lists and the file of marks together show whose marks they are "
    "and how much they weigh."
)
ADDED_MARKS = (  # source of gettext
    "A score contains ten added ratings of the stage’s average, so that few raters neither lift nor sink a "
    "performance: with ten raters they are half of it, with 30 a quarter. Below 30 raters that is said beside the "
    "score; the plain mean is without them."
)


def rank_words(place: Place, t: Texts) -> str:
    """Return the rank of a ranked performance: "3rd", or "tied 3rd" if another one has the same."""
    rank = nth(place.rank or 0, t)
    return t("tied {rank}").format(rank=rank) if place.is_shared else rank


def rank_sign(place: Place, t: Texts) -> str:
    """Return the rank of a ranked performance as a number, marked if another one has the same: "3", "3 ="."""
    return t("{rank} =").format(rank=place.rank) if place.is_shared else str(place.rank)


def range_words(place: Place, t: Texts) -> str:
    """Return the ranks where the performance lies nine times in ten, in a few words: "3rd to 6th"; empty if covered."""
    if not has_spread(place):
        return t("unknown")
    if place.lowest is None or place.highest is None:
        return ""
    if place.lowest == place.highest:
        return nth(place.lowest, t)
    words = t("{lowest} or {highest}") if place.highest - place.lowest == 1 else t("{lowest} to {highest}")
    return words.format(lowest=nth(place.lowest, t), highest=nth(place.highest, t))


def score_range_words(place: Place, t: Texts) -> str:
    """Return the scores where the performance lies nine times in ten: "17.2 to 19.1"; "unknown" without them."""
    if not has_spread(place):
        return t("unknown")
    return t("{lowest} to {highest}").format(lowest=place.score_from, highest=place.score_to)


def few_words(place: Place, t: Texts) -> str:
    """Return how many of the listeners that a score needs a performance has: "4 of 10 listeners"; without any, that."""
    if not place.raters:
        return t("no rating counts yet")
    return t("{n} of {least} listeners").format(n=place.raters, least=LEAST_RATERS)


def added_words(place: Place, t: Texts) -> str:
    """Return how many of the marks in a score are added ones of the stage's average: "10 of 22 added".

    Empty without a score, and from FEW_RATERS raters on, where they are less than a quarter of it.
    """
    if place.score is None or place.raters >= FEW_RATERS:
        return ""
    return t("{added} of {n} added").format(added=ADDED, n=ADDED + place.raters)


def added_note(place: Place, t: Texts) -> Markup:
    """Return `added_words` as they stand beside a score; None if they are empty."""
    return html.small({"class": "added"}, f" {added}") if (added := added_words(place, t)) else None


def interval_words(place: Place, t: Texts) -> str:
    """Return where the rank lies nine times in ten: "between 3rd and 6th"; empty if that is covered.

    Marks without any difference do not show how sure a rank is: its interval is unknown, not one place.
    """
    if not has_spread(place):
        return t("interval unknown")
    if place.lowest is None or place.highest is None:
        return ""
    if place.lowest == place.highest:
        return t("nine times in ten")
    words = t("{lowest} or {highest}") if place.highest - place.lowest == 1 else t("between {lowest} and {highest}")
    return words.format(lowest=nth(place.lowest, t), highest=nth(place.highest, t))


def has_spread(place: Place) -> bool:
    """Whether the score has an interval. Version 1 gave one without any width to equal marks."""
    return place.score_from is not None and place.score_to is not None and place.score_from < place.score_to


def percent(part: int, whole: int) -> int:
    """Return a share in percent, rounded half-up."""
    return int(rounded(Decimal(100 * part) / whole, 0))


def late_words(late: int, raters: int, t: Texts) -> str:
    """Return how many of a performance's ratings arrived in its last hour, in numbers and in percent."""
    one, more = "{late} of {n} rating in the last hour ({share})", "{late} of {n} ratings in the last hour ({share})"
    words = t.plural(one, more, raters)
    return words.format(late=f"{late:,}", n=f"{raters:,}", share=f"{percent(late, raters)}{HARD}%")
