"""The calibrated model of a baseline: a logistic part and trees from a weights file, evaluated in plain Python."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from faithflow.identity import Json, digest

BASELINES = ("lexical", "semantic")
THRESHOLD = 0.5
"""The probability from which a claim counts as supported, unless a study sets another."""


@dataclass(frozen=True, slots=True)
class Tree:
    """One regression tree as parallel lists by node: at a leaf `feature` is -1 and `value` counts; else a sample
    whose feature is at most `threshold` goes `left`, any other `right`."""

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    def leaf(self, x: tuple[float, ...]) -> float:
        """The value of the leaf that a sample falls in."""
        node = 0
        while self.feature[node] >= 0:
            node = self.left[node] if x[self.feature[node]] <= self.threshold[node] else self.right[node]
        return self.value[node]


@dataclass(frozen=True, slots=True)
class Model:
    """P(supported) = sigmoid(scale * m + offset), m the mean of the logistic part's and the trees' log-odds.

    The scale and offset make it a probability where supported and unsupported claims are about as many, and put the
    best threshold at THRESHOLD. `unsure_margin` is how near to it the model says unsure, `conflict_cap` the greatest
    probability left to a claim that stated evidence speaks against. `hash` is that of all the weights.
    """

    name: str
    features: tuple[str, ...]
    intercept: float
    coefficients: tuple[float, ...]
    base: float
    trees: tuple[Tree, ...]
    scale: float
    offset: float
    unsure_margin: float
    conflict_cap: float
    hash: str

    def probability(self, features: Mapping[str, float]) -> float:
        """P(supported) of one claim; depends on its features alone. Raises KeyError if a feature is missing."""
        x = tuple(features[name] for name in self.features)
        linear = self.intercept + math.fsum(c * v for c, v in zip(self.coefficients, x, strict=True))
        grown = self.base + math.fsum(tree.leaf(x) for tree in self.trees)
        return 1.0 / (1.0 + math.exp(-(self.scale * (linear + grown) / 2 + self.offset)))


def weights_hash(weights: Mapping[str, Json]) -> str:
    """The hash of everything in a weights file but the hash itself."""
    return digest({key: value for key, value in weights.items() if key != "hash"})


def model_from(weights: Mapping[str, Any]) -> Model:
    """A model from the content of a weights file. Raises ValueError if the file was altered."""
    if weights_hash(weights) != weights["hash"]:
        raise ValueError(f"the weights of {weights['name']!r} do not match their hash: retrain or restore the file")
    trees = tuple(
        Tree(*(tuple(tree[part]) for part in ("feature", "threshold", "left", "right", "value")))
        for tree in weights["trees"]
    )
    return Model(
        name=weights["name"],
        features=tuple(weights["features"]),
        intercept=weights["intercept"],
        coefficients=tuple(weights["coefficients"]),
        base=weights["base"],
        trees=trees,
        scale=weights["scale"],
        offset=weights["offset"],
        unsure_margin=weights["unsure_margin"],
        conflict_cap=weights["conflict_cap"],
        hash=weights["hash"],
    )


@lru_cache(maxsize=4)
def load_model(name: str) -> Model:
    """The shipped model of a baseline (`lexical` or `semantic`). Raises KeyError for any other name."""
    if name not in BASELINES:
        raise KeyError(f"no baseline is called {name!r}; there are {', '.join(BASELINES)}")
    text = resources.files("faithflow.judging.baseline").joinpath("weights", f"{name}.json").read_text("utf-8")
    return model_from(json.loads(text))
