"""How far verdicts can be trusted: judges against each other, against people, and against themselves."""

from collections.abc import Mapping, Sequence
from typing import Any

from faithflow.report.data import ReportData, baselines, together
from faithflow.report.numbers import coefficient, count, p_value, percent, percent_range, percent_with, plural, share
from faithflow.report.rates import judge_name, verdict_counts
from faithflow.report.tables import Cell, Column, Detail, Section, Table, cells, counted, to_statements
from faithflow.report.words import words_of

PERSON = "human:"

Pair = Mapping[str, Any]


def judges_compared(data: ReportData) -> Section:
    """The judges side by side: what each said, how far they agree, and the tables behind each figure."""
    pairs: Sequence[Pair] = data.summary["pairs"]
    tables = [*verdict_counts(data), *_panel(data)]
    prose = "One judge took part. A second one, of another kind, would show how far its verdicts can be trusted."
    if pairs:
        tables.append(_pair_table("Agreement of judges on supported against not supported", pairs, data))
        prose = (
            "Each judge saw the same statements and the same evidence. Kappa takes away the agreement that chance "
            "alone would bring; where almost all statements are supported it falls although judges agree, so AC1 and "
            "the raw share stand beside it. It is undefined where both judges gave one and the same verdict throughout."
        )
    return Section("judges", "Judges side by side", (prose,), tuple(tables), details=_details(pairs, data))


def against_people(data: ReportData) -> Section:
    """The judges against people's labels, and people against each other."""
    pairs: Sequence[Pair] = data.summary["labels"]
    if not pairs:
        prose = "No judged answer carries labels by people, so the judges' accuracy on these answers is not known."
        return Section("people", "Against people", (prose,))
    columns = (
        Column("Judge"),
        Column("Person"),
        *(Column(title, number=True) for title in ("Statements", "Faults found", "Supported passed", "Differences")),
    )
    rows: list[tuple[Cell, ...]] = []
    for pair in sorted(pairs, key=lambda pair: (data.judges.index(pair["b"]), pair["a"])):
        (both, only_person), (only_judge, neither) = pair["table"]
        row = (
            judge_name(pair["b"], baselines(data)),
            pair["a"].removeprefix(PERSON),
            count(pair["n"]),
            share(neither, neither + only_judge),
            share(both, both + only_person),
            counted(only_person + only_judge, {"judge": pair["b"], "disagreement": "people"}),
        )
        rows.append(cells(row))
    prose = (
        "Where people labelled answers, their word is the measure. Faults found: of the statements that the person "
        "did not find supported, those that the judge did not either. Supported passed: of the statements that the "
        "person found supported, those that the judge did too."
    )
    people: Sequence[Pair] = data.summary["annotators"]
    tables = [
        Table(f"Judges against people's labels{together(data)}", columns, tuple(rows), headers=2),
        _pair_table("Agreement with people on supported against not supported", pairs, data),
    ]
    if people:
        tables.append(_pair_table("Agreement of people with each other", people, data))
    return Section("people", "Against people", (prose,), tuple(tables), details=_details((*pairs, *people), data))


def stability(data: ReportData) -> Section:
    """Test and retest: how often a judge, asked again, said something else."""
    by_judge: Mapping[str, Mapping[str, Any]] = data.summary["stability"]
    columns = (
        Column("Judge"),
        *(Column(title, number=True) for title in ("Repeats", "Statements judged twice or more")),
        *(Column(f"{title} (95% interval)", number=True) for title in ("Flip rate", "Kappa", "AC1")),
    )
    rows = tuple(
        cells(
            (
                judge_name(judge, baselines(data)),
                count(own["repeats"]),
                count(own["n"]),
                Cell(
                    percent_with(own["flip_rate"], own["interval"]),
                    link=to_statements({"judge": judge, "disagreement": "itself"}) if own["flip_rate"] else None,
                ),
                coefficient(own["kappa"], own["kappa_interval"]),
                coefficient(own["ac1"], own["ac1_interval"]),
            )
        )
        for judge, own in by_judge.items()
    )
    if not rows:
        prose = "Each statement was judged once; with repeats the page shows how often a judge contradicts itself."
        return Section("stability", "Test and retest", (prose,))
    prose = (
        "The same statement and evidence, asked anew: a flip is a pair of repeats of which one alone says supported."
    )
    table = Table(f"Test and retest, by judge{together(data)}", columns, rows)
    return Section("stability", "Test and retest", (prose,), (table,))


