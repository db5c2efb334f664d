"""McNemar's test, and its form for claims that come in answers."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.stats.paired import mcnemar_exact, sign_flip


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"), [(70, 59, 0.378688), (30, 60, 0.00206), (10, 30, 0.002221), (10, 10, 1.0)]
)
def test_mcnemar_gives_the_published_exact_values(only_first, only_second, p):
    assert mcnemar_exact(only_first, only_second) == pytest.approx(p, abs=5e-6)


def test_without_a_discordant_pair_nothing_speaks_against_equality():
    assert mcnemar_exact(0, 0) == 1
    assert sign_flip([0, 0, 0]) == 1
    assert sign_flip([]) == 1


@settings(deadline=None)
@given(st.integers(0, 300), st.integers(0, 300))
def test_with_one_claim_an_answer_the_sign_flip_test_is_mcnemars(only_first, only_second):
    differences = [1] * only_first + [-1] * only_second + [0] * 3
    assert sign_flip(differences) == pytest.approx(mcnemar_exact(only_first, only_second), rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.integers(-7, 7), max_size=9))
def test_the_sign_flip_test_counts_all_sign_patterns(differences):
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    expected = sum(total >= observed for total in sums) / len(sums)
    assert sign_flip(differences) == pytest.approx(expected)


@settings(deadline=None)
@given(st.lists(st.integers(-9, 9), max_size=60))
def test_a_p_value_lies_in_0_to_1_and_does_not_depend_on_who_is_first(differences):
    p = sign_flip(differences)
    assert 0 < p <= 1
    assert sign_flip([-value for value in reversed(differences)]) == pytest.approx(p)
