"""Which answers a night judges."""

import datetime as dt

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from faithflow.judging.anchors import anchor_ids, answers_of_night, judged_before
from faithflow.study.model import Anchors

DAY = dt.date(2026, 3, 2)


def answers(contents: list[tuple[str, str]]) -> pl.DataFrame:
    """Answers a0, a1, … by (pipeline, stratum)."""
    rows = [(f"a{n}", f"s_{n}", pipeline, stratum) for n, (pipeline, stratum) in enumerate(contents)]
    return pl.DataFrame(rows, schema=["trace_id", "content_hash", "pipeline", "stratum"], orient="row")


def rows(*found: tuple[str, str, dt.date, str]) -> pl.DataFrame:
    schema = {"trace_id": pl.String, "judge": pl.String, "judging_date": pl.Date, "status": pl.String}
    return pl.DataFrame(found, schema=schema, orient="row")


CELLS = st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from("12")), min_size=1, max_size=40)


@given(CELLS, st.integers(1, 5), st.integers(0, 3))
def test_each_pipeline_and_stratum_gives_its_share_of_anchors(
    cells: list[tuple[str, str]], per_cell: int, seed: int
) -> None:
    frame = answers(cells)
    chosen = anchor_ids(frame, Anchors(per_cell=per_cell, seed=seed))
    for cell in set(cells):
        there = {f"a{n}" for n, own in enumerate(cells) if own == cell}
        assert len(chosen & there) == min(per_cell, len(there))


@given(CELLS, st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_anchors_do_not_depend_on_the_order_of_the_answers(
    cells: list[tuple[str, str]], per_cell: int, random: object
) -> None:
    frame = answers(cells)
    order = list(range(frame.height))
    random.shuffle(order)  # type: ignore[attr-defined]
    anchors = Anchors(per_cell=per_cell)
    assert anchor_ids(frame[order], anchors) == anchor_ids(frame, anchors)


@given(CELLS, CELLS, st.integers(1, 5))
def test_an_anchor_stays_or_gives_way_to_a_new_answer(
    cells: list[tuple[str, str]], later: list[tuple[str, str]], per_cell: int
) -> None:
    anchors = Anchors(per_cell=per_cell)
    before, after = anchor_ids(answers(cells), anchors), anchor_ids(answers(cells + later), anchors)
    new = {f"a{len(cells) + n}" for n in range(len(later))}
    assert after - before <= new


def test_another_seed_is_another_choice() -> None:
    frame = answers([("p", "1")] * 200)
    assert anchor_ids(frame, Anchors(per_cell=20, seed=1)) != anchor_ids(frame, Anchors(per_cell=20, seed=2))


def test_an_answer_is_judged_once_every_judge_has_a_verdict_from_before() -> None:
    earlier = DAY - dt.timedelta(days=1)
    verdicts = rows(
        ("both", "a", earlier, "scored"),
        ("both", "b", earlier, "not_applicable"),
        ("one", "a", earlier, "scored"),
        ("failed", "a", earlier, "scored"),
        ("failed", "b", earlier, "unscored"),
        ("today", "a", DAY, "scored"),
        ("today", "b", DAY, "scored"),
        ("others", "a", earlier, "scored"),
        ("others", "gone", earlier, "scored"),
    )
    assert judged_before(verdicts, ["a", "b"], DAY) == {"both"}


def test_without_anchors_every_answer_is_judged_each_night() -> None:
    frame = answers([("p", "1")] * 5)
    verdicts = rows(("a0", "j", DAY - dt.timedelta(days=1), "scored"))
    assert answers_of_night(frame, verdicts, ["j"], DAY, None) == set(frame["trace_id"])


def test_with_anchors_a_night_judges_them_and_what_is_new() -> None:
    frame = answers([("p", "1")] * 6)
    anchors = Anchors(per_cell=2)
    pinned = anchor_ids(frame, anchors)
    new = sorted(set(frame["trace_id"]) - pinned)[0]
    earlier = DAY - dt.timedelta(days=1)
    verdicts = rows(*((name, "j", earlier, "scored") for name in frame["trace_id"] if name != new))
    assert answers_of_night(frame, verdicts, ["j"], DAY, anchors) == pinned | {new}
