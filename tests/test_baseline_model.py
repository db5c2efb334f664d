import json
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.judging.baseline.calibrate import choose_threshold
from faithflow.judging.baseline.model import BASELINES, load_model, model_from


def weights(name: str) -> dict[str, Any]:
    file = resources.files("faithflow.judging.baseline").joinpath("weights", f"{name}.json")
    return json.loads(file.read_text("utf-8"))


@pytest.mark.parametrize("name", BASELINES)
def test_altered_weights_are_refused(name: str) -> None:
    altered = weights(name) | {"offset": 3.0}
    with pytest.raises(ValueError, match="do not match their hash"):
        model_from(altered)


@given(st.data())
@settings(deadline=None)
def test_more_of_a_feature_never_speaks_against_a_claim(data: st.DataObject) -> None:
    model = load_model("lexical")
    values = data.draw(st.lists(st.floats(0, 1), min_size=len(model.features), max_size=len(model.features)))
    features = dict(zip(model.features, values, strict=True))
    name = data.draw(st.sampled_from(model.features))
    more = features | {name: data.draw(st.floats(features[name], 1))}
    assert model.probability(more) >= model.probability(features)


@pytest.mark.parametrize("name", BASELINES)
def test_no_feature_measures_length_or_style(name: str) -> None:
    model = load_model(name)
    assert all(word not in feature for feature in model.features for word in ("length", "count", "style", "chars"))


def labelled(answers: int, shift: float = 0.0) -> tuple[list[float], list[bool], list[int]]:
    """Four claims an answer: unsupported ones at .1 to .3, supported ones at .5 to .7, both moved by `shift`."""
    p = [round(shift + base + 0.2 * (i / answers), 6) for i in range(answers) for base in (0.1, 0.1, 0.5, 0.5)]
    return p, [False, False, True, True] * answers, [i for i in range(answers) for _ in range(4)]


def test_the_threshold_tells_two_separate_groups_apart() -> None:
    p, y, clusters = labelled(20, shift=0.25)
    found = choose_threshold(p, y, clusters)
    assert 0.55 <= found.threshold <= 0.75
    assert found.balanced_accuracy == 1.0
    assert (found.n, found.clusters, found.prevalence) == (80, 20, 0.5)
    assert found.default_balanced_accuracy < 1.0


def test_labels_that_say_nothing_give_an_accuracy_near_one_half() -> None:
    p, _, clusters = labelled(60)
    y = [(i * 7 + i // 3) % 2 == 0 for i in range(len(p))]
    found = choose_threshold(p, y, clusters)
    assert found.interval[0] < 0.55
    assert 0.35 < found.balanced_accuracy < 0.65


def test_the_order_of_rows_does_not_change_the_threshold() -> None:
    p, y, clusters = labelled(15)
    assert choose_threshold(p, y, clusters).threshold == choose_threshold(p[::-1], y[::-1], clusters[::-1]).threshold


def test_the_same_labels_give_the_same_calibration() -> None:
    assert choose_threshold(*labelled(12)) == choose_threshold(*labelled(12))


def test_labels_of_one_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="one kind"):
        choose_threshold([0.2, 0.8], [True, True], ["a", "b"])


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one of each"):
        choose_threshold([0.2, 0.8], [True, False], ["a"])


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.integers(0, 5)), min_size=2, max_size=40))
@settings(deadline=None, max_examples=30)
def test_any_labels_of_both_kinds_give_a_threshold_and_an_ordered_interval(rows: list[tuple[float, bool, int]]) -> None:
    p, y, clusters = zip(*rows, strict=True)
    if all(y) or not any(y):
        return
    found = choose_threshold(p, y, clusters)
    assert 0 < found.threshold < 1
    assert 0 <= found.interval[0] <= found.interval[1] <= 1
    assert json.loads(json.dumps(found.as_json()))["n"] == len(rows)
