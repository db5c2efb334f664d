"""The panel: majority, ties, missing judges, any order."""

import pytest

from faithflow.metrics.panel import panel_agreement, panel_counts, panel_votes
from faithflow.stats.raters import fleiss_kappa
from tests.table_rows import frame, unscored, verdict_row

WORDS = {"y": {"verdict": "supported"}, "n": {"verdict": "contradicted"}, "-": unscored()}


def votes(**judges):
    """Each judge's letters, one an answer: y supported, n not, - unscored."""
    return panel_votes(
        frame(
            "verdicts",
            [
                verdict_row(f"t{n}", "c", judge, **WORDS[letter])
                for judge, letters in judges.items()
                for n, letter in enumerate(letters)
            ],
        )
    )


def test_the_majority_of_the_votes_decides_and_a_tie_is_split():
    found = votes(a="yyn-y-", b="ynnnn-", c="nynn--")
    assert found["panel"].to_list() == [
        *("supported", "supported", "not_supported", "not_supported", "split", None),
    ]
    assert panel_counts(found) == {"supported": 2, "not_supported": 2, "split": 1, "unscored": 1}


def test_any_order_of_the_judges_gives_the_same_panel():
    assert votes(a="yynn", b="ynny", c="ynyn").equals(votes(b="ynyn", c="yynn", a="ynny"))


def test_a_judge_has_one_vote_however_often_it_was_asked():
    rows = [verdict_row(judge="a", repeat=repeat, verdict="supported") for repeat in range(5)]
    rows += [verdict_row(judge=judge, verdict="contradicted") for judge in ("b", "c")]
    assert panel_counts(panel_votes(frame("verdicts", rows)))["not_supported"] == 1


def test_the_vote_is_the_first_scored_repeat():
    rows = [verdict_row(judge="a", repeat=0, **unscored()), verdict_row(judge="a", repeat=1, verdict="contradicted")]
    rows += [verdict_row(judge="a", repeat=2), verdict_row(judge="b", verdict="contradicted")]
    assert panel_counts(panel_votes(frame("verdicts", rows)))["not_supported"] == 1


def test_splits_and_unscored_claims_widen_the_bounds_and_do_not_enter_the_rate():
    found = panel_agreement(votes(a="yyyn-", b="yynn-"))
    assert found["rate"] == pytest.approx(2 / 3)
    assert found["bounds"] == pytest.approx([2 / 5, 4 / 5])
    assert found["n"] == 4


def test_the_agreement_of_the_panel_is_that_of_all_its_judges():
    found = panel_agreement(votes(a="yynny", b="ynnny", c="yyn-n"))
    expected = fleiss_kappa([[3, 0], [2, 1], [0, 3], [0, 2], [2, 1]])
    assert found["fleiss_kappa"] == pytest.approx(expected.value)
    assert found["raw"] == pytest.approx((1 + 1 / 3 + 1 + 1 + 1 / 3) / 5)
    assert found["ac1"] < 1


def test_a_panel_of_one_mind_has_no_kappa_and_an_ac1_of_1():
    found = panel_agreement(votes(a="yyyy", b="yyyy"))
    assert (found["raw"], found["fleiss_kappa"], found["ac1"]) == (1, None, 1)


def test_abstentions_are_not_put_to_the_vote():
    rows = [verdict_row(judge=judge) for judge in "ab"]
    rows += [
        verdict_row(claim_id="c2", judge=judge, kind="abstention", verdict="justified_abstention") for judge in "ab"
    ]
    assert panel_votes(frame("verdicts", rows)).height == 1
