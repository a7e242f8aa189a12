"""Invented audiences: listeners of different severity, range and diligence, who mark performances of known quality.

Half of the listeners register on the evening of the first session that they mark, the others a week before the stage or
earlier. In the kinds of ARRIVING a quarter mark one session only. A following are further listeners who mark their
favourite with honest enthusiasm in the night after it played.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

PIECES = 4
CENTRE, LOWEST, HIGHEST = 17, 1, 25
DAY, A_DAY_HAS = 24, 10  # hours, performances
EVENING = 6  # hours in which marks of the evening are given
PAIRED = 0.15  # share of raters who share an address block with another rater
CARRIER = 0.08  # share of raters in the block of one mobile carrier
NEWCOMERS, EARLIER = 0.5, (7, 90)  # share of raters who register for the stage; days before it for the others
DOORS = 3  # hours before a session from which its listeners register
FOLLOWING, ABOVE, ALSO = 30, 4, (2, 3, 4, 6)  # members, points above their usual mark, other performances they mark


class Mark(NamedTuple):
    """One rater's mark of a performance: the points of its rated pieces, when, and from which address block."""

    rater: str
    performer: str
    points: int
    pieces: int
    at: float  # hours since the stage's beginning
    block: str
    registered: float | None = None  # hours since then; None: as the audience has it, else shortly before `at`

    @property
    def value(self) -> float:
        """Return the mark, from 1 to 25."""
        return self.points / self.pieces


@dataclass(frozen=True, slots=True)
class Kind:
    """The parameters of a kind of audience; deviations are in points."""

    name: str
    performers: int
    raters: int
    sheet: tuple[int, ...]  # a rater marks one of these numbers of performances
    quality: float = 1.8  # standard deviation of the true qualities
    severity: float = 2.0  # of the raters' offsets
    spread: float = 0.25  # of the logarithm of the raters' ranges
    taste: float = 1.5  # of a rater's opinion of one performance
    noise: float = 2.0  # of one piece's mark about that opinion
    tails: float = 0  # degrees of freedom of the opinions; 0 is normal
    popularity: float = 0  # of the logarithm of how often a performance is chosen
    one_session: float = 0  # share of raters who mark one session only
    following: int = 0  # further listeners who mark a favourite in the night after it played


@dataclass(frozen=True, slots=True)
class Audience:
    """An audience: the true quality and the start of each performance, and all marks."""

    kind: Kind
    truth: dict[str, float]
    starts: dict[str, float]
    marks: tuple[Mark, ...]
    sheets: dict[str, dict[str, Mark]] = field(default_factory=dict)  # by rater, by performer
    registered: dict[str, float] = field(default_factory=dict)  # by rater, hours since the stage's beginning
    sessions: dict[str, float] = field(default_factory=dict)  # start of each performer's session
    following: frozenset[str] = frozenset()  # raters

    def raters_of(self, performer: str) -> int:
        """Return the number of a performance's raters."""
        return sum(performer in sheet for sheet in self.sheets.values())


KINDS = (
    Kind("small", 20, 40, (3, 5, 8, 12, 20)),
    Kind("middle", 20, 120, (3, 5, 8, 12, 20)),
    Kind("large", 84, 600, (3, 4, 6, 10, 20, 40, 84)),
    Kind("few raters", 40, 60, (5, 8, 12, 20)),
    Kind("short sheets", 40, 300, (3, 3, 4, 5)),
    Kind("all hear all", 12, 25, (12,)),
    Kind("severe", 20, 120, (3, 5, 8, 12, 20), severity=4.0),
    Kind("wide ranges", 20, 120, (3, 5, 8, 12, 20), spread=0.5),
    Kind("noisy", 20, 120, (3, 5, 8, 12, 20), taste=3.0, noise=3.0),
    Kind("heavy tails", 20, 120, (3, 5, 8, 12, 20), tails=2.0),
    Kind("close field", 40, 300, (3, 5, 8, 12, 20, 40), quality=0.8),
    Kind("uneven", 40, 200, (3, 5, 8, 12), popularity=0.8),
)
ARRIVING = tuple(replace(kind, one_session=0.25) for kind in KINDS)
FOLLOWED = replace(ARRIVING[1], name="middle, with a following", following=FOLLOWING)
BY_NAME = {kind.name: kind for kind in KINDS}


def qualities(kind: Kind, seed: int) -> dict[str, float]:
    """Return the true quality of each performance."""
    chance = np.random.default_rng([seed, 1])
    drawn = CENTRE + kind.quality * chance.standard_normal(kind.performers)
    return {f"P{number:02}": float(quality) for number, quality in enumerate(drawn)}


