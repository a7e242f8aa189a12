"""Opinions of the invented listeners, the same in every fresh clone."""

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from statistics import NormalDist

from apps.demo.texts import participant_texts, playing_in, session_texts, stage_names
from apps.ratings.enums import Advance, QuickRating
from apps.ratings.limits import PERFORMANCE_HIGHEST, PIECE_HIGHEST

_FOLDER = Path(__file__).resolve().parent
_ATTENDANCE = 0.7  # share of performances that a listener rates
_ONE_PIECE = 0.85  # share of pieces with a mark
_APPROVAL = 0.9  # share of approved ratings
_QUALITIES = (11.0, 10.0)  # the lowest quality in points, and the range of qualities
_OF_FEATURED, _OF_STAR = (14.5, 5.0), (18.5, 2.0)  # those of the featured participants, and of the first of them
_OF_LEAVING = (7.5, 2.0)  # and of those who play in the first stage only
_EARS_FIRST = 0.5  # share of the listeners who mark with the audience's figures covered


def chance(*what: object) -> float:
    """Return a number from 0 up to 1, always the same for the same arguments."""
    digest = blake2b("|".join(map(str, what)).encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


def bell(*what: object) -> float:
    """Return a normally distributed number, always the same for the same arguments."""
    return NormalDist().inv_cdf(min(max(chance(*what), 0.001), 0.999))


@dataclass(frozen=True, slots=True)
class Opinion:
    """One listener's rating of one performance; `pieces` are marks by piece id."""

    pieces: dict[int, int]
    score: int
    comment: str
    quick_rating: str
    advance: str
    approved: bool


def rater_names() -> tuple[str, ...]:
    """Return the usernames of the listeners."""
    return tuple(json.loads((_FOLDER / "raters.json").read_text(encoding="utf-8")))


def comments() -> dict[int, list[str]]:
    """Return the comments by the mark for the whole performance."""
    read = json.loads((_FOLDER / "rating_comments.json").read_text(encoding="utf-8"))
    return {int(score): texts for score, texts in read.items()}


def was_there(rater: str, session_appearance: str) -> bool:
    """Whether this listener rates this performance."""
    return chance("heard", rater, session_appearance) < _ATTENDANCE


def ears_first(rater: str) -> bool:
    """Whether this listener marks with the audience's figures covered."""
    return chance("ears first", rater) < _EARS_FIRST


@lru_cache(maxsize=256)
def quality(session_appearance: str) -> float:
    """Return the quality of a performance, in points of a piece's mark; `session_appearance` as in `opinion`.

    The participants that the site features play well, the one on stage when a visitor arrives very well, and those who
    do not advance badly.
    """
    low, spread = _qualities().get(session_appearance.partition(", ")[2], _QUALITIES)
    return low + spread * chance("quality", session_appearance)


@lru_cache(maxsize=1)
def _qualities() -> dict[str, tuple[float, float]]:
    """Return the lowest quality and the range of qualities of some participants, by name."""
    first, texts = stage_names()[0], session_texts()
    stays = playing_in(text for text in texts if text.stage != first)
    leaving = (each.full_name for each in participant_texts() if each.second_name not in stays)
    star, *others = (each.full_name for each in participant_texts() if each.featured)
    return {star: _OF_STAR, **dict.fromkeys(others, _OF_FEATURED), **dict.fromkeys(leaving, _OF_LEAVING)}


def opinion(rater: str, session_appearance: str, piece_ids: tuple[int, ...], words: dict[int, list[str]]) -> Opinion:
    """Return a listener's opinion of a performance; `session_appearance` is its stage and participant.

    `words` are the comments to choose from, by the mark for the whole performance.
    """
    heard = quality(session_appearance) + 4 * (chance("taste", rater, session_appearance) - 0.5)
    marks = {
        pk: _mark(heard, rater, session_appearance, number)
        for number, pk in enumerate(piece_ids)
        if number == 0 or chance("piece", rater, session_appearance, number) < _ONE_PIECE
    }
    score = _overall_mark(sum(marks.values()) / len(marks))
    nearest = min((group for group in words if words[group]), key=lambda group: (abs(group - score), group))
    comment = words[nearest][int(chance("word", rater, session_appearance) * len(words[nearest]))]
    return Opinion(
        pieces=marks,
        score=score,
        comment=comment,
        quick_rating=_quick(score),
        advance=Advance.UP
        if score + chance("advance", rater, session_appearance) > PERFORMANCE_HIGHEST - 1.2
        else Advance.DOWN,
        approved=chance("approved", rater, session_appearance) < _APPROVAL,
    )


def _mark(heard: float, rater: str, session_appearance: str, number: int) -> int:
    """Return a mark for one piece; the sum of three chances gives a bell curve."""
    drift = sum(chance("mark", rater, session_appearance, number, index) for index in range(3)) - 1.5
    return min(PIECE_HIGHEST, max(1, round(heard + drift * 5)))


def _overall_mark(mean: float) -> int:
    """Return the mark for the whole performance, from the mean of the pieces."""
    return min(PERFORMANCE_HIGHEST, max(1, round(mean / PIECE_HIGHEST * (PERFORMANCE_HIGHEST + 0.6))))


def _quick(score: int) -> str:
    """Return the quick rating that corresponds to a mark."""
    if score == PERFORMANCE_HIGHEST:
        return QuickRating.OUTSTANDING
    return QuickRating.GREAT_PERFORMANCE if score == PERFORMANCE_HIGHEST - 1 else QuickRating.OTHER
