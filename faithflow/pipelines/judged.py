"""Answers as they go to the judges: each with the evidence that its generator was given."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import polars as pl

from faithflow.corpus.trace import Context, Trace
from faithflow.identity import Json


class JudgedAnswer(NamedTuple):
    """An answer to judge, and the corpus that its question came with."""

    trace: Trace
    corpus: str


def judged_answers(
    answers: pl.DataFrame, retrievals: pl.DataFrame, citations: pl.DataFrame, questions: pl.DataFrame
) -> Iterable[JudgedAnswer]:
    """The traces of one embedder's answers, in the order of the table `answers`.

    An answer that failed is none and is left out. Evidence is what the generator was given, in the order in which it
    was given; a passage that two tools brought is there once, as the generator saw it.
    """
    given = retrievals.filter(pl.col("position").is_not_null()).sort("answer_id", "position")
    evidence = {key[0]: rows for key, rows in given.group_by("answer_id", maintain_order=True)}
    valid = citations.filter("valid").sort("answer_id", "char_start")
    cited = dict(valid.group_by("answer_id", maintain_order=True).agg("passage_id").iter_rows())
    asked = {row["question_id"]: row for row in questions.iter_rows(named=True)}
    for answer in answers.filter(pl.col("status") != "failed").iter_rows(named=True):
        answer_id, question = answer["answer_id"], asked[answer["question_id"]]
        rows = evidence.get(answer_id)
        contexts = () if rows is None else tuple(_context(row) for row in rows.iter_rows(named=True))
        trace = Trace(
            id=answer_id,
            question=question["question"],
            answer=answer["answer"],
            contexts=contexts,
            pipeline=answer["pipeline"],
            stratum=question["stratum"],
            repeat=answer["repeat"],
            citations=tuple(dict.fromkeys(cited.get(answer_id, []))),
            gold=_gold(question),
        )
        yield JudgedAnswer(trace, question["corpus"])


def _context(row: Mapping[str, Any]) -> Context:
    """The passage under its document's title and date, above its links: the generator was shown them too."""
    date = f" ({row['date']})" if row["date"] else ""
    heading = f"{row['title']}{date}" if row["title"] else row["date"]
    text = f"{heading}\n\n{row['text']}" if heading else row["text"]
    links = "\n".join(f"- {link}" for link in row["links"])
    return Context(row["passage_id"], f"{text}\n\n{links}" if links else text, row["source"])


def _gold(question: Mapping[str, Any]) -> Mapping[str, Json] | None:
    known: dict[str, Json] = {"answer": question["gold_answer"], "passage_ids": question["gold_passage_ids"]}
    return {key: value for key, value in known.items() if value is not None} or None
