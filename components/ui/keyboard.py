"""The drawn keyboard: twenty-five keys for twenty-five marks."""

from collections.abc import Collection, Sequence

from components.markup import VdomDict, html

KEYS = 25
FIVE = 5  # the black ones of an octave
STEPS = 100  # lengths of a string; each is a class, because the policy refuses style attributes


def keys(*, on: Collection[int] = (), mean: int | None = None, look: str = "") -> VdomDict:
    """Return the keyboard with the marks `on` struck and the average `mean` in brass (1 to 25).

    `look` is a modifier such as "keys--mini". The keyboard is a drawing: say its numbers in words beside it.
    """
    return _board([_classes(number, on, mean) for number in range(1, KEYS + 1)], look)


def strings(
    lengths: Sequence[float],
    *,
    on: int | None = None,
    mean: int | None = None,
    numbered_to: int | None = None,
    look: str = "keys--strings",
) -> VdomDict:
    """Return the keyboard with a string over each key; `lengths` are 25 shares of the longest, from 0 to 1.

    The mark `numbered_to` has its number above its string; `look` are its classes.
    """
    names = [
        f"n-{round(max(0.0, min(1.0, length)) * STEPS)} {_classes(number, (on,), mean)}".strip()
        for number, length in enumerate(lengths, start=1)
    ]
    return _board(names, look, numbered_to)


def keyrule(look: str = "") -> VdomDict:
    """Return the thin keyboard that divides a page."""
    return html.div({"class": f"keyrule {look}".strip()})


def _classes(number: int, on: Collection[int | None], mean: int | None) -> str:
    return " ".join(name for name, is_so in (("on", number in on), ("mean", number == mean)) if is_so)


def _board(names: Sequence[str], look: str, numbered_to: int | None = None) -> VdomDict:
    return html.span(
        {"class": f"keys {look}".strip(), "aria-hidden": "true"},
        *(
            html.i({"class": name} if name else {}, html.b(str(number)) if number == numbered_to else None)
            for number, name in enumerate(names, start=1)
        ),
    )
