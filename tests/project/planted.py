"""A competition with planted figures: each performance has marks of its own, so its figures are found as text.

The audience's marks of performance k are 3k+1 to 3k+3. Members under test give 24 and 25. The texts of figures are
computed here from the rows, without the site's selectors.
"""

import random
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.services.live import performer_clear, performer_set
from apps.ranking.models import RankingRow
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.announcement import ratings_announce
from tests.factories import AppearanceFactory, ParticipantFactory, PieceFactory, SessionFactory, UserFactory
from tests.serving import page_response

RATERS = 11  # enough for a ranking
PERFORMANCES = (4, 3)  # of each stage; the last one of the first stage has not begun
PIECES = 2
OWN_MARKS = (24, 25)
BAND = 3
AROUND = 300  # characters that a failure shows on each side


@dataclass
class Played:
    """A performance: its place in the competition, from 0, and the place of its stage."""

    place: int
    stage: int
    row: Any
    pieces: tuple[int, ...]
    has_begun: bool = True

    def marks(self, piece: int) -> tuple[int, int]:
        """Return the two marks that the audience gives this piece."""
        lowest = BAND * self.place + 1 + piece
        return lowest, lowest + 1


@dataclass
class Competition:
    """Two stages with a session each; the first is live. The first performer of both is one participant."""

    sessions: list[Any] = field(default_factory=list)
    performances: list[Played] = field(default_factory=list)
    raters: list[Any] = field(default_factory=list)

    def begun(self) -> list[Played]:
        return [each for each in self.performances if each.has_begun]

    def begin(self, played: Played) -> None:
        """Let a performance begin, and be over."""
        performer_set(actor=OPERATOR, appearance_id=played.row.pk)
        performer_clear(actor=OPERATOR, session_id=played.row.session_id)
        played.has_begun = True

    def rate(self, played: Played, seed: int, raters: Collection[Any] = ()) -> None:
        """Store and publish approved marks of the audience, or of these raters, in place of their former ones."""
        chosen, raters = random.Random(seed), raters or self.raters  # noqa: S311 - test data
        at = timezone.now()
        users, row = [user.pk for user in raters], played.row
        with transaction.atomic():
            for table in (PieceRating, PerformanceRating):
                table.objects.filter(user__in=users, appearance=row).delete()
            fields = {"appearance": row, "approved": True, "created_at": at, "updated_at": at}
            PieceRating.objects.bulk_create(
                PieceRating(user=user, piece_id=pk, score=chosen.choice(played.marks(place)), **fields)
                for user in raters
                for place, pk in enumerate(played.pieces)
            )
            PerformanceRating.objects.bulk_create(
                PerformanceRating(user=user, score=chosen.choice((2, 3)), comment="Heard.", **fields) for user in raters
            )
            ratings_announce(users, (row.pk,), public=True, waiting=False)


def competition() -> Competition:
    """Store the competition, without any marks."""
    made, place = Competition(), 0
    both = ParticipantFactory()
    made.raters = [aged(UserFactory()) for _ in range(RATERS)]
    for stage, count in enumerate(PERFORMANCES):
        session = SessionFactory(is_live=stage == 0)
        made.sessions.append(session)
        pieces = tuple(PieceFactory() for _ in range(PIECES))
        for number in range(count):
            row = AppearanceFactory(session=session, participant=ParticipantFactory() if number else both)
            for order, piece in enumerate(pieces, start=1):
                row.program.create(piece=piece, order_number=order, slot=piece.category)
            made.performances.append(
                Played(place, stage, row, tuple(piece.pk for piece in pieces), has_begun=stage > 0)
            )
            place += 1
    for played in made.performances[: PERFORMANCES[0] - 1]:
        made.begin(played)
    return made


def aged(user: Any) -> Any:
    """Make the account two days old, so that its marks can count."""
    User.objects.filter(pk=user.pk).update(created_at=timezone.now() - timedelta(days=2))
    return user


def paths(there: Competition) -> list[str]:
    """Return the addresses of all pages that show figures."""
    first, second = there.sessions
    of_stages = [f"/sessions/{first.pk}", f"/sessions/{second.pk}", f"/sessions/{first.pk}?open=all"]
    of_stages += [f"/stages/{first.stage_id}", f"/stages/{second.stage_id}", "/stages/method", "/", "/participants"]
    of_stages += [f"/stages/{each.stage_id}?view=jury" for each in there.sessions]
    own = ["/profile", "/profile?tab=ratings", "/profile?tab=ratings&sort=difference"]
    people = [f"/participants/{each.row.participant_id}" for each in there.performances]
    opened = [f"/participants/{each.row.participant_id}?open={each.row.pk}" for each in there.performances]
    return [*of_stages, *own, *people, *opened, *(f"{path}?tab=ratings" for path in people)]


