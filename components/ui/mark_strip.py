"""A score on a strip of twenty-five keys: where it is, where it lies nine times in ten, and one's own mark.

Lengths are attributes of a drawing, because the policy refuses style attributes.
"""

from collections.abc import Mapping
from decimal import Decimal

from components.markup import Markup, Vdom, VdomDict, html

WIDTH = Decimal("25.5")  # keys: the last one is a white one to its end (`keyboard.css`)
_LINE, _CIRCLE = Vdom("line"), Vdom("circle")


def own_position(mark: Decimal) -> str:
    """Return the value of the control that draws one's own mark."""
    return str(mark - Decimal("0.5"))


def strip(
    score: Decimal | None, between: tuple[Decimal, Decimal] | None, *, own: Mapping[str, str], words: str
) -> VdomDict:
    """Return the strip; `words` say the hall's score.

    `own` are the attributes of a slot for one's own mark (`own_position`), which stands beside it as a number.
    """
    said = {"role": "img", "aria-label": words} if words else {"aria-hidden": "true"}
    # a range that nobody moves: it alone puts a point at a value without a style
    own_dot = {"type": "range", "class": "strip__you", "min": "0", "max": str(WIDTH), "step": "any", "disabled": True}
    own_dot |= {"value": "0", "tabIndex": -1, "hidden": True, **own}
    hall = html.span({"class": "strip__hall"} | said, _hall(score, between))
    return html.span({"class": "strip"}, hall, html.input(own_dot))


def strip_key(*, is_own: bool = False) -> VdomDict:
    """Return a strip's sign for its explanation: that of one's own mark, or of the hall's score."""
    middle = _CIRCLE({"class": "strip__dot", "cx": "50%", "cy": "50%", "r": "5.5"})
    signs = [middle] if is_own else [_line("range", "36%", "64%"), _at("50%")]
    return html.svg({"class": "strip--key", "aria-hidden": "true"}, *signs)


def _hall(score: Decimal | None, between: tuple[Decimal, Decimal] | None) -> Markup:
    if score is None:
        return None
    lies = [_line("range", _position(between[0]), _position(between[1]))] if between else []
    return html.svg({"aria-hidden": "true"}, *lies, _at(_position(score)))


def _at(across: str) -> VdomDict:
    return _LINE({"class": "strip__at", "x1": across, "x2": across, "y1": "25%", "y2": "75%"})


def _line(name: str, start: str, end: str) -> VdomDict:
    return _LINE({"class": f"strip__{name}", "x1": start, "x2": end, "y1": "50%", "y2": "50%"})


def _position(mark: Decimal) -> str:
    """Return how far from the left a mark is: the middle of its key."""
    return f"{round(100 * (mark - Decimal('0.5')) / WIDTH, 2)}%"
