"""What all chance-corrected coefficients share: the standard error by linearisation and the interval."""

import math
from dataclasses import dataclass

import numpy as np

from faithflow.stats.intervals import LEVEL, Codes, Floats, Interval, t_quantile

_ZERO = 1e-12


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement (1 perfect, 0 chance) with its standard error and interval.

    All are None where the coefficient is undefined; `se` and `interval` also where there are fewer than two clusters.
    """

    value: float | None
    se: float | None
    interval: Interval | None


UNDEFINED = Coefficient(None, None, None)


def chance_corrected(raw: float, chance: float) -> float | None:
    """(raw - chance) / (1 - chance); None where chance agreement is 1, so that nothing is left to explain."""
    return None if 1 - chance < _ZERO else (raw - chance) / (1 - chance)


def standard_error(influence: Floats, clusters: Codes | None, independent: float) -> float | None:
    """The standard error of a coefficient whose rows have these (centred) influences.

    `independent` is the standard error with rows as independent. With clusters (numbered 0, 1, …) the influences are
    summed within each: sqrt(G/(G-1) sum_g U_g^2) / n, the sandwich variance. Clustering never makes it smaller:
    negative correlation within answers is taken for noise. None where there is but one cluster.
    """
    if clusters is None:
        return independent if influence.size > 1 else None
    count = int(clusters.max()) + 1
    if count < 2:
        return None
    sums = np.bincount(clusters, weights=influence, minlength=count)
    clustered = math.sqrt(count / (count - 1) * float((sums**2).sum())) / influence.size
    return max(clustered, independent)


def interval_of(
    value: float, se: float, df: int, chance: float, raw: Interval | None, level: float = LEVEL
) -> Interval | None:
    """The interval of a coefficient: value ± t(df)·se, cut to [-1, 1] (as irrCAC does for tables and ratings).

    With missing ratings Fleiss' kappa itself can lie below -1; the interval then starts at it.
    Where the standard error is zero (all pairs agree, or all disagree) that form would claim certainty from five
    claims as from five thousand. There the interval `raw` of raw agreement is taken, with chance agreement as found.
    """
    least = min(value, -1.0)
    if se > _ZERO:
        half = t_quantile(df, level) * se
        return Interval(max(value - half, least), min(value + half, 1.0))
    if raw is None:
        return None
    low, high = ((end - chance) / (1 - chance) for end in raw)
    return Interval(max(min(low, value), least), min(max(high, value), 1.0))
