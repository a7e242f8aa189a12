"""A model of one member: struck and submitted marks, and the covered figures.

It is computed from the events alone, without the site's selectors.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from tests.project.planted import PIECES, Planted, Played


@dataclass
class Own:
    """A member's marks of one performance."""

    marks: dict[int, int] = field(default_factory=dict)  # the latest of each piece
    is_submitted: bool = False
    seen: set[int] = field(default_factory=set)  # pieces that were marked once
    has_seen_whole: bool = False
    is_shown: bool = False

    def keep(self, marks: dict[int, int]) -> None:
        """Strike these marks."""
        self.marks |= marks
        self.seen |= marks.keys()
        self.has_seen_whole |= len(self.seen) == PIECES

    def submit(self) -> None:
        """Submit the latest values."""
        self.is_submitted = self.has_seen_whole = True
        self.seen |= self.marks.keys()

    def delete(self) -> None:
        """Delete the submitted marks, as their author."""
        self.marks, self.is_submitted = {}, False


@dataclass
class Member:
    """A member, by performance."""

    own: dict[int, Own]
    ears_first: bool = True
    shown_stages: set[int] = field(default_factory=set)

    def choose(self, ears_first: bool, begun: Collection[Played]) -> None:
        """Choose; figures that were shown while the choice was off stay shown."""
        if ears_first and not self.ears_first:
            for played in begun:
                self.own[played.row.pk].is_shown = True
        self.ears_first = ears_first

    def covers(self, played: Played) -> bool:
        """Return whether the figures of the whole performance are covered."""
        return self._covers(played) and not self.own[played.row.pk].has_seen_whole

    def covers_piece(self, played: Played, piece: int) -> bool:
        """Return whether the figures of a piece are covered."""
        return self._covers(played) and piece not in self.own[played.row.pk].seen

    def _covers(self, played: Played) -> bool:
        return self.ears_first and played.stage not in self.shown_stages and not self.own[played.row.pk].is_shown

    def texts(self, played: Played, figures: Planted) -> tuple[set[str], set[str]]:
        """Return which of a performance's figures are covered, and which are not."""
        covered, others = (set(), set(figures.whole))
        if self.covers(played):
            covered, others = others, covered
        for pk, texts in figures.pieces.items():
            (covered if self.covers_piece(played, pk) else others).update(texts)
        return covered, others
