"""Drawings of marks: one as a key, many as strings over the keys, each with its numbers as text."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from apps.core.rounding import rounded
from components.runtime import Fill, Markup, Vdom, VdomDict, fill, html, slot
from components.ui.blocks import visually_hidden

KEYS = 25
FIVE = 5  # the black ones of an octave
NO_MORE: Mapping[str, str] = {}
STEPS = 100  # lengths of a string; each is a class, because the policy refuses style attributes


def keys(*, on: Collection[int] = (), mean: int | None = None, look: str = "") -> VdomDict:
    """Return the keyboard with the marks `on` struck and the average `mean` in brass (1 to 25).

    `look` is a modifier such as "keys--mini". The keyboard is only a drawing: show its numbers as text beside it.
    """
    return _board([_classes(number, on, mean) for number in range(1, KEYS + 1)], look)


def strings(
    lengths: Sequence[float],
    *,
    on: int | None = None,
    mean: int | None = None,
    numbered_to: int | None = None,
    look: str = "keys--strings",
    more: Mapping[str, str] = NO_MORE,
) -> VdomDict:
    """Return the keyboard with a string over each key; `lengths` are 25 shares of the longest, from 0 to 1.

    The mark `numbered_to` has its number above its string; `look` are its classes, `more` its further attributes.
    """
    names = [
        f"n-{round(max(0.0, min(1.0, length)) * STEPS)} {_classes(number, (on,), mean)}".strip()
        for number, length in enumerate(lengths, start=1)
    ]
    return _board(names, look, numbered_to, more)


def heard_keys(often: Sequence[int], mean: Decimal | None) -> VdomDict:
    """Return the keyboard of a score with the strings of the audience's marks, to lie over the plain one."""
    shown = {} if mean is None else {"data-mean": str(mean)}
    return strings(string_lengths(often), mean=mean_key(mean), look="score__heard", more=shown)


def two_strings(audience: str, own: str) -> VdomDict:
    """Return an empty keyboard whose keys have two strings, slots named `audience` and `own` with the key's number.

    `strings_fills` fill them.
    """
    return html.span(
        {"class": "keys keys--strings keys--two", "aria-hidden": "true"},
        *(
            html.i({"class": "n-0"} | slot(audience, number), html.u({"class": "n-0"} | slot(own, number)))
            for number in range(1, KEYS + 1)
        ),
    )


def strings_fills(name: str, often: Sequence[int]) -> dict[str, Fill]:
    """Return the fills that draw these numbers of marks as the strings `name` of `two_strings`."""
    lengths = enumerate(string_lengths(often), start=1)
    return {f"{name}:{number}": fill({"class": f"n-{round(length * STEPS)}"}) for number, length in lengths if length}


def keyrule(look: str = "") -> VdomDict:
    """Return the thin keyboard that divides a page."""
    return html.div({"class": f"keyrule {look}".strip()})


def _classes(number: int, on: Collection[int | None], mean: int | None) -> str:
    return " ".join(name for name, is_so in (("on", number in on), ("mean", number == mean)) if is_so)


def _board(
    names: Sequence[str], look: str, numbered_to: int | None = None, more: Mapping[str, str] = NO_MORE
) -> VdomDict:
    return html.span(
        {"class": f"keys {look}".strip(), "aria-hidden": "true", **more},
        *(
            html.i({"class": name} if name else {}, html.b(str(number)) if number == numbered_to else None)
            for number, name in enumerate(names, start=1)
        ),
    )


SIGN, SIGN_WORDS = "sign", "sign_words"  # the slots' names: a member's relation to a performance


def sign(state: str, words: str, *, look: str = "") -> VdomDict:
    """Return the sign of a performance's state for a member: a key, and the state in words."""
    return html.span({"class": f"sign {look}".strip(), "data-own": state}, html.span(words))


def sign_slot(appearance_id: int, *, stop: str = "") -> VdomDict:
    """Return the place of a sign in public markup: hidden until a viewer's `sign_fills` fill it.

    `stop` ends its words if a sentence follows.
    """
    words = html.span(slot(SIGN_WORDS, appearance_id))
    return html.span({"class": "sign"} | slot(SIGN, appearance_id), html.span(words, stop) if stop else words)


def sign_fills(appearance_id: int, state: str, words: str) -> dict[str, Fill]:
    """Return the fills of a performance's sign, wherever the page shows it."""
    return {
        f"{SIGN}:{appearance_id}": fill({"data-own": state}),
        f"{SIGN_WORDS}:{appearance_id}": fill(text=words),
    }


