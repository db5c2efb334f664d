"""Which questions are asked, where a study does not ask them all."""

import polars as pl

from faithflow.identity import digest
from faithflow.study.systems import Ask


def asked(questions: pl.DataFrame, ask: Ask | None) -> pl.DataFrame:
    """The rows of the table `questions` that a study asks: all of them, or of each corpus and stratum `per_stratum`.

    A question's place in its stratum is the hash of its id under the seed: it depends on no other question.
    """
    if ask is None:
        return questions
    places = [digest([ask.seed, question_id]) for question_id in questions["question_id"]]
    ordered = questions.with_columns(place=pl.Series(places, dtype=pl.String)).sort("place", "question_id")
    return ordered.group_by("corpus", "stratum", maintain_order=True).head(ask.per_stratum).select(questions.columns)