def audience(kind: Kind, seed: int, *, truth_seed: int | None = None) -> Audience:
    """Return an audience; audiences with one `truth_seed` hear the same performances."""
    field_seed = seed if truth_seed is None else truth_seed
    truth = qualities(kind, field_seed)
    performers = sorted(truth)
    starts = {each: float(DAY * (at // A_DAY_HAS) + at % A_DAY_HAS) for at, each in enumerate(performers)}
    sessions = {each: float(DAY * (at // A_DAY_HAS)) for at, each in enumerate(performers)}
    chance, arrival = np.random.default_rng([seed, 2]), np.random.default_rng([seed, 4])
    liked = np.exp(kind.popularity * np.random.default_rng([field_seed, 3]).standard_normal(len(performers)))
    marks: list[Mark] = []
    for number in range(kind.raters):
        rater, block = f"r{number}", _block(chance, number)
        severity, reach = kind.severity * chance.standard_normal(), np.exp(kind.spread * chance.standard_normal())
        choice = _choice(arrival, performers, kind.one_session)
        count = min(len(choice), int(chance.choice(kind.sheet)))
        is_prompt = chance.random() < 0.7
        shares = liked[choice] / liked[choice].sum()
        for at in chance.choice(choice, count, replace=False, p=shares):
            performer = performers[at]
            opinion = truth[performer] + kind.taste * deviation(chance, kind.tails)
            heard = CENTRE + severity + reach * (opinion - CENTRE)
            delay = chance.uniform(0, EVENING) if is_prompt or chance.random() < 0.5 else chance.uniform(EVENING, 96)
            marks.append(Mark(rater, performer, *struck(chance, heard, kind.noise), starts[performer] + delay, block))
    followers = _followers(kind, truth, sessions, arrival)
    sheets = sheets_of([*marks, *followers])
    registered = {rater: _registered(arrival, sheet.values(), sessions) for rater, sheet in sheets.items()}
    following = frozenset(mark.rater for mark in followers)
    return Audience(kind, truth, starts, (*marks, *followers), sheets, registered, sessions, following)


def _choice(arrival: np.random.Generator, performers: Sequence[str], one_session: float) -> np.ndarray:
    """Return the numbers of the performers that a rater chooses from: those of one session, or all."""
    everything = np.arange(len(performers))
    if not one_session or arrival.random() >= one_session:
        return everything
    of_session = everything // A_DAY_HAS == arrival.integers(-(-len(performers) // A_DAY_HAS))
    return everything[of_session]


def _followers(
    kind: Kind, truth: dict[str, float], sessions: dict[str, float], arrival: np.random.Generator
) -> list[Mark]:
    """Return the marks of a following: its favourite above its own scale, and some others of the session as usual."""
    marks: list[Mark] = []
    ordered = sorted(truth, key=truth.__getitem__)
    favourite = ordered[len(ordered) * 2 // 3]
    beside = [each for each in truth if sessions[each] == sessions[favourite] and each != favourite]
    for number in range(kind.following):
        severity, at = kind.severity * arrival.standard_normal(), sessions[favourite] + DAY + arrival.uniform(0, 12)
        others = arrival.choice(beside, int(arrival.choice(ALSO)), replace=False)
        for performer in (favourite, *map(str, others)):
            opinion = truth[performer] + severity + kind.taste * arrival.standard_normal()
            points, pieces = struck(arrival, opinion + ABOVE * (performer == favourite), kind.noise)
            marks.append(Mark(f"f{number}", performer, points, pieces, at + arrival.uniform(0, 0.5), f"fan{number}"))
    return marks


def _registered(arrival: np.random.Generator, sheet: Iterable[Mark], sessions: dict[str, float]) -> float:
    """Return when a rater registered: on the evening of the first session on the sheet, or before the stage."""
    if arrival.random() >= NEWCOMERS:
        return float(-DAY * arrival.uniform(*EARLIER))
    marks = list(sheet)
    begin = min(sessions[mark.performer] for mark in marks)
    return float(min(begin + arrival.uniform(-DOORS, EVENING), min(mark.at for mark in marks) - 0.05))


def sheets_of(marks: Iterable[Mark]) -> dict[str, dict[str, Mark]]:
    """Return the marks by rater and performer."""
    sheets: dict[str, dict[str, Mark]] = defaultdict(dict)
    for mark in marks:
        sheets[mark.rater][mark.performer] = mark
    return dict(sheets)


def deviation(chance: np.random.Generator, tails: float) -> float:
    """Return a deviation of about 1, normal or with heavy tails."""
    return float(chance.standard_t(tails) / 2**0.5 if tails else chance.standard_normal())


def struck(chance: np.random.Generator, heard: float, noise: float, pieces: int = PIECES) -> tuple[int, int]:
    """Return the sum and number of whole marks from 1 to 25 about an opinion."""
    each = np.rint(heard + noise * chance.standard_normal(pieces)).clip(LOWEST, HIGHEST)
    return int(each.sum()), pieces


def _block(chance: np.random.Generator, number: int) -> str:
    draw = chance.random()
    if draw < CARRIER:
        return "carrier"
    return f"pair{number // 6}" if draw < CARRIER + PAIRED else f"home{number}"
