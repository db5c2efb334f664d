"""Test and retest: flips between repeats, joined by claim id."""

import polars as pl
import pytest

from faithflow.stats.agreement import compare
from faithflow.stats.stability import flips, retest

LABELS = ("supported", "not_supported")
YES, NO = LABELS


def ratings(*rows):
    return pl.DataFrame(
        rows,
        schema={"trace_id": pl.String, "claim_id": pl.String, "repeat": pl.Int64, "label": pl.String},
        orient="row",
    )


def asked(labels_by_repeat):
    """One claim an answer; labels_by_repeat[r][i] is the label of claim i in repeat r."""
    return ratings(
        *(
            (f"t{item}", "c", repeat, label)
            for repeat, labels in enumerate(labels_by_repeat)
            for item, label in enumerate(labels)
        )
    )


def test_two_repeats_are_compared_as_two_raters():
    first, second = [YES, YES, NO, NO, YES, NO], [YES, NO, NO, NO, YES, YES]
    found = retest(asked([first, second]), LABELS)
    pair = compare(first, second, LABELS, range(6))
    assert (found.repeats, found.n) == (2, 6)
    assert found.pooled == pair
    assert [(a, b) for a, b, _ in found.pairs] == [(0, 1)]


def test_the_flip_rate_is_the_share_of_pairs_of_repeats_that_differ():
    found = retest(asked([[YES, YES, NO], [YES, NO, NO], [YES, NO, YES]]), LABELS)
    rate, interval = flips(found.pooled)
    assert rate == pytest.approx(4 / 9)
    assert interval.low < rate < interval.high
    assert found.pooled.clusters == 3
    assert [agreement.n for _, _, agreement in found.pairs] == [3, 3, 3]


def test_a_judge_that_never_changes_has_a_flip_rate_of_0_with_an_interval_that_says_how_sure():
    rate, interval = flips(retest(asked([[YES, NO] * 20] * 2), LABELS).pooled)
    assert rate == 0
    assert interval.low == 0
    assert 0.05 < interval.high < 0.15


def test_unscored_repeats_are_left_out_and_n_counts_claims_with_two_scores():
    found = retest(asked([[YES, None, NO, None], [YES, YES, None, None], [NO, YES, None, YES]]), LABELS)
    assert found.repeats == 3
    assert found.n == 2
    assert found.pooled.n == 4


def test_repeats_are_joined_by_id_whatever_their_order():
    rows = asked([[YES, NO, YES, NO, NO], [YES, NO, NO, NO, YES]])
    assert retest(rows.reverse(), LABELS) == retest(rows, LABELS)


def test_more_repeats_of_one_claim_do_not_count_as_more_answers():
    few = retest(asked([[YES, NO, YES, NO] * 5, [YES, NO, NO, YES] * 5]), LABELS).pooled
    many = retest(asked([[YES, NO, YES, NO] * 5, [YES, NO, NO, YES] * 5] * 4), LABELS).pooled
    width = many.raw_interval.high - many.raw_interval.low
    assert many.n > 20 * few.n
    assert width > 0.5 * (few.raw_interval.high - few.raw_interval.low)


def test_one_repeat_leaves_stability_undefined():
    found = retest(asked([[YES, NO]]), LABELS)
    assert (found.repeats, found.n, found.pairs) == (1, 0, ())
    assert flips(found.pooled) == (None, None)


def test_a_claim_given_twice_in_one_repeat_is_an_error():
    with pytest.raises(ValueError, match="two rows in one repeat"):
        retest(ratings(("t", "c", 0, YES), ("t", "c", 0, NO)), LABELS)
