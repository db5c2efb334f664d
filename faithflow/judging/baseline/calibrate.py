"""A baseline's threshold from a user's own labels, with an accuracy that its own choice does not flatter."""

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from faithflow.identity import Json
from faithflow.judging.baseline.model import THRESHOLD

if TYPE_CHECKING:
    import numpy as np

_REPLICATES = 1000
_SEED = 20240613
_FOLDS = 10
_LOWEST, _HIGHEST = 0.01, 0.99


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold and what it is worth.

    `balanced_accuracy` is the mean of the two classes' recalls, each row judged with a threshold set without its
    cluster; `interval` its 95% percentile interval over resampled clusters. `default_balanced_accuracy` is that of
    the shipped threshold on the same rows. `prevalence` is the share of rows that people found supported.
    """

    threshold: float
    balanced_accuracy: float
    interval: tuple[float, float]
    n: int
    clusters: int
    prevalence: float
    default_threshold: float
    default_balanced_accuracy: float

    def as_json(self) -> dict[str, Json]:
        """The fields as they stand, the interval as a list of two."""
        return {**asdict(self), "interval": list(self.interval)}


def choose_threshold(
    probabilities: Sequence[float], labels: Sequence[bool], clusters: Sequence[Hashable]
) -> Calibration:
    """The threshold with the greatest balanced accuracy on labelled claims, and its cross-validated accuracy.

    `labels` say whether people found each claim supported; `clusters` name its answer, so that claims of one answer
    are never on both sides of a fold. Deterministic. Raises ValueError on unequal lengths or labels of one kind.
    """
    import numpy as np

    p, y = np.asarray(probabilities, dtype=np.float64), np.asarray(labels, dtype=bool)
    if not len(p) == len(y) == len(clusters):
        raise ValueError(f"{len(p)} probabilities, {len(y)} labels, {len(clusters)} clusters: give one of each a claim")
    if y.all() or not y.any():
        raise ValueError("all labels are of one kind: a threshold needs both supported and unsupported claims")
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    codes = np.array([numbers[name] for name in clusters])
    folds = _folds(codes, len(numbers))
    said = np.zeros(len(p), dtype=bool)
    for fold in range(int(folds.max()) + 1):
        held = folds == fold
        said[held] = p[held] >= _best(p[~held], y[~held])
    return Calibration(
        threshold=_best(p, y),
        balanced_accuracy=_balanced(said, y, np.ones(len(y))),
        interval=_interval(said, y, codes, len(numbers)),
        n=len(y),
        clusters=len(numbers),
        prevalence=float(y.mean()),
        default_threshold=THRESHOLD,
        default_balanced_accuracy=_balanced(p >= THRESHOLD, y, np.ones(len(y))),
    )


def _folds(codes: "np.ndarray[Any, Any]", count: int) -> "np.ndarray[Any, Any]":
    import numpy as np

    order = np.random.default_rng(_SEED).permutation(count)
    return (order % _FOLDS)[codes]


def _best(p: "np.ndarray[Any, Any]", y: "np.ndarray[Any, Any]") -> float:
    """The middle of the best stretch of thresholds: balanced accuracy is averaged over a tenth of the cuts, since a
    single best point of few labels is mostly noise. THRESHOLD where the labels are of one kind."""
    import numpy as np

    if y.all() or not y.any():
        return THRESHOLD
    values = np.unique(p)
    cuts = np.concatenate([[_LOWEST], (values[:-1] + values[1:]) / 2, [_HIGHEST]])
    order = np.sort(p[y]), np.sort(p[~y])
    recall = 1 - np.searchsorted(order[0], cuts, side="left") / len(order[0])
    other = np.searchsorted(order[1], cuts, side="left") / len(order[1])
    width = len(cuts) // 20 * 2 + 1
    smooth = np.convolve(np.pad((recall + other) / 2, width // 2, mode="edge"), np.ones(width) / width, mode="valid")
    return round(float(np.clip(cuts[int(np.argmax(smooth))], _LOWEST, _HIGHEST)), 3)


def _balanced(said: "np.ndarray[Any, Any]", y: "np.ndarray[Any, Any]", weight: "np.ndarray[Any, Any]") -> float:
    supported, other = weight[y].sum(), weight[~y].sum()
    return float(((weight * said)[y].sum() / supported + (weight * ~said)[~y].sum() / other) / 2)


def _interval(
    said: "np.ndarray[Any, Any]", y: "np.ndarray[Any, Any]", codes: "np.ndarray[Any, Any]", count: int
) -> tuple[float, float]:
    import numpy as np

    rng = np.random.default_rng(_SEED)
    values: list[float] = []
    for _ in range(_REPLICATES):
        weight = np.bincount(rng.integers(0, count, count), minlength=count)[codes]
        if weight[y].sum() and weight[~y].sum():
            values.append(_balanced(said, y, weight))
    if not values:
        return 0.0, 1.0
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
