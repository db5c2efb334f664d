"""The systems under test side by side, and what each retrieved against what its answers cite."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from faithflow.metrics.citation_scores import ALL
from faithflow.metrics.opinions import IS_SCORED, IS_STATEMENT, IS_SUPPORTED
from faithflow.report.data import ReportData, baselines, of_date
from faithflow.report.numbers import UNDEFINED, count, money, percent, percent_range, percent_with, share
from faithflow.report.rates import judge_name
from faithflow.report.tables import Column, Detail, Section, Table, cells

Row = Mapping[str, Any]

_STRICT = (
    "Sentence by sentence: one with an invalid citation is rejected whole, the first three citations count, repeated "
    "ones each time, and an answer that cites nothing has precision 0. For comparison with published figures alone."
)


def at_a_glance(data: ReportData) -> Section | None:
    """One line a system: what became of its answers, how much of them is supported, what they cite, what they took."""
    if data.answers is None or not data.answers.height:
        return None
    of_baseline = baselines(data)
    supported = _supported(data, data.answers)
    f1 = _citation_f1(data)
    columns = (
        Column("Embedder"),
        Column("Pipeline"),
        *(Column(title, number=True) for title in ("Answered", "Inconclusive", "Failed")),
        *(Column(f"Supported, {judge_name(judge, of_baseline)}", number=True) for judge in data.judges),
        Column("Citation F1 (95% interval)", number=True),
    )
    systems = _systems(data.answers).rows(named=True)
    rows = [
        cells(
            (
                row["embedder"],
                row["pipeline"],
                count(row["answered"]),
                count(row["inconclusive"]),
                count(row["failed"]),
                *(supported.get((row["embedder"], row["pipeline"], judge), "not judged") for judge in data.judges),
                f1.get((row["embedder"], row["pipeline"]), UNDEFINED),
            )
        )
        for row in systems
    ]
    prose = (
        "Every system has the same passages and generator, and differs in how it retrieves. Supported counts the rated "
        "statements of its answers; an inconclusive answer says that the evidence lacks the answer; a failed one is in "
        "no share."
    )
    table = Table("Systems under test, by embedder", columns, tuple(rows), headers=2)
    return Section("glance", "Pipelines at a glance", (prose,), (table,), details=(_taken(systems),))


def _taken(systems: Sequence[Row]) -> Detail:
    """What the answers of each system took."""
    columns = (
        Column("Embedder"),
        Column("Pipeline"),
        *(
            Column(title, number=True)
            for title in ("Calls", "Tokens read", "Tokens written", "Cost", "Latency, median")
        ),
    )
    rows = (
        (
            row["embedder"],
            row["pipeline"],
            count(row["calls"]),
            count(row["prompt_tokens"]),
            count(row["completion_tokens"]),
            money(None if row["unpriced"] else row["cost"]),
            f"{row['latency_s']:.2f} s",
        )
        for row in systems
    )
    table = Table("Calls, tokens and cost of the systems' answers", columns, tuple(map(cells, rows)), headers=2)
    prose = "Calls, tokens and cost are those of all answers of a system, latency is that of one."
    return Detail("What the answers took", prose, (table,))


def retrieved_and_cited(data: ReportData) -> Section | None:
    """The context against gold beside the citations against gold; by stratum folded away."""
    scores = data.citation_scores
    if scores is None or not scores.height:
        return None
    scores = scores.sort("embedder", "pipeline", "stratum")
    whole = scores.filter(stratum=ALL).rows(named=True)
    strata = scores.filter(pl.col("stratum") != ALL).rows(named=True)
    prose = (
        "What the generator was given is one thing, what its answer cites another: a system that floods its context "
        "can still cite well. Context precision and retrieval recall score the passages given, citation precision and "
        "recall the ids cited, both against the gold passages of the question. An invalid citation names nothing that "
        "the context held; it lowers precision. Questions without gold passages are left out.",
    )
    main = _table("Retrieved and cited, all strata", whole, by_stratum=False)
    details = [Detail("The same citations as ALCE counts them", _STRICT, (_strict(whole),))]
    if strata:
        by_stratum = _table("Retrieved and cited, by stratum", strata, by_stratum=True)
        details.insert(0, Detail("The figures by stratum", "Strata as the questions have them.", (by_stratum,)))
    return Section("citations", "What was retrieved, what was cited", prose, (main,), details=tuple(details))


def _table(caption: str, rows: Sequence[Row], *, by_stratum: bool) -> Table:
    columns = (
        Column("Embedder"),
        Column("Pipeline"),
        *((Column("Stratum"),) if by_stratum else ()),
        *(Column(title, number=True) for title in ("Answers", "Failed", "Inconclusive", "Passages given")),
        *(Column(title, number=True) for title in ("Context precision", "Retrieval recall", "Ids cited", "Invalid")),
        *(Column(title, number=True) for title in ("Citation precision", "Citation recall", "Citation F1")),
        Column("95% interval", number=True),
    )
    drawn = [
        (
            row["embedder"],
            row["pipeline"],
            *((row["stratum"],) if by_stratum else ()),
            count(row["n"]),
            count(row["failed"]),
            count(row["inconclusive"]),
            _size(row["mean_context"]),
            percent(row["context_precision"]),
            percent(row["retrieval_recall"]),
            _size(row["mean_cited"]),
            count(row["invalid_citations"]),
            percent(row["citation_precision"]),
            percent(row["citation_recall"]),
            percent(row["citation_f1"]),
            percent_range(_interval(row)),
        )
        for row in rows
    ]
    return Table(caption, columns, tuple(map(cells, drawn)), headers=2)


def _strict(rows: Sequence[Row]) -> Table:
    columns = (
        Column("Embedder"),
        Column("Pipeline"),
        *(Column(name, number=True) for name in ("Precision of citations", "Share of sentences supported", "F1")),
    )
    names = ("strict_precision", "strict_recall", "strict_f1")
    drawn = [cells((row["embedder"], row["pipeline"], *(percent(row[name]) for name in names))) for row in rows]
    return Table("ALCE's treatment, all strata", columns, tuple(drawn), headers=2)


def _systems(answers: pl.DataFrame) -> pl.DataFrame:
    """What became of the answers of each embedder and pipeline, and what they took."""
    status = pl.col("status")
    return (
        answers.group_by("embedder", "pipeline")
        .agg(
            *((status == name).sum().alias(name) for name in ("answered", "inconclusive", "failed")),
            pl.col("calls", "prompt_tokens", "completion_tokens", "cost").sum(),
            (pl.col("cost").is_null() & (pl.col("calls") > 0)).any().alias("unpriced"),
            pl.col("latency_s").median(),
        )
        .sort("embedder", "pipeline")
    )


def _supported(data: ReportData, answers: pl.DataFrame) -> dict[tuple[str, str, str], str]:
    """The supported share of the rated statements, by embedder, pipeline and judge."""
    systems = answers.select("embedder", "pipeline", trace_id="answer_id")
    own = of_date(data.verdicts, data.judging_date).drop("embedder", "pipeline", strict=False)
    rated = own.filter(IS_SCORED & IS_STATEMENT).join(systems, on="trace_id")
    counts = rated.group_by("embedder", "pipeline", "judge").agg(IS_SUPPORTED.sum().alias("supported"), pl.len())
    return {
        (embedder, pipeline, judge): share(supported, total)
        for embedder, pipeline, judge, supported, total in counts.iter_rows()
    }


def _citation_f1(data: ReportData) -> dict[tuple[str, str], str]:
    if data.citation_scores is None:
        return {}
    return {
        (row["embedder"], row["pipeline"]): percent_with(row["citation_f1"], _interval(row))
        for row in data.citation_scores.filter(stratum=ALL).iter_rows(named=True)
    }


def _interval(row: Row) -> tuple[float, float] | None:
    low, high = row["citation_f1_low"], row["citation_f1_high"]
    return None if low is None or high is None else (low, high)


def _size(mean: float | None) -> str:
    return UNDEFINED if mean is None else f"{mean:.1f}"
