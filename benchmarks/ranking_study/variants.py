"""Variants of the method on a matrix of raters and performances, in floating point: what version 2 was chosen from."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Matrix = np.ndarray[Any, np.dtype[np.float64]]
Kind = Literal["mean", "trimmed", "t"]
SHRINKAGE, SPREAD_SHRINKAGE, SPREAD_FROM, ADDED, LEAST_SCALE, ROUNDS = 3, 8, 5, 10, 0.05, 20


@dataclass(frozen=True, slots=True)
class Variant:
    """How scores and offsets are averaged, and whether ranges are corrected."""

    scores: Kind = "t"
    offsets: Kind | None = "trimmed"  # None: no offset is taken out
    has_spread: bool = False  # factors divided by their geometric mean in each round
    freedom: float = 4
    rounds: int = ROUNDS
    from_medians: bool = False  # the first scores are medians, not means


VARIANTS = {
    "plain mean": Variant("mean", None),
    "offset-corrected mean": Variant("mean", "mean"),
    "trimmed, no spread step": Variant("trimmed"),
    "trimmed, spread by geometric mean": Variant("trimmed", has_spread=True),
    "t, trimmed offsets": Variant(),
    "t, t-weighted offsets": Variant("t", "t"),
    "t, mean offsets": Variant("t", "mean"),
    "t, spread by geometric mean": Variant(has_spread=True),
    "t with 2 degrees of freedom": Variant(freedom=2),
    "t, from medians": Variant(from_medians=True),
}


def scores_of(marks: Matrix, variant: Variant, shares: Matrix | None = None) -> Matrix:
    """Return the scores of the columns; `marks` has NaN where a rater gave no mark, `shares` weighs the raters."""
    given = ~np.isnan(marks)
    base = given * (np.ones(len(marks)) if shares is None else shares)[:, None]
    counts = given.sum(axis=1, keepdims=True)
    filled = np.where(given, marks, 0.0)
    factors, offsets = np.ones((len(marks), 1)), np.zeros((len(marks), 1))
    own_means = filled.sum(axis=1, keepdims=True) / counts
    weights = base
    scores = np.nanmedian(marks, axis=0) if variant.from_medians else _mean(filled, base, 0)
    corrected = filled
    for _ in range(variant.rounds):
        if variant.scores == "t":
            weights = base * _t_weights(corrected - scores, given, variant.freedom)
        if variant.scores == "trimmed":
            scores = _trimmed(np.where(given, corrected, np.nan))
        elif not variant.from_medians or variant.scores != "mean":
            scores = _mean(corrected, weights, 0)
        if variant.offsets is None:
            continue
        away = np.where(given, filled - scores, 0.0)
        offsets = _offsets(away, given, weights, variant.offsets) * counts / (counts + SHRINKAGE)
        if variant.has_spread:
            factors = _factors(filled, scores, given, counts)
        corrected = own_means + (filled - own_means) * factors - offsets
    average = (corrected * base).sum() / base.sum()
    masses = base.sum(axis=0)
    return np.asarray((masses * scores + ADDED * average) / (masses + ADDED))


def _mean(values: Matrix, weights: Matrix, axis: int) -> Matrix:
    return np.asarray((values * weights).sum(axis=axis) / np.maximum(weights.sum(axis=axis), 1e-12))


def _t_weights(away: Matrix, given: Matrix, freedom: float) -> Matrix:
    scale = max(LEAST_SCALE, 1.4826 * float(np.median(np.abs(away[given]))))
    return np.asarray((freedom + 1) / (freedom + (away / scale) ** 2))


def _offsets(away: Matrix, given: Matrix, weights: Matrix, kind: Kind) -> Matrix:
    if kind == "trimmed":
        return _trimmed(np.where(given, away, np.nan).T)[:, None]
    return _mean(away, weights if kind == "t" else given * 1.0, 1)[:, None]


def _factors(filled: Matrix, scores: Matrix, given: Matrix, counts: Matrix) -> Matrix:
    def spread(values: Matrix) -> Matrix:
        mean = (values * given).sum(axis=1, keepdims=True) / counts
        return np.asarray(np.sqrt(((values - mean) ** 2 * given).sum(axis=1, keepdims=True) / counts))

    own, theirs = spread(filled), spread(np.broadcast_to(scores, filled.shape))
    fitted = np.where((counts >= SPREAD_FROM) & (own > 0), np.clip(theirs / np.maximum(own, 1e-9), 0.01, 100), 1.0)
    shrunk = np.exp(np.log(fitted) * counts / (counts + SPREAD_SHRINKAGE))
    are_fitted = counts >= SPREAD_FROM
    normal = np.exp(np.log(shrunk[are_fitted]).mean()) if are_fitted.any() else 1.0
    return np.asarray(np.clip(np.where(are_fitted, shrunk / normal, 1.0), 0.5, 2.0))


def _trimmed(marks: Matrix) -> Matrix:
    """Return the mean of the middle three fifths of each column, without NaN."""
    ordered = np.sort(marks, axis=0)  # NaN last
    counts = (~np.isnan(marks)).sum(axis=0)
    at = np.arange(len(marks))[:, None]
    kept = np.clip(5 * (at + 1), counts, 4 * counts) - np.clip(5 * at, counts, 4 * counts)
    return np.asarray((np.where(kept > 0, ordered, 0.0) * kept).sum(axis=0) / np.maximum(3 * counts, 1))


def tau(one: Matrix, other: Matrix) -> float:
    """Return Kendall's tau-b of two rows of numbers."""
    first, second = (np.sign(each[:, None] - each[None, :]) for each in (one, other))
    return float((first * second).sum() / np.sqrt((first**2).sum() * (second**2).sum()))
