"""The interval of a mean by resampling."""

from collections.abc import Sequence

import numpy as np

from faithflow.stats.intervals import LEVEL, Interval

RESAMPLES = 2000

_CELLS_AT_ONCE = 4_000_000


def mean_interval(values: Sequence[float], level: float = LEVEL) -> Interval | None:
    """The BCa bootstrap interval of the mean of independent values, such as one a question; it holds the mean.

    None where there are fewer than two values, or all are equal: resampling then says nothing. The resamples are the
    same in every run. Source: Efron 1987, JASA 82:171, as implemented in scipy.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.size < 2 or np.ptp(sample) == 0:
        return None
    from scipy.stats import bootstrap

    found = bootstrap(
        (sample,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=max(1, _CELLS_AT_ONCE // sample.size),
        confidence_level=level,
        method="BCa",
        rng=np.random.default_rng(0),
    ).confidence_interval
    mean = float(sample.mean())
    return Interval(min(float(found.low), mean), max(float(found.high), mean))
