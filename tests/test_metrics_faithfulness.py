"""The summary of a judging date: denominators, unscored, abstentions, cost, groups, JSON."""

import datetime as dt
import json
import random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.judging.verdict import Label
from faithflow.metrics.faithfulness import judge_summary, summarise
from faithflow.stats.intervals import wilson
from tests.table_rows import call_row, frame, trace_row, unscored, verdict_row

ABSTENTION = {"kind": "abstention"}
NOT_APPLICABLE = ABSTENTION | unscored("abstention") | {"status": "not_applicable"}


def verdicts(*rows):
    return frame("verdicts", list(rows))


def calls(*rows):
    return frame("calls", list(rows))


def traces(*rows):
    return frame("traces", list(rows))


def labels(*rows):
    schema = {"trace_id": pl.String, "claim_id": pl.String, "annotator": pl.String, "verdict": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_a_rate_is_supported_over_scored_statements():
    found = judge_summary(
        verdicts(
            verdict_row("t1", "c1"),
            verdict_row("t1", "c2", verdict="conditionally_supported", score=0),
            verdict_row("t2", "c1", verdict="contradicted", score=0),
            verdict_row("t2", "c2", **unscored("timeout")),
            verdict_row("t3", "c1", **ABSTENTION, verdict="justified_abstention", score=-1),
            verdict_row("t3", "c2", **NOT_APPLICABLE),
        ),
        None,
    )
    assert (found["claims"], found["rows"], found["scored"], found["rated"], found["supported"]) == (6, 6, 4, 3, 1)
    assert found["rate"] == pytest.approx(1 / 3)
    assert found["unscored"] == {"timeout": 1}
    assert found["not_applicable"] == {"abstention": 1}
    assert found["counts"] == {label.value: 0 for label in Label} | {
        "supported": 1,
        "conditionally_supported": 1,
        "contradicted": 1,
        "justified_abstention": 1,
    }


def test_bounds_take_unscored_statements_either_way_and_leave_abstentions_out():
    found = judge_summary(
        verdicts(
            verdict_row("t1", "c1"),
            verdict_row("t2", "c1", verdict="contradicted", score=0),
            verdict_row("t3", "c1", **unscored("refusal")),
            verdict_row("t4", "c1", **unscored("parse")),
            verdict_row("t5", "c1", **ABSTENTION, **unscored("timeout")),
            verdict_row("t6", "c1", **NOT_APPLICABLE),
        ),
        None,
    )
    assert found["bounds"] == [0.25, 0.75]
    assert found["unscored"] == {"parse": 1, "refusal": 1, "timeout": 1}


def test_a_failed_metric_is_no_score_of_zero():
    # a third answer that could not be judged leaves the rate of the two others as it is
    rows = [verdict_row("t1", "c1"), verdict_row("t2", "c1"), verdict_row("t3", "c1", **unscored("provider_error"))]
    found = judge_summary(verdicts(*rows), None)
    assert (found["rate"], found["rated"], found["unscored"]) == (1, 2, {"provider_error": 1})


def test_abstentions_have_a_rate_of_their_own():
    found = judge_summary(
        verdicts(
            verdict_row("t1", "c1", **ABSTENTION, verdict="justified_abstention", score=-1),
            verdict_row("t2", "c1", **ABSTENTION, verdict="unjustified_abstention", score=-2),
            verdict_row("t3", "c1", **ABSTENTION, verdict="justified_abstention", score=-1),
        ),
        None,
    )
    assert found["rate"] is None
    assert found["interval"] is None
    assert found["bounds"] is None
    assert found["abstention"] == {
        "n": 3,
        "justified": 2,
        "rate": pytest.approx(2 / 3),
        "interval": pytest.approx(list(wilson(2, 3))),
    }


def test_nothing_scored_leaves_the_rate_undefined_and_the_bounds_open():
    found = judge_summary(verdicts(verdict_row(**unscored("budget"))), None)
    assert (found["rate"], found["interval"], found["bounds"]) == (None, None, [0, 1])


def test_repeats_are_rows_and_not_claims():
    repeats = [verdict_row(claim_id=claim, repeat=repeat) for claim in ("c1", "c2") for repeat in range(5)]
    found = judge_summary(verdicts(*repeats), None)
    assert (found["claims"], found["rows"], found["rated"]) == (2, 10, 10)


def test_claims_of_one_answer_widen_the_interval():
    rng = random.Random(1)
    said = [rng.random() < 0.7 for _ in range(40)]
    # six claims an answer that stand and fall together, against the same claims in answers of their own
    together = [
        verdict_row(f"t{number}", f"c{claim}", verdict="supported" if is_good else "contradicted")
        for number, is_good in enumerate(said)
        for claim in range(6)
    ]
    apart = [row | {"trace_id": row["trace_id"] + row["claim_id"]} for row in together]
    low, high = judge_summary(verdicts(*together), None)["interval"]
    one, other = judge_summary(verdicts(*apart), None)["interval"]
    assert high - low > 2 * (other - one)


def test_calls_tokens_and_cost_are_those_of_the_judge_and_date():
    own = {"prompt_tokens": 100, "completion_tokens": 20, "cost": 0.25}
    found = judge_summary(
        verdicts(verdict_row()),
        calls(
            call_row("k1", **own),
            call_row("k2", **own, estimated=True),
            call_row("k3", status="failed", reason="rate_limited", prompt_tokens=0, completion_tokens=0, cost=None),
            call_row("k4", judge="other", **own),
            call_row("k5", judging_date=dt.date(2026, 2, 1), **own),
        ),
    )
    assert {key: found[key] for key in ("calls", "prompt_tokens", "completion_tokens", "estimated", "cost")} == {
        **{"calls": 3, "prompt_tokens": 200, "completion_tokens": 40, "estimated": 1, "cost": 0.5},
    }


def test_the_cost_of_a_model_without_a_price_is_unknown_and_not_zero():
    found = judge_summary(verdicts(verdict_row()), calls(call_row("k1", cost=0.5), call_row("k2", cost=None)))
    assert found["cost"] is None
    assert found["prompt_tokens"] == 200


def test_a_judge_that_calls_nobody_costs_nothing():
    free = {"prompt_tokens": 0, "completion_tokens": 0, "cost": None}
    assert judge_summary(verdicts(verdict_row()), calls(call_row("k1", **free)))["cost"] == 0
    assert judge_summary(verdicts(verdict_row()), calls())["cost"] == 0


def test_without_calls_cost_and_tokens_are_unknown():
    found = judge_summary(verdicts(verdict_row()), None)
    assert (found["calls"], found["prompt_tokens"], found["cost"]) == (None, None, None)


def test_two_judges_are_never_pooled():
    with pytest.raises(ValueError, match="give one judge's rows"):
        judge_summary(verdicts(verdict_row(), verdict_row(judge="other")), None)


def test_a_claim_with_two_rows_in_one_repeat_is_not_counted_twice():
    rows = verdicts(verdict_row(), verdict_row(embedder="other"))
    with pytest.raises(ValueError, match="'lexical' has two rows on"):
        judge_summary(rows, None)


def test_two_judging_dates_are_never_pooled():
    rows = verdicts(verdict_row(), verdict_row(judging_date=dt.date(2026, 2, 28)))
    with pytest.raises(ValueError, match="2 judging dates \\(2026-02-28, 2026-03-01\\)"):
        summarise(rows, None, traces(trace_row()))


def panel_of_three(seed=0, answers=12):
    """Verdicts of three judges in two repeats, with unscored rows and abstentions; two pipelines, two strata."""
    rng = random.Random(seed)
    known = [trace_row(f"t{n}", pipeline=f"p{n % 2}", stratum=f"s{n % 3 % 2}") for n in range(answers)]
    rows = []
    for number in range(answers):
        for claim in range(3):
            for judge in ("a", "b", "c"):
                for repeat in range(2):
                    row = verdict_row(f"t{number}", f"c{claim}", judge, repeat=repeat)
                    if claim == 2 and number % 4 == 0:
                        rows.append(row | ABSTENTION | {"verdict": "justified_abstention", "score": -1})
                    elif rng.random() < 0.1:
                        rows.append(row | unscored("timeout"))
                    else:
                        rows.append(row | {"verdict": rng.choice(["supported", "supported", "not_in_evidence"])})
    people = labels(
        *((f"t{n}", f"c{c}", "ann", rng.choice(["supported", "contradicted"])) for n in range(8) for c in (0, 1))
    )
    return verdicts(*rows), traces(*known), people


def test_a_summary_holds_every_judge_pipeline_stratum_and_pair():
    rows, known, people = panel_of_three()
    found = summarise(rows, calls(call_row("k1", judge="a", trace_id="t0")), known, people)
    assert list(found["judges"]) == ["a", "b", "c"]
    assert {name: list(judges) for name, judges in found["pipelines"].items()} == {
        n: ["a", "b", "c"] for n in ("p0", "p1")
    }
    assert list(found["strata"]) == ["s0", "s1"]
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [(pair["a"], pair["b"]) for pair in found["labels"]] == [("human:ann", judge) for judge in "abc"]
    assert list(found["stability"]) == ["a", "b", "c"]
    assert sum(found["panel"].values()) == 12 * 3 - 3
    assert found["judges"]["a"]["calls"] == found["pipelines"]["p0"]["a"]["calls"] == 1
    assert found["pipelines"]["p1"]["a"]["calls"] == 0


def test_groups_add_up_to_the_whole():
    rows, known, _ = panel_of_three()
    found = summarise(rows, None, known)
    for key in ("claims", "scored", "rated", "supported"):
        for groups in (found["pipelines"], found["strata"]):
            assert sum(group["b"][key] for group in groups.values()) == found["judges"]["b"][key]


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 1000))
def test_a_summary_does_not_depend_on_the_order_of_rows_not_even_in_its_last_digit(seed):
    rows, known, people = panel_of_three()
    shuffled = [table.sample(fraction=1, shuffle=True, seed=seed) for table in (rows, known, people)]
    assert summarise(shuffled[0], None, *shuffled[1:]) == summarise(rows, None, known, people)


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 1000))
def test_a_rate_lies_in_its_interval_and_in_its_bounds(seed):
    rows, known, _ = panel_of_three(seed, answers=5)
    for judge in summarise(rows, None, known)["judges"].values():
        assert judge["interval"][0] <= judge["rate"] <= judge["interval"][1]
        assert judge["bounds"][0] <= judge["rate"] <= judge["bounds"][1]


def test_a_summary_is_json_without_nan():
    rows, known, people = panel_of_three(answers=1)
    found = summarise(rows, calls(), known, people)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_summary_of_nothing_is_empty():
    assert summarise(verdicts(), calls(), traces(trace_row()), labels()) == {
        **{"judges": {}, "pipelines": {}, "strata": {}, "pairs": [], "labels": [], "annotators": []},
        **{"stability": {}, "panel": {}, "panel_agreement": None},
    }


def test_labels_of_other_answers_are_left_out():
    rows, known, _ = panel_of_three()
    found = summarise(rows, None, known, labels(("t0", "c0", "ann", "supported"), ("t99", "c0", "bob", "supported")))
    assert {pair["a"] for pair in found["labels"]} == {"human:ann"}
