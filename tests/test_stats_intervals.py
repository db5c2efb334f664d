"""Intervals of rates: published values, clustering, and what holds for any input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.stats.intervals import bounds, clustered_rate, wilson

flags = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_values_of_newcombe_1998_table_1(successes, n, low, high):
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_of_nothing_is_undefined():
    assert wilson(0, 0) is None


def test_wilson_refuses_more_successes_than_trials():
    with pytest.raises(ValueError, match="between 0 and n"):
        wilson(3, 2)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 10_000), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_holds_the_rate_and_stays_within_0_and_1(successes, n, level):
    successes = min(successes, n)
    low, high = wilson(successes, n, level)
    assert 0 <= low <= successes / n <= high <= 1
    assert low < high


@settings(deadline=None)
@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_bounds_hold_the_rate_and_its_two_worst_cases(supported, unsupported, unscored):
    found = bounds(supported, supported + unsupported, unscored)
    total = supported + unsupported + unscored
    if total == 0:
        assert found is None
        return
    assert found == (supported / total, (supported + unscored) / total)
    if supported + unsupported:
        assert found.low <= supported / (supported + unsupported) <= found.high


def test_without_unscored_claims_the_bounds_are_the_rate():
    assert bounds(3, 4, 0) == (0.75, 0.75)


def test_a_clustered_rate_of_nothing_is_undefined():
    assert clustered_rate([], []) is None


def test_a_clustered_rate_needs_one_cluster_number_a_row():
    with pytest.raises(ValueError, match="one a row"):
        clustered_rate([True, False], [1])


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=80))
def test_with_one_claim_an_answer_the_clustered_interval_is_wilsons(hits):
    assert clustered_rate(hits, range(len(hits))) == pytest.approx(wilson(sum(hits), len(hits)), abs=1e-12)


@settings(deadline=None)
@given(flags)
def test_a_clustered_interval_holds_the_rate_and_is_never_narrower_than_wilsons(rows):
    hits, clusters = zip(*rows, strict=True)
    low, high = clustered_rate(hits, clusters)
    plain = wilson(sum(hits), len(hits))
    assert 0 <= low <= sum(hits) / len(hits) <= high <= 1
    assert low <= plain.low + 1e-12
    assert high >= plain.high - 1e-12


@settings(deadline=None)
@given(flags, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_the_names_of_clusters_do_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    before = clustered_rate(*zip(*rows, strict=True))
    hits, clusters = zip(*shuffled, strict=True)
    assert clustered_rate(hits, [f"answer {9 - cluster}" for cluster in clusters]) == pytest.approx(before, abs=1e-9)


def test_the_same_claims_said_ten_times_over_in_each_answer_add_no_certainty():
    rng = np.random.default_rng(3)
    hits = rng.random(60) < 0.7
    once = wilson(int(hits.sum()), 60)
    ten_times = clustered_rate(np.repeat(hits, 10), np.repeat(np.arange(60), 10))
    assert ten_times.high - ten_times.low == pytest.approx(once.high - once.low, rel=0.03)
    assert ten_times.high - ten_times.low >= once.high - once.low


def test_where_every_claim_is_supported_the_interval_counts_answers():
    low, high = clustered_rate([True] * 600, np.repeat(np.arange(100), 6))
    assert high == 1
    assert low == pytest.approx(wilson(100, 100).low, abs=0.001)


def test_one_answer_alone_counts_as_one_observation():
    assert clustered_rate([True] * 8, [0] * 8) == pytest.approx(wilson(1, 1))


def test_the_clustered_interval_covers_the_true_rate_where_wilsons_does_not():
    rng = np.random.default_rng(11)
    clusters = np.repeat(np.arange(50), 8)
    covered = naive = 0
    for _ in range(400):
        # beta-binomial: intra-cluster correlation .4, rate .8
        per_answer = rng.beta(0.8 * 1.5, 0.2 * 1.5, 50)
        hits = rng.random(400) < np.repeat(per_answer, 8)
        low, high = clustered_rate(hits, clusters)
        plain = wilson(int(hits.sum()), 400)
        covered += low <= 0.8 <= high
        naive += plain.low <= 0.8 <= plain.high
    assert covered / 400 > 0.92
    assert naive / 400 < 0.8
