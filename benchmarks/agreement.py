"""Agreement of people and judges on real panels: `python benchmarks/agreement.py` prints one Markdown table.

Reads the labelled sets summhay_judges, lfqa_verification and llmdrift from FAITHFLOW_DATA, else from `shared/data`
beside the repository.
"""

import csv
import gzip
import io
import itertools
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from faithflow.stats.agreement import compare
from faithflow.stats.intervals import Interval
from faithflow.stats.raters import fleiss_kappa, gwet_ac1_multi, raw_agreement

DATA = Path(os.environ.get("FAITHFLOW_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
SUPPORTED = ("supported", "not")


@dataclass(frozen=True, slots=True)
class Panel:
    """Raters of the same items: their labels by name (None: no label), and the answer of each item."""

    name: str
    labels: tuple[str, ...]
    ratings: dict[str, list[str | None]]
    answers: list[str]
    pairs: Sequence[tuple[str, str]]
    together: Sequence[str] = ()
    who: str = ""


def summhay() -> Panel:
    """A person and six judge runs on insights in summaries; covered fully (2) against partly or not (1, 0)."""
    with (DATA / "summhay_judges" / "verdicts.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    raters = [name for name in rows[0] if name != "item"]
    ratings = {name: [SUPPORTED[row[name] != "2"] for row in rows] for name in raters}
    judges = [name for name in raters if name != "human"]
    answers = [row["item"].split(":")[0] for row in rows]
    return Panel("SummHay", SUPPORTED, ratings, answers, [("human", judge) for judge in judges], judges, "judges")


def lfqa() -> Panel:
    """Three people on sentences of long-form answers; supported against partially or not."""
    path = DATA / "lfqa_verification" / "sentence_annotations.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    people = ["person 1", "person 2", "person 3"]
    ratings = {
        name: [SUPPORTED[row["labels"][place] != "supported"] for row in rows] for place, name in enumerate(people)
    }
    answers = [f"{row['system']}/{row['question_id']}" for row in rows]
    return Panel(
        "LFQA-Verification", SUPPORTED, ratings, answers, list(itertools.combinations(people, 2)), people, "people"
    )


def llmdrift() -> Panel:
    """Two dated snapshots of each of two models on 1,000 questions; an answer whose text holds no verdict has none.

    The answers were cut at 160 characters when the set was made: what reasoned first has lost its verdict.
    """
    with gzip.open(DATA / "llmdrift" / "PRIME_FULL_EVAL.csv.gz", "rb") as raw:
        rows = list(csv.DictReader(io.StringIO(raw.read().decode("utf-8"))))
    models = sorted({row["model"] for row in rows})
    said = {(row["model"], row["id"]): bracketed(row["answer_head"]) for row in rows}
    questions = sorted({row["id"] for row in rows}, key=int)
    ratings = {model.split("/")[-1]: [said[model, question] for question in questions] for model in models}
    old_35, new_35, old_4, new_4 = ratings
    return Panel("LLMDrift", ("yes", "no"), ratings, questions, [(old_35, new_35), (old_4, new_4), (old_35, new_4)])


def bracketed(answer: str) -> str | None:
    """The verdict in the first bracket of an answer."""
    found = re.search(r"\[(yes|no)\]", answer, re.IGNORECASE)
    return found[1].lower() if found else None


def table(panels: Sequence[Panel]) -> Iterator[str]:
    heads = ["set", "raters", "n", "no verdict", "answers", "raw", "kappa", "AC1", "McNemar p", "SE of kappa"]
    yield _line(heads)
    yield _line(["---"] * len(heads))
    for panel in panels:
        for a, b in panel.pairs:
            yield _line([panel.name, f"{a} and {b}", *_pair_cells(panel, a, b)])
        if panel.together:
            yield _line([panel.name, f"all {len(panel.together)}: {panel.who}", *_panel_cells(panel)])


def _pair_cells(panel: Panel, a: str, b: str) -> list[str]:
    found = compare(panel.ratings[a], panel.ratings[b], panel.labels, panel.answers)
    alone = compare(panel.ratings[a], panel.ratings[b], panel.labels)
    return [
        f"{found.n:,}",
        f"{len(panel.answers) - found.n:,}",
        f"{found.clusters:,}",
        _value(found.raw),
        _value(found.kappa, found.kappa_interval),
        _value(found.ac1, found.ac1_interval),
        "< .001" if found.mcnemar_p is not None and found.mcnemar_p < 0.001 else _value(found.mcnemar_p),
        _ratio(found.kappa_se, alone.kappa_se),
    ]


def _panel_cells(panel: Panel) -> list[str]:
    votes = np.array(
        [
            [sum(panel.ratings[name][item] == label for name in panel.together) for label in panel.labels]
            for item in range(len(panel.answers))
        ]
    )
    kappa, ac1 = fleiss_kappa(votes, panel.answers), gwet_ac1_multi(votes, panel.answers)
    return [
        f"{len(votes):,}",
        "0",
        f"{len(set(panel.answers)):,}",
        _value(raw_agreement(votes)),
        _value(kappa.value, kappa.interval),
        _value(ac1.value, ac1.interval),
        "",
        _ratio(kappa.se, fleiss_kappa(votes).se),
    ]


def _ratio(clustered: float | None, alone: float | None) -> str:
    """How much wider the error is for claims of one answer being alike."""
    return f"× {clustered / alone:.2f}" if clustered and alone else "undefined"


def _value(value: float | None, interval: Interval | None = None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" if interval is None else f"{value:.3f} ({interval.low:.3f} to {interval.high:.3f})"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    if not DATA.is_dir():
        sys.exit(f"{DATA} is not there: set FAITHFLOW_DATA to the folder that holds the labelled sets")
    print("\n".join(table([summhay(), lfqa(), llmdrift()])))
