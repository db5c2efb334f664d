"""Agreement between judges, and of judges with people: the rows of a summary and of the table `agreement`."""

import datetime as dt
import itertools
from collections.abc import Iterator
from typing import Any

import polars as pl

from faithflow.identity import canonical_json
from faithflow.metrics.opinions import (
    BINARY,
    FOUR_WAY,
    binary,
    cells,
    judge_opinions,
    label_opinions,
    side_by_side,
)
from faithflow.stats.agreement import Agreement, compare
from faithflow.stats.intervals import Interval
from faithflow.tables.statistics import AGREEMENT


def human(annotator: str) -> str:
    """The name under which a person stands among raters."""
    return f"human:{annotator}"


def judge_pairs(verdicts: pl.DataFrame) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Every two judges (a before b by name) with the claims put to both, side by side."""
    judges = {judge: judge_opinions(verdicts, judge) for judge in sorted(verdicts["judge"].unique())}
    for a, b in itertools.combinations(judges, 2):
        yield a, b, side_by_side(judges[a], judges[b])


def label_pairs(verdicts: pl.DataFrame, labels: pl.DataFrame) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Every annotator (a, as `human:NAME`) against every judge (b), side by side."""
    people = {name: label_opinions(labels, name) for name in sorted(labels["annotator"].unique())}
    judges = {judge: judge_opinions(verdicts, judge) for judge in sorted(verdicts["judge"].unique())}
    for annotator, judge in itertools.product(people, judges):
        yield human(annotator), judge, side_by_side(people[annotator], judges[judge])


def annotator_pairs(labels: pl.DataFrame) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Every two annotators, side by side: what agreement a judge could reach at best."""
    people = {name: label_opinions(labels, name) for name in sorted(labels["annotator"].unique())}
    for a, b in itertools.combinations(people, 2):
        yield human(a), human(b), side_by_side(people[a], people[b])


def pair_row(a: str, b: str, claims: pl.DataFrame) -> dict[str, Any]:
    """The agreement of two raters as a row of `summary.json`: supported against not, and the four-way table.

    `n` counts claims on which both gave a verdict, `unscored` those put to both on which at least one gave none,
    `clusters` the answers that the n come from. Rows of a table are a's labels, columns b's, both in the order of
    `labels`. Intervals and `mcnemar_p` cluster by answer; `mcnemar_p_independent` takes claims as independent.
    """
    two, four = _two_way(claims), _four_way(claims)
    return {
        "a": a,
        "b": b,
        "n": two.n,
        "unscored": claims.height - two.n,
        "clusters": two.clusters,
        **_coefficients(two),
        "ac1_se": two.ac1_se,
        "mcnemar_p": two.mcnemar_p,
        "mcnemar_p_independent": two.mcnemar_p_independent,
        "four_way": _coefficients(four),
    }


def as_list(interval: Interval | None) -> list[float] | None:
    """An interval as JSON has it."""
    return None if interval is None else list(interval)


def agreement_frame(
    verdicts: pl.DataFrame, labels: pl.DataFrame | None, embedder: str, judging_date: dt.date
) -> pl.DataFrame:
    """The table `agreement` of one partition: a row for each pipeline, stratum and two raters.

    `verdicts` are the table's rows with `pipeline` and `stratum` (see `with_groups`), of `judging_date` alone (others
    are left out); `labels` has `trace_id, claim_id, annotator, verdict`. The raters are judges and, as `human:NAME`,
    annotators. The value `*` in `pipeline` or `stratum` marks a total over all of them: such rows must not be added
    to the others. `n11` counts claims that both call supported, `n10` those that a alone does; `four_way` is the
    4 by 4 table as JSON. A cell in which no claim was put to both has no row; the grand total always has one.
    """
    today = verdicts.filter(judging_date=judging_date)
    groups = today.select("trace_id", "pipeline", "stratum").unique()
    pairs = list(judge_pairs(today))
    if labels is not None and labels.height:
        # people's labels are compared on the traces that are judged here
        known = labels.join(groups, on="trace_id", how="semi")
        pairs += [*label_pairs(today, known), *annotator_pairs(known)]
    rows: list[dict[str, Any]] = []
    for a, b, claims in pairs:
        for pipeline, stratum, cell in cells(claims.join(groups, on="trace_id", maintain_order="left")):
            two = _two_way(cell)
            (n11, n10), (n01, n00) = two.table
            rows.append(
                {
                    "embedder": embedder,
                    "judging_date": judging_date,
                    "pipeline": pipeline,
                    "stratum": stratum,
                    "a": a,
                    "b": b,
                    "n": two.n,
                    "raw": two.raw,
                    "kappa": two.kappa,
                    "kappa_low": _low(two.kappa_interval),
                    "kappa_high": _high(two.kappa_interval),
                    "ac1": two.ac1,
                    "ac1_se": two.ac1_se,
                    "ac1_low": _low(two.ac1_interval),
                    "ac1_high": _high(two.ac1_interval),
                    "mcnemar_p": two.mcnemar_p,
                    "n11": n11,
                    "n10": n10,
                    "n01": n01,
                    "n00": n00,
                    "four_way": canonical_json({"labels": FOUR_WAY, "table": _four_way(cell).table}),
                }
            )
    return pl.DataFrame(rows, schema=AGREEMENT.schema)


def _two_way(claims: pl.DataFrame) -> Agreement:
    both = claims.select(a=binary("verdict_a"), b=binary("verdict_b"), cluster=pl.col("trace_id").rank("dense"))
    return compare(both["a"], both["b"], BINARY, both["cluster"])


def _four_way(claims: pl.DataFrame) -> Agreement:
    return compare(claims["verdict_a"], claims["verdict_b"], FOUR_WAY, claims["trace_id"].rank("dense"))


def _coefficients(agreement: Agreement) -> dict[str, Any]:
    return {
        "raw": agreement.raw,
        "raw_interval": as_list(agreement.raw_interval),
        "kappa": agreement.kappa,
        "kappa_interval": as_list(agreement.kappa_interval),
        "ac1": agreement.ac1,
        "ac1_interval": as_list(agreement.ac1_interval),
        "labels": list(agreement.labels),
        "table": [list(row) for row in agreement.table],
    }


def _low(interval: Interval | None) -> float | None:
    return None if interval is None else interval.low


def _high(interval: Interval | None) -> float | None:
    return None if interval is None else interval.high
