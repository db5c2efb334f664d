"""The figures of one corpus under one embedder as Markdown tables."""

from collections.abc import Mapping, Sequence
from itertools import product

from benchmarks.systems.measure import CUTS, Asked, Contexts, Index
from faithflow.corpus.citation_vocabulary import vocabulary_of
from faithflow.metrics.answer_scores import context_precision, retrieval_recall
from faithflow.metrics.citation_scores import ALL, citation_scores, citations_frame
from faithflow.pipelines.frames import AnswerFrames
from faithflow.report.numbers import UNDEFINED
from faithflow.stats.bootstrap import mean_interval


def recall_table(dense: Contexts, asked: Sequence[Asked], embedder: str) -> str:
    """Recall after so many passages, by stratum; `dense` reaches as deep as the last cut."""
    rows = [["embedder", "stratum", "questions", *(f"recall@{k}" for k in CUTS)]]
    for stratum, own in by_stratum(asked):
        means = [mean([retrieval_recall(dense.references[qid(one)][:k], one.gold) for one in own]) for k in CUTS]
        rows.append([embedder, stratum, str(len(own)), *map(number, means)])
    return markdown(rows)


def context_table(contexts: Sequence[Contexts], asked: Sequence[Asked], embedder: str) -> str:
    """What was given: passages, precision of their documents, and recall, by stratum."""
    rows = [["embedder", "given", "stratum", "questions", "passages", "context precision", "retrieval recall"]]
    for given, (stratum, own) in product(contexts, by_stratum(asked)):
        precisions = [context_precision(given.references[qid(one)], one.gold) for one in own]
        recalls = [retrieval_recall(given.references[qid(one)], one.gold) for one in own]
        size = mean([len(given.references[qid(one)]) for one in own])
        figures = [f"{size:.1f}", number(mean(precisions)), number(mean(recalls))]
        rows.append([embedder, given.name, stratum, str(len(own)), *figures])
    return markdown(rows)


def difference_table(pairs: Sequence[tuple[Contexts, Contexts]], asked: Sequence[Asked], embedder: str) -> str:
    """How much more of the gold one has than the other, question by question, with its 95% interval."""
    rows = [["embedder", "retrieval recall of", "less that of", "stratum", "difference", "95% interval"]]
    for (more, less), (stratum, own) in product(pairs, by_stratum(asked)):
        differences = [
            retrieval_recall(more.references[qid(one)], one.gold)
            - retrieval_recall(less.references[qid(one)], one.gold)
            for one in own
        ]
        interval = mean_interval(differences)
        shown = UNDEFINED if interval is None else f"{interval.low:+.3f} to {interval.high:+.3f}"
        rows.append([embedder, more.name, less.name, stratum, f"{mean(differences) or 0:+.3f}", shown])
    return markdown(rows)


def citation_table(index: Index, answers: AnswerFrames, names: Mapping[str, str]) -> str:
    """The table `citation_scores` of the answers; `names` says which pipelines, and as what."""
    frames, embedder = index.frames, index.embedder.name
    vocabulary = vocabulary_of(frames.documents, frames.passages)
    citations = citations_frame(answers.answers, answers.retrievals, vocabulary, embedder)
    scores = citation_scores(answers.answers, citations, answers.retrievals, frames.questions, embedder)
    columns = ("citation_precision", "citation_recall", "citation_f1")
    strict = ("strict_precision", "strict_recall", "strict_f1")
    heads = ["precision", "recall", "F1", "95% interval", "strict precision", "strict recall", "strict F1"]
    rows = [["embedder", "pipeline", "stratum", "answers", "inconclusive", "cited", "invalid", *heads]]
    for row in scores.sort("pipeline", "stratum").iter_rows(named=True):
        if row["pipeline"] not in names:
            continue
        low, high = row["citation_f1_low"], row["citation_f1_high"]
        interval = UNDEFINED if low is None or high is None else f"{low:.3f} to {high:.3f}"
        counts = [str(row["n"]), str(row["inconclusive"]), f"{row['mean_cited']:.1f}", str(row["invalid_citations"])]
        figures = [*(number(row[name]) for name in columns), interval, *(number(row[name]) for name in strict)]
        rows.append([embedder, names[row["pipeline"]], row["stratum"], *counts, *figures])
    return markdown(rows)


def by_stratum(asked: Sequence[Asked]) -> list[tuple[str, list[Asked]]]:
    """The questions by stratum, and all together."""
    strata = sorted({one.question.stratum for one in asked})
    groups = [(stratum, [one for one in asked if one.question.stratum == stratum]) for stratum in strata]
    return [*groups, (ALL, list(asked))] if len(groups) > 1 else [(ALL, list(asked))]


def qid(asked: Asked) -> str:
    return asked.question.question_id


def mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def number(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.3f}"


def markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = [" | ".join(row) for row in (head, ["---"] * len(head), *body)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"
