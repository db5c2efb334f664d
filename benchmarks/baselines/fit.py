"""Fitting a baseline's model: a logistic part with no negative coefficient, and boosted trees that are monotone.

Every feature speaks for support the more, the greater it is, and both parts are held to that: what would fit one data
set by turning a feature round does not carry over to another.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.baselines.data import Row
from faithflow.judging.baseline.model import THRESHOLD, Model, model_from, weights_hash

Floats = NDArray[np.float64]

# Data sets that share their texts, or that are small, weigh less: they hold less that is new.
SET_WEIGHTS = {"wice": 0.5, "wice_chunks": 0.5, "qags_cnndm": 0.5, "qags_xsum": 0.5, "kqa": 0.5}
LOGISTIC_STRENGTH = 1.0
TREES = {
    "max_iter": 120, "learning_rate": 0.05, "max_leaf_nodes": 6, "min_samples_leaf": 60, "l2_regularization": 5.0,
}  # fmt: skip
CONFLICT_CAP = 0.15
MOST_UNSURE = 0.04
"""The share of claims near the threshold, at most, that the default margin leaves unscored."""


def sample_weights(rows: Sequence[Row]) -> Floats:
    """Each data set its weight, half of it on its supported rows and half on the others; the mean is 1."""
    datasets = np.array([row.dataset for row in rows])
    supported = np.array([row.supported for row in rows])
    weights = np.zeros(len(rows))
    for name in sorted(set(datasets)):
        for side in (True, False):
            part = (datasets == name) & (supported == side)
            if part.any():
                weights[part] = SET_WEIGHTS.get(name, 1.0) / part.sum()
    return weights * len(rows) / weights.sum()


def fit(name: str, features: Sequence[str], x: Floats, rows: Sequence[Row]) -> dict[str, Any]:
    """The weights file of a model fitted to rows; `x` has a row for each of them and a column for each feature.

    The offset is such that the mean of the data sets' balanced accuracies on these rows is greatest at THRESHOLD.
    """
    y = np.array([row.supported for row in rows])
    w = sample_weights(rows)
    intercept, coefficients = _logistic(x, y, w)
    base, trees = _trees(x, y, w)
    weights: dict[str, Any] = {
        "name": name,
        "features": list(features),
        "intercept": intercept,
        "coefficients": coefficients,
        "base": base,
        "trees": trees,
        "scale": 1.0,
        "offset": 0.0,
        "unsure_margin": 0.0,
        "conflict_cap": CONFLICT_CAP,
    }
    uncalibrated = probabilities(finished(weights), features, x)
    scale, offset = _calibration(np.log(uncalibrated / (1 - uncalibrated)), y, w)
    weights |= {"scale": scale, "offset": offset}
    best = _threshold(probabilities(finished(weights), features, x), y, rows)
    weights["offset"] = round(offset - float(np.log(best / (1 - best))), 6)
    weights["unsure_margin"] = _margin(probabilities(finished(weights), features, x), rows)
    weights["hash"] = weights_hash(weights)
    return weights


def finished(weights: dict[str, Any]) -> Model:
    """A model of weights that may still lack their hash."""
    return model_from({**weights, "hash": weights_hash(weights)})


def probabilities(model: Model, features: Sequence[str], x: Floats) -> Floats:
    """P(supported) by the run-time code, row by row."""
    return np.array([model.probability(dict(zip(features, row, strict=True))) for row in x.tolist()])


def _logistic(x: Floats, y: NDArray[np.bool_], w: Floats) -> tuple[float, list[float]]:
    """Weighted logistic regression with a ridge and coefficients of at least 0, on standardised features."""
    from scipy.optimize import minimize

    mean = np.average(x, axis=0, weights=w)
    spread = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=w)) + 1e-9
    z = (x - mean) / spread
    sign = np.where(y, 1.0, -1.0)
    ridge = 1.0 / (LOGISTIC_STRENGTH * len(y))

    def loss(p: Floats) -> tuple[float, Floats]:
        margin = sign * (z @ p[1:] + p[0])
        slope = -sign * w / (1 + np.exp(np.clip(margin, -500, 500)))
        value = (w * np.logaddexp(0, -margin)).mean() + ridge * float(p[1:] @ p[1:]) / 2
        gradient = np.concatenate([[slope.sum()], z.T @ slope]) / len(y)
        gradient[1:] += ridge * p[1:]
        return float(value), gradient

    found = minimize(
        loss,
        np.zeros(x.shape[1] + 1),
        jac=True,
        method="L-BFGS-B",
        bounds=[(None, None)] + [(0.0, None)] * x.shape[1],
    ).x
    coefficients = found[1:] / spread
    return round(float(found[0] - coefficients @ mean), 6), [round(float(c), 6) for c in coefficients]


def _trees(x: Floats, y: NDArray[np.bool_], w: Floats) -> tuple[float, list[dict[str, list[float]]]]:
    from sklearn.ensemble import HistGradientBoostingClassifier

    boosted = HistGradientBoostingClassifier(
        **TREES, monotonic_cst=[1] * x.shape[1], early_stopping=False, random_state=0
    ).fit(x, y, sample_weight=w)
    trees: list[dict[str, list[float]]] = []
    for (predictor,) in boosted._predictors:
        nodes = predictor.nodes
        leaf = nodes["is_leaf"].astype(bool)
        trees.append(
            {
                "feature": [-1 if at_leaf else int(i) for at_leaf, i in zip(leaf, nodes["feature_idx"], strict=True)],
                "threshold": [
                    0.0 if at_leaf else float(t) for at_leaf, t in zip(leaf, nodes["num_threshold"], strict=True)
                ],
                "left": [int(i) for i in nodes["left"]],
                "right": [int(i) for i in nodes["right"]],
                "value": [
                    round(float(v), 9) if at_leaf else 0.0 for at_leaf, v in zip(leaf, nodes["value"], strict=True)
                ],
            }
        )
    return round(float(boosted._baseline_prediction.ravel()[0]), 9), trees


def _calibration(logits: Floats, y: NDArray[np.bool_], w: Floats) -> tuple[float, float]:
    """Platt's scale and offset (Platt 1999) of the mixed log-odds."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e6).fit(logits.reshape(-1, 1), y, sample_weight=w)
    return round(float(model.coef_[0, 0]), 6), round(float(model.intercept_[0]), 6)


def _threshold(p: Floats, y: NDArray[np.bool_], rows: Sequence[Row]) -> float:
    datasets = np.array([row.dataset for row in rows])
    grid = np.round(np.arange(0.30, 0.701, 0.01), 2)
    scores = np.zeros(len(grid))
    for name in sorted(set(datasets)):
        part = datasets == name
        for i, threshold in enumerate(grid):
            said = p[part] >= threshold
            scores[i] += SET_WEIGHTS.get(name, 1.0) * (said[y[part]].mean() + (~said[~y[part]]).mean())
    # the middle of the best stretch, not its noisiest point
    smooth = np.convolve(np.pad(scores, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    return float(grid[int(np.argmax(smooth))])


def _margin(p: Floats, rows: Sequence[Row]) -> float:
    datasets = np.array([row.dataset for row in rows])
    names = sorted(set(datasets))
    margin = 0.0
    for candidate in np.round(np.arange(0.005, 0.105, 0.005), 3):
        if np.mean([(np.abs(p[datasets == name] - THRESHOLD) < candidate).mean() for name in names]) <= MOST_UNSURE:
            margin = float(candidate)
    return margin
