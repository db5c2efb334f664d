"""The tables `citations` and `citation_scores`, from the answers and what was retrieved for them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from faithflow.corpus.citation_vocabulary import Vocabulary
from faithflow.corpus.citations import Citation, ContextItem, cited
from faithflow.metrics.answer_scores import (
    UNDEFINED,
    Quality,
    citation_quality,
    cited_units,
    context_precision,
    retrieval_recall,
    strict_quality,
)
from faithflow.stats.bootstrap import mean_interval
from faithflow.tables.answering import CITATION_SCORES, CITATIONS
from faithflow.tables.records import frame_of
from faithflow.text.sentences import sentence_spans

ALL = "all"
"""The stratum of the rows over all strata."""

_CITATION = ("char_start", "char_end", "cited", "passage_id", "valid", "form")


def citations_frame(
    answers: pl.DataFrame, retrievals: pl.DataFrame, vocabulary: Vocabulary, embedder: str
) -> pl.DataFrame:
    """The table `citations` of some rows of `answers` and `retrievals`."""
    items = defaultdict[str, list[ContextItem]](list)
    given = retrievals.filter(pl.col("label").is_not_null()).sort("answer_id", "position", "step", "rank")
    columns = ("answer_id", "passage_id", "label", "reference", "source_url")
    for answer_id, *item in given.select(columns).iter_rows():
        items[answer_id].append(ContextItem(*item))
    rows = [
        {"answer_id": answer_id, "number": number, **{name: getattr(citation, name) for name in _CITATION}}
        for answer_id, answer in answers.select("answer_id", "answer").iter_rows()
        for number, citation in enumerate(cited(answer, items[answer_id], vocabulary))
    ]
    return frame_of(CITATIONS, rows, embedder=embedder)


def citation_scores(
    answers: pl.DataFrame,
    citations: pl.DataFrame,
    retrievals: pl.DataFrame,
    questions: pl.DataFrame,
    embedder: str,
) -> pl.DataFrame:
    """The table `citation_scores`: one row a pipeline and stratum, and one a pipeline over all strata.

    Only answers to questions with gold passages enter; an answer to a question that the corpus cannot answer has
    nothing to cite. Failed answers are counted and not scored. Each mean is over the answers for which the number is
    defined: an answer that cites nothing, as one that is inconclusive, has no precision, and recall and F1 of 0. The
    interval of F1 resamples questions, each with the mean of its repeats.
    """
    scored = _scored(answers, citations, retrievals, questions)
    groups = defaultdict[tuple[str, str], list[_Scored]](list)
    for one in scored:
        for stratum in {one.stratum, ALL}:
            groups[one.pipeline, stratum].append(one)
    rows = [
        {"pipeline": pipeline, "stratum": stratum, **_summary(own)}
        for (pipeline, stratum), own in sorted(groups.items())
    ]
    return frame_of(CITATION_SCORES, rows, embedder=embedder)


@dataclass(frozen=True, slots=True)
class _Scored:
    """One answer to a question with gold; the scores of a failed one are undefined."""

    question_id: str
    pipeline: str
    stratum: str
    status: str
    citation: Quality = UNDEFINED
    strict: Quality = UNDEFINED
    context_precision: float | None = None
    retrieval_recall: float | None = None
    context: int = 0
    cited: int = 0
    invalid: int = 0


def _scored(
    answers: pl.DataFrame, citations: pl.DataFrame, retrievals: pl.DataFrame, questions: pl.DataFrame
) -> list[_Scored]:
    own_citations = defaultdict[str, list[Citation]](list)
    for answer_id, *values in citations.select("answer_id", *_CITATION).iter_rows():
        own_citations[answer_id].append(Citation(*values))
    contexts: dict[str, list[str]] = dict(
        retrievals.filter("kept").group_by("answer_id").agg(pl.col("passage_id").unique()).iter_rows()
    )
    with_gold = questions.filter(pl.col("gold_passage_ids").list.len() > 0)
    rows = answers.join(with_gold.select("question_id", "stratum", "gold_passage_ids"), on="question_id")
    return [
        _score(row, own_citations[row["answer_id"]], contexts.get(row["answer_id"], []))
        for row in rows.sort("pipeline", "question_id", "repeat", "answer_id").iter_rows(named=True)
    ]


def _score(row: dict[str, Any], citations: Sequence[Citation], context: Sequence[str]) -> _Scored:
    known = (row["question_id"], row["pipeline"], row["stratum"], row["status"])
    if row["status"] == "failed":
        return _Scored(*known)
    answer, gold = row["answer"], row["gold_passage_ids"]
    return _Scored(
        *known,
        citation_quality(citations, gold),
        strict_quality(answer, sentence_spans(answer), citations, gold),
        context_precision(context, gold),
        retrieval_recall(context, gold),
        len(context),
        len(cited_units(citations)),
        sum(not citation.valid for citation in citations),
    )


def _summary(group: Sequence[_Scored]) -> dict[str, Any]:
    scored = [one for one in group if one.status != "failed"]
    by_question = defaultdict[str, list[float]](list)
    for one in scored:
        if one.citation.f1 is not None:
            by_question[one.question_id].append(one.citation.f1)
    interval = mean_interval([sum(own) / len(own) for own in by_question.values()])
    f1 = _mean(one.citation.f1 for one in scored)
    return {
        "n": len(group),
        "failed": len(group) - len(scored),
        "inconclusive": sum(one.status == "inconclusive" for one in scored),
        "citation_precision": _mean(one.citation.precision for one in scored),
        "citation_recall": _mean(one.citation.recall for one in scored),
        "citation_f1": f1,
        "citation_f1_low": None if interval is None or f1 is None else min(interval.low, f1),
        "citation_f1_high": None if interval is None or f1 is None else max(interval.high, f1),
        "strict_precision": _mean(one.strict.precision for one in scored),
        "strict_recall": _mean(one.strict.recall for one in scored),
        "strict_f1": _mean(one.strict.f1 for one in scored),
        "context_precision": _mean(one.context_precision for one in scored),
        "retrieval_recall": _mean(one.retrieval_recall for one in scored),
        "mean_context": _mean(one.context for one in scored),
        "mean_cited": _mean(one.cited for one in scored),
        "invalid_citations": sum(one.invalid for one in scored),
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
