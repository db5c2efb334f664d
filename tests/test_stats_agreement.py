"""Agreement of two raters: published values, undefined cases, clustering, symmetry."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.stats.agreement import compare

LABELS = ("yes", "no")
ratings = st.lists(
    st.tuples(st.sampled_from(["yes", "no", None]), st.sampled_from(["yes", "no", None]), st.integers(0, 5)),
    max_size=50,
)


def rated(table):
    """Two lists of labels that give this table."""
    labels = [str(place) for place in range(len(table))]
    cells = [(labels[i], labels[j]) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return [a for a, _ in cells], [b for _, b in cells], labels


def columns(rows):
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], []]


def test_cohens_kappa_of_the_textbook_table_is_40_percent():
    assert compare(*rated([[20, 5], [10, 15]])).kappa == pytest.approx(0.4)


def test_gwets_table_of_high_agreement_gives_his_ac1_and_kappa():
    # Gwet 2008, the example of 118 and 0 agreements with 5 and 2 disagreements: AC1 .9408, kappa -.0234
    found = compare(*rated([[118, 5], [2, 0]]))
    assert found.ac1 == pytest.approx(0.9408, abs=5e-5)
    assert found.kappa == pytest.approx(-0.0234, abs=5e-5)


def test_95_agreements_of_100_with_one_sided_labels_show_the_paradox_of_kappa_beside_the_table():
    found = compare(*rated([[95, 3], [2, 0]]))
    assert round(found.kappa, 3) == -0.025
    assert round(found.ac1, 3) == 0.947
    assert found.raw == 0.95
    assert found.table == ((95, 3), (2, 0))


def test_two_raters_who_always_say_yes_have_no_kappa_and_an_ac1_of_1():
    found = compare(["yes"] * 30, ["yes"] * 30, LABELS)
    assert found.kappa is None
    assert found.kappa_se is None
    assert found.kappa_interval is None
    assert (found.raw, found.ac1, found.mcnemar_p) == (1, 1, 1)


def test_perfect_agreement_on_few_claims_is_not_certain():
    few = compare(["yes", "no"] * 3, ["yes", "no"] * 3, LABELS)
    many = compare(["yes", "no"] * 300, ["yes", "no"] * 300, LABELS)
    assert few.kappa == many.kappa == 1
    assert few.kappa_interval.low < 0.3 < 0.95 < many.kappa_interval.low
    assert few.kappa_interval.high == 1


def test_no_common_item_leaves_everything_undefined():
    found = compare(["yes", None], [None, "no"], LABELS)
    assert found.n == 0
    assert found.table == ((0, 0), (0, 0))
    assert {found.raw, found.kappa, found.ac1, found.ac1_interval, found.mcnemar_p} == {None}


def test_one_item_has_agreement_but_no_interval():
    found = compare(["yes"], ["no"], LABELS)
    assert found.raw == 0
    assert found.ac1_interval is None


def test_items_that_one_rater_left_out_are_left_out_pairwise():
    found = compare(["yes", None, "no", "no"], ["yes", "yes", None, "no"], LABELS, ["a", "b", "c", "c"])
    assert (found.n, found.clusters) == (2, 2)


def test_several_labels_give_the_whole_table_and_no_mcnemar():
    found = compare(["a", "b", "c", "c"], ["a", "b", "b", "c"], ("a", "b", "c"))
    assert found.table == ((1, 0, 0), (0, 1, 0), (0, 1, 1))
    assert found.mcnemar_p is None


def test_ac1_depends_on_the_labels_that_could_have_been_given():
    rows = ["a", "b"] * 20, ["a", "b"] * 19 + ["b", "b"]
    assert compare(*rows, ("a", "b")).ac1 < compare(*rows, ("a", "b", "c", "d")).ac1


def test_a_label_outside_the_vocabulary_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="'maybe' is not among"):
        compare(["yes", "maybe"], ["yes", "no"], LABELS)


def test_lists_of_unequal_length_are_an_error():
    with pytest.raises(ValueError, match="2 ratings against 1"):
        compare(["yes", "no"], ["yes"], LABELS)


@pytest.mark.parametrize("labels", [("yes",), ("yes", "yes")])
def test_a_vocabulary_needs_two_different_labels(labels):
    with pytest.raises(ValueError, match="at least two"):
        compare(["yes"], ["yes"], labels)


@settings(deadline=None)
@given(ratings)
def test_swapping_the_raters_transposes_the_table_and_changes_nothing_else(rows):
    a, b, clusters = columns(rows)
    one, other = compare(a, b, LABELS, clusters), compare(b, a, LABELS, clusters)
    assert np.array_equal(np.transpose(one.table), other.table)
    for name in ("n", "raw", "kappa", "kappa_se", "ac1", "ac1_se", "mcnemar_p", "mcnemar_p_independent"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9), name


@settings(deadline=None)
@given(ratings, st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(rows, random):
    a, b, clusters = columns(rows)
    one, other = compare(a, b, LABELS, clusters), compare(*_shuffled(rows, random))
    assert one.table == other.table
    for name in ("kappa", "kappa_se", "ac1", "ac1_se", "mcnemar_p"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9), name


def _shuffled(rows, random):
    a, b, clusters = columns(random.sample(rows, len(rows)))
    return a, b, LABELS, clusters


@settings(deadline=None)
@given(ratings)
def test_coefficients_are_at_most_1_and_lie_in_their_intervals(rows):
    a, b, clusters = columns(rows)
    found = compare(a, b, LABELS, clusters)
    for value, interval in ((found.kappa, found.kappa_interval), (found.ac1, found.ac1_interval)):
        assert value is None or -1 <= value <= 1
        if interval is not None:
            assert -1 <= interval.low <= value <= interval.high <= 1


@settings(deadline=None)
@given(ratings)
def test_clustering_never_makes_an_error_smaller(rows):
    a, b, clusters = columns(rows)
    apart, together = compare(a, b, LABELS), compare(a, b, LABELS, clusters)
    for name in ("kappa_se", "ac1_se"):
        if getattr(together, name) is not None:
            assert getattr(together, name) >= getattr(apart, name) - 1e-12


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning:statsmodels")
@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=3, max_size=3))
def test_kappa_and_its_error_are_those_of_statsmodels(table):
    from statsmodels.stats.inter_rater import cohens_kappa

    found = compare(*rated(table))
    if found.kappa is None or found.n < 2:
        return
    expected = cohens_kappa(np.array(table))
    assert found.kappa == pytest.approx(expected.kappa, abs=1e-9)
    assert found.kappa_se == pytest.approx(math.sqrt(max(expected.var_kappa, 0)), abs=1e-6)


def test_the_clustered_error_is_that_of_a_jackknife_over_answers():
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(80), 6)
    truth = np.repeat(rng.random(80) < 0.6, 6)
    careless = np.repeat(rng.beta(0.5, 2, 80), 6)
    a, b = (pl.Series(np.where(truth ^ (rng.random(480) < careless), "yes", "no")) for _ in range(2))
    found = compare(a, b, LABELS, clusters)
    for name in ("kappa", "ac1"):
        left_out = np.array(
            [getattr(compare(a.filter(clusters != out), b.filter(clusters != out), LABELS), name) for out in range(80)]
        )
        jackknife = math.sqrt(79 / 80 * ((left_out - left_out.mean()) ** 2).sum())
        assert getattr(found, f"{name}_se") == pytest.approx(jackknife, rel=0.05)
        assert getattr(found, f"{name}_se") > 1.15 * getattr(compare(a, b, LABELS), f"{name}_se")


def test_a_clustered_interval_of_kappa_covers_its_true_value():
    rng = np.random.default_rng(23)
    clusters = np.repeat(np.arange(60), 5)
    covered = 0
    for _ in range(300):
        # answers are wholly faithful or not; each rater errs on a tenth of the claims: kappa .64, by 1 - 2(.1)(.9)
        truth = np.repeat(rng.random(60) < 0.5, 5)
        a, b = (pl.Series(np.where(truth ^ (rng.random(300) < 0.1), "yes", "no")) for _ in range(2))
        low, high = compare(a, b, LABELS, clusters).kappa_interval
        covered += low <= 0.64 <= high
    assert covered / 300 > 0.92


def test_answers_and_not_claims_are_the_observations_of_mcnemar():
    # in each of 4 answers the first rater alone supports all 5 claims: 20 claims, but four answers
    found = compare(["yes"] * 20, ["no"] * 20, LABELS, np.repeat(np.arange(4), 5))
    assert found.mcnemar_p == 2 * 0.5**4
    assert found.mcnemar_p_independent == pytest.approx(2 * 0.5**20)
