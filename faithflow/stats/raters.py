"""Agreement of several raters who need not all have rated every item: Fleiss' kappa and Gwet's AC1."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from faithflow.stats.coefficient import UNDEFINED, Coefficient, chance_corrected, interval_of, standard_error
from faithflow.stats.intervals import Floats, cluster_codes, wilson

_Chance = Callable[[Floats], tuple[float, Floats]]


def raw_agreement(counts: ArrayLike) -> float | None:
    """The mean over items of the share of rater pairs that agree; None where no item has two ratings.

    `counts[i, k]` is the number of raters who gave item i the label k. So in all functions of this module.
    """
    table = np.asarray(counts, dtype=np.float64)
    raters = table.sum(axis=1)
    paired = raters >= 2
    return float(_pairwise(table[paired], raters[paired]).mean()) if paired.any() else None


def fleiss_kappa(counts: ArrayLike, clusters: ArrayLike | None = None) -> Coefficient:
    """Fleiss' kappa (1971, Psychological Bulletin 76:378), for missing ratings as Gwet's handbook and irrCAC.

    A label's prevalence is its mean share over the rated items, and chance agreement the sum of the squared
    prevalences. Undefined where all ratings are one label, or no item has two. `clusters`: the answer of each item.
    """
    return _coefficient(counts, clusters, _fleiss_chance)


def gwet_ac1_multi(counts: ArrayLike, clusters: ArrayLike | None = None) -> Coefficient:
    """Gwet's AC1 for several raters (2008, section 3), standard error with missing ratings as irrCAC.

    The number of columns of `counts` is the number of labels that could have been given, and counts in AC1.
    Undefined where no item has two ratings.
    """
    return _coefficient(counts, clusters, _ac1_chance)


def _fleiss_chance(prevalence: Floats) -> tuple[float, Floats]:
    """Chance agreement, and for each label the chance that a rating of it meets its like."""
    return float((prevalence**2).sum()), prevalence


def _ac1_chance(prevalence: Floats) -> tuple[float, Floats]:
    k = prevalence.size
    return float((prevalence * (1 - prevalence)).sum()) / (k - 1), (1 - prevalence) / (k - 1)


def _pairwise(table: Floats, raters: Floats) -> Floats:
    return (table * (table - 1)).sum(axis=1) / (raters * (raters - 1))


def _coefficient(counts: ArrayLike, clusters: ArrayLike | None, chance_of: _Chance) -> Coefficient:
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(f"counts of shape {table.shape}: give one row an item and one column a label, at least two")
    rated = table.sum(axis=1) > 0
    table = table[rated]
    raters = table.sum(axis=1)
    paired = raters >= 2
    if not paired.any():
        return UNDEFINED
    n = len(table)
    groups = np.arange(n) if clusters is None else cluster_codes(np.asarray(clusters)[rated], n)
    raw = float(_pairwise(table[paired], raters[paired]).mean())
    chance, meets = chance_of((table / raters[:, None]).mean(axis=0))
    value = chance_corrected(raw, chance)
    if value is None:
        return UNDEFINED
    # an item with one rating says nothing on raw agreement, but something on prevalence
    own = np.zeros(n)
    own[paired] = n / paired.sum() * (_pairwise(table[paired], raters[paired]) - chance) / (1 - chance)
    influence = own - 2 * (1 - value) * (table @ meets / raters - chance) / (1 - chance) - value
    independent = math.sqrt(float((influence**2).sum()) / (n * (n - 1))) if n > 1 else 0.0
    se = standard_error(influence, groups, independent)
    if se is None:
        return Coefficient(value, None, None)
    # where no item differs from another, each cluster counts once
    alike = np.unique(groups[paired]).size
    return Coefficient(value, se, interval_of(value, se, int(groups.max()), chance, wilson(raw * alike, alike)))
