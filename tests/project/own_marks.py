"""A model of one member: struck, submitted and moderated marks, the resulting state, and the covered figures.

It is computed from the events alone, without the site's selectors.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from tests.project.planted import PIECES, Planted, Played

LEAST = 3  # performances of a stage, from which an account's marks count
IN_WORDS = ("", "one", "two", "three")


@dataclass
class Own:
    """A member's marks of one performance."""

    marks: dict[int, int] = field(default_factory=dict)  # the latest of each piece
    score: int = 0
    comment: str = ""
    sent: dict[int, tuple[int, bool]] = field(default_factory=dict)  # submitted mark, and whether it is approved
    whole: tuple[int, str, bool] | None = None  # submitted mark, comment, and whether they are approved
    rejected: set[int] = field(default_factory=set)
    is_whole_rejected: bool = False
    seen: set[int] = field(default_factory=set)  # pieces that were marked once
    has_seen_whole: bool = False
    is_shown: bool = False

    def keep(self, marks: dict[int, int], score: int = 0, comment: str = "") -> None:
        """Strike these marks."""
        self.marks |= marks
        self.rejected -= marks.keys()
        self.seen |= marks.keys()
        self.has_seen_whole |= len(self.seen) == PIECES
        if score:
            self.score, self.is_whole_rejected = score, False
        self.comment = comment or self.comment

    def submit(self) -> None:
        """Submit the latest values."""
        for pk, mark in self.marks.items():
            if pk not in self.sent or self.sent[pk][0] != mark:
                self.sent[pk] = mark, False
        if self.whole is None or self.whole[:2] != (self.score, self.comment):
            self.whole = self.score, self.comment, False
        self.rejected, self.is_whole_rejected = set(), False
        self.seen |= self.marks.keys()
        self.has_seen_whole = True

    def approve(self) -> None:
        """Approve all waiting marks."""
        self.sent = {pk: (mark, True) for pk, (mark, _) in self.sent.items()}
        self.whole = self.whole and (*self.whole[:2], True)

    def reject(self) -> None:
        """Reject all waiting marks."""
        removed = {pk: mark for pk, (mark, approved) in self.sent.items() if not approved}
        self.sent = {pk: each for pk, each in self.sent.items() if pk not in removed}
        self.rejected |= {pk for pk, mark in removed.items() if self.marks[pk] == mark}
        if self.whole and not self.whole[2]:
            self.is_whole_rejected = self.score == self.whole[0]
            self.whole = None

    def delete(self) -> None:
        """Delete the submitted marks, as their author."""
        self.marks = {pk: mark for pk, mark in self.marks.items() if pk not in self.sent}
        self.rejected -= self.sent.keys()
        if self.whole:
            self.score, self.comment, self.is_whole_rejected = 0, "", False
        self.sent, self.whole = {}, None

    @property
    def is_submitted(self) -> bool:
        """Whether a mark is submitted."""
        return bool(self.sent or self.whole)

    @property
    def is_changed(self) -> bool:
        """Whether the submitted marks differ from the latest struck ones, or a mark was rejected."""
        if not self.is_submitted:
            return self.is_rejected
        sent = {pk: mark for pk, (mark, _) in self.sent.items()}
        return sent != self.marks or (self.whole or (0, ""))[:2] != (self.score, self.comment)

    @property
    def is_rejected(self) -> bool:
        """Whether a rejected mark was neither struck nor sent again."""
        return any(pk not in self.sent for pk in self.rejected) or (self.is_whole_rejected and not self.whole)

    @property
    def waits(self) -> bool:
        """Whether a mark waits for approval."""
        return any(not approved for _, approved in self.sent.values()) or bool(self.whole and not self.whole[2])


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

    def words(self, played: Played, stage: Collection[Played]) -> str:
        """Return the state of a performance in words; `stage` are the performances of its stage."""
        own = self.own[played.row.pk]
        if not played.has_begun:
            return "To come"
        if own.is_changed:
            return "Changed, not sent"
        if not own.is_submitted:
            marked = bool(own.marks or own.score)
            return f"{len(own.marks)} of {PIECES} marked, not submitted" if marked else "Not marked yet"
        return "Waits for approval" if own.waits else self._count_words(stage)

    def _count_words(self, stage: Collection[Played]) -> str:
        sent = [self.own[each.row.pk].sent.values() for each in stage]
        counted = sum(2 * sum(approved for _, approved in marks) >= PIECES for marks in sent)
        waiting = sum(bool(marks) and not any(approved for _, approved in marks) for marks in sent)
        if counted >= LEAST:
            return "Counts"
        missing = max(0, LEAST - counted - waiting)
        more = f"{IN_WORDS[missing]} more performance{'s' if missing > 1 else ''}"
        return f"Counts after {more}" if missing else "Counts once your other marks are approved"
