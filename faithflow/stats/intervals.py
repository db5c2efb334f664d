"""Intervals for rates, with claims of one answer taken as correlated, and bounds for what was not scored."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class Interval(NamedTuple):
    """A closed interval."""

    low: float
    high: float


def wilson(successes: float, n: float, level: float = LEVEL) -> Interval | None:
    """Wilson's score interval of a rate, without continuity correction; None where n is 0.

    Both counts may be fractional (an effective sample size). Source: Wilson 1927, JASA 22:209; it is method 3 of
    Newcombe 1998, Statistics in Medicine 17:857. The interval holds the rate, also where that is 0 or 1.
    Raises ValueError where not 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}: successes must lie between 0 and n")
    if n == 0:
        return None
    from statsmodels.stats.proportion import proportion_confint

    ends: Any = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    rate = successes / n
    return Interval(min(float(ends[0]), rate), max(float(ends[1]), rate))


def bounds(supported: int, scored: int, unscored: int) -> Interval | None:
    """The rate if every unscored claim were unsupported, and if every one were supported; None where there is none.

    `scored` counts the claims in the rate's denominator, `supported` those of them in its numerator. No assumption
    is made on what is missing (Manski 1989, Journal of Human Resources 24:343).
    """
    total = scored + unscored
    return Interval(supported / total, (supported + unscored) / total) if total else None


def clustered_rate(successes: ArrayLike, clusters: ArrayLike, level: float = LEVEL) -> Interval | None:
    """The interval of a rate over rows that come in clusters (the claims of one answer); None where there are no rows.

    `successes` is a 0/1 array, `clusters` an equally long array of cluster numbers. Wilson's interval with an
    effective sample size: n divided by the design effect (the linearised between-cluster variance of the rate over
    its variance under independence) and corrected for few clusters by (t(n-1) / t(clusters-1))^2, as Korn and
    Graubard 1998, Survey Methodology 24:193; for Wilson's form, Franco and others 2019, Journal of Survey Statistics
    and Methodology 7:334. Three rules keep it honest where that estimate is not: the effective size is never above n;
    where all rows are alike, correlation cannot be seen and each cluster counts once; and it is never below 1.
    With one row a cluster it is Wilson's interval.
    """
    hits = np.asarray(successes, dtype=np.float64)
    if hits.size == 0:
        return None
    groups = cluster_codes(clusters, hits.size)
    n = hits.size
    size = effective_size(hits, groups, level)
    return wilson(float(hits.sum()) / n * size, size, level)


def effective_size(hits: Floats, groups: Codes, level: float) -> float:
    """The number of independent rows that would say as much on the mean of `hits` (0/1) as these clustered ones."""
    n, count = hits.size, int(groups.max()) + 1
    if count == 1:
        return 1.0
    rate = float(hits.mean())
    if 0 < rate < 1:
        sums = np.bincount(groups, weights=hits - rate, minlength=count)
        clustered = count / (count - 1) * float((sums**2).sum()) / n**2
        effect = max(clustered / (rate * (1 - rate) / (n - 1)), 1.0)
    else:
        effect = n / count
    few = (t_quantile(n - 1, level) / t_quantile(count - 1, level)) ** 2
    return min(max(n / effect * few, 1.0), float(n))


def cluster_codes(clusters: ArrayLike, n: int) -> Codes:
    """Cluster numbers as 0, 1, …; raises ValueError where there are not n of them."""
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1].astype(np.int64)
    if codes.shape != (n,):
        raise ValueError(f"{codes.size} cluster numbers for {n} rows: give one a row")
    return codes


def t_quantile(df: int, level: float) -> float:
    """The two-sided quantile of Student's t: 2.228 for df 10 and level .95."""
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))
