"""How much is supported: the sections on rates by pipeline and stratum, on verdicts, abstentions and gaps."""

from collections.abc import Mapping
from typing import Any

from faithflow.judging.verdict import ABSTENTION_LABELS, STATEMENT_LABELS, Status
from faithflow.report.data import ReportData, baselines, together
from faithflow.report.numbers import is_known, percent, percent_range, percent_with
from faithflow.report.tables import Bar, Cell, Column, Interval, Section, Table, cells, counted
from faithflow.report.words import UNSCORED, VERDICTS, Sign, reason_words

ALL = "all systems together"

JudgeSummary = Mapping[str, Any]


def judge_name(judge: str, of_baseline: frozenset[str]) -> str:
    """A judge's name, with the word baseline where it is one."""
    return f"{judge} (baseline)" if judge in of_baseline else judge


def rates(data: ReportData) -> Section:
    """Support rates per pipeline and judge, with intervals, counts and bounds."""
    groups: dict[str, tuple[Mapping[str, str], Mapping[str, JudgeSummary]]] = {
        name: ({"pipeline": name}, data.summary["pipelines"][name]) for name in data.pipelines
    }
    prose = [
        "A dot is the share of rated statements that the judge found supported by the evidence of their answer; "
        "the line is its 95% interval, which takes the statements of one answer as related. The pale band is where "
        "the share could lie if all unscored statements were supported, or none. A hollow dot is a baseline."
    ]
    if len(groups) != 1:
        groups = {ALL: ({}, data.summary["judges"]), **groups}
        prose.append("A system is a pipeline under one embedder. The first rows are totals over all systems.")
    table = _rate_table("Share of supported statements, by system and judge", "System", groups, baselines(data))
    return Section("rates", "By system", tuple(prose), (table,))


def strata(data: ReportData) -> Section | None:
    """Support rates per stratum and judge; None where the answers are of one stratum."""
    by_stratum: Mapping[str, Mapping[str, JudgeSummary]] = data.summary["strata"]
    if len(by_stratum) < 2:
        return None
    groups = {name: ({"stratum": name}, judges) for name, judges in by_stratum.items()}
    caption = f"Share of supported statements, by stratum and judge{together(data)}"
    return Section("strata", "By stratum", (), (_rate_table(caption, "Stratum", groups, baselines(data)),))


