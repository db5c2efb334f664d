"""Tests of two raters of the same claims: does one call more of them supported than the other?"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """McNemar's exact two-sided p: the binomial test of the discordant pairs; 1 where there are none.

    `only_first` and `only_second` count the claims that one rater alone called supported. Claims are taken as
    independent. Source: McNemar 1947, Psychometrika 12:153; exact form as statsmodels.
    """
    from statsmodels.stats.contingency_tables import mcnemar

    result: Any = mcnemar([[0, only_first], [only_second, 0]], exact=True)
    return float(result.pvalue)


def sign_flip(differences: Iterable[int]) -> float:
    """The exact two-sided p of a sum of whole numbers whose signs are equally likely either way.

    One difference a cluster: claims that the first rater alone supported less those that the second alone did. So it
    is McNemar's test for claims that come in answers: with one claim an answer the p-values are equal; with more,
    an answer counts as one observation, however its claims are correlated. Fisher's randomisation test (The Design
    of Experiments, 1935, section 21), by the exact distribution of the sum and not by sampling.
    """
    from scipy.stats import binom

    values = list(differences)
    observed = abs(sum(values))
    distribution = np.ones(1)
    for step, times in sorted(Counter(abs(value) for value in values if value).items()):
        signs = np.zeros(times * step + 1)
        signs[::step] = binom.pmf(np.arange(times + 1), times, 0.5)
        distribution = np.convolve(distribution, signs)
    # index i of the distribution is the sum 2i - total
    sums = np.abs(2 * np.arange(distribution.size) - (distribution.size - 1))
    return min(float(distribution[sums >= observed].sum()), 1.0)
