"""What each rater (a judge, or a person who labelled) said of each claim, and the joins that set two side by side.

Everything is joined by trace id, claim id and repeat, never by position. Frames are sorted by those ids first, so that
no figure depends on the order in which rows came, not even in its last digit.
"""

import datetime as dt
from collections.abc import Iterator

import polars as pl

from faithflow.claims.claim import ClaimKind
from faithflow.judging.verdict import ABSTENTION_LABELS, STATEMENT_LABELS, Label, Status

CLAIM = ["trace_id", "claim_id"]
TOTAL = "*"
BINARY = ("supported", "not_supported")
FOUR_WAY = tuple(label.value for label in STATEMENT_LABELS)

IS_SCORED = pl.col("status") == Status.SCORED.value
IS_SUPPORTED = pl.col("verdict") == Label.SUPPORTED.value
IS_ABSTENTION = pl.col("verdict").is_in([label.value for label in ABSTENTION_LABELS]).fill_null(False)
# a row that could have said supported or not: no abstention, neither by its claim nor by its verdict
IS_STATEMENT = (
    (pl.col("kind") != ClaimKind.ABSTENTION.value) & (pl.col("status") != Status.NOT_APPLICABLE.value) & ~IS_ABSTENTION
)


def latest_date(verdicts: pl.DataFrame) -> dt.date | None:
    """The newest judging date of a frame of verdicts; None where it has no rows."""
    dates = verdicts["judging_date"].unique().sort()
    return None if dates.is_empty() else dates[-1]


def with_groups(verdicts: pl.DataFrame, traces: pl.DataFrame) -> pl.DataFrame:
    """Verdicts with the `pipeline` and `stratum` of their trace.

    Raises ValueError where a trace id is missing from `traces` or stands there twice, and where a pipeline or
    stratum bears the name of the totals, `*`.
    """
    groups = traces.select("trace_id", "pipeline", "stratum")
    if groups["trace_id"].is_duplicated().any():
        twice = groups.filter(pl.col("trace_id").is_duplicated())["trace_id"][0]
        raise ValueError(f"trace {twice!r} stands twice in traces: ids must be unique")
    if (pl.concat([groups["pipeline"], groups["stratum"]]) == TOTAL).any():
        raise ValueError(f"a pipeline or stratum is named {TOTAL!r}, which is kept for totals: rename it")
    unknown = verdicts.join(groups, on="trace_id", how="anti")
    if unknown.height:
        raise ValueError(f"trace {unknown['trace_id'][0]!r} has verdicts and is not in traces: give its trace")
    return verdicts.drop("pipeline", "stratum", strict=False).join(groups, on="trace_id", how="left")


def judge_opinions(verdicts: pl.DataFrame, judge: str) -> pl.DataFrame:
    """A judge's rows on statements: `trace_id, claim_id, repeat, verdict`, verdict null where the row is unscored.

    Raises ValueError where the judge has two rows on one claim in one repeat.
    """
    rows = verdicts.filter(IS_STATEMENT, judge=judge).select(
        *CLAIM, "repeat", pl.when(IS_SCORED).then("verdict").alias("verdict")
    )
    no_duplicates(rows, [*CLAIM, "repeat"], f"judge {judge!r}")
    return rows.sort(*CLAIM, "repeat")


def label_opinions(labels: pl.DataFrame, annotator: str) -> pl.DataFrame:
    """A person's labels on statements: `trace_id, claim_id, verdict`. Raises ValueError where a claim has two."""
    rows = labels.filter(~IS_ABSTENTION, annotator=annotator).select(*CLAIM, "verdict")
    no_duplicates(rows, CLAIM, f"annotator {annotator!r}")
    return rows.sort(CLAIM)


def side_by_side(a: pl.DataFrame, b: pl.DataFrame) -> pl.DataFrame:
    """One row a claim that was put to both raters: `trace_id, claim_id, verdict_a, verdict_b`.

    Where both have repeats, the row is of the first repeat in which both have a verdict; where one has, of the first
    in which that one has. Null verdicts remain where there is no such repeat.
    """
    keys = [*CLAIM, "repeat"] if "repeat" in a.columns and "repeat" in b.columns else CLAIM
    joined = a.rename({"verdict": "verdict_a"}).join(b.rename({"verdict": "verdict_b"}), on=keys)
    order = [pl.any_horizontal(pl.col("verdict_a", "verdict_b").is_null())]
    if "repeat" in joined.columns:
        order.append(pl.col("repeat"))
    return (
        joined.sort(*CLAIM, *order)
        .unique(CLAIM, keep="first", maintain_order=True)
        .select(*CLAIM, "verdict_a", "verdict_b")
    )


def binary(verdict: str) -> pl.Expr:
    """A column of four-way verdicts as supported or not_supported; null stays null."""
    column = pl.col(verdict)
    return (
        pl.when(column.is_null())
        .then(None)
        .when(column == Label.SUPPORTED.value)
        .then(pl.lit(BINARY[0]))
        .otherwise(pl.lit(BINARY[1]))
    )


def cells(frame: pl.DataFrame) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Each pipeline and stratum with its rows; `*` in either place is the total over it. In order, totals first."""
    for pipeline in [TOTAL, *sorted(frame["pipeline"].unique())]:
        rows = frame if pipeline == TOTAL else frame.filter(pipeline=pipeline)
        yield pipeline, TOTAL, rows
        for stratum in sorted(rows["stratum"].unique()):
            yield pipeline, stratum, rows.filter(stratum=stratum)


def no_duplicates(rows: pl.DataFrame, keys: list[str], rater: str) -> None:
    """Raises ValueError where two rows have the same keys, as when the verdicts of two embedders are in one frame."""
    twice = rows.filter(rows.select(keys).is_duplicated())
    if twice.height:
        raise ValueError(f"{rater} has two rows on {dict(zip(keys, twice.select(keys).row(0), strict=True))}")