def _rate_table(
    caption: str,
    title: str,
    groups: Mapping[str, tuple[Mapping[str, str], Mapping[str, JudgeSummary]]],
    of_baseline: frozenset[str],
) -> Table:
    columns = (
        Column(title),
        Column("Judge"),
        Column("Supported", number=True),
        Column("From 0 to 100%", drawn=True),
        Column("95% interval", number=True),
        Column("Rated", number=True),
        Column("Unscored", number=True),
        Column("Bounds", number=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for group, (filters, judges) in groups.items():
        for judge, of in judges.items():
            unscored = unscored_rows(of)
            row = (
                group,
                judge_name(judge, of_baseline),
                percent(of["rate"]),
                Cell("", drawing=_interval(of, judge in of_baseline)),
                percent_range(of["interval"]),
                counted(of["rated"], {**filters, "judge": judge, "verdict": "rated"}),
                counted(unscored, {**filters, "judge": judge, "status": "unscored"}),
                percent_range(of["bounds"]),
            )
            rows.append(cells(row))
    return Table(caption, columns, tuple(rows), headers=2)


def _interval(of: JudgeSummary, hollow: bool) -> Interval:
    interval, bounds = of["interval"], of["bounds"]
    return Interval(
        of["rate"],
        (interval[0], interval[1]) if is_known(interval) else None,
        (bounds[0], bounds[1]) if is_known(bounds) else None,
        hollow,
    )


def verdict_counts(data: ReportData) -> tuple[Table, ...]:
    """The four-way counts of each judge, and the panel's majority."""
    of_baseline = baselines(data)
    columns = (
        Column("Judge"),
        Column("Verdicts", drawn=True),
        *(_verdict_column(VERDICTS[label]) for label in STATEMENT_LABELS),
        _verdict_column(UNSCORED),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge, of in (data.summary["judges"]).items():
        counts = of["counts"]
        unscored = unscored_rows(of)
        parts = [(VERDICTS[label].style, VERDICTS[label].words, counts[label]) for label in STATEMENT_LABELS]
        bar = Bar((*parts, (UNSCORED.style, UNSCORED.words, unscored)))
        row = (
            judge_name(judge, of_baseline),
            Cell("", drawing=bar),
            *(counted(counts[label], {"judge": judge, "verdict": label}) for label in STATEMENT_LABELS),
            counted(unscored, {"judge": judge, "status": "unscored"}),
        )
        rows.append(cells(row))
    return (Table(f"Verdicts on statements, by judge{together(data)}", columns, tuple(rows)),) if rows else ()


def _verdict_column(sign: Sign) -> Column:
    return Column(sign.words.capitalize(), number=True, style=sign.style)


def abstentions(data: ReportData) -> Section:
    """Answers, or parts of them, that say that the evidence does not tell."""
    columns = (
        Column("Judge"),
        *(Column(VERDICTS[label].words.capitalize(), number=True) for label in ABSTENTION_LABELS),
        Column("Share justified (95% interval)", number=True),
        Column("Not rated", number=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge, of in (data.summary["judges"]).items():
        own = of["abstention"]
        rated, justified = own["n"], own["justified"]
        not_rated = of["not_applicable"].get("abstention", 0)
        if not rated and not not_rated:
            continue
        row = (
            judge_name(judge, baselines(data)),
            counted(justified, {"judge": judge, "verdict": ABSTENTION_LABELS[0]}),
            counted(rated - justified, {"judge": judge, "verdict": ABSTENTION_LABELS[1]}),
            percent_with(own["rate"], own["interval"]),
            counted(not_rated, {"judge": judge, "status": "not_applicable"}),
        )
        rows.append(cells(row))
    prose = (
        "An abstention says that the evidence does not tell. It is justified where the evidence indeed does not, and "
        "counts in no support rate."
    )
    tables = (Table(f"Abstentions, by judge{together(data)}", columns, tuple(rows)),) if rows else ()
    return Section("abstentions", "Abstentions", (prose,) if rows else ("No answer abstained.",), tables)


def gaps(data: ReportData) -> Section:
    """What has no verdict, by reason: unscored, and not applicable."""
    judges: Mapping[str, JudgeSummary] = data.summary["judges"]
    unscored = _reason_table("Unscored statements, by reason and judge", "unscored", Status.UNSCORED, data)
    other = _reason_table("Not applicable, by reason and judge", "not_applicable", Status.NOT_APPLICABLE, data)
    total = sum(unscored_rows(of) for of in judges.values())
    prose = (
        "An unscored statement is one on which a judge was asked and gave no usable verdict. It is in no rate, and "
        "never a zero; running the same judgement again asks for these alone."
        if total
        else "Every judge gave a verdict on every statement that it was asked about."
    )
    tables = tuple(table for table in (unscored, other) if table.rows)
    return Section("unscored", "Unscored", (prose,), tables)


def _reason_table(caption: str, key: str, status: Status, data: ReportData) -> Table:
    judges: Mapping[str, JudgeSummary] = data.summary["judges"]
    reasons = sorted({reason for of in judges.values() for reason in of[key]})
    columns = (Column("Reason"), *(Column(judge_name(judge, baselines(data)), number=True) for judge in judges))
    rows = [
        cells(
            (
                reason_words(reason),
                *(
                    counted(of[key].get(reason, 0), {"judge": judge, "status": f"{status}:{reason}"})
                    for judge, of in judges.items()
                ),
            )
        )
        for reason in reasons
    ]
    return Table(f"{caption}{together(data)}", columns, tuple(rows))


def unscored_rows(of: JudgeSummary) -> int:
    """The rows on which a judge gave no usable verdict, over all reasons."""
    return sum(of["unscored"].values())
