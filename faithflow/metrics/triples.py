"""How well triples were extracted: precision, recall and F1 of each judge, by document and in all (table 1 of
Papageorgiou et al. 2025). JSON-ready; what is undefined is None.

precision = correct ÷ (correct + hallucinated), recall = correct ÷ (correct + missed), F1 their harmonic mean. Triples
without a label are in no figure; they are counted by reason, and the bounds say what they could change. Judges are
never pooled.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from faithflow.judging.verdict import Status
from faithflow.metrics.pairs import as_list
from faithflow.stats.intervals import clustered_rate

# the row of a document of which it is not known what was missed has no triple
_IS_TRIPLE = pl.any_horizontal(pl.col("head", "relation", "tail") != "")
_USAGE = ("latency_s", "prompt_tokens", "completion_tokens")


def triple_scores(verdicts: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """{JUDGE: scores} from the table `triple_verdicts`. The scores of a judge:

    - `documents`; `evaluated` triples = `correct` + `hallucinated`; `missed`; `unscored` {reason: n} of triples;
    - `precision`, `recall`, `f1`, over all triples of all documents, as the paper pools them;
    - `precision_interval`: 95%, clustered by document; `precision_bounds`: unscored triples all hallucinated, all
      correct; `recall_bounds` likewise, over the documents whose missed facts are known;
    - `missed_unknown`: documents of which it is not known what was missed. They are left out of recall and F1.
    - `latency_s`, `prompt_tokens`, `completion_tokens`: sums over documents; None where no call was made.
    - `by_document` {document_id: the same counts and rates}.

    Raises ValueError where a triple has two rows of one judge.
    """
    key = ["judge", "document_id", "triple_id"]
    if verdicts.select(key).is_duplicated().any():
        raise ValueError("a triple has two rows of one judge: give each row once")
    return {
        judge: _judge_scores(verdicts.filter(judge=judge).sort(key)) for judge in sorted(verdicts["judge"].unique())
    }


def scores_of(correct: int, hallucinated: int, missed: int) -> tuple[float | None, float | None, float | None]:
    """Precision, recall and F1 of counts; each None where its denominator is 0."""
    precision = correct / (correct + hallucinated) if correct + hallucinated else None
    recall = correct / (correct + missed) if correct + missed else None
    whole = 2 * correct + hallucinated + missed
    f1 = 2 * correct / whole if precision is not None and recall is not None and whole else None
    return precision, recall, f1


def _judge_scores(rows: pl.DataFrame) -> dict[str, Any]:
    by_document = rows.partition_by("document_id", maintain_order=True)
    parts: list[tuple[str, dict[str, Any]]] = [(part["document_id"][0], _counts(part)) for part in by_document]
    labelled = rows.filter(pl.col("label").is_in(["correct", "hallucinated"]))
    unscored: Counter[str] = Counter()
    for _, counts in parts:
        unscored.update(counts["unscored"])
    documents = [counts for _, counts in parts]
    return {
        "documents": len(parts),
        **{
            name: sum(counts[name] for counts in documents)
            for name in ("evaluated", "correct", "hallucinated", "missed")
        },
        "missed_unknown": sum(counts["missed_unknown"] for counts in documents),
        "unscored": dict(sorted(unscored.items())),
        **_rates(documents),
        "precision_interval": as_list(clustered_rate(labelled["label"] == "correct", labelled["document_id"])),
        **{name: _sum([counts[name] for counts in documents]) for name in _USAGE},
        "by_document": {document_id: counts | _rates([counts]) for document_id, counts in parts},
    }


def _counts(rows: pl.DataFrame) -> dict[str, Any]:
    """The counts of one document; its usage stands in every row and counts once."""
    unscored = rows.filter(pl.col("status") == Status.UNSCORED.value)
    labels = dict(rows["label"].drop_nulls().value_counts().iter_rows())
    correct, hallucinated = labels.get("correct", 0), labels.get("hallucinated", 0)
    reasons = unscored.filter(_IS_TRIPLE)["reason"].value_counts().sort("reason")
    return {
        "evaluated": correct + hallucinated,
        "correct": correct,
        "hallucinated": hallucinated,
        "missed": labels.get("missed", 0),
        "missed_unknown": int(unscored.filter(~_IS_TRIPLE).height > 0),
        "unscored": dict(reasons.iter_rows()),
        **{name: rows[name].max() for name in _USAGE},
    }


def _rates(documents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    correct, hallucinated, _, unscored = _totals(documents)
    precision, _, _ = scores_of(correct, hallucinated, 0)
    known = [counts for counts in documents if not counts["missed_unknown"]]
    right, wrong, missed, open_ = _totals(known)
    _, recall, f1 = scores_of(right, wrong, missed)
    total = correct + hallucinated + unscored
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "precision_bounds": [correct / total, (correct + unscored) / total] if total else None,
        "recall_bounds": [scores_of(right, wrong, missed)[1], scores_of(right + open_, wrong, missed)[1]]
        if right + missed
        else None,
    }


def _totals(documents: Sequence[Mapping[str, Any]]) -> tuple[int, int, int, int]:
    return (
        sum(counts["correct"] for counts in documents),
        sum(counts["hallucinated"] for counts in documents),
        sum(counts["missed"] for counts in documents),
        sum(sum(counts["unscored"].values()) for counts in documents),
    )


def _sum(values: Sequence[float | None]) -> float | None:
    told = [value for value in values if value is not None]
    return sum(told) if told else None
