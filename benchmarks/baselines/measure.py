"""AUROC and balanced accuracy with intervals from a bootstrap of clusters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

REPLICATES = 1000
SEED = 20240613


@dataclass(frozen=True, slots=True)
class Figure:
    """An estimate with its 95% percentile interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def cluster_counts(clusters: Sequence[str]) -> NDArray[np.int64]:
    """How often each row is drawn in each replicate (replicates, rows): clusters are drawn with replacement."""
    names, codes = np.unique(np.array(clusters), return_inverse=True)
    rng = np.random.default_rng(SEED)
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=REPLICATES)
    return drawn[:, codes]


def auroc(scores: NDArray[np.float64], y: NDArray[np.bool_], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The area under the ROC curve for each row of counts; ties count half; nan without both classes."""
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(scores[order]) > 0]))
    w = counts[:, order].astype(np.float64)
    positive = np.add.reduceat(w * y[order], starts, axis=1)
    negative = np.add.reduceat(w * ~y[order], starts, axis=1)
    below = np.cumsum(negative, axis=1) - negative / 2
    with np.errstate(invalid="ignore"):
        return (positive * below).sum(axis=1) / (positive.sum(axis=1) * negative.sum(axis=1))


def balanced_accuracy(said: NDArray[np.bool_], y: NDArray[np.bool_], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean of the two classes' recalls for each row of counts; nan without both classes."""
    with np.errstate(invalid="ignore"):
        supported = (counts * (y & said)).sum(axis=1) / (counts * y).sum(axis=1)
        other = (counts * (~y & ~said)).sum(axis=1) / (counts * ~y).sum(axis=1)
    return (supported + other) / 2


def figure(of_all: NDArray[np.float64], replicates: NDArray[np.float64]) -> Figure:
    """An estimate beside its replicates' 2.5th and 97.5th percentiles; replicates without both classes are left out."""
    low, high = np.nanpercentile(replicates, [2.5, 97.5])
    return Figure(float(of_all[0]), float(low), float(high))


def measure(
    scores: NDArray[np.float64], said: NDArray[np.bool_], y: NDArray[np.bool_], clusters: Sequence[str]
) -> tuple[Figure, Figure]:
    """(AUROC, balanced accuracy) of some rows."""
    once = np.ones((1, len(y)), dtype=np.int64)
    counts = cluster_counts(clusters)
    return (
        figure(auroc(scores, y, once), auroc(scores, y, counts)),
        figure(balanced_accuracy(said, y, once), balanced_accuracy(said, y, counts)),
    )