def mark(score: int | Decimal, words: str) -> VdomDict:
    """Return a mark from 1 to 25, or a mean of marks, as a number; `words` is for screen readers, as "23 of 25"."""
    return html.span({"class": "mark"}, html.span({"aria-hidden": "true"}, str(score)), visually_hidden(words))


def mark_keys(scores: Collection[int]) -> VdomDict:
    """Return the small keyboard with these keys struck; the numbers are beside it."""
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
    """Return the key of an average: the nearest mark, rounded half up."""
    return None if mean is None else int(rounded(mean, 0))


def figure(
    name: str,
    heading: Markup,
    often: Sequence[int],
    mean: Decimal | None,
    *,
    average_words: str,
    count: str,
    spread: str,
    of: str = "",
) -> VdomDict:
    """Return a distribution over 25 or 5 marks; `average_words`, `count` and `spread` describe it as text.

    Without a `heading` it has neither a caption nor its average. `of` follows the average, as "of 25".
    """
    lengths, key = string_lengths(often), mean_key(mean)
    board = strings(lengths, mean=key) if len(often) == KEYS else _five_strings(lengths, key)
    return html.figure(
        {"key": name},
        html.figcaption(heading, average(mean, average_words, of)) if heading else None,
        board,
        html.p(
            {"class": "small"},
            html.span({"aria-hidden": "true"}, "1"),
            html.span(count, visually_hidden(f". {spread}") if spread else None),
            html.span({"aria-hidden": "true"}, str(len(often))),
        ),
    )


def average(mean: Decimal | None, words: str, of: str = "") -> VdomDict:
    """Return an average as a number, a dash without one; `words` is for screen readers, as "average"."""
    number, most = "–" if mean is None else str(mean), html.small(f" {of}") if of else None
    return html.span({"class": "average"}, visually_hidden(f"{words} "), number, most)


def _five_strings(lengths: Sequence[float], mean: int | None) -> VdomDict:
    names = (f"n-{round(length * STEPS)}{' on' if n == mean else ''}" for n, length in enumerate(lengths, start=1))
    return html.div({"class": "five-hist", "aria-hidden": "true"}, *(html.i({"class": name}) for name in names))


WIDTH = Decimal("25.5")  # in keys; the last one is a full white key (`keyboard.css`)
_LINE = Vdom("line")


def own_position(mark: Decimal) -> str:
    """Return the value of the control that draws the viewer's mark."""
    return str(mark - Decimal("0.5"))


def strip(
    score: Decimal | None,
    between: tuple[Decimal, Decimal] | None,
    *,
    own: Mapping[str, str],
    words: str,
    more: Mapping[str, str] = NO_MORE,
) -> VdomDict:
    """Return the audience's score and its range `between` on the scale of keys; `words` is the same as text.

    `own` are the attributes of a slot for the viewer's mark (`own_position`), which is shown beside it as a number.
    `more` are those of the audience's drawing.
    """
    role = {"role": "img", "aria-label": words} if words else {"aria-hidden": "true"}
    # a disabled range, because only a range draws a point at a value without the attribute style
    own_dot = {"type": "range", "class": "strip__you", "min": "0", "max": str(WIDTH), "step": "any", "disabled": True}
    own_dot |= {"value": "0", "tabIndex": -1, "hidden": True, **own}
    audience = html.span({"class": "strip__audience", **more} | role, _audience(score, between))
    return html.span({"class": "strip"}, audience, html.input(own_dot))


def _audience(score: Decimal | None, between: tuple[Decimal, Decimal] | None) -> Markup:
    if score is None:
        return None
    lies = [_line("range", _position(between[0]), _position(between[1]))] if between else []
    return html.svg({"aria-hidden": "true"}, *lies, _at(_position(score)))


def _at(across: str) -> VdomDict:
    return _LINE({"class": "strip__at", "x1": across, "x2": across, "y1": "25%", "y2": "75%"})


def _line(name: str, start: str, end: str) -> VdomDict:
    return _LINE({"class": f"strip__{name}", "x1": start, "x2": end, "y1": "50%", "y2": "50%"})


def _position(mark: Decimal) -> str:
    """Return a mark's distance from the left edge: the middle of its key."""
    return f"{round(100 * (mark - Decimal('0.5')) / WIDTH, 2)}%"
