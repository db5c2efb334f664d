"""Several raters with missing ratings: published values and what ties them to the two-rater forms."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from faithflow.stats.agreement import compare
from faithflow.stats.raters import fleiss_kappa, gwet_ac1_multi, raw_agreement

# Krippendorff's example of four observers and twelve units, as counts of the labels 1 to 5 for each unit
FOUR_OBSERVERS = [
    *([3, 0, 0, 0, 0], [0, 3, 1, 0, 0], [0, 0, 4, 0, 0], [0, 0, 4, 0, 0], [0, 4, 0, 0, 0], [1, 1, 1, 1, 0]),
    *([0, 0, 0, 4, 0], [3, 1, 0, 0, 0], [0, 4, 0, 0, 0], [0, 0, 0, 0, 3], [2, 0, 0, 0, 0], [0, 0, 1, 0, 0]),
]


def test_ac1_of_four_observers_with_missing_ratings_is_that_of_irrcac():
    found = gwet_ac1_multi(FOUR_OBSERVERS)
    assert found.value == pytest.approx(0.775, abs=5e-4)
    assert found.se == pytest.approx(0.143, abs=5e-4)
    assert found.interval == pytest.approx((0.461, 1.0), abs=5e-4)


def test_fleiss_kappa_of_the_same_ratings_is_that_of_irrcac():
    found = fleiss_kappa(FOUR_OBSERVERS)
    assert found.value == pytest.approx(0.761, abs=5e-4)
    assert found.interval == pytest.approx((0.424, 1.0), abs=5e-4)


def test_units_that_nobody_rated_change_nothing():
    assert gwet_ac1_multi([*FOUR_OBSERVERS, [0] * 5]) == gwet_ac1_multi(FOUR_OBSERVERS)


def test_one_label_alone_leaves_fleiss_kappa_undefined_and_ac1_at_1():
    ballots = [[3, 0]] * 8
    assert fleiss_kappa(ballots).value is None
    found = gwet_ac1_multi(ballots)
    assert found.value == 1
    assert 0.5 < found.interval.low < 0.8


@pytest.mark.parametrize("ballots", [[[1, 0], [0, 1]], [[0, 0]]])
def test_without_an_item_that_two_rated_nothing_is_defined(ballots):
    assert raw_agreement(ballots) is None
    assert fleiss_kappa(ballots).value is None
    assert gwet_ac1_multi(ballots).value is None


def test_ratings_instead_of_counts_are_refused():
    with pytest.raises(ValueError, match="one column a label"):
        fleiss_kappa([1, 2, 3])


@settings(deadline=None)
@given(st.integers(2, 5).flatmap(lambda k: st.lists(st.permutations([3, 1] + [0] * (k - 2)), min_size=2, max_size=20)))
def test_fleiss_kappa_of_complete_ratings_is_that_of_statsmodels(ballots):
    from statsmodels.stats.inter_rater import fleiss_kappa as reference

    found = fleiss_kappa(ballots).value
    if found is not None:
        assert found == pytest.approx(reference(np.array(ballots)), abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.integers(0, 4)), min_size=2, max_size=40))
def test_with_two_raters_ac1_is_that_of_the_pair(rows):
    a, b, clusters = (list(column) for column in zip(*rows, strict=True))
    ballots = [[(x == label) + (y == label) for label in "abc"] for x, y in zip(a, b, strict=True)]
    found, pair = gwet_ac1_multi(ballots, clusters), compare(a, b, ("a", "b", "c"), clusters)
    assert found.value == pytest.approx(pair.ac1, abs=1e-9)
    assert raw_agreement(ballots) == pytest.approx(pair.raw)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=40))
def test_coefficients_of_several_raters_are_at_most_1_and_lie_in_their_intervals(rows):
    ballots = pl.DataFrame(rows, schema=["supported", "not", "answer"], orient="row")
    assume((ballots["supported"] + ballots["not"] > 1).any())
    for coefficient in (fleiss_kappa, gwet_ac1_multi):
        found = coefficient(ballots.select("supported", "not").to_numpy(), ballots["answer"])
        assert found.value is None or found.value <= 1
        if found.interval is not None:
            assert found.interval.low <= found.value <= found.interval.high


def test_claims_of_one_answer_widen_the_interval_of_a_panel():
    ballots = np.repeat([[3, 0], [0, 3], [2, 1], [1, 2], [3, 0], [2, 1]], 8, axis=0)
    answers = np.repeat(np.arange(6), 8)
    assert gwet_ac1_multi(ballots, answers).se > 2 * gwet_ac1_multi(ballots).se
