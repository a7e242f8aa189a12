"""How long the named screens may be on a phone, with the rows of the demo: the one table of these numbers.

A change of a number states its reason in the commit. tests/e2e/test_screens.py measures them.
"""

from dataclasses import dataclass

HEIGHT = 740  # pixels of a screen, which is 360 wide
MOST_SIZES = 8  # of type on a page
FIRST_ROW = 1.0  # screens above the first row of the ranking
FIRST_KEY = 2.0  # screens above the first item with keys, which is the performer's on stage, on the session's page


@dataclass(frozen=True, slots=True)
class Screen:
    """The most screens of a page for a visitor and a member; with `until`, of what is above this element.

    `ranked` is the number of rows that the ranking is measured with: the demo's are repeated, and all are ranked.
    """

    path: str  # with the names of tests/e2e/places.py
    visitor: float
    member: float
    until: str = ""
    ranked: int = 0


SCREENS = (
    Screen("/", 4.0, 4.4),
    Screen("/participants", 3.9, 3.9),
    Screen("/participants/{participant}", 5.0, 5.0),  # on stage now, with its form
    Screen("/participants/{two}", 5.0, 5.0),  # one performance played, one to come
    Screen("/sessions", 3.1, 3.1),
    Screen("/schedule", 2.4, 2.4),
    Screen("/pieces", 4.0, 4.0),
    Screen("/pieces/{piece}", 4.0, 4.0),
    Screen("/community", 5.0, 5.0),
    Screen("/ranking", 3.5, 3.5, ranked=28),
    Screen("/stages/method", 4.0, 4.0, until="#algorithm"),
)