async def viewed(path: str, cookie: str = "") -> str:
    """Return the HTML of a page, or the answer to a poll."""
    headers = [(b"cookie", cookie.encode())] if cookie else []
    response = await page_response(path, headers)
    while response.status_code in (301, 302):
        response = await page_response(response["Location"], headers)
    assert response.status_code == 200, path
    return response.content.decode()


async def described() -> set[str]:
    """Return the decimal numbers in the text of the method's page, which are figures of no performance."""
    return set(re.findall(r"\d+\.\d+", await viewed("/stages/method")))


@dataclass
class Planted:
    """The texts of a performance's figures: of all of it, and of each piece by id; and the marks of its pieces."""

    whole: set[str] = field(default_factory=set)
    pieces: dict[int, set[str]] = field(default_factory=dict)
    marks: list[int] = field(default_factory=list)

    def __or__(self, other: "Planted") -> "Planted":
        pieces = {pk: self.pieces.get(pk, set()) | other.pieces.get(pk, set()) for pk in self.pieces | other.pieces}
        return Planted(self.whole | other.whole, pieces)


def mean(marks: Iterable[int]) -> Decimal | None:
    """Return the mean to one decimal, half away from zero; None without marks."""
    values = list(marks)
    return (Decimal(sum(values)) / len(values)).quantize(Decimal("0.1"), ROUND_HALF_UP) if values else None


def _of_pieces() -> dict[int, Planted]:
    """Return the texts of figures that follow from marks of pieces."""
    by_appearance: dict[int, Planted] = {}
    by_piece: dict[int, dict[int, list[int]]] = {}
    by_rater: dict[tuple[int, int], list[int]] = {}
    columns = ("appearance_id", "piece_id", "score", "user_id")
    for appearance, piece, score, user in PieceRating.objects.filter(approved=True).values_list(*columns):
        by_piece.setdefault(appearance, {}).setdefault(piece, []).append(score)
        if score not in OWN_MARKS:
            by_rater.setdefault((appearance, user), []).append(score)
    for appearance, pieces in by_piece.items():
        texts = by_appearance.setdefault(appearance, Planted())
        every = [mark for marks in pieces.values() for mark in marks]
        texts.whole |= {str(mean(every)), _often(every)}
        texts.marks = every
        for pk, marks in pieces.items():
            audience = [mark for mark in marks if mark not in OWN_MARKS]
            texts.pieces[pk] = {str(mean(marks)), _often(marks), _spread(marks), *(f"{n} of 25" for n in audience)}
    for (appearance, _), marks in by_rater.items():
        by_appearance[appearance].whole.add(str(mean(marks)))
    return by_appearance


def planted() -> dict[int, Planted]:
    """Return the texts of all figures as they are now, by appearance."""
    by_appearance = _of_pieces()
    overall: dict[int, list[int]] = {}
    for appearance, score in PerformanceRating.objects.filter(approved=True).values_list("appearance_id", "score"):
        overall.setdefault(appearance, []).append(score)
    for appearance, marks in overall.items():
        by_appearance.setdefault(appearance, Planted()).whole |= {str(mean(marks)), _spread(marks)}
    names = ("score", "score_from", "score_to", "mean")
    for appearance, *figures in RankingRow.objects.values_list("appearance_id", *names):
        by_appearance.setdefault(appearance, Planted()).whole |= {str(each) for each in figures if each is not None}
    return by_appearance


def _often(marks: list[int]) -> str:
    """Return the most frequent mark in words, with the number of marks if several are equally frequent."""
    (mark, times), *others = Counter(marks).most_common()
    is_shown = 5 * times >= len(marks) and all(times > other for _, other in others)
    return f"most often {mark}" if is_shown else _spread(marks)


def _spread(marks: list[int]) -> str:
    """Return how often each mark was given, as the figures' descriptions do."""
    return ", ".join(f"{mark}: {times}" for mark, times in sorted(Counter(marks).items()))


# Escaped characters of JSON; the attributes of drawings, which are full of numbers; and the member's mean beside the
# audience's, over pieces that the member has submitted.
_NO_TEXT = re.compile(
    r"""\\u[0-9a-fA-F]{4}|\b(?:r|d|[cxy][xy12]|strokeWidth|stroke-width|viewBox)"?[:=] ?"[^"]*\""""
    r"|[\d.]+ (?:higher|lower) than the audience: [\d.]+ against [\d.]+"
)


def found_in(received: str, texts: Collection[str]) -> dict[str, str]:
    """Return the texts that were received as whole numbers without a sign, each with its context.

    A number with a sign is a difference.
    """
    plain, contexts = _NO_TEXT.sub(" ", received), {}
    for text in texts:
        if text in plain and (match := re.search(rf"(?<![\d.+\-−]){re.escape(text)}(?![\d]|\.\d)", plain)):
            contexts[text] = plain[max(0, match.start() - AROUND) : match.end() + AROUND]
    return contexts
