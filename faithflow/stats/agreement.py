"""Agreement of two raters: raw, Cohen's kappa, Gwet's AC1, McNemar, and the table that they come from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from faithflow.stats.coefficient import UNDEFINED, Coefficient, chance_corrected, interval_of, standard_error
from faithflow.stats.intervals import Codes, Floats, Interval, cluster_codes, clustered_rate
from faithflow.stats.paired import mcnemar_exact, sign_flip

Ratings = Sequence[str | None] | pl.Series


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two raters agree on the items that both rated. What is undefined is None.

    `table[i][j]` counts the items that the first rater labelled `labels[i]` and the second `labels[j]`; `n` is their
    sum and `clusters` the number of answers that they come from (n where none were given). `raw` is the share of
    agreeing items. Intervals are at 95% and clustered. `mcnemar_p` (two labels only) is exact and counts answers, not
    claims, as observations; `mcnemar_p_independent` is McNemar's exact test on the table alone. They are equal where
    each answer has one claim.
    """

    labels: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    n: int
    clusters: int
    raw: float | None
    raw_interval: Interval | None
    kappa: float | None
    kappa_se: float | None
    kappa_interval: Interval | None
    ac1: float | None
    ac1_se: float | None
    ac1_interval: Interval | None
    mcnemar_p: float | None
    mcnemar_p_independent: float | None


def compare(a: Ratings, b: Ratings, labels: Sequence[str], clusters: ArrayLike | None = None) -> Agreement:
    """The agreement of two raters, item by item; an item that either left without a label (None) is left out.

    `a`, `b` (and `clusters`, the answer that each item belongs to) are equally long. `labels` are all the labels that
    could have been given, in the order of the table: AC1 depends on how many there are.

    - kappa: Cohen 1960, Educational and Psychological Measurement 20:37; standard error of Fleiss, Cohen and Everitt
      1969, Psychological Bulletin 72:323. None where both raters gave one and the same label to everything.
    - AC1: Gwet 2008, British Journal of Mathematical and Statistical Psychology 61:29; standard error as irrCAC for
      a table of two raters. It is 1 where both gave one label to everything.
    - with clusters: the same linearised terms, summed by cluster (a sandwich variance), t with clusters - 1 degrees
      of freedom. Both raters' labels on one answer stay together, so correlation between its claims is counted.

    Raises ValueError on a label that is not among `labels`, on fewer than two labels and on unequal lengths.
    """
    if len(set(labels)) != len(labels) or len(labels) < 2:
        raise ValueError(f"labels {list(labels)}: give at least two, each once")
    first, second = _codes(a, labels), _codes(b, labels)
    if first.size != second.size:
        raise ValueError(f"{first.size} ratings against {second.size}: give one of each for an item")
    groups = None if clusters is None else cluster_codes(clusters, first.size)
    both = (first >= 0) & (second >= 0)
    if groups is not None:
        groups = cluster_codes(groups[both], int(both.sum()))
    return _agreement(first[both], second[both], tuple(labels), groups)


def _codes(values: Ratings, labels: Sequence[str]) -> Codes:
    """Each value's place among the labels, -1 for None."""
    series = values if isinstance(values, pl.Series) else pl.Series(values, dtype=pl.String)
    unknown = set(series.drop_nulls().unique()) - set(labels)
    if unknown:
        raise ValueError(f"label {min(unknown)!r} is not among {list(labels)}")
    places = series.replace_strict(list(labels), list(range(len(labels))), default=None, return_dtype=pl.Int64)
    return places.fill_null(-1).to_numpy()


def _agreement(a: Codes, b: Codes, labels: tuple[str, ...], groups: Codes | None) -> Agreement:
    n, k = a.size, len(labels)
    table = np.bincount(a * k + b, minlength=k * k).reshape(k, k)
    counts = tuple(tuple(int(cell) for cell in row) for row in table)
    if n == 0:
        return Agreement(labels, counts, 0, 0, *([None] * 10))
    independent = np.arange(n) if groups is None else groups
    count = int(independent.max()) + 1
    raw = clustered_rate(a == b, independent)
    kappa = _coefficient(_kappa_parts(table / n), table / n, a, b, groups, raw)
    ac1 = _coefficient(_ac1_parts(table / n), table / n, a, b, groups, raw)
    by_claim = by_answer = None
    if k == 2:
        by_claim = mcnemar_exact(int(table[0, 1]), int(table[1, 0]))
        differences = np.bincount(independent, weights=b - a, minlength=count)
        by_answer = by_claim if count == n else sign_flip(round(value) for value in differences)
    return Agreement(
        labels=labels,
        table=counts,
        n=n,
        clusters=count,
        raw=int(np.trace(table)) / n,
        raw_interval=raw,
        kappa=kappa.value,
        kappa_se=kappa.se,
        kappa_interval=kappa.interval,
        ac1=ac1.value,
        ac1_se=ac1.se,
        ac1_interval=ac1.interval,
        mcnemar_p=by_answer,
        mcnemar_p_independent=by_claim,
    )


def _kappa_parts(p: Floats) -> tuple[float, Floats]:
    """Chance agreement of Cohen's kappa, and each cell's share in its derivative (its mean is twice the chance)."""
    row, col = p.sum(axis=1), p.sum(axis=0)
    return float(row @ col), col[:, None] + row[None, :]


def _ac1_parts(p: Floats) -> tuple[float, Floats]:
    """The same for AC1: chance agreement is sum(pi (1 - pi)) / (k - 1), pi the raters' mean share of a label."""
    k = p.shape[0]
    pi = (p.sum(axis=1) + p.sum(axis=0)) / 2
    return float((pi * (1 - pi)).sum()) / (k - 1), 2 * (1 - (pi[:, None] + pi[None, :]) / 2) / (k - 1)


def _coefficient(
    parts: tuple[float, Floats], p: Floats, a: Codes, b: Codes, groups: Codes | None, raw_interval: Interval | None
) -> Coefficient:
    chance, derivative = parts
    raw = float(np.trace(p))
    value = chance_corrected(raw, chance)
    if value is None:
        return UNDEFINED
    # d(value) = (d raw - (1 - value) d chance) / (1 - chance), an observation in cell (i, j) at a time
    cells = (np.eye(len(p)) - raw - (1 - value) * (derivative - 2 * chance)) / (1 - chance)
    independent = math.sqrt(max(float((p * cells**2).sum()), 0.0) / a.size)
    se = standard_error(cells[a, b], groups, independent)
    if se is None:
        return Coefficient(value, None, None)
    count = a.size if groups is None else int(groups.max()) + 1
    return Coefficient(value, se, interval_of(value, se, count - 1, chance, raw_interval))