def _rater_name(name: str, of_baseline: frozenset[str]) -> str:
    return f"{name.removeprefix(PERSON)} (person)" if name.startswith(PERSON) else judge_name(name, of_baseline)


def _pair_table(caption: str, pairs: Sequence[Pair], data: ReportData) -> Table:
    columns = (
        Column("A"),
        Column("B"),
        *(Column(title, number=True) for title in ("Statements", "Without both verdicts", "Raw agreement")),
        *(Column(title, number=True) for title in ("Kappa (95% interval)", "AC1 (95% interval)", "McNemar p")),
    )
    of_baseline = baselines(data)
    rows = tuple(
        cells(
            (
                _rater_name(pair["a"], of_baseline),
                _rater_name(pair["b"], of_baseline),
                count(pair["n"]),
                count(pair["unscored"]),
                percent(pair["raw"]),
                coefficient(pair["kappa"], pair["kappa_interval"]),
                coefficient(pair["ac1"], pair["ac1_interval"]),
                p_value(pair["mcnemar_p"]),
            )
        )
        for pair in pairs
    )
    return Table(f"{caption}{together(data)}", columns, rows, headers=2)


def _details(pairs: Sequence[Pair], data: ReportData) -> tuple[Detail, ...]:
    of_baseline = baselines(data)
    details: list[Detail] = []
    for pair in pairs:
        a, b = _rater_name(pair["a"], of_baseline), _rater_name(pair["b"], of_baseline)
        four: Pair = pair["four_way"]
        figures = (
            f"Four-way: raw agreement {percent(four['raw'])}, "
            f"kappa {coefficient(four['kappa'], four['kappa_interval'])}, "
            f"AC1 {coefficient(four['ac1'], four['ac1_interval'])}. The statements come from "
            f"{count(pair['clusters'])} answers. McNemar's p counts answers; with statements taken as independent it "
            f"is {p_value(pair['mcnemar_p_independent'])}."
        )
        tables = (_cross(f"{a} in rows, {b} in columns", pair), _cross(f"{a} in rows, {b} in columns, four-way", four))
        details.append(Detail(f"Counts behind {a} and {b}", figures, tables))
    return tuple(details)


def _cross(caption: str, of: Pair) -> Table:
    words = [words_of(label) for label in of["labels"]]
    columns = (Column(""), *(Column(word, number=True) for word in words))
    rows = tuple(cells((word, *map(count, row))) for word, row in zip(words, of["table"], strict=True))
    return Table(caption, columns, rows)


def _panel(data: ReportData) -> tuple[Table, ...]:
    """The majority of the judges; a tie is split."""
    counts: Mapping[str, int] = data.summary["panel"]
    whole: Mapping[str, Any] | None = data.summary["panel_agreement"]
    if whole is None:
        return ()
    majority = Table(
        f"The panel's verdict on statements{together(data)}",
        (
            Column("Majority of"),
            *(Column(title, number=True) for title in ("Supported", "Not supported", "Split", "Unscored")),
            *(Column(title, number=True) for title in ("Share supported (95% interval)", "Bounds")),
        ),
        (
            cells(
                (
                    plural(len(data.judges), "judge"),
                    *(count(counts[word]) for word in ("supported", "not_supported", "split", "unscored")),
                    percent_with(whole["rate"], whole["interval"]),
                    percent_range(whole["bounds"]),
                )
            ),
        ),
    )
    if len(data.judges) < 3:
        # of two judges the pair says it all
        return (majority,)
    columns = (
        Column("Agreement of"),
        *(Column(title, number=True) for title in ("Statements judged by two or more", "Raw agreement")),
        *(Column(f"{title} (95% interval)", number=True) for title in ("Fleiss' kappa", "AC1")),
    )
    row = (
        plural(len(data.judges), "judge"),
        count(whole["n"]),
        percent(whole["raw"]),
        coefficient(whole["fleiss_kappa"], whole["fleiss_kappa_interval"]),
        coefficient(whole["ac1"], whole["ac1_interval"]),
    )
    return (majority, Table(f"Agreement of all judges at once{together(data)}", columns, (cells(row),)))
