"""Drawings of marks: one as a key, many as strings over the keys, each with its numbers as text."""

from collections.abc import Collection, Sequence
from decimal import ROUND_HALF_UP, Decimal

from components.markup import Markup, VdomDict, html
from components.ui.blocks import visually_hidden
from components.ui.keyboard import FIVE, KEYS, STEPS, keys, strings


def mark(score: int | Decimal, words: str) -> VdomDict:
    """Return a mark from 1 to 25, or a mean of marks, as a number; `words` say it aloud, as "23 of 25"."""
    return html.span({"class": "mark"}, html.span({"aria-hidden": "true"}, str(score)), visually_hidden(words))


def mark_keys(scores: Collection[int]) -> VdomDict:
    """Return the small keyboard with these keys struck; the numbers stand beside it."""
    return keys(on=scores, look="keys--mini")


def five_keys(score: int, words: str) -> VdomDict:
    """Return a mark from 1 to 5 as black keys with its words, as "4 of 5"."""
    struck = ({"class": "on"} if number <= score else {} for number in range(1, FIVE + 1))
    drawn = html.span({"class": "five-mini", "aria-hidden": "true"}, *(html.i(each) for each in struck))
    return html.span({"class": "whole-mark"}, drawn, words)


def string_lengths(often: Sequence[int]) -> list[float]:
    """Return the length of each mark's string, as a share of the longest."""
    longest = max(often) or 1
    return [times / longest for times in often]


def mean_key(mean: Decimal | None) -> int | None:
    """Return the key of an average: the nearest mark, of two the higher."""
    return None if mean is None else int(mean.quantize(Decimal(1), ROUND_HALF_UP))


def figure(
    name: str,
    heading: Markup,
    often: Sequence[int],
    mean: Decimal | None,
    *,
    average: str,
    count: str,
    spread: str,
    way: Markup = None,
) -> VdomDict:
    """Return how often each mark was given, 25 or 5 of them; `average`, `count` and `spread` say it in words.

    `way` is a link beside the count.
    """
    lengths, key = string_lengths(often), mean_key(mean)
    board = strings(lengths, mean=key) if len(often) == KEYS else _five_strings(lengths, key)
    average_shown = html.span({"class": "average"}, visually_hidden(f"{average} "), "–" if mean is None else str(mean))
    return html.figure(
        {"key": name},
        html.figcaption(heading, average_shown),
        board,
        html.p(
            {"class": "small"},
            html.span({"aria-hidden": "true"}, "1"),
            html.span(count, visually_hidden(f". {spread}") if spread else None, way),
            html.span({"aria-hidden": "true"}, str(len(often))),
        ),
    )


def _five_strings(lengths: Sequence[float], mean: int | None) -> VdomDict:
    names = (f"n-{round(length * STEPS)}{' on' if n == mean else ''}" for n, length in enumerate(lengths, start=1))
    return html.div({"class": "five-hist", "aria-hidden": "true"}, *(html.i({"class": name}) for name in names))
